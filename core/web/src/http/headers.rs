//! What every answer carries: its request id, and the headers that keep browsers on the safe side.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rocket::fairing::{Fairing, Info, Kind};
use rocket::http::{Method, Status};
use rocket::{Data, Request, Response};
use tracing::Level;

use super::client::came_in_the_clear;
use super::supervised::class_of;
use crate::metrics::Metrics;
use festival_base::settings::Settings;

/// Adds the headers of every answer and writes one line of log a request.
pub struct Headers {
    document_policy: String,
    framing_policy: String,
    /// The site is behind https.
    secure: bool,
    trusted_proxies: Vec<String>,
    under_way: InFlight,
    metrics: Arc<Metrics>,
}

/// What is not shown as a page needs nothing.
pub const FILE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// What every answer says, whatever it is.
pub const ALWAYS: [(&str, &str); 5] = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
];

/// Two years, as browsers' lists of https-only sites ask for.
const STRICT_TRANSPORT: &str = "max-age=63072000; includeSubDomains";

/// The requests that are not answered to their end.
#[derive(Clone, Default)]
pub struct InFlight(Arc<()>);

impl InFlight {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        // The fairing has one, the server has one, whoever asks has one, and each request.
        Arc::strong_count(&self.0) <= 3
    }
}

/// Whether the answer is a page that shows other hosts in a frame.
struct Framing(bool);

/// The answer to `request` may frame the hosts of the settings.
pub(super) fn allow_frames(request: &Request<'_>) {
    request.local_cache(|| Framing(true));
}

/// What is known of a request from its start.
struct Seen {
    id: String,
    at: Instant,
    /// Dropped with the request, when its answer is out.
    _under_way: Option<InFlight>,
}

static COUNTER: AtomicU64 = AtomicU64::new(0);

/// The request's id, also in its log line and its answer.
pub fn request_id<'r>(request: &'r Request<'_>) -> &'r str {
    &seen(request, None).id
}

fn seen<'r>(request: &'r Request<'_>, under_way: Option<&InFlight>) -> &'r Seen {
    request.local_cache(|| Seen { id: new_request_id(), at: Instant::now(), _under_way: under_way.cloned() })
}

/// An id that no other request has.
pub fn new_request_id() -> String {
    format!("{:08x}{:08x}", process_mark(), COUNTER.fetch_add(1, Ordering::Relaxed))
}

/// Tells the requests of this process from those of another.
fn process_mark() -> u32 {
    use std::hash::{BuildHasher as _, RandomState};
    static MARK: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *MARK.get_or_init(|| (RandomState::new().hash_one(std::process::id()) >> 32) as u32)
}

impl Headers {
    /// Reads which hosts pages may frame and whether the site is behind https; counts requests in `under_way` and
    /// `metrics`.
    pub fn new(settings: &Settings, under_way: InFlight, metrics: Arc<Metrics>) -> Self {
        let hosts = match settings.frontend.frame_hosts.as_slice() {
            [] => "'none'".to_owned(),
            hosts => hosts.join(" "),
        };
        Self {
            document_policy: document_policy("'none'"),
            framing_policy: document_policy(&hosts),
            secure: settings.is_https(),
            trusted_proxies: settings.trusted_proxies.clone(),
            under_way,
            metrics,
        }
    }

    /// What the browser may load for this answer.
    fn policy(&self, request: &Request<'_>, is_document: bool) -> String {
        match (is_document, request.local_cache(|| Framing(false)).0) {
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
         frame-ancestors 'none'; object-src 'none'; manifest-src 'self'"
    )
}

#[rocket::async_trait]
impl Fairing for Headers {
    fn info(&self) -> Info {
        Info { name: "request id, headers and log line", kind: Kind::Request | Kind::Response }
    }

    async fn on_request(&self, request: &mut Request<'_>, data: &mut Data<'_>) {
        seen(request, Some(&self.under_way));
        // Rocket took another method from the beginning of the form: a form never changes the method here.
        if request.content_type().is_some_and(|kind| kind.is_form()) && data.peek(8).await.starts_with(b"_method=") {
            request.set_method(Method::Post);
        }
    }

    async fn on_response<'r>(&self, request: &'r Request<'_>, response: &mut Response<'r>) {
        let seen = seen(request, None);
        let is_document = response.content_type().is_some_and(|kind| kind.is_html());
        response.remove_header("Server");
        response.set_raw_header("X-Request-Id", seen.id.clone());
        for (name, value) in ALWAYS {
            response.set_raw_header(name, value);
        }
        // With a 304 the browser keeps the policy of what it has; one sent now would replace it.
        if response.status() != Status::NotModified {
            response.set_raw_header("Content-Security-Policy", self.policy(request, is_document));
            if is_document {
                response.set_raw_header("Cross-Origin-Opener-Policy", "same-origin");
            }
        }
        if self.secure && !came_in_the_clear(request, &self.trusted_proxies) {
            response.set_raw_header("Strict-Transport-Security", STRICT_TRANSPORT);
        }
        self.metrics.answered(class_of(request), response.status(), seen.at.elapsed());
        log_line(seen, request, response.status());
    }
}

/// The line of the log that every request has.
fn log_line(seen: &Seen, request: &Request<'_>, status: Status) {
    macro_rules! line {
        ($level:expr) => {
            tracing::event!(
                target: "festival::request",
                $level,
                method = request.method().as_str(),
                // Without the query: it may hold what a visitor typed.
                path = %request.uri().path(),
                status = status.code,
                micros = u64::try_from(seen.at.elapsed().as_micros()).unwrap_or(u64::MAX),
                id = %seen.id,
            )
        };
    }
    // What is our fault stands out, and is there where the log is of errors alone.
    if status.class().is_server_error() { line!(Level::ERROR) } else { line!(Level::INFO) }
}
