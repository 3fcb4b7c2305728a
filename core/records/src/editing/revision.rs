//! The history of rows: what was done, by whom, and the values afterwards.

use std::collections::HashMap;

use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, FromRow, Row as _};

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
pub(crate) struct HistoryEntry {
    id: i64,
    edition: Option<i64>,
    action: Action,
    title: String,
    record: Value,
}

impl HistoryEntry {
    /// That a row, in an edition, has these values after `action`, or had them before it was deleted.
    pub(crate) fn new(entity: &Entity, (id, edition): (i64, Option<i64>), action: Action, record: &Record) -> Self {
        Self { id, edition, action, title: title_of(entity, record), record: to_json(entity, record).into() }
    }
}

/// Writes revisions of several rows of a table with one statement.
pub(crate) async fn add_history(
    connection: &mut AnyConnection,
    table: &str,
    entries: Vec<HistoryEntry>,
    editor: &Editor,
    now: &str,
) -> Result<()> {
    if !entries.is_empty() {
        history_statement(Backend::of(connection), table, entries, editor, now).execute(connection).await?;
    }
    Ok(())
}

/// The statement that writes revisions of rows of a table.
pub(crate) fn history_statement(
    backend: Backend,
    table: &str,
    entries: Vec<HistoryEntry>,
    editor: &Editor,
    now: &str,
) -> table::AnyQuery<'static> {
    let sql = format!(
        "INSERT INTO revisions (entity, row_id, edition_id, action, title, record, account_id, editor, at, import_id) \
         VALUES {}",
        table::value_lists(backend, entries.len(), 10)
    );
    entries.into_iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, entry| {
        query
            .bind(table.to_owned())
            .bind(entry.id)
            .bind(entry.edition)
            .bind(entry.action.name())
            .bind(entry.title)
            .bind(entry.record.to_string())
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
    let entry = |row: &&Current| HistoryEntry::new(entity, (row.id, row.edition), Action::Baseline, &row.record);
    let unknown = rows.iter().filter(|row| !is_known(row)).map(entry).collect();
    add_history(connection, entity.table, unknown, &Editor::new(None, ""), now).await
}

/// The last revision of each of these rows, by the id of the row.
pub(crate) async fn last_revisions(
    connection: &mut AnyConnection,
    entity: &Entity,
    ids: &[i64],
) -> Result<HashMap<i64, Revision>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM revisions WHERE id IN \
         (SELECT max(id) FROM revisions WHERE row_id IN {} AND entity = '{}' GROUP BY row_id)",
        table::id_list(connection, ids),
        entity.table
    );
    let rows = table::bind_ids(sql, ids).fetch_all(connection).await?;
    let revisions = rows.iter().map(|row| Ok(of_entity(entity, Revision::from_row(row)?)));
    revisions.map(|revision| revision.map(|revision| (revision.row_id, revision))).collect()
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
    let entry = HistoryEntry { id, edition, action, title: title.to_owned(), record: record.clone() };
    add_history(connection, table, vec![entry], editor, now).await
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
    Ok(revisions.into_iter().map(|revision| of_entity(entity, revision)).collect())
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
    let mut conditions = Conditions::default();
    conditions.compare("entity", Test::Is, Datum::Text(table.to_owned()));
    conditions.compare("row_id", Test::Is, Datum::Integer(id));
    select(connection, conditions, before, limit).await
}

/// The revision with this id.
///
/// # Errors
/// [`Error::NotFound`] if `entity` has none.
pub async fn revision(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Revision> {
    Ok(of_entity(entity, json_revision(connection, entity.table, id).await?))
}

/// The same of any table, or of what [`add_json_revision`] wrote under such a name.
///
/// # Errors
/// [`Error::NotFound`] if there is none.
pub async fn json_revision(connection: &mut AnyConnection, table: &str, id: i64) -> Result<Revision<JsonRecord>> {
    let mut conditions = Conditions::default();
    conditions.compare("entity", Test::Is, Datum::Text(table.to_owned()));
    conditions.compare("id", Test::Is, Datum::Integer(id));
    let found = select(connection, conditions, 0, 1).await?.pop();
    found.ok_or_else(|| Error::NotFound("There is no such version in the history.".into()))
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
    conditions.compare("entity", Test::Is, Datum::Text(entity.table.to_owned()));
    conditions.compare("action", Test::Is, Datum::Text("deleted".to_owned()));
    search.split_whitespace().for_each(|word| conditions.contain(["title"], word));
    let later = "NOT EXISTS (SELECT 1 FROM revisions later \
                 WHERE later.entity = r.entity AND later.row_id = r.row_id AND later.id > r.id";
    conditions.nested(later, |_| {});
    let revisions = select(connection, conditions, before, limit).await?;
    Ok(revisions.into_iter().map(|revision| of_entity(entity, revision)).collect())
}

/// The columns of a [`Revision`].
const COLUMNS: &str = "id, row_id, edition_id, action, title, record, account_id, editor, at";

/// Up to `limit` revisions with an id below `before` (0: any) that meet the conditions, the latest first.
async fn select(
    connection: &mut AnyConnection,
    mut conditions: Conditions,
    before: i64,
    limit: i64,
) -> Result<Vec<Revision<JsonRecord>>> {
    if before != 0 {
        conditions.compare("id", Test::Before, Datum::Integer(before));
    }
    let sql = format!(
        "SELECT {COLUMNS} FROM revisions r{} ORDER BY id DESC LIMIT {limit}",
        conditions.where_clause(connection)
    );
    let rows = conditions.query(sql).fetch_all(connection).await?;
    Ok(rows.iter().map(Revision::from_row).collect::<sqlx::Result<_>>()?)
}

impl FromRow<'_, AnyRow> for Revision<JsonRecord> {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let (action, record): (String, String) = (row.try_get("action")?, row.try_get("record")?);
        Ok(Self {
            id: row.try_get("id")?,
            row_id: row.try_get("row_id")?,
            edition: row.try_get("edition_id")?,
            action: Action::from_name(&action),
            title: row.try_get("title")?,
            record: serde_json::from_str(&record).map_err(|error| sqlx::Error::Decode(error.into()))?,
            editor: Editor::from_row(row)?,
            at: row.try_get("at")?,
        })
    }
}

/// A revision of a row of `entity`.
fn of_entity(entity: &Entity, revision: Revision<JsonRecord>) -> Revision {
    revision.map(|json| record_of(entity, &json))
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
