//! The context that the sources of a search receive.

use std::sync::Arc;

use crate::account::Account;
use crate::role::{Action, Resource, Role};
use crate::scope::Scope;
use festival_web::site::Site;

/// The text of a search, and who searches.
#[derive(Clone)]
pub struct SearchContext {
    /// The site.
    pub site: Arc<Site>,
    /// The words; never empty.
    pub text: String,
    pub(super) account: Account,
    pub(super) roles: Vec<&'static Role>,
}

impl SearchContext {
    /// Whether the account may perform `action` on `resource`.
    pub fn may(&self, resource: &Resource, action: Action) -> bool {
        self.account.may(resource, action)
    }

    /// The part of the submissions that the account is limited to.
    pub fn scope(&self) -> Scope {
        self.account.scope()
    }
}
