//! What a module computes when it is asked: an async function from [`Ask`], kept in the registry.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::endpoint::Ask;
use festival_base::error::Result;

type Function<T> = dyn Fn(Ask) -> BoxFuture<'static, Result<T>> + Send + Sync;

/// A function from [`Ask`] to a `T`.
pub struct Compute<T>(Arc<Function<T>>);

impl<T: 'static> Compute<T> {
    /// Keeps `function`.
    pub fn new<F, Fut>(function: F) -> Self
    where
        F: Fn(Ask) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T>> + Send + 'static,
    {
        Self(Arc::new(move |ask| Box::pin(function(ask))))
    }

    /// Computes it now.
    pub async fn run(&self, ask: Ask) -> Result<T> {
        (self.0)(ask).await
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
