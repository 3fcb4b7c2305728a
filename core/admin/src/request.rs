//! The request to a screen: user, parameters, query, form, files, site.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use sqlx::Any;
use sqlx::pool::PoolConnection;

use super::BackOffice;
use super::account::Account;
use super::audit::{self, Entry};
use super::role::{Action, Resource};
use super::scope::Scope;
use super::session::{Client, Session};
use festival_base::db::Write;
use festival_base::error::{Error, Result};
use festival_files::media::StagedFile;
use festival_records::entity::Values;
use festival_web::pattern::Params;
use festival_web::site::Site;

/// Fields of a form or query, in the order in which they were sent. A name may occur several times.
#[derive(Clone, Debug, Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Returns the first value of `name`, or "".
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, text)| text)
    }

    /// Returns all values of `name`: the ticked boxes of a list.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, text)| text.as_str())
    }

    /// Iterates over names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Whether the field `name` was sent.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(key, _)| key == name)
    }

    /// Returns every name with its first value, for [`Entity::parse`](festival_records::entity::Entity::parse).
    pub fn values(&self) -> Values {
        let mut values = Values::new();
        for (name, text) in &self.0 {
            values.entry(name.clone()).or_insert_with(|| text.clone());
        }
        values
    }

    /// Number of fields.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl FromIterator<(String, String)> for Fields {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(pairs: T) -> Self {
        Self(pairs.into_iter().collect())
    }
}

/// A signed-in user: account and session.
#[derive(Clone, Debug)]
pub struct User {
    /// The account.
    pub account: Account,
    /// The session of this browser.
    pub session: Session,
}

/// A request to a screen.
pub struct AdminRequest {
    /// The site.
    pub site: Arc<Site>,
    pub(crate) admin: Arc<BackOffice>,
    /// The requested path.
    pub path: String,
    /// The parameters of the path.
    pub params: Params,
    /// The query.
    pub query: Fields,
    /// The form, of a POST.
    pub form: Fields,
    /// The uploaded files, by field.
    pub files: BTreeMap<&'static str, StagedFile>,
    /// Errors of files and fields of a form that is processed despite them.
    pub field_errors: Vec<festival_base::error::FieldError>,
    /// Remarks on stored files: a sentence each, with a leading blank.
    pub(crate) remarks: String,
    /// The client's address or network, for the audit log.
    pub network: String,
    /// Scheme and host of the site, without a trailing slash.
    pub base_url: Arc<str>,
    /// CSRF token for the forms of the reply; see [`super::guard`].
    pub csrf: String,
    pub(super) browser: String,
    pub(super) user: Option<User>,
    /// A user whose password was accepted and whose second factor is pending.
    pub(super) pending_user: Option<User>,
}

/// Rows on a page of a list.
const PAGE_SIZE: u16 = 50;
/// Rows on a page of a list that is to be printed, at most.
const MAX_PRINTED: u16 = 2_000;
/// The query parameter that asks for all rows on one page.
const ALL: &str = "all";

impl AdminRequest {
    /// Returns the account of the signed-in user; it exists on every screen that is not public.
    pub fn account(&self) -> Result<&Account> {
        Ok(&self.user()?.account)
    }

    /// Returns the signed-in user; one exists on every screen that is not public.
    pub fn user(&self) -> Result<&User> {
        self.user.as_ref().ok_or_else(|| Error::Closed("You are not signed in.".into()))
    }

    /// Adds the remark of `file`, if it has one, to the message after the request.
    pub(crate) fn add_remark(&mut self, file: &StagedFile) {
        if let Some(remark) = file.remark() {
            self.remarks.push(' ');
            self.remarks.push_str(remark);
        }
    }

    /// Whether the signed-in user may perform `action` on `resource`.
    pub fn may(&self, resource: &Resource, action: Action) -> bool {
        self.user.as_ref().is_some_and(|user| user.account.may(resource, action))
    }

    /// The part of the submissions that the signed-in user is limited to.
    pub fn scope(&self) -> Scope {
        self.user.as_ref().map(|user| user.account.scope()).unwrap_or_default()
    }

    /// Returns the path parameter `id`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is not a number.
    pub fn id(&self) -> Result<i64> {
        self.params.get("id").and_then(|text| text.parse().ok()).ok_or_else(nothing_here)
    }

    /// Rows on a page of a list: 50, or as many as can be printed if all are asked for on one page.
    pub fn page_size(&self) -> u16 {
        if self.query.get(ALL) == "1" { MAX_PRINTED } else { PAGE_SIZE }
    }

    /// The address of this list with all `total` rows on one page, for printing; `None` if they are, or are too many.
    pub fn all_on_one_page(&self, path: &str, total: i64, page_parameter: &str) -> Option<String> {
        let is_useful = total > i64::from(self.page_size()) && total <= i64::from(MAX_PRINTED);
        is_useful.then(|| self.address(path, &[(ALL, "1"), (page_parameter, "")]))
    }

    /// Returns `path` with the query of this request and some changes; an empty value removes a parameter.
    pub fn address(&self, path: &str, changes: &[(&str, &str)]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let changed = |name: &str| changes.iter().any(|(key, _)| *key == name);
        for (name, value) in self.query.iter().filter(|(name, value)| !value.is_empty() && !changed(name)) {
            query.append_pair(name, value);
        }
        for (name, value) in changes.iter().filter(|(_, value)| !value.is_empty()) {
            query.append_pair(name, value);
        }
        match query.finish() {
            query if query.is_empty() => path.to_owned(),
            query => format!("{path}?{query}"),
        }
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        self.site.clock.now()
    }

    /// Acquires a connection for reading.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        self.site.db.read().await
    }

    /// Begins a write transaction. Its commit invalidates cached responses.
    pub async fn write(&self) -> Result<Write> {
        self.site.db.write().await
    }

    /// Begins a write transaction for data that no visitor sees: cached responses stay valid.
    pub async fn write_private(&self) -> Result<Write> {
        self.site.db.write_private().await
    }

    /// Records an entry in the audit log, in the transaction of the change.
    pub async fn audit(&self, write: &mut Write, entry: Entry) -> Result<()> {
        let account = self.user.as_ref().or(self.pending_user.as_ref()).map(|user| user.account.id);
        audit::record(write, account, &self.network, entry, self.now()).await
    }

    /// Commits a change with its entry in the audit log.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub async fn commit(&self, mut write: Write, entry: Entry) -> Result<()> {
        self.audit(&mut write, entry).await?;
        write.commit().await
    }

    /// Records an entry for each of many rows in the audit log, in the transaction of the change.
    pub async fn audit_rows(&self, write: &mut Write, entries: &[Entry]) -> Result<()> {
        audit::record_rows(write, self.account()?.id, &self.network, entries, self.now()).await
    }

    /// The client, as stored with a session.
    pub(super) fn client(&self) -> Client<'_> {
        Client { network: &self.network, browser: &self.browser }
    }
}

/// Returns [`Error::NotFound`] for a missing row and for a row that the user may not see: the two cannot be told apart.
pub fn nothing_here() -> Error {
    Error::NotFound("This page does not exist, or you do not have access to it.".into())
}
