//! The methods of a request that screens use: user, scope, addresses, transactions, audit log.

use std::str::FromStr;

use jiff::Timestamp;
use sqlx::Any;
use sqlx::pool::PoolConnection;

use crate::audit::{self, Entry};
use crate::back_office::{AdminRequest, User};
use crate::collections::Viewer;
use crate::identity::account::Account;
use crate::identity::role::{Action, Resource};
use crate::identity::scope::Scope;
use crate::identity::session::Client;
use crate::identity::throttle::Attempt;
use crate::widget::{Panel, RowContext};
use festival_base::db::Write;
use festival_base::error::{Error, Result};
use festival_files::media::StagedFile;
use festival_records::editing::Editor;

/// Rows on a page of a list.
const PAGE_SIZE: u16 = 50;
/// Maximum number of rows on a page of a list that is to be printed.
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

    /// Returns who looks at a list.
    pub fn viewer(&self) -> Result<Viewer<'_>> {
        Ok(Viewer { site: &self.site, account: self.account()? })
    }

    /// Returns the signed-in user as the editor of a change.
    pub(crate) fn editor(&self) -> Result<Editor> {
        let account = self.account()?;
        Ok(Editor::new(Some(account.id), account.name.clone()))
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
        self.param("id")
    }

    /// Returns the path parameter `name`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is no `T`.
    pub fn param<T: FromStr>(&self, name: &str) -> Result<T> {
        self.params.get(name).and_then(|text| text.parse().ok()).ok_or_else(nothing_here)
    }

    /// Rows on a page of a list: 50, or as many as can be printed if all are asked for on one page.
    pub fn page_size(&self) -> u16 {
        if self.query.get(ALL) == "1" { MAX_PRINTED } else { PAGE_SIZE }
    }

    /// The address of this list with all `total` rows on one page, for printing; `None` if they already are, or are too
    /// many.
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

    /// Counts an attempt of the client at `subject`, such as the secret of a link that does not exist, or an address that
    /// a mail is asked for. Attempts are counted for a quarter of an hour.
    ///
    /// # Errors
    /// [`Error::TooMany`] after too many from this network, or at this subject from anywhere.
    pub async fn count_attempt(&self, subject: &str) -> Result<()> {
        // Apart from those at passwords: a page of another site could have a browser open links that do not exist, and
        // nobody in its network could sign in.
        let network = format!("visitors in {}", self.network);
        Attempt::link(subject, &network).record(&self.site.db, self.now()).await
    }

    /// Returns the panels that the modules add to the page of this row, as far as the account may see them.
    ///
    /// # Errors
    /// If the database cannot be read. Release connections before: each panel takes one.
    pub async fn panels(&self, table: &'static str, id: i64) -> Result<Vec<Panel>> {
        let context = RowContext { site: self.site.clone(), table, id };
        let mut panels = Vec::new();
        for widget in &self.admin.contents.panels {
            panels.extend(widget.of(self.account()?, &context).await?);
        }
        Ok(panels)
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
        audit::record_all(write, Some(self.account()?.id), &self.network, entries, self.now()).await
    }

    /// The client, as stored with a session.
    pub(crate) fn client(&self) -> Client<'_> {
        Client { network: &self.network, browser: &self.browser }
    }
}

/// Returns [`Error::NotFound`] for a missing row and for a row that the user may not see: the two must be
/// indistinguishable.
pub fn nothing_here() -> Error {
    Error::NotFound("This page does not exist, or you do not have access to it.".into())
}
