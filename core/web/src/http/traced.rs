//! The request that a line of the log belongs to.

use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request};
use tracing::{Instrument as _, Span};

use super::headers::request_id;

/// What is written while `request` is answered carries its id. The level is that of errors, so that a log of nothing
/// but trouble has it too.
pub(super) fn span_of(request: &Request<'_>) -> Span {
    tracing::error_span!("request", id = request_id(request))
}

/// Has everything that `routes` write to the log carry the id of its request.
pub(super) fn traced(routes: Vec<Route>) -> Vec<Route> {
    let traced = |mut route: Route| {
        route.handler = Box::new(Traced { inner: route.handler });
        route
    };
    routes.into_iter().map(traced).collect()
}

#[derive(Clone)]
struct Traced {
    inner: Box<dyn Handler>,
}

#[rocket::async_trait]
impl Handler for Traced {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        self.inner.handle(request, data).instrument(span_of(request)).await
    }
}
