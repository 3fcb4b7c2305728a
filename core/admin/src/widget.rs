//! Parts of a screen that modules contribute, each with the permission to see it; panels: what they add to the page of a row of
//! another module, such as a submission.

use std::sync::Arc;

use serde::Serialize;

use crate::identity::account::Account;
use crate::identity::permission::Permission;
use festival_base::error::Result;
use festival_base::{AsyncFn, AsyncFunction};
use festival_web::site::Site;

/// Computes values of the type `T` for a screen, from the context `C` that the screen passes.
pub struct Widget<C: 'static, T: 'static> {
    permission: Permission,
    work: AsyncFn<C, Result<Vec<T>>>,
}

impl<C: Clone + 'static, T: 'static> Widget<C, T> {
    /// Creates a widget with the results of `work`, for users with `permission`.
    pub fn new(permission: Permission, work: impl AsyncFunction<C, Result<Vec<T>>>) -> Self {
        Self { permission, work: AsyncFn::new(work) }
    }

    /// Returns its results for this account; none without permission.
    pub(super) async fn of(&self, account: &Account, context: &C) -> Result<Vec<T>> {
        if self.permission.allows(Some(account)) { self.work.call(context.clone()).await } else { Ok(Vec::new()) }
    }
}

/// The row whose page is shown.
#[derive(Clone)]
pub struct RowContext {
    /// The site.
    pub site: Arc<Site>,
    /// The table of the row.
    pub table: &'static str,
    /// Its id.
    pub id: i64,
}

/// A part of the page of a row.
#[derive(Debug, Default, Serialize)]
pub struct Panel {
    /// Its heading.
    pub heading: &'static str,
    /// Paragraphs below it.
    pub lines: Vec<String>,
    /// Links to screens: address and label.
    pub links: Vec<(String, String)>,
}
