//! New rows: one at a time, or many with one statement.

use sqlx::{AnyConnection, AssertSqlSafe};

use super::query::{AnyQuery, bind_as};
use crate::entity::{Datum, Entity, Field, Record};
use festival_base::db::Backend;
use festival_base::error::Result;

/// Inserts a row, with values for columns that are not fields of the entity, and returns its id. References must be
/// resolved, and on SQLite the connection must hold the write lock.
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
    let backend = Backend::of(connection);
    let id = new_ids(connection, backend, entity, 1).await?[0];
    insert_many(backend, entity, edition, &[(id, record)], extra, now).execute(connection).await?;
    Ok(id)
}

/// The statement that inserts rows with these ids, of [`new_ids`], and in each of them these values for columns that are
/// not fields of the entity. References must be resolved.
pub(crate) fn insert_many(
    backend: Backend,
    entity: &Entity,
    edition: Option<i64>,
    rows: &[(i64, &Record)],
    extra: &[(&'static str, Datum)],
    now: &str,
) -> AnyQuery<'static> {
    let mut columns = vec!["id".to_owned()];
    columns.extend(entity.per_edition.then(|| "edition_id".to_owned()));
    columns.extend(entity.columns().map(Field::column));
    columns.extend(extra.iter().map(|(name, _)| (*name).to_owned()));
    columns.extend(["created_at".to_owned(), "updated_at".to_owned()]);
    let values = value_lists(backend, rows.len(), columns.len());
    let sql = format!("INSERT INTO {} ({}) VALUES {values}", entity.table, columns.join(", "));
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for (id, record) in rows {
        query = query.bind(*id);
        if entity.per_edition {
            query = query.bind(edition);
        }
        for (field, datum) in entity.columns().zip(*record) {
            query = bind_as(query, datum, field.kind);
        }
        query = extra.iter().fold(query, |query, (_, datum)| datum.bind(query));
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
    // SQLite by itself would reuse the id of a deleted last row, and with it that row's history.
    let table = entity.table;
    let sql = format!(
        "SELECT max(coalesce((SELECT max(id) FROM {table}), 0), \
         coalesce((SELECT max(row_id) FROM revisions WHERE entity = '{table}'), 0)) + 1"
    );
    let first: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(connection).await?;
    Ok((first..first + count as i64).collect())
}

/// Placeholders for the ids of rows: "(?, ?, ?)".
pub(crate) fn id_list(connection: &AnyConnection, ids: &[i64]) -> String {
    value_lists(Backend::of(connection), 1, ids.len())
}

/// Placeholders for the values of rows that one statement inserts, in their order. On SQLite they have no numbers: its
/// driver looks up every numbered one among all others each time, which takes longer than inserting the rows.
pub(crate) fn value_lists(backend: Backend, rows: usize, columns: usize) -> String {
    let placeholder = |number: usize| match backend {
        Backend::Postgres => format!("${number}"),
        Backend::Sqlite => "?".to_owned(),
    };
    let row = |row: usize| {
        let values: Vec<String> = (1..=columns).map(|column| placeholder(row * columns + column)).collect();
        format!("({})", values.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}
