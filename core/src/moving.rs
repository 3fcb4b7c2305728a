//! Moves the rows of a site from a SQLite file to an empty Postgres database: for `festival migrate --from`.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _};

use crate::app::App;
use crate::db::{self, Backend, Db, Migration};
use crate::error::{Error, Result};

/// Rows that one statement writes.
const ROWS: i64 = 500;
/// How long to wait for the source.
const PATIENCE: Duration = Duration::from_secs(10);
/// Tables whose rows the migrations of the target wrote: the first is kept, the second replaced.
const MIGRATIONS: &str = "migrations";
const VERSION: &str = "data_version";

/// Copies every row of the SQLite database in `file` to the database of `app`, which has all `migrations` and no rows yet.
/// Everything is written in one transaction. Returns the numbers of tables with rows and of rows.
///
/// # Errors
/// [`Error::BadRequest`] if the database of `app` is not Postgres, or the file is missing or misses migrations;
/// [`Error::Conflict`] if the database of `app` has rows.
pub async fn move_rows(app: &App, file: &Path, migrations: &[Migration]) -> Result<(usize, u64)> {
    if app.db.backend() != Backend::Postgres {
        return Err(Error::BadRequest(
            "databases.festival.url names a SQLite file; set it to the empty Postgres database that the rows go to"
                .into(),
        ));
    }
    if !file.is_file() {
        return Err(Error::BadRequest(format!("there is no file {}", file.display())));
    }
    let source = Db::open(&format!("sqlite://{}", file.display()), 1, PATIENCE).await?;
    if let Some(missing) = db::pending(&source, migrations).await?.first() {
        return Err(Error::BadRequest(format!(
            "{} is not up to date, {}_{} is pending: run festival migrate with this database first",
            file.display(),
            missing.version,
            missing.name
        )));
    }
    let mut source = source.read().await?;
    // One state of all tables.
    let mut from = source.begin().await?;
    let tables = in_order(&mut from).await?;
    let mut to = app.db.write().await?;
    for table in tables.iter().filter(|table| ![MIGRATIONS, VERSION].contains(&table.as_str())) {
        let sql = format!("SELECT count(*) FROM {table}");
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *to).await?;
        if count > 0 {
            return Err(Error::Conflict(format!(
                "the table {table} of the Postgres database has {count} rows already; move into an empty database"
            )));
        }
    }
    sqlx::query("DELETE FROM data_version").execute(&mut *to).await?;
    let (mut used, mut total) = (0, 0);
    for table in tables.iter().filter(|table| *table != MIGRATIONS) {
        let rows = copy(&mut from, &mut to, table).await?;
        used += usize::from(rows > 0);
        total += rows;
    }
    to.commit().await?;
    Ok((used, total))
}

/// The tables, each after those that it refers to.
async fn in_order(source: &mut AnyConnection) -> Result<Vec<String>> {
    let mut left: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .fetch_all(&mut *source)
    .await?;
    let references: Vec<(String, String)> = sqlx::query_as(
        "SELECT m.name, f.\"table\" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'",
    )
    .fetch_all(source)
    .await?;
    let mut ordered: Vec<String> = Vec::new();
    while !left.is_empty() {
        let waiting: BTreeSet<&str> = left.iter().map(String::as_str).collect();
        let waits = |table: &String| {
            references.iter().any(|(from, to)| from == table && to != table && waiting.contains(to.as_str()))
        };
        let (later, next): (Vec<String>, Vec<String>) = left.iter().cloned().partition(waits);
        if next.is_empty() {
            return Err(Error::internal(format!("tables refer to each other in a circle: {}", later.join(", "))));
        }
        ordered.extend(next);
        left = later;
    }
    Ok(ordered)
}

/// Copies a table, and returns the number of its rows. They travel as JSON, which Postgres reads by the types of its
/// columns.
async fn copy(from: &mut AnyConnection, to: &mut AnyConnection, table: &str) -> Result<u64> {
    // Without columns that are computed.
    let columns: Vec<String> =
        sqlx::query_scalar("SELECT name FROM pragma_table_info($1)").bind(table).fetch_all(&mut *from).await?;
    let pairs: Vec<String> = columns.iter().map(|column| format!("'{column}', \"{column}\"")).collect();
    let select = format!(
        "SELECT coalesce(max(at), 0), count(*), json_group_array(json_object({})) FROM \
         (SELECT rowid AS at, * FROM {table} WHERE rowid > $1 ORDER BY rowid LIMIT {ROWS}) AS batch",
        pairs.join(", ")
    );
    let names = columns.iter().map(|column| format!("\"{column}\"")).collect::<Vec<_>>().join(", ");
    let insert = format!(
        "INSERT INTO {table} ({names}) SELECT {names} FROM json_populate_recordset(CAST(NULL AS {table}), CAST($1 AS json))"
    );
    let (mut last, mut total) = (i64::MIN, 0);
    loop {
        let (at, count, rows): (i64, i64, String) =
            sqlx::query_as(AssertSqlSafe(select.clone())).bind(last).fetch_one(&mut *from).await?;
        if count == 0 {
            break;
        }
        let written = sqlx::query(AssertSqlSafe(insert.clone())).bind(rows).execute(&mut *to).await;
        written.map_err(|error| Error::BadRequest(format!("rows of the table {table} cannot be written: {error}")))?;
        last = at;
        total += count.unsigned_abs();
    }
    if columns.iter().any(|column| column == "id") {
        // No row gets the id of one that was deleted, because the history refers to it.
        let next = format!(
            "SELECT setval(pg_get_serial_sequence('{table}', 'id'), greatest((SELECT max(id) FROM {table}), \
             (SELECT max(row_id) FROM revisions WHERE entity = '{table}'), 1))"
        );
        sqlx::query(AssertSqlSafe(next)).execute(&mut *to).await?;
    }
    Ok(total)
}
