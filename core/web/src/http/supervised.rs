//! What surrounds the work on every request: the log knows which one a line belongs to, a panic ends that request alone,
//! and the work has an end.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use rocket::http::{Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request};
use tracing::{Instrument as _, Span};

use super::headers::request_id;
use super::https_redirect::HttpsRedirect;
use crate::metrics::RouteClass;
use crate::site::Site;
use festival_base::deadline;

/// What is written while `request` is answered carries its id. The level is that of errors, so that a log of nothing
/// but trouble has it too.
pub(super) fn span_of(request: &Request<'_>) -> Span {
    tracing::error_span!("request", id = request_id(request))
}

/// Surrounds `routes`, which are of one class; those of a site with an https address are for visitors by https.
pub fn supervised(routes: Vec<Route>, class: RouteClass, site: &Arc<Site>) -> Vec<Route> {
    let redirected = |mut route: Route| {
        if site.settings.is_https() {
            route.handler = Box::new(HttpsRedirect { inner: route.handler, site: site.clone() });
        }
        route
    };
    supervised_for_anybody(routes.into_iter().map(redirected).collect(), class, site)
}

/// The same for who follows no redirects.
pub(super) fn supervised_for_anybody(routes: Vec<Route>, class: RouteClass, site: &Arc<Site>) -> Vec<Route> {
    let supervised = |mut route: Route| {
        route.handler = Box::new(Supervised { inner: route.handler, class, site: site.clone() });
        route
    };
    routes.into_iter().map(supervised).collect()
}

/// The class of the route that answers `request`.
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
    /// How long the work on a request may take. What people send has its own pace until it is here.
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
            match deadline::within(self.limit(request.method()), work).await {
                Ok(Ok(outcome)) => outcome,
                Ok(Err(_)) => {
                    // The panic itself has written where it was.
                    tracing::error!(path = %request.uri().path(), "a handler panicked");
                    self.site.metrics.panicked();
                    Outcome::Error(Status::InternalServerError)
                }
                Err(deadline::Elapsed) => {
                    tracing::error!(path = %request.uri().path(), "a request took too long and was given up");
                    self.site.metrics.gave_up();
                    Outcome::Error(Status::ServiceUnavailable)
                }
            }
        };
        supervised.instrument(span_of(request)).await
    }
}
