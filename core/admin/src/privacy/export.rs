//! Exports the data about a person.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Holders, find};
use crate::audit::Entry;
use festival_base::db::timestamp_text;
use festival_base::error::Result;
use festival_web::site::Site;

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
