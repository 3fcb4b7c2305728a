//! Personal data: export and erasure by e-mail address, and erasure after the retention period.
//!
//! Core and modules register implementations of [`PersonalData`]. Each finds its data about the person with an e-mail
//! address, erases it in a transaction shared with the others, and erases data older than its retention period.

mod audit;
mod erasures;
mod mails;
mod revisions;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use crate::audit::{Entry, record};
use festival_base::db::{Write, timestamp_text};
use festival_base::error::{Error, Result};
use festival_records::identity;
use festival_web::site::Site;

pub use erasures::{ERASURES, Erasures};

/// A holder of personal data, such as the outbox or the submissions.
#[rocket::async_trait]
pub trait PersonalData: Send + Sync + 'static {
    /// Returns every e-mail address that its data is stored under, in any order. By default none: its data is found by the
    /// addresses of other holders only.
    async fn addresses(&self, connection: &mut AnyConnection) -> Result<Vec<String>> {
        let _ = connection;
        Ok(Vec::new())
    }

    /// Finds the data about `person` for the export. By default none: history and audit log are not exported.
    async fn find(&self, site: &Site, connection: &mut AnyConnection, person: &Person) -> Result<FoundData> {
        let _ = (site, connection, person);
        Ok(FoundData::default())
    }

    /// Erases the data about `person`.
    async fn erase(&self, site: &Site, write: &mut Write, person: &Person) -> Result<Erased>;

    /// Erases data older than its retention period. By default there is no such period.
    async fn expire(&self, site: &Site, write: &mut Write) -> Result<Erased> {
        let _ = (site, write);
        Ok(Erased::default())
    }

    /// Returns the retention periods of the settings.
    fn retention_periods(&self, site: &Site) -> Vec<RetentionPeriod> {
        let _ = site;
        Vec::new()
    }

    /// Returns the people whose data was disclosed by a view of `object` (as in the audit log) with this id; without an id,
    /// everybody whom a list at the time `at` could contain.
    async fn disclosed(
        &self,
        site: &Site,
        connection: &mut AnyConnection,
        object: &str,
        id: Option<i64>,
        at: &str,
    ) -> Result<Vec<DisclosedPerson>> {
        let _ = (site, connection, object, id, at);
        Ok(Vec::new())
    }
}

/// Time between two retention runs.
const RETENTION_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

/// Rows of history and audit log that are read at a time.
const BATCH_SIZE: i64 = 500;

/// All holders of personal data.
pub type Holders = [Arc<dyn PersonalData>];

/// Returns the holders of core: outbox, history, audit log.
pub fn own() -> Vec<Arc<dyn PersonalData>> {
    vec![Arc::new(mails::Mails), Arc::new(revisions::History), Arc::new(audit::AuditDetails)]
}

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

    /// Adds the identifying texts and references that a holder found.
    fn add_traces(&mut self, found: &FoundData) {
        let traces = found.traces.iter().map(|trace| trace.trim().to_lowercase());
        self.traces.extend(traces.filter(|trace| trace.chars().count() >= MIN_TRACE_CHARS));
        self.references.extend(found.references.iter().cloned());
        self.submissions.extend(found.submissions.iter().copied());
    }
}

/// The data of a holder about a person.
#[derive(Debug, Default)]
pub struct FoundData {
    /// The records.
    pub records: Vec<PersonalRecord>,
    /// As in [`Person::traces`], in any case.
    pub traces: Vec<String>,
    /// As in [`Person::references`].
    pub references: Vec<String>,
    /// As in [`Person::submissions`].
    pub submissions: Vec<(&'static str, i64)>,
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

/// The export of all data about a person.
pub struct PersonalExport {
    /// Content of `person.json`.
    pub json: String,
    /// Files: path next to `person.json`, key in the private store.
    pub files: Vec<(String, String)>,
    /// The entry for the audit log.
    pub entry: Entry,
}

/// Result of an erasure.
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

    fn add(&mut self, other: Self) {
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

/// Finds the person with this e-mail address and all records about them.
///
/// # Errors
/// [`Error::BadRequest`] if `email` is not an address; any error of the database.
pub async fn find(site: &Site, holders: &Holders, email: &str) -> Result<(Person, Vec<PersonalRecord>)> {
    find_before(site, holders, email, None).await
}

async fn find_before(
    site: &Site,
    holders: &Holders,
    email: &str,
    before: Option<String>,
) -> Result<(Person, Vec<PersonalRecord>)> {
    let email = normalized(email);
    if !email.contains('@') {
        return Err(Error::BadRequest(format!("\"{email}\" is not an e-mail address like name@example.org")));
    }
    let mut connection = site.db.read().await?;
    let hash = erasures::hash(&site_id(&mut connection).await?, &email);
    let mut person = Person { email, before, hash, ..Person::default() };
    let mut records = Vec::new();
    for holder in holders {
        let found = holder.find(site, &mut connection, &person).await?;
        person.add_traces(&found);
        records.extend(found.records);
    }
    Ok((person, records))
}

/// Exports all data about the person with this e-mail address; `None` if there is none.
///
/// # Errors
/// As [`find`].
pub async fn export(site: &Site, holders: &Holders, email: &str) -> Result<Option<PersonalExport>> {
    let (person, records) = find(site, holders, email).await?;
    if records.is_empty() {
        return Ok(None);
    }
    let mut by_kind: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let mut files = Vec::new();
    for mut personal in records {
        if let Some(record) = personal.record.as_object_mut() {
            let paths: Vec<&str> = personal.files.iter().map(|(path, _)| path.as_str()).collect();
            record.insert("files".into(), paths.into());
        }
        by_kind.entry(personal.kind).or_default().push(personal.record);
        files.extend(personal.files);
    }
    let written_at = timestamp_text(site.clock.now());
    let json = json!({ "person": person.email, "written_at": written_at, "kept": by_kind });
    let entry = Entry::new("export", "person").after(json!({ "person": person.hash }));
    Ok(Some(PersonalExport { json: serde_json::to_string_pretty(&json)? + "\n", files, entry }))
}

/// Returns what [`erase`] would erase, without doing it.
///
/// # Errors
/// As [`erase`].
pub async fn preview_erasure(site: &Site, holders: &Holders, email: &str) -> Result<Erased> {
    let (person, _) = find(site, holders, email).await?;
    let mut write = site.db.write_private().await?;
    let erased = erase_from_all(site, holders, &mut write, &person).await?;
    write.rollback().await?;
    Ok(erased)
}

/// Erases all data about the person with this e-mail address: rows, files, mails, history, details of the audit log. A hash
/// is remembered, so that restoring an older backup erases the person again. `by` is the account and network of the user.
///
/// # Errors
/// [`Error::BadRequest`] if `email` is not an address; any error of database or store. After an error either nothing is
/// erased, or the next run erases the rest.
pub async fn erase(site: &Site, holders: &Holders, email: &str, by: (Option<i64>, &str)) -> Result<Erased> {
    let (person, _) = find(site, holders, email).await?;
    let now = site.clock.now();
    let mut write = site.db.write_private().await?;
    let erased = erase_from_all(site, holders, &mut write, &person).await?;
    if erased.is_nothing() {
        write.rollback().await?;
        // An earlier run may have been interrupted before the purge.
        site.db.purge().await?;
        return Ok(erased);
    }
    // Before the commit: a remembered person who was not erased is erased by the next run, but an erased person who was not
    // remembered would come back with a backup.
    Erasures::add(&site.settings.data_dir, now, &person.hash)?;
    record_erasure(&mut write, &person, &erased, by, now).await?;
    write.commit().await?;
    remove_files(site, &erased).await?;
    site.db.purge().await?;
    Ok(erased)
}

/// Repeats `erasures` in a restored database: erases the data from before the time of each erasure. Returns the number of
/// people.
///
/// # Errors
/// As [`erase`].
pub async fn replay(site: &Site, holders: &Holders, erasures: &Erasures) -> Result<usize> {
    if erasures.is_empty() {
        return Ok(0);
    }
    let mut connection = site.db.read().await?;
    let site_id = site_id(&mut connection).await?;
    let mut addresses = BTreeSet::new();
    for holder in holders {
        addresses.extend(holder.addresses(&mut connection).await?.iter().map(|address| normalized(address)));
    }
    drop(connection);
    let mut people = 0;
    for address in addresses {
        let Some(before) = erasures.time_of(&erasures::hash(&site_id, &address)) else { continue };
        let (person, _) = find_before(site, holders, &address, Some(before.to_owned())).await?;
        let mut write = site.db.write_private().await?;
        let erased = erase_from_all(site, holders, &mut write, &person).await?;
        if erased.is_nothing() {
            write.rollback().await?;
            continue;
        }
        record_erasure(&mut write, &person, &erased, (None, crate::audit::COMMAND_LINE), site.clock.now()).await?;
        write.commit().await?;
        remove_files(site, &erased).await?;
        people += 1;
    }
    if people > 0 {
        site.db.purge().await?;
    }
    Ok(people)
}

/// Erases data older than its retention period; a dry run only counts it.
///
/// # Errors
/// Any error of database or store.
pub async fn expire(site: &Site, holders: &Holders, is_dry_run: bool) -> Result<Erased> {
    let mut write = site.db.write_private().await?;
    let mut erased = Erased::default();
    for holder in holders {
        erased.add(holder.expire(site, &mut write).await?);
    }
    if is_dry_run || erased.is_nothing() {
        write.rollback().await?;
        return Ok(erased);
    }
    let entry = Entry::new("expire", "person").after(json!({ "counts": erased.counts, "stay": erased.stays }));
    record(&mut write, None, "retention", entry, site.clock.now()).await?;
    write.commit().await?;
    remove_files(site, &erased).await?;
    Ok(erased)
}

/// Runs [`expire`] now and then once a day, until it is dropped.
pub async fn run_retention(site: &Site, holders: &Holders) {
    loop {
        match expire(site, holders, false).await {
            Ok(erased) if erased.is_nothing() => {}
            Ok(erased) => {
                tracing::info!(counts = ?erased.counts, stay = ?erased.stays, "erased data after its retention period")
            }
            Err(error) => tracing::warn!(cause = error.for_terminal(), "retention failed; trying again tomorrow"),
        }
        tokio::time::sleep(RETENTION_INTERVAL).await;
    }
}

/// Returns the ids of the rows for which `is_match` is true. `statement` reads at most `$2` rows after the id `$1`, with the id
/// as the first column.
async fn matching_ids(
    write: &mut Write,
    statement: &'static str,
    is_match: impl Fn(&AnyRow) -> Result<bool> + Send,
) -> Result<Vec<i64>> {
    let (mut ids, mut after) = (Vec::new(), 0_i64);
    loop {
        let rows = sqlx::query(statement).bind(after).bind(BATCH_SIZE).fetch_all(&mut **write).await?;
        let Some(last) = rows.last() else { return Ok(ids) };
        after = last.try_get(0)?;
        for row in &rows {
            if is_match(row)? {
                ids.push(row.try_get(0)?);
            }
        }
    }
}

async fn erase_from_all(site: &Site, holders: &Holders, write: &mut Write, person: &Person) -> Result<Erased> {
    let mut erased = Erased::default();
    for holder in holders {
        erased.add(holder.erase(site, write, person).await?);
    }
    erased.count("files", erased.files.len() as u64);
    Ok(erased)
}

async fn record_erasure(
    write: &mut Write,
    person: &Person,
    erased: &Erased,
    (account, network): (Option<i64>, &str),
    now: Timestamp,
) -> Result<()> {
    let after = json!({ "person": person.hash, "counts": erased.counts, "stay": erased.stays });
    record(write, account, network, Entry::new("erase", "person").after(after), now).await
}

async fn remove_files(site: &Site, erased: &Erased) -> Result<()> {
    site.media.erase_private(&erased.files).await?;
    for path in &erased.paths {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}

async fn site_id(connection: &mut AnyConnection) -> Result<String> {
    Ok(identity::find(connection).await?.unwrap_or_default())
}

/// Returns an address in the form in which addresses are compared.
fn normalized(address: &str) -> String {
    address.trim().to_lowercase()
}

/// Returns the time `days` before `now`, as stored; `None` for 0 days, which means no limit.
pub fn days_ago(now: Timestamp, days: u32) -> Option<String> {
    let hours = jiff::SignedDuration::from_hours(24 * i64::from(days));
    (days > 0).then(|| timestamp_text(now.checked_sub(hours).unwrap_or(Timestamp::MIN)))
}
