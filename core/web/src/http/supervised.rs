//! Supervision of request handlers: a log span with the request's id, recovery from panics, and a deadline.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use rocket::http::{Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request};
use tracing::{Instrument as _, Span};

use super::https_redirect::to_https;
use super::request_id::request_id;
use crate::metrics::RouteClass;
use crate::site::Site;
use festival_base::deadline;

/// Returns the log span of a request, with its id. Its level is ERROR, so that a log of errors alone has it too.
pub(super) fn span_of(request: &Request<'_>) -> Span {
    tracing::error_span!("request", id = request_id(request))
}

/// Supervises routes of one class. If the site's address is https://, requests over plain HTTP are redirected there or
/// rejected, but not health checks, which follow no redirects.
pub fn supervised(routes: Vec<Route>, class: RouteClass, site: &Arc<Site>) -> Vec<Route> {
    let supervised = |mut route: Route| {
        route.handler = Box::new(Supervised { inner: route.handler, class, site: site.clone() });
        route
    };
    routes.into_iter().map(supervised).collect()
}

/// Returns the class of the route that handles `request`.
pub(super) fn class_of(request: &Request<'_>) -> RouteClass {
    *request.local_cache(|| RouteClass::Other)
}

#[derive(Clone)]
struct Supervised {
    inner: Box<dyn Handler>,
    class: RouteClass,
    site: Arc<Site>,
}

impl Supervised {
    /// Returns the time limit for the work on a request. Time spent waiting for the request's body does not count.
    fn limit(&self, method: Method) -> Duration {
        let limits = &self.site.settings.requests;
        let is_read = matches!(method, Method::Get | Method::Head);
        Duration::from_secs(u64::from(if is_read { limits.get_seconds } else { limits.other_seconds }))
    }
}

#[rocket::async_trait]
impl Handler for Supervised {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        request.local_cache(|| self.class);
        let work = AssertUnwindSafe(self.inner.handle(request, data)).catch_unwind();
        let supervised = async {
            if self.class != RouteClass::Health
                && let Some(response) = to_https(&self.site, request)
            {
                return Outcome::Success(response);
            }
            match deadline::within(self.limit(request.method()), work).await {
                Ok(Ok(outcome)) => outcome,
                Ok(Err(_)) => {
                    // The panic hook has logged the location.
                    tracing::error!(path = %request.uri().path(), "a handler panicked");
                    self.site.metrics.panic();
                    Outcome::Error(Status::InternalServerError)
                }
                Err(deadline::Elapsed) => {
                    tracing::error!(path = %request.uri().path(), "a request exceeded its deadline and was aborted");
                    self.site.metrics.deadline_exceeded();
                    Outcome::Error(Status::ServiceUnavailable)
                }
            }
        };
        supervised.instrument(span_of(request)).await
    }
}
