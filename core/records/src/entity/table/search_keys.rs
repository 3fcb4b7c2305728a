//! The keys by which a search finds words in other letters than those that are typed ([`crate::search_key`]).
//!
//! They are kept beside the rows, for rows with letters outside of ASCII: words in plain Latin letters are found as they are.

use sqlx::{AnyConnection, AssertSqlSafe};

use super::AnyQuery;
use super::insert::value_lists;
use crate::entity::{Datum, Entity, Kind, Record};
use crate::search_key;
use festival_base::db::Backend;
use festival_base::error::Result;

/// The keys of a row's short texts, each after a space; "" if all of them are in ASCII.
pub(crate) fn search_keys(entity: &Entity, record: &Record) -> String {
    let mut keys = String::new();
    for (field, datum) in entity.columns().zip(record) {
        let Datum::Text(text) = datum else { continue };
        if !matches!(field.kind, Kind::Text { .. }) || text.is_ascii() {
            continue;
        }
        for key in search_key::keys(text) {
            keys.push(' ');
            keys.push_str(&key);
        }
    }
    keys
}

/// Stores the keys of a row in place of those that it had.
pub(crate) async fn store_search_keys(
    connection: &mut AnyConnection,
    entity: &Entity,
    id: i64,
    record: &Record,
) -> Result<()> {
    let keys = search_keys(entity, record);
    if keys.is_empty() {
        return remove_search_keys(connection, entity, id).await;
    }
    sqlx::query(
        "INSERT INTO search_keys (entity, row_id, keys) VALUES ($1, $2, $3) \
         ON CONFLICT (entity, row_id) DO UPDATE SET keys = excluded.keys",
    )
    .bind(entity.table)
    .bind(id)
    .bind(keys)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes the keys of a row.
pub(crate) async fn remove_search_keys(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<()> {
    let delete = sqlx::query("DELETE FROM search_keys WHERE entity = $1 AND row_id = $2");
    delete.bind(entity.table).bind(id).execute(connection).await?;
    Ok(())
}

/// The statement that stores the keys of new rows; `None` if they have none.
pub(crate) fn insert_search_keys<'r>(
    backend: Backend,
    entity: &Entity,
    rows: impl Iterator<Item = (i64, &'r Record)>,
) -> Option<AnyQuery<'static>> {
    let rows: Vec<(i64, String)> =
        rows.map(|(id, record)| (id, search_keys(entity, record))).filter(|(_, keys)| !keys.is_empty()).collect();
    if rows.is_empty() {
        return None;
    }
    // A row that its parent took along may have left its keys, and its id is given again.
    let sql = format!(
        "INSERT INTO search_keys (entity, row_id, keys) VALUES {} \
         ON CONFLICT (entity, row_id) DO UPDATE SET keys = excluded.keys",
        value_lists(backend, rows.len(), 3)
    );
    let query = sqlx::query(AssertSqlSafe(sql));
    Some(rows.into_iter().fold(query, |query, (id, keys)| query.bind(entity.table).bind(id).bind(keys)))
}
