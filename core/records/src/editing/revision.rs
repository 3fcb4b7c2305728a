//! The history of rows: what was done, by whom, and the values afterwards.

use std::collections::HashMap;

use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};

use super::{Current, Editor, title_of};
use crate::entity::{Datum, Entity, Record, table};
use festival_base::db::{Backend, Conditions, Test};
use festival_base::error::{Error, Result};

/// The values of a revision by name, as they are stored.
pub type JsonRecord = Map<String, Value>;

/// What was done to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing: the state before a change that no revision had recorded, for example of a seeded row.
    Baseline,
    /// Created.
    Created,
    /// Updated.
    Changed,
    /// Deleted.
    Deleted,
    /// Restored after a deletion, or reset to an earlier revision.
    Restored,
    /// Published on schedule.
    Published,
}

impl Action {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Baseline, "found"),
        (Self::Created, "created"),
        (Self::Changed, "changed"),
        (Self::Deleted, "deleted"),
        (Self::Restored, "restored"),
        (Self::Published, "published"),
    ];

    /// The name that is stored and shown.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(action, _)| *action == self).map_or("", |(_, name)| name)
    }

    /// The action with this stored name; an unknown one counts as changed.
    pub fn from_name(name: &str) -> Self {
        Self::ALL.iter().find(|(_, known)| *known == name).map_or(Self::Changed, |(action, _)| *action)
    }
}

/// One entry of the history of a row, or of something else that is kept as a record `R`.
#[derive(Clone, Debug)]
pub struct Revision<R = Record> {
    /// Id of the revision.
    pub id: i64,
    /// Id of the row.
    pub row_id: i64,
    /// The edition of the row.
    pub edition: Option<i64>,
    /// What was done.
    pub action: Action,
    /// The title of the row at that time.
    pub title: String,
    /// The values afterwards, or those before a deletion. References are ids.
    pub record: R,
    /// Who made the change.
    pub editor: Editor,
    /// When, as stored.
    pub at: String,
}

impl<R> Revision<R> {
    /// The same revision with another form of its values.
    pub fn map<S>(self, read: impl FnOnce(R) -> S) -> Revision<S> {
        let Self { id, row_id, edition, action, title, record, editor, at } = self;
        Revision { id, row_id, edition, action, title, record: read(record), editor, at }
    }
}

/// A revision to be written.
pub(crate) struct HistoryEntry<'a> {
    pub(crate) id: i64,
    pub(crate) edition: Option<i64>,
    pub(crate) action: Action,
    pub(crate) record: &'a Record,
}

/// Writes revisions of several rows with one statement.
pub(super) async fn add_history(
    connection: &mut AnyConnection,
    entity: &Entity,
    entries: &[HistoryEntry<'_>],
    editor: &Editor,
    now: &str,
) -> Result<()> {
    if !entries.is_empty() {
        let values = table::value_lists(Backend::of(connection), entries.len(), HISTORY_COLUMNS);
        history_statement(&values, entity, entries, editor, now).execute(connection).await?;
    }
    Ok(())
}

/// Values of a revision.
pub(crate) const HISTORY_COLUMNS: usize = 10;

/// The statement that writes revisions, with these placeholders for their values.
pub(crate) fn history_statement(
    values: &str,
    entity: &Entity,
    entries: &[HistoryEntry<'_>],
    editor: &Editor,
    now: &str,
) -> table::AnyQuery<'static> {
    let sql = format!(
        "INSERT INTO revisions (entity, row_id, edition_id, action, title, record, account_id, editor, at, import_id) \
         VALUES {values}"
    );
    entries.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, entry| {
        query
            .bind(entity.table)
            .bind(entry.id)
            .bind(entry.edition)
            .bind(entry.action.name())
            .bind(title_of(entity, entry.record))
            .bind(Value::from(to_json(entity, entry.record)).to_string())
            .bind(editor.account)
            .bind(editor.name.clone())
            .bind(now.to_owned())
            .bind(editor.import)
    })
}

/// Records the current state of rows whose last revision differs from it: a seed has changed them.
pub(crate) async fn add_unknown_to_history(
    connection: &mut AnyConnection,
    entity: &Entity,
    rows: &[&Current],
    now: &str,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let last = last_revisions(connection, entity, &ids).await?;
    let is_known = |row: &Current| last.get(&row.id).is_some_and(|last| last.record == row.record);
    let unknown: Vec<HistoryEntry<'_>> = rows
        .iter()
        .filter(|row| !is_known(row))
        .map(|row| HistoryEntry { id: row.id, edition: row.edition, action: Action::Baseline, record: &row.record })
        .collect();
    let nobody = Editor::new(None, "");
    add_history(connection, entity, &unknown, &nobody, now).await
}

/// The last revision of each of these rows, by the id of the row.
pub(crate) async fn last_revisions(
    connection: &mut AnyConnection,
    entity: &Entity,
    ids: &[i64],
) -> Result<HashMap<i64, Revision>> {
    let sql = format!(
        "SELECT id, row_id, edition_id, action, title, record, account_id, editor, at FROM revisions WHERE id IN \
         (SELECT max(id) FROM revisions WHERE row_id IN {} AND entity = '{}' GROUP BY row_id)",
        table::id_list(connection, ids),
        entity.table
    );
    let rows = table::bind_ids(sql, ids).fetch_all(connection).await?;
    let by_row = |row: &AnyRow| from_row(entity, row).map(|revision| (revision.row_id, revision));
    rows.iter().map(by_row).collect()
}

/// Writes one revision.
pub(super) async fn add_revision(
    connection: &mut AnyConnection,
    entity: &Entity,
    (id, edition): (i64, Option<i64>),
    record: &Record,
    (action, editor): (Action, &Editor),
    now: &str,
) -> Result<()> {
    let entry = HistoryEntry { id, edition, action, record };
    add_history(connection, entity, &[entry], editor, now).await
}

/// Writes a revision of something that is not a row of an entity, under a table name of its own.
///
/// # Errors
/// If the database cannot be written.
pub async fn add_json_revision(
    connection: &mut AnyConnection,
    (table, id, edition): (&str, i64, Option<i64>),
    title: &str,
    record: &Value,
    (action, editor): (Action, &Editor),
    now: &str,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO revisions (entity, row_id, edition_id, action, title, record, account_id, editor, at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(table.to_owned())
    .bind(id)
    .bind(edition)
    .bind(action.name())
    .bind(title.to_owned())
    .bind(record.to_string())
    .bind(editor.account)
    .bind(editor.name.clone())
    .bind(now.to_owned())
    .execute(connection)
    .await?;
    Ok(())
}

/// Up to `limit` revisions of a row with an id below `before` (0: any), the latest first.
///
/// # Errors
/// If the database cannot be read.
pub async fn history(
    connection: &mut AnyConnection,
    entity: &Entity,
    id: i64,
    page: (i64, i64),
) -> Result<Vec<Revision>> {
    let revisions = json_history(connection, (entity.table, id), page).await?;
    Ok(revisions.into_iter().map(|revision| revision.map(|json| record_of(entity, &json))).collect())
}

/// The same of a row of any table, or of what [`add_json_revision`] wrote under such a name.
///
/// # Errors
/// If the database cannot be read.
pub async fn json_history(
    connection: &mut AnyConnection,
    (table, id): (&str, i64),
    (before, limit): (i64, i64),
) -> Result<Vec<Revision<JsonRecord>>> {
    let rows = sqlx::query(
        "SELECT id, row_id, edition_id, action, title, record, account_id, editor, at FROM revisions \
         WHERE entity = $1 AND row_id = $2 AND ($3 = 0 OR id < $3) ORDER BY id DESC LIMIT $4",
    )
    .bind(table.to_owned())
    .bind(id)
    .bind(before)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter().map(json_from_row).collect()
}

/// The revision with this id.
///
/// # Errors
/// [`Error::NotFound`] if `entity` has none.
pub async fn revision(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Revision> {
    Ok(json_revision(connection, entity.table, id).await?.map(|json| record_of(entity, &json)))
}

/// The same of any table, or of what [`add_json_revision`] wrote under such a name.
///
/// # Errors
/// [`Error::NotFound`] if there is none.
pub async fn json_revision(connection: &mut AnyConnection, table: &str, id: i64) -> Result<Revision<JsonRecord>> {
    let row = sqlx::query(
        "SELECT id, row_id, edition_id, action, title, record, account_id, editor, at FROM revisions \
         WHERE entity = $1 AND id = $2",
    )
    .bind(table.to_owned())
    .bind(id)
    .fetch_optional(connection)
    .await?;
    json_from_row(&row.ok_or_else(|| Error::NotFound("There is no such version in the history.".into()))?)
}

/// The last revisions of up to `limit` rows that are deleted and have the words of `search` in their titles, those with an
/// id below `before` (0: any), the latest first.
///
/// # Errors
/// If the database cannot be read.
pub async fn deleted(
    connection: &mut AnyConnection,
    entity: &Entity,
    search: &str,
    (before, limit): (i64, i64),
) -> Result<Vec<Revision>> {
    let mut conditions = Conditions::default();
    conditions.compare("r.entity", Test::Is, Datum::Text(entity.table.to_owned()));
    conditions.compare("r.action", Test::Is, Datum::Text("deleted".to_owned()));
    if before != 0 {
        conditions.compare("r.id", Test::Before, Datum::Integer(before));
    }
    search.split_whitespace().for_each(|word| conditions.contain(["r.title"], word));
    let sql = format!(
        "SELECT id, row_id, edition_id, action, title, record, account_id, editor, at FROM revisions r{} AND NOT EXISTS \
           (SELECT 1 FROM revisions later WHERE later.entity = r.entity AND later.row_id = r.row_id AND later.id > r.id) \
         ORDER BY id DESC LIMIT {limit}",
        conditions.where_clause(connection)
    );
    let rows = conditions.query(sql).fetch_all(connection).await?;
    rows.iter().map(|row| from_row(entity, row)).collect()
}

fn from_row(entity: &Entity, row: &AnyRow) -> Result<Revision> {
    Ok(json_from_row(row)?.map(|json| record_of(entity, &json)))
}

fn json_from_row(row: &AnyRow) -> Result<Revision<JsonRecord>> {
    let record: String = row.try_get("record")?;
    let action: String = row.try_get("action")?;
    Ok(Revision {
        id: row.try_get("id")?,
        row_id: row.try_get("row_id")?,
        edition: row.try_get("edition_id")?,
        action: Action::from_name(&action),
        title: row.try_get("title")?,
        record: serde_json::from_str(&record)?,
        editor: Editor::new(row.try_get("account_id")?, row.try_get::<String, _>("editor")?),
        at: row.try_get("at")?,
    })
}

/// A value as JSON.
pub fn datum_to_json(datum: &Datum) -> Value {
    match datum {
        Datum::Null => Value::Null,
        Datum::Text(text) | Datum::Reference(text) => Value::from(text.as_str()),
        Datum::Integer(number) => Value::from(*number),
    }
}

/// The values of a row by name.
pub(super) fn to_json(entity: &Entity, record: &Record) -> Map<String, Value> {
    entity.columns().zip(record).map(|(field, datum)| (field.name.to_owned(), datum_to_json(datum))).collect()
}

/// Reads values by name, so that a field that was added later is empty in an old revision.
fn record_of(entity: &Entity, json: &Map<String, Value>) -> Record {
    let datum = |value: Option<&Value>| match value {
        Some(Value::String(text)) => Datum::Text(text.clone()),
        Some(Value::Number(number)) => number.as_i64().map_or(Datum::Null, Datum::Integer),
        _ => Datum::Null,
    };
    entity.columns().map(|field| datum(json.get(field.name))).collect()
}
