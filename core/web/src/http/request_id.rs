//! The id of a request, as in its log line and in the header `X-Request-Id`, and what else is known from its start.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rocket::Request;

/// Counter of the requests whose responses have not been sent completely: each holds a clone.
#[derive(Clone, Default)]
pub struct InFlightRequests(Arc<()>);

impl InFlightRequests {
    /// Whether no request is in flight.
    pub fn is_none(&self) -> bool {
        // Rocket's state, the fairing and the caller hold a clone each.
        Arc::strong_count(&self.0) <= 3
    }
}

/// State of a request from its start.
pub(super) struct RequestState {
    pub(super) id: String,
    pub(super) started_at: Instant,
    /// Dropped with the request, when its response has been sent.
    _in_flight: Option<InFlightRequests>,
}

static COUNTER: AtomicU64 = AtomicU64::new(0);

/// Returns the request's id, as in its log line and in `X-Request-Id`.
pub fn request_id<'r>(request: &'r Request<'_>) -> &'r str {
    &state(request, None).id
}

pub(super) fn state<'r>(request: &'r Request<'_>, in_flight: Option<&InFlightRequests>) -> &'r RequestState {
    request.local_cache(|| RequestState {
        id: new_request_id(),
        started_at: Instant::now(),
        _in_flight: in_flight.cloned(),
    })
}

/// Returns a new id, unique among the requests of all processes of the site.
pub fn new_request_id() -> String {
    format!("{:08x}{:08x}", process_id(), COUNTER.fetch_add(1, Ordering::Relaxed))
}

/// Returns a random number for this process, to distinguish its requests from those of others.
fn process_id() -> u32 {
    use std::hash::{BuildHasher as _, RandomState};
    static ID: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *ID.get_or_init(|| (RandomState::new().hash_one(std::process::id()) >> 32) as u32)
}
