//! Figures for monitoring, on an address of their own: `metrics_address`.

use std::net::SocketAddr;
use std::sync::Arc;

use festival_core::metrics::CONTENT_TYPE;
use festival_core::settings::{Connections, Settings};
use festival_core::{App, Error, Result};
use rocket::figment::Figment;
use rocket::figment::providers::Serialized;
use rocket::http::{ContentType, Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request, Response};

use crate::front::Front;

/// Connections that are open at the same time, at most.
const CONNECTIONS: u32 = 16;

/// Serves the figures of `app`, if the settings say where, until the program ends; answers the address.
///
/// # Errors
/// If the address cannot be had.
pub(crate) async fn serve(app: &Arc<App>) -> Result<Option<SocketAddr>> {
    let Ok(address) = app.settings.metrics_address.parse::<SocketAddr>() else { return Ok(None) };
    let figment = Figment::from(rocket::Config::default())
        .merge(Serialized::default("address", address.ip()))
        .merge(Serialized::default("port", address.port()))
        .merge(Serialized::default("log_level", "off"))
        .merge(Serialized::default("ident", false))
        // The site's own server listens to the system.
        .merge(Serialized::default("shutdown.ctrlc", false))
        .merge(Serialized::default("shutdown.signals", [(); 0]));
    let connections = Connections { at_once: CONNECTIONS, at_once_per_client: CONNECTIONS };
    let settings = Settings { connections, ..app.settings.clone() };
    let unavailable = |error| Error::BadRequest(format!("metrics_address {address} cannot be had: {error}"));
    let (front, behind) = Front::open(figment, &settings).await.map_err(unavailable)?;
    let address = front.address();
    let routes = vec![Route::new(Method::Get, "/metrics", ServeFigures { app: app.clone() })];
    let rocket = rocket::custom(behind).mount("/", routes).attach(front).ignite().await.map_err(Error::internal)?;
    tokio::spawn(rocket.launch());
    Ok(Some(address))
}

#[derive(Clone)]
struct ServeFigures {
    app: Arc<App>,
}

impl ServeFigures {
    fn is_open_to(&self, request: &Request<'_>) -> bool {
        let token = self.app.settings.metrics_token.reveal();
        let sent = request.headers().get_one("Authorization").and_then(|value| value.strip_prefix("Bearer "));
        token.is_empty() || sent.is_some_and(|sent| is_equal(sent.as_bytes(), token.as_bytes()))
    }
}

/// Compares in a time that tells nothing of where the two differ.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
}

#[rocket::async_trait]
impl Handler for ServeFigures {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        if !self.is_open_to(request) {
            return Outcome::Error(Status::Unauthorized);
        }
        let text = match self.app.metrics_text().await {
            Ok(text) => text,
            Err(error) => {
                tracing::error!(cause = error.for_terminal(), "the figures cannot be written");
                return Outcome::Error(Status::InternalServerError);
            }
        };
        let content_type = ContentType::parse_flexible(CONTENT_TYPE).unwrap_or(ContentType::Plain);
        let body = std::io::Cursor::new(text);
        Outcome::Success(
            Response::build()
                .header(content_type)
                .raw_header("Cache-Control", "no-store")
                .sized_body(body.get_ref().len(), body)
                .finalize(),
        )
    }
}
