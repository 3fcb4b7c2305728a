//! What is kept about people, whoever keeps it: given out, erased, and forgotten when its time is over.
//!
//! Core does not know who keeps what. Each keeper says what it holds about the person with an e-mail address, takes it
//! out in a transaction that all of them share, and says what has been kept for longer than the settings allow.

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

/// Somebody who keeps what is about people.
#[rocket::async_trait]
pub trait PersonalData: Send + Sync + 'static {
    /// Every e-mail address under which something is kept, in any order. None, where nobody is found here alone.
    async fn addresses(&self, connection: &mut AnyConnection) -> Result<Vec<String>> {
        let _ = connection;
        Ok(Vec::new())
    }

    /// What is kept about `person`. Nothing, where it is not theirs to have: the history, the audit log.
    async fn find(&self, site: &Site, connection: &mut AnyConnection, person: &Person) -> Result<Found> {
        let _ = (site, connection, person);
        Ok(Found::default())
    }

    /// Takes out what is kept about `person`.
    async fn erase(&self, site: &Site, write: &mut Write, person: &Person) -> Result<Erased>;

    /// Takes out what was kept for longer than the settings allow. Nothing, where there are no such settings.
    async fn expire(&self, site: &Site, write: &mut Write) -> Result<Erased> {
        let _ = (site, write);
        Ok(Erased::default())
    }

    /// For how long what is kept, by the settings.
    fn terms(&self, site: &Site) -> Vec<Term> {
        let _ = site;
        Vec::new()
    }

    /// Who is shown by the thing of kind `object`, a word of the audit log, with this id; without an id everybody whom a
    /// list of them could show that was made at the moment `at`.
    async fn shown(
        &self,
        site: &Site,
        connection: &mut AnyConnection,
        object: &str,
        id: Option<i64>,
        at: &str,
    ) -> Result<Vec<Shown>> {
        let _ = (site, connection, object, id, at);
        Ok(Vec::new())
    }
}

/// How often it is looked for what was kept for long enough.
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// How many rows of the history and of the audit log are read at a time.
const PAGE: i64 = 500;

/// All keepers.
pub type Keepers = [Arc<dyn PersonalData>];

/// The keepers that there are whichever modules there are.
pub fn own() -> Vec<Arc<dyn PersonalData>> {
    vec![Arc::new(mails::Mails), Arc::new(revisions::History), Arc::new(audit::AuditDetails)]
}

/// A person whom something is kept about.
#[derive(Clone, Debug, Default)]
pub struct Person {
    /// The e-mail address, in small letters.
    pub email: String,
    /// Only what was kept before this moment counts, as stored; `None`: all.
    pub before: Option<String>,
    /// The hash that stands for the person where something must be remembered.
    pub hash: String,
    /// What else the keepers found that tells the person: names, numbers, addresses, in small letters.
    pub traces: BTreeSet<String>,
    /// References of what the person sent: "ML-2025-0042".
    pub references: BTreeSet<String>,
    /// What the person sent: kind of thing as in the audit log, row id.
    pub things: BTreeSet<(&'static str, i64)>,
}

/// A shorter trace may be a word like any other.
const SHORTEST_TRACE: usize = 5;

impl Person {
    /// Whether something that was kept at this moment counts.
    pub fn counts(&self, at: &str) -> bool {
        self.before.as_deref().is_none_or(|before| at < before)
    }

    /// Whether `text` holds the e-mail address.
    pub fn is_named_in(&self, text: &str) -> bool {
        text.to_lowercase().contains(&self.email)
    }

    /// Whether `text` holds the e-mail address or another trace.
    pub fn is_traced_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        text.contains(&self.email) || self.traces.iter().any(|trace| text.contains(trace))
    }

    fn learn(&mut self, found: &Found) {
        let traces = found.traces.iter().map(|trace| trace.trim().to_lowercase());
        self.traces.extend(traces.filter(|trace| trace.chars().count() >= SHORTEST_TRACE));
        self.references.extend(found.references.iter().cloned());
        self.things.extend(found.things.iter().copied());
    }
}

/// What a keeper has about a person.
#[derive(Debug, Default)]
pub struct Found {
    /// Each thing.
    pub held: Vec<Held>,
    /// As in [`Person::traces`], in any letters.
    pub traces: Vec<String>,
    /// As in [`Person::references`].
    pub references: Vec<String>,
    /// As in [`Person::things`].
    pub things: Vec<(&'static str, i64)>,
}

/// A thing that is kept about a person.
#[derive(Debug)]
pub struct Held {
    /// What it is, in the plural: "delegates", "mails".
    pub kind: &'static str,
    /// All of it but for its files.
    pub record: Value,
    /// Its files: path below the person's folder, key in the private store.
    pub files: Vec<(String, String)>,
}

/// How long something is kept.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Term {
    /// What, in the plural.
    pub what: &'static str,
    /// Days; 0: for ever.
    pub days: u32,
}

/// All that is kept about a person, as they get it.
pub struct PersonalFile {
    /// The text of `person.json`.
    pub json: String,
    /// The files: path beside `person.json`, key in the private store.
    pub files: Vec<(String, String)>,
    /// What the audit log says of it.
    pub entry: Entry,
}

/// What was taken out.
#[derive(Debug, Default)]
pub struct Erased {
    /// How many of what.
    pub counts: BTreeMap<&'static str, u64>,
    /// How many of what stay without the person.
    pub stays: BTreeMap<&'static str, u64>,
    /// Keys of private files that go when it is certain that the rows are gone.
    pub files: Vec<String>,
    /// Other files that go then.
    pub paths: Vec<PathBuf>,
}

impl Erased {
    /// Counts so many more of `what`.
    pub fn count(&mut self, what: &'static str, more: u64) {
        if more > 0 {
            *self.counts.entry(what).or_default() += more;
        }
    }

    /// Counts so many more of `what` that stay without the person.
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

    /// Whether there was nothing.
    pub fn is_nothing(&self) -> bool {
        self.counts.is_empty() && self.stays.is_empty()
    }
}

/// Somebody whom a page or a file of the back office showed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shown {
    /// By what they are known here: "ML-2025-0042"; of a mail its number.
    pub reference: String,
    /// The name, as it was sent.
    pub name: String,
    /// The e-mail address, as it was sent.
    pub email: String,
}

/// The person with this address, and what is kept about them.
///
/// # Errors
/// [`Error::BadRequest`] where it is no address; if the database cannot be read.
pub async fn find(site: &Site, keepers: &Keepers, email: &str) -> Result<(Person, Vec<Held>)> {
    find_before(site, keepers, email, None).await
}

async fn find_before(
    site: &Site,
    keepers: &Keepers,
    email: &str,
    before: Option<String>,
) -> Result<(Person, Vec<Held>)> {
    let email = normalised(email);
    if !email.contains('@') {
        return Err(Error::BadRequest(format!("\"{email}\" is not an e-mail address like name@example.org")));
    }
    let mut connection = site.db.read().await?;
    let hash = erasures::hash(&site_id(&mut connection).await?, &email);
    let mut person = Person { email, before, hash, ..Person::default() };
    let mut held = Vec::new();
    for keeper in keepers {
        let found = keeper.find(site, &mut connection, &person).await?;
        person.learn(&found);
        held.extend(found.held);
    }
    Ok((person, held))
}

/// All that is kept about the person with this address, to be given to them; `None` where that is nothing.
///
/// # Errors
/// As those of [`find`].
pub async fn export(site: &Site, keepers: &Keepers, email: &str) -> Result<Option<PersonalFile>> {
    let (person, held) = find(site, keepers, email).await?;
    if held.is_empty() {
        return Ok(None);
    }
    let mut kept: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let mut files = Vec::new();
    for mut held in held {
        if let Some(record) = held.record.as_object_mut() {
            let paths: Vec<&str> = held.files.iter().map(|(path, _)| path.as_str()).collect();
            record.insert("files".into(), paths.into());
        }
        kept.entry(held.kind).or_default().push(held.record);
        files.extend(held.files);
    }
    let written_at = timestamp_text(site.clock.now());
    let json = json!({ "person": person.email, "written_at": written_at, "kept": kept });
    let entry = Entry::new("export", "person").after(json!({ "person": person.hash }));
    Ok(Some(PersonalFile { json: serde_json::to_string_pretty(&json)? + "\n", files, entry }))
}

/// Counts what [`erase`] would take out.
///
/// # Errors
/// As those of [`erase`].
pub async fn rehearse(site: &Site, keepers: &Keepers, email: &str) -> Result<Erased> {
    let (person, _) = find(site, keepers, email).await?;
    let mut write = site.db.write_private().await?;
    let erased = take_out(site, keepers, &mut write, &person).await?;
    write.rollback().await?;
    Ok(erased)
}

/// Takes out what is kept about the person with this address: rows, files, mails, history, details of the audit log. It
/// is remembered by a hash, so that a backup from before does not bring them back. `by` is the account that does it, from
/// which network.
///
/// # Errors
/// [`Error::BadRequest`] where it is no address; if something cannot be written. Then nothing is erased, or the next run
/// erases the rest.
pub async fn erase(site: &Site, keepers: &Keepers, email: &str, by: (Option<i64>, &str)) -> Result<Erased> {
    let (person, _) = find(site, keepers, email).await?;
    let now = site.clock.now();
    let mut write = site.db.write_private().await?;
    let erased = take_out(site, keepers, &mut write, &person).await?;
    if erased.is_nothing() {
        write.rollback().await?;
        // An earlier run may have been stopped before this.
        site.db.purge().await?;
        return Ok(erased);
    }
    // Before it is certain: who is remembered and not erased is erased by the next run, the other way round nobody knew.
    Erasures::add(&site.settings.data_dir, now, &person.hash)?;
    write_down(&mut write, &person, &erased, by, now).await?;
    write.commit().await?;
    remove_files(site, &erased).await?;
    site.db.purge().await?;
    Ok(erased)
}

/// Erases again whom `erasures` name, in a database from before: what was kept before the moment of each erasure goes.
/// Answers how many people there were.
///
/// # Errors
/// As those of [`erase`].
pub async fn replay(site: &Site, keepers: &Keepers, erasures: &Erasures) -> Result<usize> {
    if erasures.is_empty() {
        return Ok(0);
    }
    let mut connection = site.db.read().await?;
    let site_id = site_id(&mut connection).await?;
    let mut addresses = BTreeSet::new();
    for keeper in keepers {
        addresses.extend(keeper.addresses(&mut connection).await?.iter().map(|address| normalised(address)));
    }
    drop(connection);
    let mut people = 0;
    for address in addresses {
        let Some(before) = erasures.moment_of(&erasures::hash(&site_id, &address)) else { continue };
        let (person, _) = find_before(site, keepers, &address, Some(before.to_owned())).await?;
        let mut write = site.db.write_private().await?;
        let erased = take_out(site, keepers, &mut write, &person).await?;
        if erased.is_nothing() {
            write.rollback().await?;
            continue;
        }
        write_down(&mut write, &person, &erased, (None, crate::audit::COMMAND_LINE), site.clock.now()).await?;
        write.commit().await?;
        remove_files(site, &erased).await?;
        people += 1;
    }
    if people > 0 {
        site.db.purge().await?;
    }
    Ok(people)
}

/// Takes out what was kept for longer than the settings allow; a rehearsal counts it only.
///
/// # Errors
/// If something cannot be written.
pub async fn expire(site: &Site, keepers: &Keepers, is_rehearsal: bool) -> Result<Erased> {
    let mut write = site.db.write_private().await?;
    let mut erased = Erased::default();
    for keeper in keepers {
        erased.add(keeper.expire(site, &mut write).await?);
    }
    if is_rehearsal || erased.is_nothing() {
        write.rollback().await?;
        return Ok(erased);
    }
    let entry = Entry::new("expire", "person").after(json!({ "counts": erased.counts, "stay": erased.stays }));
    record(&mut write, None, "retention", entry, site.clock.now()).await?;
    write.commit().await?;
    remove_files(site, &erased).await?;
    Ok(erased)
}

/// Does [`expire`] now and then every day, until it is dropped.
pub async fn forget(site: &Site, keepers: &Keepers) {
    loop {
        match expire(site, keepers, false).await {
            Ok(erased) if erased.is_nothing() => {}
            Ok(erased) => tracing::info!(counts = ?erased.counts, stay = ?erased.stays, "kept for long enough: erased"),
            Err(error) => tracing::warn!(cause = error.for_terminal(), "retention failed; trying again tomorrow"),
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// The ids of the rows for which `is_theirs` says so. `statement` reads the rows after the id `$1`, at most `$2`, the id
/// first.
async fn matching(
    write: &mut Write,
    statement: &'static str,
    is_theirs: impl Fn(&AnyRow) -> Result<bool> + Send,
) -> Result<Vec<i64>> {
    let (mut ids, mut after) = (Vec::new(), 0_i64);
    loop {
        let rows = sqlx::query(statement).bind(after).bind(PAGE).fetch_all(&mut **write).await?;
        let Some(last) = rows.last() else { return Ok(ids) };
        after = last.try_get(0)?;
        for row in &rows {
            if is_theirs(row)? {
                ids.push(row.try_get(0)?);
            }
        }
    }
}

async fn take_out(site: &Site, keepers: &Keepers, write: &mut Write, person: &Person) -> Result<Erased> {
    let mut erased = Erased::default();
    for keeper in keepers {
        erased.add(keeper.erase(site, write, person).await?);
    }
    erased.count("files", erased.files.len() as u64);
    Ok(erased)
}

async fn write_down(
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

/// An address as it is compared.
fn normalised(address: &str) -> String {
    address.trim().to_lowercase()
}

/// A moment before the present one by so many days, as stored; `None` for 0 days: for ever.
pub fn days_ago(now: Timestamp, days: u32) -> Option<String> {
    let hours = jiff::SignedDuration::from_hours(24 * i64::from(days));
    (days > 0).then(|| timestamp_text(now.checked_sub(hours).unwrap_or(Timestamp::MIN)))
}
