//! An async function as a value: what modules register as handlers, cards, searches, tasks.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use rocket::futures::future::BoxFuture;

/// An async function from `C` to `T`. Cloning is cheap.
pub struct AsyncFn<C, T>(Arc<dyn Fn(C) -> BoxFuture<'static, T> + Send + Sync>);

impl<C: 'static, T: 'static> AsyncFn<C, T> {
    /// Wraps `function`.
    pub fn new<F, Fut>(function: F) -> Self
    where
        F: Fn(C) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = T> + Send + 'static,
    {
        Self(Arc::new(move |context| Box::pin(function(context))))
    }

    /// Calls the function.
    pub fn call(&self, context: C) -> BoxFuture<'static, T> {
        (self.0)(context)
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
