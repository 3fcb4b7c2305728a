//! The metrics server: Prometheus metrics at `/metrics` on an address of their own, `metrics_address`.

use std::net::SocketAddr;
use std::sync::Arc;

use festival_core::http::uncached;
use festival_core::metrics::CONTENT_TYPE;
use festival_core::settings::{Connections, Settings};
use festival_core::{Error, Program, Result};
use rocket::figment::Figment;
use rocket::figment::providers::Serialized;
use rocket::http::{ContentType, Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request};
use subtle::ConstantTimeEq as _;

use crate::front::FrontServer;

/// Connections that may be open at the same time.
const MAX_CONNECTIONS: u32 = 16;

/// Serves the metrics of `app` until the program ends, if `metrics_address` is set. Returns the address.
///
/// # Errors
/// [`Error::BadRequest`] if listening on the address fails.
pub(crate) async fn serve(app: &Arc<Program>) -> Result<Option<SocketAddr>> {
    let Ok(address) = app.settings.metrics_address.parse::<SocketAddr>() else { return Ok(None) };
    let figment = Figment::from(rocket::Config::default())
        .merge(Serialized::default("address", address.ip()))
        .merge(Serialized::default("port", address.port()))
        .merge(Serialized::default("log_level", "off"))
        .merge(Serialized::default("ident", false))
        // Signals are handled by the site's own server.
        .merge(Serialized::default("shutdown.ctrlc", false))
        .merge(Serialized::default("shutdown.signals", [(); 0]));
    let connections = Connections { at_once: MAX_CONNECTIONS, at_once_per_client: MAX_CONNECTIONS };
    let settings = Settings { connections, ..app.settings.clone() };
    let unavailable = |error| Error::BadRequest(format!("cannot listen on metrics_address {address}: {error}"));
    let (front, backend) = FrontServer::open(figment, &settings, None).await.map_err(unavailable)?;
    let address = front.address();
    let routes = vec![Route::new(Method::Get, "/metrics", ServeMetrics { app: app.clone() })];
    let rocket = rocket::custom(backend).mount("/", routes).attach(front).ignite().await.map_err(Error::internal)?;
    tokio::spawn(rocket.launch());
    Ok(Some(address))
}

#[derive(Clone)]
struct ServeMetrics {
    app: Arc<Program>,
}

#[rocket::async_trait]
impl Handler for ServeMetrics {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        let token = self.app.settings.metrics_token.reveal();
        let bearer = request.headers().get_one("Authorization").and_then(|value| value.strip_prefix("Bearer "));
        if !token.is_empty() && !bearer.is_some_and(|bearer| bearer.as_bytes().ct_eq(token.as_bytes()).into()) {
            return Outcome::Error(Status::Unauthorized);
        }
        let text = match self.app.metrics_text().await {
            Ok(text) => text,
            Err(error) => {
                tracing::error!(cause = error.for_terminal(), "encoding the metrics failed");
                return Outcome::Error(Status::InternalServerError);
            }
        };
        let content_type = ContentType::parse_flexible(CONTENT_TYPE).unwrap_or(ContentType::Plain);
        Outcome::Success(uncached(Status::Ok, content_type, text))
    }
}
