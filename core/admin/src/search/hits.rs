//! What is searched for and by whom, and the results.

use std::sync::Arc;

use serde::Serialize;

use crate::collections::Viewer;
use crate::identity::account::Account;
use crate::identity::role::Role;
use festival_web::site::Site;

/// Maximum number of hits of a kind that are listed; the rest are only counted.
pub const MAX_HITS: u16 = 5;

/// The hits of one kind.
#[derive(Debug, Serialize)]
pub struct SearchGroup {
    /// The heading: "Delegates".
    pub label: String,
    /// The first hits, [`MAX_HITS`] at most.
    pub hits: Vec<Hit>,
    /// Number of all.
    pub total: i64,
    /// The list of all; `None` if there is none.
    pub href: Option<String>,
    /// The table, if its rows hold personal data: the audit log records that they were shown.
    pub people: Option<&'static str>,
}

impl SearchGroup {
    /// Hits within the program itself: all of them are listed.
    pub(super) fn all(label: &str, hits: Vec<Hit>) -> Self {
        Self { label: label.to_owned(), total: hits.len() as i64, hits, href: None, people: None }
    }
}

/// A hit.
#[derive(Debug, Serialize)]
pub struct Hit {
    /// Its title.
    pub title: String,
    /// A text that distinguishes it from hits with the same title, or "".
    pub beside: String,
    /// The page that shows it.
    pub href: String,
}

/// The address of a list with this search.
pub fn list_address(list: &str, text: &str) -> String {
    form_urlencoded::Serializer::new(format!("{list}?")).append_pair("q", text).finish()
}

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
