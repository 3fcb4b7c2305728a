//! The holders of personal data: the trait that each implements, and the data about a person that it returns.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use sqlx::AnyConnection;

use festival_base::db::Write;
use festival_base::error::Result;
use festival_web::site::Site;

/// A holder of personal data, such as the outbox or the submissions.
#[rocket::async_trait]
pub trait PersonalData: Send + Sync + 'static {
    /// Returns every e-mail address that its data is stored under, in any order. By default none: its data is found by
    /// the addresses of other holders only.
    async fn addresses(&self, _connection: &mut AnyConnection) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Finds the data about `person` for the export, and adds to `person` what else identifies it. By default none:
    /// history and audit log are not exported.
    async fn find(
        &self,
        _site: &Site,
        _connection: &mut AnyConnection,
        _person: &mut Person,
    ) -> Result<Vec<PersonalRecord>> {
        Ok(Vec::new())
    }

    /// Erases the data about `person`.
    async fn erase(&self, site: &Site, write: &mut Write, person: &Person) -> Result<Erased>;

    /// Erases data older than its retention period. By default there is no such period.
    async fn expire(&self, _site: &Site, _write: &mut Write) -> Result<Erased> {
        Ok(Erased::default())
    }

    /// Returns the retention periods of the settings.
    fn retention_periods(&self, _site: &Site) -> Vec<RetentionPeriod> {
        Vec::new()
    }

    /// Returns the people whose data was disclosed by a view of `object` (as in the audit log) with this id; without an
    /// id, everybody whom a list at that time could contain.
    async fn disclosed(
        &self,
        _site: &Site,
        _connection: &mut AnyConnection,
        _object: &str,
        _id: Option<i64>,
        _at: &str,
    ) -> Result<Vec<DisclosedPerson>> {
        Ok(Vec::new())
    }
}

/// All holders of personal data.
pub type Holders = [Arc<dyn PersonalData>];

/// A data subject: a person about whom data is stored.
#[derive(Clone, Debug, Default)]
pub struct Person {
    /// The e-mail address, in lower case.
    pub email: String,
    /// Only data from before this time counts, as stored; `None` for all.
    pub before: Option<String>,
    /// The hash that replaces the person in the audit log and the list of erasures.
    pub hash: String,
    /// Further identifying texts found by the holders, in lower case: names, phone numbers, addresses.
    pub traces: BTreeSet<String>,
    /// References of the person's submissions: "ML-2025-0042".
    pub references: BTreeSet<String>,
    /// The person's submissions: object as in the audit log, row id.
    pub submissions: BTreeSet<(&'static str, i64)>,
}

/// Minimum length of a trace, in characters: shorter ones could be ordinary words.
const MIN_TRACE_CHARS: usize = 5;

impl Person {
    /// Whether data stored at the time `at` counts.
    pub fn counts(&self, at: &str) -> bool {
        self.before.as_deref().is_none_or(|before| at < before)
    }

    /// Whether `text` contains the e-mail address.
    pub fn is_named_in(&self, text: &str) -> bool {
        text.to_lowercase().contains(&self.email)
    }

    /// Whether `text` contains the e-mail address or another trace.
    pub fn is_traced_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        text.contains(&self.email) || self.traces.iter().any(|trace| text.contains(trace))
    }

    /// Adds a text that identifies the person, in any case, unless it is too short.
    pub fn add_trace(&mut self, text: &str) {
        let text = text.trim().to_lowercase();
        if text.chars().count() >= MIN_TRACE_CHARS {
            self.traces.insert(text);
        }
    }
}

/// A record about a person.
#[derive(Debug)]
pub struct PersonalRecord {
    /// Kind of record, in the plural: "delegates", "mails".
    pub kind: &'static str,
    /// Its content, without its files.
    pub record: Value,
    /// Its files: path in the export, key in the private store.
    pub files: Vec<(String, String)>,
}

/// A retention period.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RetentionPeriod {
    /// Kind of data, in the plural.
    pub what: &'static str,
    /// Days; 0 for no limit.
    pub days: u32,
}

/// Result of an erasure, of a holder or of all.
#[derive(Debug, Default)]
pub struct Erased {
    /// Number of erased rows, by kind.
    pub counts: BTreeMap<&'static str, u64>,
    /// Number of anonymised rows, by kind.
    pub stays: BTreeMap<&'static str, u64>,
    /// Keys of private files to delete after the commit.
    pub files: Vec<String>,
    /// Other files to delete after the commit.
    pub paths: Vec<PathBuf>,
}

impl Erased {
    /// Adds to the number of erased rows.
    pub fn count(&mut self, what: &'static str, more: u64) {
        if more > 0 {
            *self.counts.entry(what).or_default() += more;
        }
    }

    /// Adds to the number of anonymised rows.
    pub fn stay(&mut self, what: &'static str, more: u64) {
        if more > 0 {
            *self.stays.entry(what).or_default() += more;
        }
    }

    /// Adds what another erasure did.
    pub(super) fn add(&mut self, other: Self) {
        other.counts.into_iter().for_each(|(what, more)| self.count(what, more));
        other.stays.into_iter().for_each(|(what, more)| self.stay(what, more));
        self.files.extend(other.files);
        self.paths.extend(other.paths);
    }

    /// Whether nothing was erased or anonymised.
    pub fn is_nothing(&self) -> bool {
        self.counts.is_empty() && self.stays.is_empty()
    }
}

/// A person whose data a page or a download of the back office disclosed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DisclosedPerson {
    /// Reference of the submission, "ML-2025-0042", or number of the mail.
    pub reference: String,
    /// The name, as submitted.
    pub name: String,
    /// The e-mail address, as submitted.
    pub email: String,
}
