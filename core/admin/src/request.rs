//! What a screen is asked: by whom, with which values, at which site.

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
use super::session::{From, Session};
use festival_base::db::Write;
use festival_base::error::{Error, Result};
use festival_files::media::StagedFile;
use festival_records::entity::Values;
use festival_web::pattern::Params;
use festival_web::site::Site;

/// Names and texts in the order in which they were sent; a name may come several times.
#[derive(Clone, Debug, Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// The first text under `name`; "" where there is none.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, text)| text)
    }

    /// All texts under `name`: the ticked boxes of a list.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, text)| text.as_str())
    }

    /// Every name with its text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Whether anything was sent under `name`.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(key, _)| key == name)
    }

    /// Every name with its first text, for [`Entity::parse`](festival_records::entity::Entity::parse).
    pub fn values(&self) -> Values {
        let mut values = Values::new();
        for (name, text) in &self.0 {
            values.entry(name.clone()).or_insert_with(|| text.clone());
        }
        values
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl FromIterator<(String, String)> for Fields {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(pairs: T) -> Self {
        Self(pairs.into_iter().collect())
    }
}

/// A person who is signed in, in one of the person's browsers.
#[derive(Clone, Debug)]
pub struct Person {
    /// Whose account.
    pub account: Account,
    /// The session.
    pub session: Session,
}

/// What a screen is asked.
pub struct AdminRequest {
    /// The site.
    pub site: Arc<Site>,
    pub(crate) admin: Arc<BackOffice>,
    /// The path that was asked for.
    pub path: String,
    /// The holes of the path.
    pub params: Params,
    /// The query.
    pub query: Fields,
    /// The form, of a POST.
    pub form: Fields,
    /// The files of a form that takes some.
    pub files: BTreeMap<&'static str, StagedFile>,
    /// What is wrong with files and texts of a form that keeps the rest.
    pub wrong: Vec<festival_base::error::FieldError>,
    /// What there is to say of files that were kept, a sentence each with a blank before it.
    pub(crate) remarks: String,
    /// The client's address or network, for the audit log.
    pub network: String,
    /// The site's address in front of every path, without a slash at its end.
    pub base_url: Arc<str>,
    /// What forms of the answer carry; see [`super::guard`].
    pub csrf: String,
    pub(super) browser: String,
    pub(super) person: Option<Person>,
    /// Whoever typed the right password and owes the second factor.
    pub(super) half: Option<Person>,
}

impl AdminRequest {
    /// Who is signed in. On a screen that is not public there always is somebody.
    pub fn account(&self) -> Result<&Account> {
        Ok(&self.person()?.account)
    }

    /// Who is signed in, and where.
    pub fn person(&self) -> Result<&Person> {
        self.person.as_ref().ok_or_else(|| Error::Closed("You are not signed in.".into()))
    }

    /// Notes what whoever sent `file` should know of it.
    pub(crate) fn remark(&mut self, file: &StagedFile) {
        if let Some(words) = file.remark() {
            self.remarks.push(' ');
            self.remarks.push_str(words);
        }
    }

    /// Whether whoever is signed in has `action` on `resource`.
    pub fn may(&self, resource: &Resource, action: Action) -> bool {
        self.person.as_ref().is_some_and(|person| person.account.may(resource, action))
    }

    /// The part of what people sent that whoever is signed in is limited to.
    pub fn scope(&self) -> Scope {
        self.person.as_ref().map(|person| person.account.scope()).unwrap_or_default()
    }

    /// The path's `{id}`. What is no number names nothing: 404.
    pub fn id(&self) -> Result<i64> {
        self.params.get("id").and_then(|text| text.parse().ok()).ok_or_else(nothing_here)
    }

    /// What is asked for now at another path, with changes; an empty text takes something out.
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

    /// The present moment.
    pub fn now(&self) -> Timestamp {
        self.site.clock.now()
    }

    /// A connection for reading.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        self.site.db.read().await
    }

    /// A transaction for writing.
    pub async fn write(&self) -> Result<Write> {
        self.site.db.write().await
    }

    /// A transaction for writing what no visitor sees: answers in memory stay true.
    pub async fn write_private(&self) -> Result<Write> {
        self.site.db.write_private().await
    }

    /// Writes down what was done, in the transaction in which it is done.
    pub async fn audit(&self, write: &mut Write, entry: Entry) -> Result<()> {
        let account = self.person.as_ref().or(self.half.as_ref()).map(|person| person.account.id);
        audit::record(write, account, &self.network, entry, self.now()).await
    }

    pub(super) fn from(&self) -> From<'_> {
        From { network: &self.network, browser: &self.browser }
    }
}

/// There is no such thing, or none that this person may know of: the two are the same.
pub fn nothing_here() -> Error {
    Error::NotFound("There is nothing here, or nothing that is open to you.".into())
}
