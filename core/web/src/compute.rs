//! What a module computes when it is asked: an async function from [`RequestContext`], kept in the registry.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::endpoint::RequestContext;
use festival_base::error::Result;

type Function<T> = dyn Fn(RequestContext) -> BoxFuture<'static, Result<T>> + Send + Sync;

/// A function from [`RequestContext`] to a `T`.
pub struct Compute<T>(Arc<Function<T>>);

impl<T: 'static> Compute<T> {
    /// Keeps `function`.
    pub fn new<F, Fut>(function: F) -> Self
    where
        F: Fn(RequestContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T>> + Send + 'static,
    {
        Self(Arc::new(move |request| Box::pin(function(request))))
    }

    /// Computes it now.
    pub async fn run(&self, request: RequestContext) -> Result<T> {
        (self.0)(request).await
    }
}

impl<T> Clone for Compute<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> fmt::Debug for Compute<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Compute")
    }
}
