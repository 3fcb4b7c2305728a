//! Statements about many rows at once. They contain only names from the program's own source; values are bound.

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row as _};

use super::Backend;
use super::datum::Datum;
use crate::error::Result;

/// Maximum number of values that one statement binds: databases have limits, and long statements are slow to parse.
const MAX_VALUES: usize = 2_000;

/// Inserts one row with these values.
///
/// # Errors
/// If the database cannot be written.
pub async fn insert_row(
    connection: &mut AnyConnection,
    table: &'static str,
    values: &[(&'static str, Datum)],
) -> Result<()> {
    let (columns, row): (Vec<&str>, Vec<Datum>) = values.iter().cloned().unzip();
    insert_rows(connection, table, &columns, &[row]).await
}

/// Inserts rows, with a value for each column.
///
/// # Errors
/// If the database cannot be written.
pub async fn insert_rows(
    connection: &mut AnyConnection,
    table: &'static str,
    columns: &[&'static str],
    rows: &[Vec<Datum>],
) -> Result<()> {
    insert(connection, table, columns, rows, "").await?;
    Ok(())
}

/// Inserts rows as [`insert_rows`] does, and returns their ids in the order of the rows.
///
/// # Errors
/// If the database cannot be written.
pub async fn insert_rows_with_ids(
    connection: &mut AnyConnection,
    table: &'static str,
    columns: &[&'static str],
    rows: &[Vec<Datum>],
) -> Result<Vec<i64>> {
    let mut ids = insert(connection, table, columns, rows, " RETURNING id").await?;
    // Both databases number rows in their order, but may return them in another.
    ids.sort_unstable();
    Ok(ids)
}

async fn insert(
    connection: &mut AnyConnection,
    table: &'static str,
    columns: &[&'static str],
    rows: &[Vec<Datum>],
    returning: &str,
) -> Result<Vec<i64>> {
    let mut ids = Vec::new();
    for rows in chunks(rows, columns.len()) {
        let (columns, lists) = (columns.join(", "), lists(connection, rows));
        let query =
            bind_all(format!("INSERT INTO {table} ({columns}) VALUES {lists}{returning}"), rows.iter().flatten());
        for row in query.fetch_all(&mut *connection).await? {
            ids.push(row.try_get(0)?);
        }
    }
    Ok(ids)
}

/// Sets columns of rows, given by their ids, in each to values of its own. All rows have values for the same columns.
///
/// # Errors
/// If the database cannot be written.
pub async fn update_each(
    connection: &mut AnyConnection,
    table: &'static str,
    rows: &[(i64, Vec<(&'static str, Datum)>)],
) -> Result<()> {
    let Some((_, first)) = rows.first() else { return Ok(()) };
    let values = |(id, values): &(i64, Vec<(&'static str, Datum)>)| {
        [Datum::Integer(*id)].into_iter().chain(values.iter().map(|(_, value)| value.clone())).collect()
    };
    for rows in chunks(&rows.iter().map(values).collect::<Vec<_>>(), first.len() + 1) {
        // Postgres takes a column without any value for a text.
        let value = |index: usize| match rows.iter().all(|row| row[index] == Datum::Null) {
            true => "NULL".to_owned(),
            false => format!("v.column{}", index + 1),
        };
        let set = first.iter().zip(1..).map(|((column, _), index)| format!("{column} = {}", value(index)));
        let (set, lists) = (set.collect::<Vec<_>>().join(", "), lists(connection, rows));
        let sql = format!("UPDATE {table} SET {set} FROM (VALUES {lists}) AS v WHERE {table}.id = v.column1");
        bind_all(sql, rows.iter().flatten()).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Rows that one statement writes, with so many values in each.
fn chunks(rows: &[Vec<Datum>], width: usize) -> std::slice::Chunks<'_, Vec<Datum>> {
    rows.chunks((MAX_VALUES / width.max(1)).max(1))
}

/// Placeholders for the values of rows.
fn lists(connection: &AnyConnection, rows: &[Vec<Datum>]) -> String {
    let mut next = 0;
    rows.iter().map(|row| list(connection, &mut next, row)).collect::<Vec<_>>().join(", ")
}

/// Sets columns of the rows with these ids.
///
/// # Errors
/// If the database cannot be written.
pub async fn update_rows(
    connection: &mut AnyConnection,
    table: &'static str,
    values: &[(impl AsRef<str>, Datum)],
    ids: &[i64],
) -> Result<()> {
    for ids in ids.chunks(MAX_VALUES) {
        let mut next = 0;
        let mut set = Vec::with_capacity(values.len());
        for (column, value) in values {
            set.push(format!("{} = {}", column.as_ref(), placeholder(connection, &mut next, value)));
        }
        let ids: Vec<Datum> = ids.iter().copied().map(Datum::Integer).collect();
        let list = list(connection, &mut next, &ids);
        let sql = format!("UPDATE {table} SET {} WHERE id IN {list}", set.join(", "));
        bind_all(sql, values.iter().map(|(_, value)| value).chain(&ids)).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Returns the next placeholder, or for a missing value NULL: bound, it would be a text. On SQLite placeholders have no
/// numbers: its driver looks up every numbered one among all others each time.
fn placeholder(connection: &AnyConnection, next: &mut usize, value: &Datum) -> String {
    if *value == Datum::Null {
        return "NULL".to_owned();
    }
    *next += 1;
    if Backend::of(connection) == Backend::Postgres { format!("${next}") } else { "?".to_owned() }
}

/// Returns placeholders for these values in brackets.
fn list(connection: &AnyConnection, next: &mut usize, values: &[Datum]) -> String {
    let placeholders: Vec<String> = values.iter().map(|value| placeholder(connection, next, value)).collect();
    format!("({})", placeholders.join(", "))
}

/// A statement with the values of its placeholders.
fn bind_all<'v>(sql: String, values: impl Iterator<Item = &'v Datum>) -> Query<'static, Any, AnyArguments> {
    let present = values.filter(|value| **value != Datum::Null);
    present.fold(sqlx::query(AssertSqlSafe(sql)), |query, value| value.bind(query))
}
