//! The context that the sources of a search receive.

use std::sync::Arc;

use crate::collections::Viewer;
use crate::identity::account::Account;
use crate::identity::role::Role;
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
    /// Whether a text has all words, in any case.
    pub(super) fn is_found_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.text.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }

    /// Who searches.
    pub fn viewer(&self) -> Viewer<'_> {
        Viewer { site: &self.site, account: &self.account }
    }
}
