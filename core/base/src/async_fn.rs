//! Async functions as values: what modules register as handlers, cards, searches, tasks. Blocking work on threads of its own.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rocket::futures::future::BoxFuture;

use crate::error::{Error, Result};

/// An async function from `C` to `T` that any thread may run: what [`AsyncFn::new`] takes.
pub trait AsyncFunction<C, T>: Fn(C) -> <Self as AsyncFunction<C, T>>::Future + Send + Sync + 'static {
    /// What it returns.
    type Future: Future<Output = T> + Send + 'static;
}

impl<C, T, F, Fut> AsyncFunction<C, T> for F
where
    F: Fn(C) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = T> + Send + 'static,
{
    type Future = Fut;
}

/// An [`AsyncFunction`] as a value. Cloning is cheap.
pub struct AsyncFn<C, T>(Arc<dyn Fn(C) -> BoxFuture<'static, T> + Send + Sync>);

impl<C: 'static, T: 'static> AsyncFn<C, T> {
    /// Wraps `function`.
    pub fn new(function: impl AsyncFunction<C, T>) -> Self {
        Self(Arc::new(move |context| Box::pin(function(context))))
    }

    /// Calls the function.
    pub fn call(&self, context: C) -> BoxFuture<'static, T> {
        (self.0)(context)
    }
}

impl<C: Clone + 'static> AsyncFn<C, Result<()>> {
    /// Calls the function at once and again after each `pause`, until it is dropped. Errors are logged, as those of `name`.
    pub async fn repeat(self, context: C, pause: Duration, name: &str) {
        loop {
            if let Err(error) = self.call(context.clone()).await {
                tracing::warn!(cause = error.for_terminal(), "{name} failed; trying again in {pause:?}");
            }
            tokio::time::sleep(pause).await;
        }
    }
}

impl<C, T> Clone for AsyncFn<C, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<C, T> fmt::Debug for AsyncFn<C, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("AsyncFn")
    }
}

/// Runs blocking work (disk access, computing) on a thread that serves no requests.
///
/// # Errors
/// Those of `work`, and [`Error::Internal`] if it panics.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}
