//! Error responses where no handler responded: JSON under the API's mount, a page elsewhere.

use std::sync::Arc;

use rocket::catcher::{Catcher, Handler, Result as CatcherResult};
use rocket::http::{ContentType, Method, Status};
use rocket::{Request, Response};
use tracing::Instrument as _;

use super::headers::{COMMON_HEADERS, FILE_POLICY};
use super::https_redirect::to_https;
use super::request::decoded_path;
use super::request_id::request_id;
use super::response::{error_json, log_cause, uncached};
use super::supervised::span_of;
use crate::page;
use crate::site::Site;
use festival_base::error::{Error, ErrorBody, code_of};

/// `Retry-After` of a 503, in seconds.
const RETRY_AFTER: &str = "5";

/// Returns the catcher of all statuses.
pub(super) fn catcher(site: &Arc<Site>) -> Catcher {
    Catcher::new(None, CatchAll { site: site.clone() })
}

#[derive(Clone)]
struct CatchAll {
    site: Arc<Site>,
}

#[rocket::async_trait]
impl Handler for CatchAll {
    async fn handle<'r>(&self, status: Status, request: &'r Request<'_>) -> CatcherResult<'r> {
        let mut response = self.respond(status, request).instrument(span_of(request)).await?;
        // Rocket runs no response fairings for unknown methods.
        for (name, value) in COMMON_HEADERS {
            response.set_raw_header(name, value);
        }
        response.set_raw_header("Content-Security-Policy", FILE_POLICY);
        response.set_raw_header("X-Request-Id", request_id(request).to_owned());
        Ok(response)
    }
}

impl CatchAll {
    async fn respond<'r>(&self, status: Status, request: &'r Request<'_>) -> CatcherResult<'r> {
        if let Some(response) = to_https(&self.site, request) {
            return Ok(response);
        }
        let path = decoded_path(request);
        let prefix = self.site.settings.api_prefix();
        let in_api = !self.site.settings.frontend.enabled || path == prefix || path.starts_with(&format!("{prefix}/"));
        // Rocket responds with 404 to a known path with another method.
        let allowed = if status == Status::NotFound { allowed_methods(request, &path) } else { Vec::new() };
        let status = if allowed.is_empty() { status } else { Status::MethodNotAllowed };
        let mut response = if in_api {
            plain_json(request, status)
        } else if status == Status::NotFound {
            error_page(&self.site, request, &Error::NotFound("There is no such page.".into())).await
        } else {
            plain_page(status, message(status))
        };
        if status == Status::ServiceUnavailable {
            response.set_raw_header("Retry-After", RETRY_AFTER);
        }
        if !allowed.is_empty() {
            let names = allowed.iter().map(|method| method.as_str()).collect::<Vec<_>>().join(", ");
            response.set_raw_header("Allow", names);
        }
        Ok(response)
    }
}

/// Returns the other methods that `path` has routes for.
fn allowed_methods(request: &Request<'_>, path: &str) -> Vec<Method> {
    let mut methods = Vec::new();
    for route in request.rocket().routes() {
        if route.method != request.method()
            && matches_path(&route.uri.to_string(), path)
            && !methods.contains(&route.method)
        {
            methods.push(route.method);
        }
    }
    if methods.contains(&Method::Get) {
        methods.push(Method::Head);
    }
    // Rocket uses GET routes for HEAD: where one exists, the 404 is its own.
    if request.method() == Method::Head && methods.contains(&Method::Get) { Vec::new() } else { methods }
}

/// Whether a route's path, in Rocket's notation, matches `path`.
fn matches_path(route: &str, path: &str) -> bool {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    for segment in route.split('?').next().unwrap_or_default().split('/').filter(|part| !part.is_empty()) {
        if segment.ends_with("..>") {
            return true;
        }
        match parts.next() {
            Some(part) if segment.starts_with('<') || segment == part => {}
            _ => return false,
        }
    }
    parts.next().is_none()
}

fn message(status: Status) -> &'static str {
    match status.code {
        400 => "The request could not be understood.",
        403 => "You do not have access to this.",
        404 => "There is nothing at this address.",
        405 => "This address does not answer that method.",
        413 => "The request is too large.",
        414 | 431 => "The address or the headers are too long.",
        415 => "This address takes another content type.",
        422 => "The values could not be understood.",
        503 => "The site is busy. Please try again in a moment.",
        _ => "Something went wrong on our side. Please try again.",
    }
}

fn plain_json(request: &Request<'_>, status: Status) -> Response<'static> {
    let body = ErrorBody {
        error: message(status).to_owned(),
        code: code_of(status).to_owned(),
        fields: Vec::new(),
        challenge: None,
        request_id: request_id(request).to_owned(),
    };
    uncached(status, ContentType::JSON, serde_json::to_vec(&body).unwrap_or_default())
}

/// Returns the page for an error: the site's own 404 page, or a plain page with the error's message. JSON if the
/// website is disabled.
pub async fn error_page(site: &Arc<Site>, request: &Request<'_>, error: &Error) -> Response<'static> {
    log_cause(request, error);
    if let (Error::NotFound(_), Ok(base_url)) = (error, site.hosts.base_url(request))
        && site.settings.frontend.enabled
        && request
            .headers()
            .get_one("Accept")
            .is_none_or(|accept| accept.contains("text/html") || accept.contains("*/*"))
    {
        let base_url = format!("{base_url}{}", site.path()).into();
        match page::not_found(site, &base_url).await {
            Ok(answer) => return answer.respond(request, rocket::http::Header::new("Cache-Control", "no-cache")),
            Err(error) => log_cause(request, &error),
        }
    }
    if !site.settings.frontend.enabled {
        return error_json(request, error);
    }
    let mut response = plain_page(error.status(), &error.to_string());
    if let Some(seconds) = error.retry_after() {
        response.set_raw_header("Retry-After", seconds.to_string());
    }
    response
}

fn plain_page(status: Status, message: &str) -> Response<'static> {
    let message = handlebars::html_escape(message);
    let body = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{} {}</title><h1>{message}</h1><p><a href=\"/\">To the home page</a></p></html>",
        status.code,
        status.reason_lossy()
    );
    uncached(status, ContentType::HTML, body)
}
