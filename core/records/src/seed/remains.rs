//! Finds what a site still has of a seed, so that no demonstration goes public: rows, mentions of its festival,
//! settings.

use std::collections::BTreeMap;

use serde_json::Value;
use sqlx::AssertSqlSafe;

use super::{EDITION, Seed, Seeder, rows_of, to_values};
use crate::Records;
use crate::date_placeholder::Shift;
use crate::entity::{Datum, Entity, Kind, hash, table};
use festival_base::error::{Error, Result};
use festival_base::settings::Settings;

/// Settings that do not count, because another festival may have the same.
const IGNORED_SETTINGS: &[&str] = &["product.city", "product.region", "product.country"];

/// What a site still has of a seed.
#[derive(Debug, Default)]
pub struct Remains {
    /// The titles of its rows, by the plural of their entity.
    pub rows: Vec<(&'static str, Vec<String>)>,
    /// The titles of other rows that mention its festival or its mail domain, by the plural of their entity.
    pub mentions: Vec<(&'static str, Vec<String>)>,
    /// The paths of its settings that are in force.
    pub settings: Vec<String>,
}

/// Finds what the site still has of `seed`: rows that nobody rewrote, texts that mention its festival, and settings
/// that are `in_force`.
///
/// # Errors
/// [`Error::BadRequest`] if the text of the seed is not valid.
pub async fn find_remains(records: &Records, in_force: &Settings, seed: &Seed) -> Result<Remains> {
    let file: toml::Table = toml::from_str(&seed.text).map_err(|e| Error::BadRequest(format!("the seed file: {e}")))?;
    let mut remains = Remains { settings: unchanged_settings(in_force, &file)?, ..Remains::default() };
    let festival_names = festival_names(&file);
    let mut connection = records.db.read().await?;
    let files = BTreeMap::new();
    let mut seeder = Seeder {
        records,
        connection: &mut connection,
        edition: None,
        shift: Shift::default(),
        files: &files,
        now: String::new(),
    };
    for entity in records.enabled() {
        let mut unchanged = Vec::new();
        for row in rows_of(&file, entity).iter().filter_map(toml::Value::as_table) {
            let Some(seeded) = seeder.find_seeded(entity, row).await? else { continue };
            if entity.table == EDITION.table {
                seeder.edition = Some(seeded.id);
            }
            if seeded.is_recognisable {
                unchanged.push((seeded.id, seeded.title));
            }
        }
        let mut mentions = Vec::new();
        let sql = format!("SELECT id FROM {} ORDER BY id", entity.table);
        let ids: Vec<i64> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut *seeder.connection).await?;
        for id in ids.into_iter().filter(|id| unchanged.iter().all(|(listed, _)| listed != id)) {
            let Some(record) = table::fetch(seeder.connection, entity, id).await? else { continue };
            let is_mentioned = |text: &String| festival_names.iter().any(|name| text.contains(name.as_str()));
            if record.iter().any(|datum| matches!(datum, Datum::Text(text) if is_mentioned(text))) {
                mentions.push(title_of(entity, &record));
            }
        }
        if !unchanged.is_empty() {
            remains.rows.push((entity.plural, unchanged.into_iter().map(|(_, title)| title).collect()));
        }
        if !mentions.is_empty() {
            remains.mentions.push((entity.plural, mentions));
        }
    }
    Ok(remains)
}

/// A row that the seed inserted.
struct SeededRow {
    id: i64,
    title: String,
    /// Whether it is unchanged, or still recognisable as the seed's.
    is_recognisable: bool,
}

impl Seeder<'_> {
    /// The stored row for a row of the file; `None` if it was never inserted or is deleted.
    async fn find_seeded(&mut self, entity: &Entity, row: &toml::Table) -> Result<Option<SeededRow>> {
        let values = to_values(row, entity.table)?;
        // An error here is a reference to a row that is gone; this row was deleted with it.
        let Ok(unmoved) = self.unmoved(entity, &values).await else { return Ok(None) };
        let Some(known) = self.find_known(entity, &hash(&entity.key_of(&unmoved))).await? else { return Ok(None) };
        let Some(stored) = table::fetch(self.connection, entity, known.row_id).await? else { return Ok(None) };
        let is_recognisable = hash(&stored) == known.stored_hash || is_recognisable(entity, &stored, &unmoved);
        Ok(Some(SeededRow { id: known.row_id, title: title_of(entity, &stored), is_recognisable }))
    }
}

/// Whether a changed row still has the name from the file or, if its key has no name, one of the longer texts.
fn is_recognisable(entity: &Entity, stored: &[Datum], unmoved: &[Datum]) -> bool {
    let fields = || entity.columns().zip(stored.iter().zip(unmoved));
    let is_name = |name: &str, kind: Kind| entity.key.contains(&name) && matches!(kind, Kind::Text { .. });
    let mut names = fields().filter(|(field, _)| is_name(field.name, field.kind)).peekable();
    if names.peek().is_some() {
        return names.all(|(_, (stored, seeded))| stored == seeded);
    }
    fields().any(|(field, (stored, seeded))| {
        let is_text = matches!(field.kind, Kind::Text { .. } | Kind::Lines { .. } | Kind::Html);
        is_text && *stored != Datum::Null && stored == seeded
    })
}

/// The title of a row: its first line of text.
fn title_of(entity: &Entity, record: &[Datum]) -> String {
    let mut texts = entity.columns().zip(record).filter_map(|(field, datum)| match (field.kind, datum) {
        (Kind::Text { .. }, Datum::Text(text)) => Some(text.clone()),
        _ => None,
    });
    texts.next().unwrap_or_else(|| entity.singular.to_owned())
}

/// The names of the seed's festival and the domain of its mail address.
fn festival_names(file: &toml::Table) -> Vec<String> {
    let text = |group: &str, name: &str| file.get("settings")?.get(group)?.get(name)?.as_str();
    let domain = text("contact", "email").and_then(|email| Some(email.rsplit_once('@')?.1));
    let names = [text("product", "name"), text("product", "native_name"), domain];
    names.into_iter().flatten().filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The paths of the seed's settings that are in force. Each value is compared by itself, lists as a whole.
fn unchanged_settings(in_force: &Settings, file: &toml::Table) -> Result<Vec<String>> {
    let Some(section) = file.get("settings") else { return Ok(Vec::new()) };
    let (section, in_force) = (serde_json::to_value(section)?, in_force.to_json()?);
    let mut paths = Vec::new();
    add_equal_paths(&section, &in_force, "", &mut paths);
    paths.retain(|path| !IGNORED_SETTINGS.contains(&path.as_str()));
    Ok(paths)
}

fn add_equal_paths(seed: &Value, in_force: &Value, path: &str, paths: &mut Vec<String>) {
    match seed {
        Value::Object(entries) => {
            for (key, value) in entries {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                add_equal_paths(value, &in_force[key.as_str()], &path, paths);
            }
        }
        value if value == in_force => paths.push(path.to_owned()),
        _ => {}
    }
}
