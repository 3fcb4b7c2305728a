//! Parts of a screen that modules contribute, each for those who may see it.

use std::future::Future;

use super::account::Account;
use super::permission::Permission;
use festival_base::AsyncFn;
use festival_base::error::Result;

/// Finds things of the kind `T` for a screen, which tells it what it needs to know as a `C`.
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

    /// What it has for this account.
    pub(super) async fn of(&self, account: &Account, context: &C) -> Result<Vec<T>> {
        if self.permission.allows(Some(account)) { self.work.call(context.clone()).await } else { Ok(Vec::new()) }
    }
}
