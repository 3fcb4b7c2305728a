//! Matches the rows of a list with stored rows by their titles.

use std::collections::HashMap;

use sqlx::AnyConnection;

use super::{Import, Matches, Row, RowMatch};
use crate::entity::{Datum, table, trim};
use festival_base::error::Result;

/// Matches rows of an entity whose key is its title: a row without an id is about the stored row of the same title.
///
/// # Errors
/// If the database cannot be read.
pub async fn match_by_title(import: &Import<'_>, connection: &mut AnyConnection, rows: &[Row]) -> Result<Matches> {
    let title = import.entity.title().name;
    let stored = table::keys(connection, import.entity, import.edition).await?;
    let mut lines: HashMap<&str, u64> = HashMap::new();
    let mut matches = Matches::default();
    for row in rows {
        let name = trim(&row.values[title]);
        let same = stored.get(&[Datum::Text(name.to_owned())][..]).and_then(|ids| ids.first().copied());
        let id = row.id.or(same);
        if let Some(line) = lines.insert(name, row.line).filter(|_| id.is_none()) {
            matches.notes.push(format!("line {}: \"{name}\" is also in line {line}", row.line));
        }
        matches.rows.push(RowMatch { id, ..RowMatch::default() });
    }
    Ok(matches)
}
