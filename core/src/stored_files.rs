//! Compares rows with stored files: finds missing files and files that no row refers to.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use sqlx::Row as _;

use crate::db::{Datum, Select, Test};
use crate::entity::{Entity, Field};
use crate::error::Result;
use crate::program::Program;

/// Age below which a file without a row is ignored: its form may still be arriving.
const UPLOAD_GRACE: Duration = Duration::from_secs(60 * 60);
/// Maximum number of files that a finding lists by name.
const MAX_LISTED: usize = 20;
/// Rows read at a time.
const PAGE_SIZE: u16 = 500;

/// Compares all rows with the stores. Each finding is a sentence that begins with its code.
///
/// # Errors
/// If the database or the store cannot be read.
pub async fn compare(program: &Program) -> Result<Vec<String>> {
    let mut findings = check_private(program).await?;
    let missing = missing_public(program).await?;
    findings.extend(finding(
        &missing,
        "D007",
        "pictures and documents that the site shows are not in the store",
        "restore them from a backup, or upload them again",
    ));
    Ok(findings)
}

async fn check_private(program: &Program) -> Result<Vec<String>> {
    let mut folders = Vec::new();
    let mut referenced = BTreeMap::new();
    for files in program.registry.all_private_files() {
        folders.extend((files.folders)());
        for row in sqlx::query(files.query).fetch_all(&mut *program.db.read().await?).await? {
            referenced.insert(row.try_get::<String, _>(0)?, row.try_get::<String, _>(1)?);
        }
    }
    let stored = program.media.private_keys(&folders).await?;
    let missing = referenced.iter().filter(|(key, _)| !stored.contains_key(*key));
    let missing: Vec<String> = missing.map(|(key, row)| format!("{row} ({key})")).collect();
    let before = SystemTime::now() - UPLOAD_GRACE;
    let unreferenced = stored.iter().filter(|(key, written)| **written < before && !referenced.contains_key(*key));
    let unreferenced: Vec<String> = unreferenced.map(|(key, _)| key.clone()).collect();
    let missing = finding(
        &missing,
        "D005",
        "files that people sent are not in the store",
        "look into \"festival trash\", or restore them from a backup",
    );
    let unreferenced = finding(
        &unreferenced,
        "D006",
        "files in the private store belong to no row",
        "where the database is the right one, \"festival forms sweep\" moves them to the trash",
    );
    Ok(missing.into_iter().chain(unreferenced).collect())
}

/// The pictures and documents that rows refer to and the public store does not have.
async fn missing_public(program: &Program) -> Result<Vec<String>> {
    let stored = program.media.public_keys().await?;
    let mut missing = Vec::new();
    for entity in program.records.entities() {
        for field in entity.columns().filter(|field| field.public_file().is_some()) {
            missing.extend(missing_in_field(program, &stored, entity, field).await?);
        }
    }
    Ok(missing)
}

async fn missing_in_field(
    program: &Program,
    stored: &BTreeSet<String>,
    entity: &Entity,
    field: &'static Field,
) -> Result<Vec<String>> {
    let select = Select::new(entity.table, [field.name]);
    let select = select.filter(field.name, Test::IsNot, Datum::Text(String::new()));
    let (mut missing, mut after) = (Vec::new(), 0);
    loop {
        let rows = select.page(&mut *program.db.read().await?, after, PAGE_SIZE).await?;
        let Some((last, _)) = rows.last() else { return Ok(missing) };
        after = *last;
        for (id, values) in &rows {
            let Some(Datum::Text(key)) = values.first() else { continue };
            if !stored.contains(key) {
                missing.push(format!("{} {id}, {} ({key})", entity.singular, field.name));
            }
        }
    }
}

/// A sentence about these files; `None` if there are none.
fn finding(files: &[String], code: &str, what: &str, remedy: &str) -> Option<String> {
    if files.is_empty() {
        return None;
    }
    let listed = files.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join(", ");
    let more = match files.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("{code}: {} {what}: {listed}{more}; {remedy}", files.len()))
}
