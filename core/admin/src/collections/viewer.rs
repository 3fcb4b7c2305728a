//! Who looks at a list.

use std::sync::Arc;

use crate::identity::account::Account;
use crate::identity::role::{Action, Resource};
use crate::identity::scope::Scope;
use festival_web::site::Site;

/// A signed-in account, and the site that it looks at.
#[derive(Clone, Copy)]
pub struct Viewer<'v> {
    /// The site.
    pub site: &'v Arc<Site>,
    pub(crate) account: &'v Account,
}

impl Viewer<'_> {
    /// Whether the account may perform `action` on `resource`.
    pub fn may(&self, resource: &Resource, action: Action) -> bool {
        self.account.may(resource, action)
    }

    /// The part of the data about people that the account is limited to.
    pub fn scope(&self) -> Scope {
        self.account.scope()
    }
}
