//! Responses that must not be cached, such as those of errors.

use std::io::Cursor;

use rocket::http::{ContentType, Status};
use rocket::{Request, Response};

use super::request_id::request_id;
use festival_base::error::Error;

/// Returns a response that must not be cached.
pub fn uncached(status: Status, kind: ContentType, body: impl Into<Vec<u8>>) -> Response<'static> {
    let body = body.into();
    Response::build()
        .status(status)
        .header(kind)
        .raw_header("Cache-Control", "no-store")
        .sized_body(body.len(), Cursor::new(body))
        .finalize()
}

/// Returns the API's response for an error. The cause of an internal error goes to the log only.
pub(super) fn error_json(request: &Request<'_>, error: &Error) -> Response<'static> {
    log_cause(request, error);
    let body = serde_json::to_vec(&error.body(request_id(request))).unwrap_or_default();
    let mut response = uncached(error.status(), ContentType::JSON, body);
    if let Some(seconds) = error.retry_after() {
        response.set_raw_header("Retry-After", seconds.to_string());
    }
    response
}

/// Logs the cause of an internal error.
pub fn log_cause(request: &Request<'_>, error: &Error) {
    if matches!(error, Error::Internal(_)) {
        tracing::error!(path = %request.uri().path(), cause = error.for_terminal(), "request failed");
    }
}
