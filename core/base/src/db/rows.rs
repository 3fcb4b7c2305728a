//! Statements about many rows at once. They contain only names from the program's own source; values are bound.

use sqlx::{AnyConnection, AssertSqlSafe};

use super::Backend;
use super::datum::Datum;
use crate::error::Result;

/// Maximum number of values that one statement binds: databases have limits, and long statements are slow to parse.
const MAX_VALUES: usize = 2_000;

/// Inserts rows, with a value for each column. A value that is missing must be that of a text column.
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
        let lists: Vec<String> = rows.iter().map(|row| list(connection, &mut next, row.len())).collect();
        let sql = format!("INSERT INTO {table} ({}) VALUES {}", columns.join(", "), lists.join(", "));
        let query = rows.iter().flatten().fold(sqlx::query(AssertSqlSafe(sql)), |query, value| value.bind(query));
        query.execute(&mut *connection).await?;
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
    values: &[(&'static str, Datum)],
    ids: &[i64],
) -> Result<()> {
    for ids in ids.chunks(MAX_VALUES) {
        let mut next = 0;
        let mut set = Vec::with_capacity(values.len());
        for (column, value) in values {
            // A bound value that is missing would be a text.
            let is_null = *value == Datum::Null;
            let value = if is_null { "NULL".to_owned() } else { placeholder(connection, &mut next) };
            set.push(format!("{column} = {value}"));
        }
        let list = list(connection, &mut next, ids.len());
        let sql = format!("UPDATE {table} SET {} WHERE id IN {list}", set.join(", "));
        let query = values
            .iter()
            .map(|(_, value)| value)
            .filter(|value| **value != Datum::Null)
            .fold(sqlx::query(AssertSqlSafe(sql)), |query, value| value.bind(query));
        ids.iter().fold(query, |query, id| query.bind(*id)).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Returns the next placeholder. On SQLite it has no number: its driver looks up every numbered one among all others
/// each time.
fn placeholder(connection: &AnyConnection, next: &mut usize) -> String {
    *next += 1;
    if Backend::of(connection) == Backend::Postgres { format!("${next}") } else { "?".to_owned() }
}

/// Returns `count` placeholders in brackets.
fn list(connection: &AnyConnection, next: &mut usize, count: usize) -> String {
    let placeholders: Vec<String> = (0..count).map(|_| placeholder(connection, next)).collect();
    format!("({})", placeholders.join(", "))
}
