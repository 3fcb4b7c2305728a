//! Publishing, hiding and deleting many rows at once.

use std::collections::BTreeMap;

use festival_base::db::{Write, timestamp_text, update_rows};
use festival_base::deadline;
use festival_base::error::{Error, Result};
use sqlx::AnyConnection;

use super::current::find_many;
use super::publication::{IS_PUBLISHED, unschedule};
use super::revision::{add_history, add_unknown_to_history};
use super::{Action, Current, Editor, HistoryEntry};
use crate::Records;
use crate::entity::{self, Datum, Entity, table};

/// Rows that are read and written together.
const BATCH: usize = 400;

/// The versions of those of these rows that exist, by id.
///
/// # Errors
/// If the database cannot be read.
pub async fn versions(connection: &mut AnyConnection, entity: &Entity, ids: &[i64]) -> Result<BTreeMap<i64, String>> {
    let mut versions = BTreeMap::new();
    for ids in ids.chunks(BATCH) {
        let rows = find_many(connection, entity, ids).await?;
        versions.extend(rows.into_iter().map(|(id, row)| (id, row.version())));
        deadline::progress();
    }
    Ok(versions)
}

/// A text that is equal for two sets of rows only if they have the same rows in the same versions.
pub fn fingerprint(versions: &BTreeMap<i64, String>) -> String {
    let rows: Vec<Datum> = versions.iter().map(|(id, version)| Datum::Text(format!("{id}:{version}"))).collect();
    entity::hash(&rows)
}

/// Publishes or hides rows that are locked, and ends their schedules. Returns the ids of those that changed.
///
/// # Errors
/// [`Error::BadRequest`] if the entity's rows are not published one by one.
pub async fn publish_many(
    records: &Records,
    write: &mut Write,
    entity: &'static Entity,
    ids: &[i64],
    is_published: bool,
    editor: &Editor,
) -> Result<Vec<i64>> {
    let now = timestamp_text(records.clock.now());
    let (Some(index), value) = (entity.position(IS_PUBLISHED), Datum::Integer(i64::from(is_published))) else {
        return Err(Error::BadRequest(format!("{} are not published one by one.", entity.plural)));
    };
    let mut published = Vec::new();
    for ids in ids.chunks(BATCH) {
        let rows = find_many(write, entity, ids).await?;
        let mut changed: Vec<&Current> =
            rows.values().filter(|row| row.record[index] != value || row.publish_at.is_some()).collect();
        changed.sort_unstable_by_key(|row| row.id);
        add_unknown_to_history(write, entity, &changed, &now).await?;
        let ids: Vec<i64> = changed.iter().map(|row| row.id).collect();
        let values = [(IS_PUBLISHED, value.clone()), ("updated_at", Datum::Text(now.clone()))];
        update_rows(write, entity.table, &values, &ids).await?;
        let entry = |row: &&Current| {
            let mut record = row.record.clone();
            record[index] = value.clone();
            HistoryEntry::new(entity, (row.id, row.edition), Action::Changed, &record)
        };
        add_history(write, entity.table, changed.iter().map(entry).collect(), editor, &now).await?;
        for row in changed.iter().filter(|row| row.publish_at.is_some()) {
            unschedule(write, entity, &[row.id]).await?;
        }
        published.extend(ids);
        deadline::progress();
    }
    Ok(published)
}

/// Deletes rows that are locked, in the state that they have.
///
/// # Errors
/// [`Error::Conflict`] while other rows refer to one of them, before anything is written; [`Error::NotFound`] if one is
/// gone.
pub(crate) async fn delete_many(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    rows: &[&Current],
    editor: &Editor,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    for other in records.entities() {
        let count = table::count_references(connection, other, entity, &ids).await?;
        if count > 0 {
            let noun = if count == 1 { other.singular } else { other.plural };
            return Err(Error::Conflict(format!(
                "This {} still has {count} {noun}. Move or delete them first.",
                entity.singular
            )));
        }
    }
    let now = timestamp_text(records.clock.now());
    add_unknown_to_history(connection, entity, rows, &now).await?;
    if table::delete(connection, entity, &ids).await? < ids.len() as u64 {
        return Err(Error::NotFound(format!("There is no such {}.", entity.singular)));
    }
    table::remove_search_keys(connection, entity, &ids).await?;
    unschedule(connection, entity, &ids).await?;
    let entry = |row: &&Current| HistoryEntry::new(entity, (row.id, row.edition), Action::Deleted, &row.record);
    add_history(connection, entity.table, rows.iter().map(entry).collect(), editor, &now).await
}
