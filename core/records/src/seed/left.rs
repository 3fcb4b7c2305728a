//! What is left of a seed on a site: its rows, its names in other texts, its settings.

use std::collections::BTreeMap;

use jiff::Span;
use serde_json::Value;
use sqlx::AssertSqlSafe;

use super::{EDITION, Seed, Work, hash, to_values};
use crate::Records;
use crate::entity::{Datum, Entity, Kind, table};
use festival_base::error::{Error, Result};
use festival_base::settings::Settings;

/// Settings of a seed that another festival may have as well.
const NOT_TELLING: &[&str] = &["product.city", "product.region", "product.country"];

/// What is left of a seed.
#[derive(Debug, Default)]
pub struct Left {
    /// What its rows are called, by the plural of their kind.
    pub rows: Vec<(&'static str, Vec<String>)>,
    /// What other rows are called that name its festival or write to its addresses, by the plural of their kind.
    pub mentions: Vec<(&'static str, Vec<String>)>,
    /// Paths of settings that are in force.
    pub settings: Vec<String>,
}

/// What is left of `seed`: rows that it brought and nobody rewrote, texts that name its festival, and settings
/// that are `in_force`.
///
/// # Errors
/// [`Error::BadRequest`] if the file cannot be read.
pub async fn left(records: &Records, in_force: &Settings, seed: &Seed) -> Result<Left> {
    let file: toml::Table = toml::from_str(&seed.text).map_err(|e| Error::BadRequest(format!("the seed file: {e}")))?;
    let mut left = Left { settings: settings_left(in_force, &file)?, ..Left::default() };
    let names = names(&file);
    let mut connection = records.db.read().await?;
    let files = BTreeMap::new();
    let mut work = Work {
        records,
        connection: &mut connection,
        edition: None,
        shift: Span::new(),
        files: &files,
        now: String::new(),
    };
    for entity in records.enabled() {
        let rows = match file.get(if entity.table == EDITION.table { "edition" } else { entity.table }) {
            Some(toml::Value::Array(rows)) => rows.as_slice(),
            Some(row @ toml::Value::Table(_)) => std::slice::from_ref(row),
            _ => &[],
        };
        let mut found = Vec::new();
        for row in rows.iter().filter_map(toml::Value::as_table) {
            let Some(known) = work.known(entity, row).await? else { continue };
            if entity.table == EDITION.table {
                work.edition = Some(known.id);
            }
            if known.is_left {
                found.push((known.id, known.name));
            }
        }
        let mut mentions = Vec::new();
        let sql = format!("SELECT id FROM {} ORDER BY id", entity.table);
        let ids: Vec<i64> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut *work.connection).await?;
        for id in ids.into_iter().filter(|id| found.iter().all(|(listed, _)| listed != id)) {
            let Some(record) = table::fetch(work.connection, entity, id).await? else { continue };
            let names_it = |datum: &Datum| matches!(datum, Datum::Text(text) if names.iter().any(|name| text.contains(name.as_str())));
            if record.iter().any(names_it) {
                mentions.push(name_of(entity, &record));
            }
        }
        if !found.is_empty() {
            left.rows.push((entity.plural, found.into_iter().map(|(_, name)| name).collect()));
        }
        if !mentions.is_empty() {
            left.mentions.push((entity.plural, mentions));
        }
    }
    Ok(left)
}

/// A row that the seed brought.
struct Known {
    id: i64,
    name: String,
    /// Whether it still is what it was.
    is_left: bool,
}

impl Work<'_> {
    /// What became of a row of the file; `None` where it never came or is gone.
    async fn known(&mut self, entity: &Entity, row: &toml::Table) -> Result<Option<Known>> {
        let values = to_values(row, entity.table)?;
        // A row that belongs to one that is gone is gone with it.
        let Ok(unmoved) = self.unmoved(entity, &values).await else { return Ok(None) };
        let edition = if entity.per_edition { self.edition.unwrap_or(0) } else { 0 };
        let seeded: Option<(i64, String)> =
            sqlx::query_as("SELECT row_id, stored_hash FROM seeds WHERE entity = $1 AND edition_id = $2 AND key = $3")
                .bind(entity.table)
                .bind(edition)
                .bind(hash(&entity.key_of(&unmoved)))
                .fetch_optional(&mut *self.connection)
                .await?;
        let Some((id, stored_hash)) = seeded else { return Ok(None) };
        let Some(stored) = table::fetch(self.connection, entity, id).await? else { return Ok(None) };
        let is_left = hash(&stored) == stored_hash || is_recognisable(entity, &stored, &unmoved);
        Ok(Some(Known { id, name: name_of(entity, &stored), is_left }))
    }
}

/// Whether a row that somebody changed still is the one of the file: it has its name, or one of its longer texts.
fn is_recognisable(entity: &Entity, stored: &[Datum], unmoved: &[Datum]) -> bool {
    let fields = || entity.columns().zip(stored.iter().zip(unmoved));
    let is_name = |name: &str, kind: Kind| entity.key.contains(&name) && matches!(kind, Kind::Text { .. });
    let mut names = fields().filter(|(field, _)| is_name(field.name, field.kind)).peekable();
    if names.peek().is_some() {
        return names.all(|(_, (now, then))| now == then);
    }
    fields().any(|(field, (now, then))| {
        matches!(field.kind, Kind::Text { .. } | Kind::Lines { .. } | Kind::Html) && *now != Datum::Null && now == then
    })
}

/// What a row is called: its first line of text.
fn name_of(entity: &Entity, record: &[Datum]) -> String {
    let mut texts = entity.columns().zip(record).filter_map(|(field, datum)| match (field.kind, datum) {
        (Kind::Text { .. }, Datum::Text(text)) => Some(text.clone()),
        _ => None,
    });
    texts.next().unwrap_or_else(|| entity.singular.to_owned())
}

/// What the seed's festival is called and where it writes from.
fn names(file: &toml::Table) -> Vec<String> {
    let text = |group: &str, name: &str| file.get("settings")?.get(group)?.get(name)?.as_str();
    let domain = text("contact", "email").and_then(|email| Some(email.rsplit_once('@')?.1));
    let names = [text("product", "name"), text("product", "native_name"), domain];
    names.into_iter().flatten().filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The paths of the seed's settings that are in force, leaf by leaf; lists are compared whole.
fn settings_left(in_force: &Settings, file: &toml::Table) -> Result<Vec<String>> {
    let Some(section) = file.get("settings") else { return Ok(Vec::new()) };
    let (section, in_force) = (serde_json::to_value(section)?, serde_json::to_value(in_force)?);
    let mut paths = Vec::new();
    same_leaves(&section, &in_force, "", &mut paths);
    paths.retain(|path| !NOT_TELLING.contains(&path.as_str()));
    Ok(paths)
}

fn same_leaves(seed: &Value, now: &Value, path: &str, paths: &mut Vec<String>) {
    match seed {
        Value::Object(entries) => {
            for (key, value) in entries {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                same_leaves(value, &now[key.as_str()], &path, paths);
            }
        }
        leaf if leaf == now => paths.push(path.to_owned()),
        _ => {}
    }
}
