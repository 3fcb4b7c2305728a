//! Rows and stored files compared: what rows name and is not there, what is there and no row names.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use sqlx::Row as _;

use crate::app::App;
use crate::db::{Datum, Select, Test};
use crate::entity::{Entity, Field, Kind};
use crate::error::Result;

/// A file without a row may be of a form that is just arriving for so long.
const UNDER_WAY: Duration = Duration::from_secs(60 * 60);
/// Files that a finding names.
const NAMED: usize = 20;
/// Rows that are read at a time.
const STEP: u16 = 500;

/// Where rows name files of the private store.
#[derive(Debug)]
pub struct PrivateFiles {
    /// The folders of the store that hold them.
    pub folders: fn() -> Vec<String>,
    /// Reads the key of each, and what names it, for people.
    pub named: &'static str,
}

/// What is wrong with the stored files, a sentence each that begins with its code.
///
/// # Errors
/// If the database or the store cannot be read.
pub async fn compare(app: &App) -> Result<Vec<String>> {
    let mut found = private(app).await?;
    let missing = missing_public(app).await?;
    found.extend(finding(
        &missing,
        "D007",
        "pictures and documents that the site shows are not in the store",
        "restore them from a backup, or upload them again",
    ));
    Ok(found)
}

async fn private(app: &App) -> Result<Vec<String>> {
    let mut folders = Vec::new();
    let mut named = BTreeMap::new();
    for files in app.registry.private_files() {
        folders.extend((files.folders)());
        for row in sqlx::query(files.named).fetch_all(&mut *app.db.read().await?).await? {
            named.insert(row.try_get::<String, _>(0)?, row.try_get::<String, _>(1)?);
        }
    }
    let stored = app.media.private_keys(&folders).await?;
    let missing = named.iter().filter(|(key, _)| !stored.contains_key(*key));
    let missing: Vec<String> = missing.map(|(key, record)| format!("{record} ({key})")).collect();
    let before = SystemTime::now() - UNDER_WAY;
    let unnamed = stored.iter().filter(|(key, written)| **written < before && !named.contains_key(*key));
    let unnamed: Vec<String> = unnamed.map(|(key, _)| key.clone()).collect();
    let missing = finding(
        &missing,
        "D005",
        "files that people sent are not in the store",
        "look into \"festival trash\", or restore them from a backup",
    );
    let unnamed = finding(
        &unnamed,
        "D006",
        "files in the private store belong to no row",
        "where the database is the right one, \"festival forms sweep\" moves them to the trash",
    );
    Ok(missing.into_iter().chain(unnamed).collect())
}

/// The pictures and documents that rows name and the public store does not have.
async fn missing_public(app: &App) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    for (entity, _) in app.records.described.iter() {
        let is_public = |field: &&Field| matches!(field.kind, Kind::Image | Kind::Document | Kind::Video);
        for field in entity.columns().filter(is_public) {
            missing.extend(missing_of(app, entity, field).await?);
        }
    }
    Ok(missing)
}

async fn missing_of(app: &App, entity: &Entity, field: &'static Field) -> Result<Vec<String>> {
    let select = Select::new(entity.table, vec![field.name]);
    let select = select.only(field.name, Test::IsNot, Datum::Text(String::new()));
    let (mut missing, mut after) = (Vec::new(), 0);
    loop {
        let rows = select.page(&mut *app.db.read().await?, after, STEP).await?;
        let Some((last, _)) = rows.last() else { return Ok(missing) };
        after = *last;
        for (id, values) in &rows {
            let Some(Datum::Text(key)) = values.first() else { continue };
            if app.media.open_public(key).await.is_err() {
                missing.push(format!("{} {id}, {} ({key})", entity.singular, field.name));
            }
        }
    }
}

/// The sentence about these files; `None` where there are none.
fn finding(files: &[String], code: &str, what: &str, remedy: &str) -> Option<String> {
    if files.is_empty() {
        return None;
    }
    let listed = files.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more = match files.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("{code}: {} {what}: {listed}{more}; {remedy}", files.len()))
}
