//! Headers of every response: the request id and the security headers. Also the log line of every request.

use std::sync::Arc;
use std::time::Duration;

use rocket::fairing::{Fairing, Info, Kind};
use rocket::form::Form;
use rocket::http::{Method, Status};
use rocket::{Data, Request, Response};
use tracing::Level;

use super::client::came_over_plain_http;
use super::request_id::{InFlightRequests, state};
use super::supervised::class_of;
use crate::metrics::Metrics;
use festival_base::settings::Settings;

/// Fairing that sets the headers of every response and logs one line per request.
pub struct Headers {
    document_policy: String,
    framing_policy: String,
    /// Whether the site's address is https://.
    is_https: bool,
    trusted_proxies: Vec<String>,
    in_flight: InFlightRequests,
    metrics: Arc<Metrics>,
}

/// Length of the beginning of a body in which Rocket looks for another method, in bytes.
const MAX_OVERRIDE: usize = "_method=delete".len();

/// Content security policy of responses that are not pages.
pub const FILE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Path of the service worker.
pub(super) const WORKER: &str = "/service-worker.js";
/// Content security policy of the service worker, which lets it request files of the site.
const WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/// Headers of every response.
pub const COMMON_HEADERS: [(&str, &str); 5] = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
];

/// `Strict-Transport-Security`: two years, as the preload lists of browsers require.
const STRICT_TRANSPORT: &str = "max-age=63072000; includeSubDomains";

/// Whether the response is a page that may embed other hosts in frames.
struct Framing(bool);

/// Allows the response to `request` to embed the hosts of `frontend.frame_hosts`.
pub(super) fn allow_frames(request: &Request<'_>) {
    request.local_cache(|| Framing(true));
}

impl Headers {
    /// Reads the settings; counts requests in `in_flight` and `metrics`.
    pub fn new(settings: &Settings, in_flight: InFlightRequests, metrics: Arc<Metrics>) -> Self {
        let hosts = match settings.frontend.frame_hosts.as_slice() {
            [] => "'none'".to_owned(),
            hosts => hosts.join(" "),
        };
        Self {
            document_policy: document_policy("'none'"),
            framing_policy: document_policy(&hosts),
            is_https: settings.is_https(),
            trusted_proxies: settings.trusted_proxies.clone(),
            in_flight,
            metrics,
        }
    }

    /// Returns the content security policy of the response.
    fn policy(&self, request: &Request<'_>, is_document: bool) -> String {
        match (is_document, request.local_cache(|| Framing(false)).0) {
            (false, _) if request.uri().path() == WORKER => WORKER_POLICY.to_owned(),
            (false, _) => FILE_POLICY.to_owned(),
            (true, false) => self.document_policy.clone(),
            (true, true) => self.framing_policy.clone(),
        }
    }
}

fn document_policy(frames: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
         media-src 'self'; connect-src 'self'; frame-src {frames}; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'; object-src 'none'; manifest-src 'self'; worker-src 'self'"
    )
}

#[rocket::async_trait]
impl Fairing for Headers {
    fn info(&self) -> Info {
        Info { name: "request id, headers and log line", kind: Kind::Request | Kind::Response }
    }

    async fn on_request(&self, request: &mut Request<'_>, data: &mut Data<'_>) {
        state(request, Some(&self.in_flight));
        // Rocket takes another method from the form field `_method`, if the body begins with it. It is not supported here.
        if request.content_type().is_some_and(|kind| kind.is_form())
            && std::str::from_utf8(data.peek(MAX_OVERRIDE).await)
                .is_ok_and(|body| Form::values(body).next().is_some_and(|field| field.name == "_method"))
        {
            request.set_method(Method::Post);
        }
    }

    async fn on_response<'r>(&self, request: &'r Request<'_>, response: &mut Response<'r>) {
        let state = state(request, None);
        let is_document = response.content_type().is_some_and(|kind| kind.is_html());
        response.remove_header("Server");
        response.set_raw_header("X-Request-Id", state.id.clone());
        for (name, value) in COMMON_HEADERS {
            response.set_raw_header(name, value);
        }
        // A policy in a 304 would replace that of the page in the browser's cache.
        if response.status() != Status::NotModified {
            response.set_raw_header("Content-Security-Policy", self.policy(request, is_document));
            if is_document {
                response.set_raw_header("Cross-Origin-Opener-Policy", "same-origin");
            }
        }
        // Redirects and errors may depend on scheme, host or cookies, which a cache in front does not compare: it would
        // send the redirect to https to those who already use https.
        if !response.status().class().is_success() && response.status() != Status::NotModified {
            response.set_raw_header("Cache-Control", "no-store");
        }
        if self.is_https && !came_over_plain_http(request, &self.trusted_proxies) {
            response.set_raw_header("Strict-Transport-Security", STRICT_TRANSPORT);
        }
        self.metrics.response(class_of(request), response.status(), state.started_at.elapsed());
        let path = request.uri().path().as_str();
        log_line(&state.id, request.method().as_str(), path, response.status(), state.started_at.elapsed());
    }
}

/// Writes the log line of a request. `path` is without the query, which may contain personal data.
pub(super) fn log_line(id: &str, method: &str, path: &str, status: Status, duration: Duration) {
    macro_rules! line {
        ($level:expr) => {
            tracing::event!(
                target: "festival::request",
                $level,
                method,
                path = %path,
                status = status.code,
                micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX),
                id = %id,
            )
        };
    }
    // Errors of the server are logged as such, so that a log of errors alone has them.
    if status.class().is_server_error() { line!(Level::ERROR) } else { line!(Level::INFO) }
}
