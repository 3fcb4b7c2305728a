//! Statements about many rows at once. They contain only names from the program's own source; values are bound.

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe};

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
    for rows in rows.chunks((MAX_VALUES / columns.len().max(1)).max(1)) {
        let mut next = 0;
        let lists: Vec<String> = rows.iter().map(|row| list(connection, &mut next, row)).collect();
        let sql = format!("INSERT INTO {table} ({}) VALUES {}", columns.join(", "), lists.join(", "));
        bind_all(sql, rows.iter().flatten()).execute(&mut *connection).await?;
    }
    Ok(())
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
