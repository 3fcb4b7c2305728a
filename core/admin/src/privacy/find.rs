//! Finds a person in the data of all holders, and exports it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::{Holders, Person, PersonalRecord, erasures};
use crate::audit::Entry;
use festival_base::db::timestamp_text;
use festival_base::error::{Error, Result};
use festival_records::identity;
use festival_web::site::Site;

/// Finds the person with this e-mail address and all records about them.
///
/// # Errors
/// [`Error::BadRequest`] if `email` is not an address; any error of the database.
pub async fn find(site: &Site, holders: &Holders, email: &str) -> Result<(Person, Vec<PersonalRecord>)> {
    find_before(site, holders, email, None).await
}

/// Finds the person in what was stored before the time `before`; `None` for all.
pub(super) async fn find_before(
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
        records.extend(holder.find(site, &mut connection, &mut person).await?);
    }
    Ok((person, records))
}

/// Returns the id of the site, which the hashes of people depend on.
pub(super) async fn site_id(connection: &mut AnyConnection) -> Result<String> {
    Ok(identity::find(connection).await?.unwrap_or_default())
}

/// Returns an address in the form in which addresses are compared.
pub(super) fn normalized(address: &str) -> String {
    address.trim().to_lowercase()
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
