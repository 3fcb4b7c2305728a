//! Parts of a screen that modules contribute, each with the permission to see it.

use std::future::Future;

use crate::identity::account::Account;
use crate::identity::permission::Permission;
use festival_base::AsyncFn;
use festival_base::error::Result;

/// Computes values of the type `T` for a screen, from the context `C` that the screen passes.
pub struct Widget<C: 'static, T: 'static> {
    permission: Permission,
    work: AsyncFn<C, Result<Vec<T>>>,
}

impl<C: Clone + 'static, T: 'static> Widget<C, T> {
    /// Creates a widget with the results of `work`, for users with `permission`.
    pub fn new<F, Fut>(permission: Permission, work: F) -> Self
    where
        F: Fn(C) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<T>>> + Send + 'static,
    {
        Self { permission, work: AsyncFn::new(work) }
    }

    /// Returns its results for this account; none without permission.
    pub(super) async fn of(&self, account: &Account, context: &C) -> Result<Vec<T>> {
        if self.permission.allows(Some(account)) { self.work.call(context.clone()).await } else { Ok(Vec::new()) }
    }
}
