//! New rows: one at a time, or many with one statement.

use sqlx::{AnyConnection, AssertSqlSafe, Row as _};

use super::query::{AnyQuery, bind_as};
use crate::entity::{Datum, Entity, Field, Record};
use festival_base::db::Backend;
use festival_base::error::Result;

/// Inserts a row and returns its id. References must be resolved.
///
/// # Errors
/// If the database cannot be written.
pub async fn insert(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    record: &Record,
    now: &str,
) -> Result<i64> {
    insert_with(connection, entity, edition, record, &[], now).await
}

/// [`insert`], with values for columns that are not fields of the entity.
///
/// # Errors
/// If the database cannot be written.
pub async fn insert_with(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    record: &Record,
    extra: &[(&'static str, Datum)],
    now: &str,
) -> Result<i64> {
    let mut columns: Vec<String> = Vec::new();
    if entity.per_edition {
        columns.push("edition_id".to_owned());
    }
    columns.extend(entity.columns().map(Field::column));
    columns.extend(extra.iter().map(|(name, _)| (*name).to_owned()));
    columns.extend(["created_at".to_owned(), "updated_at".to_owned()]);
    let mut placeholders: Vec<String> = (1..=columns.len()).map(|number| format!("${number}")).collect();
    if connection.backend_name() == "SQLite" && !extra.iter().any(|(name, _)| *name == "id") {
        columns.push("id".to_owned());
        placeholders.push(next_id(entity));
    }
    let placeholders = placeholders.join(", ");
    let sql = format!("INSERT INTO {} ({}) VALUES ({placeholders}) RETURNING id", entity.table, columns.join(", "));
    let mut query = sqlx::query(AssertSqlSafe(sql));
    if entity.per_edition {
        query = query.bind(edition);
    }
    for (field, datum) in entity.columns().zip(record) {
        query = bind_as(query, datum, field.kind);
    }
    for (_, datum) in extra {
        query = datum.bind(query);
    }
    let row = query.bind(now.to_owned()).bind(now.to_owned()).fetch_one(connection).await?;
    Ok(row.try_get("id")?)
}

/// The statement that inserts rows with these ids, of [`new_ids`]. References must be resolved.
pub(crate) fn insert_many<'r>(
    backend: Backend,
    entity: &Entity,
    edition: Option<i64>,
    rows: impl ExactSizeIterator<Item = (i64, &'r Record)>,
    now: &str,
) -> AnyQuery<'static> {
    let mut columns = vec!["id".to_owned()];
    columns.extend(entity.per_edition.then(|| "edition_id".to_owned()));
    columns.extend(entity.columns().map(Field::column));
    columns.extend(["created_at".to_owned(), "updated_at".to_owned()]);
    let values = value_lists(backend, rows.len(), columns.len());
    let sql = format!("INSERT INTO {} ({}) VALUES {values}", entity.table, columns.join(", "));
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for (id, record) in rows {
        query = query.bind(id);
        if entity.per_edition {
            query = query.bind(edition);
        }
        for (field, datum) in entity.columns().zip(record) {
            query = bind_as(query, datum, field.kind);
        }
        query = query.bind(now.to_owned()).bind(now.to_owned());
    }
    query
}

/// Ids that no row has or had. On SQLite the connection must hold the write lock, until rows have them.
///
/// # Errors
/// If the database cannot be written.
pub(crate) async fn new_ids(
    connection: &mut AnyConnection,
    backend: Backend,
    entity: &Entity,
    count: usize,
) -> Result<Vec<i64>> {
    if backend == Backend::Postgres {
        let ids = "SELECT nextval(pg_get_serial_sequence($1, 'id')) FROM generate_series(1, $2)";
        return Ok(sqlx::query_scalar(ids).bind(entity.table).bind(count as i64).fetch_all(connection).await?);
    }
    let sql = format!("SELECT {}", next_id(entity));
    let first: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(connection).await?;
    Ok((first..first + count as i64).collect())
}

/// SQL for the next id on SQLite, which by itself would reuse the id of a deleted last row, and with it that row's
/// history.
fn next_id(entity: &Entity) -> String {
    let table = entity.table;
    format!(
        "max(coalesce((SELECT max(id) FROM {table}), 0), \
         coalesce((SELECT max(row_id) FROM revisions WHERE entity = '{table}'), 0)) + 1"
    )
}

/// Placeholders for the ids of rows: "(?, ?, ?)".
pub(crate) fn id_list(connection: &AnyConnection, ids: &[i64]) -> String {
    value_lists(Backend::of(connection), 1, ids.len())
}

/// Numbered placeholders for the values of rows: "($1, $2), ($3, $4)".
pub(super) fn placeholders(rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let numbers: Vec<String> = (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
        format!("({})", numbers.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// Placeholders for the values of rows that one statement inserts, in their order. On SQLite they have no numbers: its
/// driver looks up every numbered one among all others each time, which takes longer than inserting the rows.
pub(crate) fn value_lists(backend: Backend, rows: usize, columns: usize) -> String {
    if backend == Backend::Postgres {
        return placeholders(rows, columns);
    }
    let row = format!("({})", vec!["?"; columns].join(", "));
    vec![row; rows].join(", ")
}
