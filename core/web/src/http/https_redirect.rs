//! A site whose address is https:// is visited by https: pages send the visitor there, forms are not taken otherwise.

use std::sync::Arc;

use rocket::http::{Method, Status};
use rocket::route::{Handler, Outcome};
use rocket::{Data, Request, Response};

use super::client::came_in_the_clear;
use super::routes::error_json;
use crate::site::Site;
use festival_base::error::Error;

/// Lets nobody through to a handler who came in the clear.
#[derive(Clone)]
pub(super) struct HttpsRedirect {
    pub(super) inner: Box<dyn Handler>,
    pub(super) site: Arc<Site>,
}

#[rocket::async_trait]
impl Handler for HttpsRedirect {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        match to_https(&self.site, request) {
            Some(response) => Outcome::Success(response),
            None => self.inner.handle(request, data).await,
        }
    }
}

/// What is answered to a request that came in the clear; none where it did not, or may.
pub(super) fn to_https(site: &Site, request: &Request<'_>) -> Option<Response<'static>> {
    if !site.settings.is_https() || !came_in_the_clear(request, &site.settings.trusted_proxies) {
        return None;
    }
    let address = site.settings.public_url.trim_end_matches('/');
    Some(match request.method() {
        Method::Get | Method::Head => Response::build()
            .status(Status::PermanentRedirect)
            .raw_header("Location", format!("{address}{}", request.uri()))
            // Permanent for browsers, but not for ever: an operator may have set the address too early.
            .raw_header("Cache-Control", "public, max-age=3600")
            .finalize(),
        // What was sent has been read by others already; sending it on would hide that.
        _ => error_json(request, &Error::Closed(format!("This site takes forms over https only: {address}/."))),
    })
}
