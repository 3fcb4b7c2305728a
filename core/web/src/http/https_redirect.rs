//! Redirection of plain HTTP to https, for sites whose address is https://. Submissions over plain HTTP are rejected.

use rocket::http::{Method, Status};
use rocket::{Request, Response};

use super::client::came_over_plain_http;
use super::response::error_json;
use crate::site::Site;
use festival_base::error::Error;

/// Returns the redirect or error for a request over plain HTTP; none if the request may be handled.
pub(super) fn to_https(site: &Site, request: &Request<'_>) -> Option<Response<'static>> {
    if !site.settings.is_https() || !came_over_plain_http(request, &site.settings.trusted_proxies) {
        return None;
    }
    let address = site.settings.public_url.trim_end_matches('/');
    Some(match request.method() {
        Method::Get | Method::Head => Response::build()
            .status(Status::PermanentRedirect)
            .raw_header("Location", format!("{address}{}", request.uri()))
            .finalize(),
        // The body was already sent unencrypted; a redirect would hide that.
        _ => error_json(request, &Error::Closed(format!("This site takes forms over https only: {address}/."))),
    })
}
