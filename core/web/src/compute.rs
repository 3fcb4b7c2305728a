//! A stored async function from [`RequestContext`] to a value, as modules register it for pages and documents.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::endpoint::RequestContext;
use festival_base::error::Result;

type Function<T> = dyn Fn(RequestContext) -> BoxFuture<'static, Result<T>> + Send + Sync;

/// An async function from [`RequestContext`] to a `T`. Cloning is cheap.
pub struct Compute<T>(Arc<Function<T>>);

impl<T: 'static> Compute<T> {
    /// Wraps `function`.
    pub fn new<F, Fut>(function: F) -> Self
    where
        F: Fn(RequestContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T>> + Send + 'static,
    {
        Self(Arc::new(move |request| Box::pin(function(request))))
    }

    /// Calls the function.
    ///
    /// # Errors
    /// Those of the function.
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
