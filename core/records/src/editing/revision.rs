//! The history: what was done to a row, and what it held.

use std::collections::HashMap;

use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};

use super::alternative_texts::{AlternativeTexts, pictures};
use super::{Current, Editor, title_of};
use crate::entity::{Datum, Entity, Record, table};
use festival_base::error::{Error, Result};

/// What was done to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// As it was before somebody changed it, where nobody had written it here: seeded.
    Found,
    /// Written for the first time.
    Created,
    /// Written again.
    Changed,
    /// Taken away.
    Deleted,
    /// Brought back, or put back to what it was.
    Restored,
    /// Published when its time had come.
    Published,
}

impl Action {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Found, "found"),
        (Self::Created, "created"),
        (Self::Changed, "changed"),
        (Self::Deleted, "deleted"),
        (Self::Restored, "restored"),
        (Self::Published, "published"),
    ];

    /// The word that is kept and shown.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(action, _)| *action == self).map_or("", |(_, word)| word)
    }

    /// The action that a kept word means.
    pub fn of(word: &str) -> Self {
        Self::ALL.iter().find(|(_, known)| *known == word).map_or(Self::Changed, |(action, _)| *action)
    }
}

/// One step of a row's history.
#[derive(Clone, Debug)]
pub struct Revision {
    /// Its id.
    pub id: i64,
    /// The row.
    pub row_id: i64,
    /// The edition of the row.
    pub edition: Option<i64>,
    /// What was done.
    pub action: Action,
    /// What people called the row then.
    pub title: String,
    /// What the row held afterwards; before it, where it was deleted. References are ids.
    pub record: Record,
    /// What was said of its pictures; nothing of a picture of which it was not kept.
    pub alternative_texts: AlternativeTexts,
    /// Who did it.
    pub editor: Editor,
    /// When, as stored.
    pub at: String,
}

impl Revision {
    /// Whether the row is now what this step made of it.
    pub(super) fn is_what(&self, current: &Current) -> bool {
        self.record == current.record
            && self.alternative_texts.iter().all(|(field, texts)| current.alternative_texts.get(field) == Some(texts))
    }
}

/// A step of a row's history that is to be written.
pub(crate) struct HistoryEntry<'a> {
    pub(crate) id: i64,
    pub(crate) edition: Option<i64>,
    pub(crate) action: Action,
    pub(crate) record: &'a Record,
    pub(crate) alternative_texts: &'a AlternativeTexts,
}

/// Writes steps of the history of several rows with one statement.
pub(crate) async fn add_history(
    connection: &mut AnyConnection,
    entity: &Entity,
    entries: &[HistoryEntry<'_>],
    editor: &Editor,
    now: &str,
) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let places = table::rows_of_places(entries.len(), 9);
    let sql = format!(
        "INSERT INTO revisions (entity, row_id, edition_id, action, title, record, account_id, editor, at) VALUES {places}"
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for entry in entries {
        query = query
            .bind(entity.table)
            .bind(entry.id)
            .bind(entry.edition)
            .bind(entry.action.word())
            .bind(title_of(entity, entry.record))
            .bind(Value::from(json_of(entity, entry.record, entry.alternative_texts)).to_string())
            .bind(editor.account)
            .bind(editor.name.clone())
            .bind(now.to_owned());
    }
    query.execute(connection).await?;
    Ok(())
}

/// Writes into the history what rows are now, where it does not know that: what a seed wrote, an alternative text that
/// was written elsewhere.
pub(crate) async fn add_unknown_to_history(
    connection: &mut AnyConnection,
    entity: &Entity,
    rows: &[&Current],
    now: &str,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let places = table::rows_of_places(1, rows.len());
    let sql = format!(
        "SELECT id, row_id, edition_id, action, title, record, account_id, editor, at FROM revisions WHERE id IN \
         (SELECT max(id) FROM revisions WHERE entity = ${} AND row_id IN {places} GROUP BY row_id)",
        rows.len() + 1
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for row in rows {
        query = query.bind(row.id);
    }
    let last = query.bind(entity.table).fetch_all(&mut *connection).await?;
    let last: Vec<Revision> = last.iter().map(|row| read(entity, row)).collect::<Result<_>>()?;
    let last: HashMap<i64, Revision> = last.into_iter().map(|revision| (revision.row_id, revision)).collect();
    let is_known = |row: &Current| last.get(&row.id).is_some_and(|last| last.is_what(row));
    let unknown: Vec<HistoryEntry<'_>> = rows
        .iter()
        .filter(|row| !is_known(row))
        .map(|row| HistoryEntry {
            id: row.id,
            edition: row.edition,
            action: Action::Found,
            record: &row.record,
            alternative_texts: &row.alternative_texts,
        })
        .collect();
    let nobody = Editor { account: None, name: String::new() };
    add_history(connection, entity, &unknown, &nobody, now).await
}

/// Keeps what was done.
pub(super) async fn keep(
    connection: &mut AnyConnection,
    entity: &Entity,
    (id, edition): (i64, Option<i64>),
    (record, texts): (&Record, &AlternativeTexts),
    by: (Action, &Editor),
    now: &str,
) -> Result<()> {
    let entry = HistoryEntry { id, edition, action: by.0, record, alternative_texts: texts };
    add_history(connection, entity, &[entry], by.1, now).await
}

/// Keeps what was done to something that is no row of an entity: what it is, what it holds now.
pub async fn keep_json(
    connection: &mut AnyConnection,
    (what, id, edition): (&str, i64, Option<i64>),
    title: &str,
    record: &Value,
    (action, editor): (Action, &Editor),
    now: &str,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO revisions (entity, row_id, edition_id, action, title, record, account_id, editor, at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(what.to_owned())
    .bind(id)
    .bind(edition)
    .bind(action.word())
    .bind(title.to_owned())
    .bind(record.to_string())
    .bind(editor.account)
    .bind(editor.name.clone())
    .bind(now.to_owned())
    .execute(connection)
    .await?;
    Ok(())
}

/// The steps of a row's history before the one with the id `before`, the latest first; 0: from the last step on.
pub async fn history(
    connection: &mut AnyConnection,
    entity: &Entity,
    id: i64,
    (before, limit): (i64, i64),
) -> Result<Vec<Revision>> {
    let rows = sqlx::query(
        "SELECT id, row_id, edition_id, action, title, record, account_id, editor, at FROM revisions \
         WHERE entity = $1 AND row_id = $2 AND ($3 = 0 OR id < $3) ORDER BY id DESC LIMIT $4",
    )
    .bind(entity.table)
    .bind(id)
    .bind(before)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| read(entity, row)).collect()
}

/// One step.
pub async fn revision(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Revision> {
    let row = sqlx::query(
        "SELECT id, row_id, edition_id, action, title, record, account_id, editor, at FROM revisions \
         WHERE entity = $1 AND id = $2",
    )
    .bind(entity.table)
    .bind(id)
    .fetch_optional(connection)
    .await?;
    let row = row.ok_or_else(|| Error::NotFound("There is no such step in the history.".into()))?;
    read(entity, &row)
}

/// The last step of each row that is deleted now, the latest first, of those before the step `before`; 0: all.
pub async fn deleted(
    connection: &mut AnyConnection,
    entity: &Entity,
    (before, limit): (i64, i64),
) -> Result<Vec<Revision>> {
    let rows = sqlx::query(
        "SELECT id, row_id, edition_id, action, title, record, account_id, editor, at FROM revisions r \
         WHERE entity = $1 AND action = 'deleted' AND ($2 = 0 OR r.id < $2) AND NOT EXISTS \
           (SELECT 1 FROM revisions later WHERE later.entity = r.entity AND later.row_id = r.row_id AND later.id > r.id) \
         ORDER BY id DESC LIMIT $3",
    )
    .bind(entity.table)
    .bind(before)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| read(entity, row)).collect()
}

fn read(entity: &Entity, row: &AnyRow) -> Result<Revision> {
    let record: String = row.try_get("record")?;
    let action: String = row.try_get("action")?;
    let record: Map<String, Value> = serde_json::from_str(&record)?;
    Ok(Revision {
        id: row.try_get("id")?,
        row_id: row.try_get("row_id")?,
        edition: row.try_get("edition_id")?,
        action: Action::of(&action),
        title: row.try_get("title")?,
        alternative_texts: alternative_texts_of(entity, &record),
        record: record_of(entity, &record),
        editor: Editor { account: row.try_get("account_id")?, name: row.try_get("editor")? },
        at: row.try_get("at")?,
    })
}

/// What a row holds, by name, and what is said of its pictures beside them.
pub(super) fn json_of(entity: &Entity, record: &Record, texts: &AlternativeTexts) -> Map<String, Value> {
    let value = |datum: &Datum| match datum {
        Datum::Null => Value::Null,
        Datum::Text(text) | Datum::Reference(text) => Value::from(text.as_str()),
        Datum::Integer(number) => Value::from(*number),
    };
    let fields = entity.columns().zip(record).map(|(field, datum)| (field.name.to_owned(), value(datum)));
    fields
        .chain(texts.iter().map(|(field, texts)| (crate::alternative_texts::name(field), texts.as_str().into())))
        .collect()
}

/// By name, so that a field that came later is empty in an old step.
fn record_of(entity: &Entity, json: &Map<String, Value>) -> Record {
    let datum = |value: Option<&Value>| match value {
        Some(Value::String(text)) => Datum::Text(text.clone()),
        Some(Value::Number(number)) => number.as_i64().map_or(Datum::Null, Datum::Integer),
        _ => Datum::Null,
    };
    entity.columns().map(|field| datum(json.get(field.name))).collect()
}

fn alternative_texts_of(entity: &Entity, json: &Map<String, Value>) -> AlternativeTexts {
    let said = |name: &'static str| Some((name, json.get(&crate::alternative_texts::name(name))?.as_str()?.to_owned()));
    pictures(entity).filter_map(|field| said(field.name)).collect()
}
