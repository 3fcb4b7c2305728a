//! The keys by which a search finds words that are written in another script ([`crate::search_key`]).
//!
//! They are stored apart from the rows, in one of two lists: among many rows a word in plain Latin letters is matched
//! directly in texts of these letters, so only the keys of other texts are searched for it. Among few rows, and for a
//! word in other letters, both are searched.

use sqlx::{AnyConnection, AssertSqlSafe};

use super::insert::{id_list, value_lists};
use super::query::{AnyQuery, bind_ids};
use crate::entity::{Datum, Entity, Kind, Record};
use crate::search_key::stored_keys;
use festival_base::db::Backend;
use festival_base::error::Result;

/// The keys of a row's short texts, each after a space.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchKeys {
    /// Those of texts in plain Latin letters.
    latin: String,
    /// Those of all others.
    other: String,
}

impl SearchKeys {
    pub(crate) fn of(entity: &Entity, record: &Record) -> Self {
        let mut keys = Self::default();
        for (field, datum) in entity.columns().zip(record) {
            if let (Datum::Text(text), Kind::Text { .. }) = (datum, field.kind) {
                let list = if text.is_ascii() { &mut keys.latin } else { &mut keys.other };
                list.push_str(&stored_keys([text.as_str()]));
            }
        }
        keys
    }

    /// The lists that are not empty, each with whether it is that of texts in plain Latin letters.
    fn lists(self) -> impl Iterator<Item = (i64, String)> {
        [(1, self.latin), (0, self.other)].into_iter().filter(|(_, keys)| !keys.is_empty())
    }
}

/// Stores the keys of a row, replacing earlier ones.
pub(crate) async fn store_search_keys(
    connection: &mut AnyConnection,
    entity: &Entity,
    id: i64,
    record: &Record,
) -> Result<()> {
    remove_search_keys(connection, entity, &[id]).await?;
    if let Some(insert) = insert_search_keys(Backend::of(connection), entity, &[(id, record)]) {
        insert.execute(connection).await?;
    }
    Ok(())
}

/// Removes the keys of rows.
pub(crate) async fn remove_search_keys(connection: &mut AnyConnection, entity: &Entity, ids: &[i64]) -> Result<()> {
    let list = id_list(connection, ids);
    let table = entity.table;
    let sql = format!("DELETE FROM search_keys WHERE row_id IN {list} AND entity = '{table}' AND is_latin IN (0, 1)");
    bind_ids(sql, ids).execute(connection).await?;
    Ok(())
}

/// The statement that stores the keys of new rows; `None` if they have none.
pub(crate) fn insert_search_keys(
    backend: Backend,
    entity: &Entity,
    rows: &[(i64, &Record)],
) -> Option<AnyQuery<'static>> {
    let lists = |(id, record): &(i64, &Record)| {
        let id = *id;
        SearchKeys::of(entity, record).lists().map(move |(is_latin, keys)| (is_latin, id, keys))
    };
    let rows: Vec<(i64, i64, String)> = rows.iter().flat_map(lists).collect();
    if rows.is_empty() {
        return None;
    }
    // A row that was deleted together with its parent may have left its keys, and its id may be reused.
    let sql = format!(
        "INSERT INTO search_keys (entity, is_latin, row_id, keys) VALUES {} \
         ON CONFLICT (entity, is_latin, row_id) DO UPDATE SET keys = excluded.keys",
        value_lists(backend, rows.len(), 4)
    );
    let query = sqlx::query(AssertSqlSafe(sql));
    Some(
        rows.into_iter()
            .fold(query, |query, (is_latin, id, keys)| query.bind(entity.table).bind(is_latin).bind(id).bind(keys)),
    )
}
