//! The current state of a row, and the version that shows whether it has changed since somebody saw it.

use std::collections::{BTreeMap, HashMap};

use sqlx::AnyConnection;

use super::publication::{IS_PUBLISHED, scheduled_among};
use crate::entity::{Datum, Entity, Record, hash, table};
use festival_base::error::{Error, Result};

/// The current state of a row: everything that its form shows.
#[derive(Clone, Debug)]
pub struct Current {
    /// Row id.
    pub id: i64,
    /// The edition that it belongs to.
    pub edition: Option<i64>,
    /// Its values; references are ids.
    pub record: Record,
    /// When it is scheduled to be published, as stored.
    pub publish_at: Option<String>,
}

impl Current {
    /// A hash of all that the form shows, in 32 hexadecimal digits.
    pub fn version(&self) -> String {
        let schedule = self.publish_at.clone().map(Datum::Text);
        hash(self.record.iter().chain(&schedule))
    }
}

/// The row with this id.
///
/// # Errors
/// If the database cannot be read.
pub async fn find(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<Current>> {
    Ok(find_many(connection, entity, &[id]).await?.remove(&id))
}

/// The rows with these ids, by id.
pub(crate) async fn find_many(
    connection: &mut AnyConnection,
    entity: &Entity,
    ids: &[i64],
) -> Result<HashMap<i64, Current>> {
    let rows = table::fetch_many(connection, entity, ids).await?;
    let mut scheduled = match entity.field(IS_PUBLISHED) {
        Some(_) if !rows.is_empty() => scheduled_among(connection, entity, ids).await?,
        _ => BTreeMap::new(),
    };
    let mut found = HashMap::with_capacity(rows.len());
    for (id, (record, edition)) in rows {
        let publish_at = scheduled.remove(&id);
        found.insert(id, Current { id, edition, record, publish_at });
    }
    Ok(found)
}

/// The row with this id.
///
/// # Errors
/// [`Error::NotFound`] if there is none.
pub async fn get(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Current> {
    let row = find(connection, entity, id).await?;
    row.ok_or_else(|| Error::NotFound(format!("There is no such {}. Somebody may have deleted it.", entity.singular)))
}

/// The row with this id, locked: nobody else writes it before the end of the transaction.
///
/// # Errors
/// If the database cannot be written.
pub async fn find_to_write(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<Current>> {
    table::lock(connection, entity, &[id]).await?;
    find(connection, entity, id).await
}

pub(super) async fn get_to_write(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Current> {
    table::lock(connection, entity, &[id]).await?;
    get(connection, entity, id).await
}

/// The row with this id, locked, if it still has this version.
///
/// # Errors
/// [`Error::Conflict`] if it has another version, [`Error::NotFound`] if it is gone.
pub async fn get_unchanged(connection: &mut AnyConnection, entity: &Entity, id: i64, version: &str) -> Result<Current> {
    let current = get_to_write(connection, entity, id).await?;
    if current.version() == version {
        return Ok(current);
    }
    Err(Error::Conflict(format!(
        "Somebody else changed this {} while you were working on it. Your changes are not saved yet.",
        entity.singular
    )))
}
