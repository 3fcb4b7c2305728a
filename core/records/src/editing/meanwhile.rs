//! What others changed in a row while somebody had its form open.

use sqlx::AnyConnection;

use super::Current;
use super::revision::{Revision, history};
use crate::entity::Entity;
use festival_base::error::Result;

/// Maximum number of revisions that are searched for the version that somebody saw.
const MAX_REVISIONS: i64 = 100;

/// What others changed in a row since somebody saw it.
#[derive(Debug)]
pub struct Meanwhile {
    /// The row as it was seen.
    pub seen: Current,
    /// The revisions since then, the latest first; none if only its time of publication changed.
    pub revisions: Vec<Revision>,
}

/// What others changed in a row since it had this version; `None` if that version is no longer in its history.
///
/// # Errors
/// If the database cannot be read.
pub async fn changed_meanwhile(
    connection: &mut AnyConnection,
    entity: &Entity,
    current: &Current,
    version: &str,
) -> Result<Option<Meanwhile>> {
    let mut revisions = history(connection, entity, current.id, (0, MAX_REVISIONS)).await?;
    // The history does not have times of publication: the row was seen with the present one, or without.
    let schedules = [current.publish_at.clone(), None];
    let seen = |record: &crate::entity::Record| {
        let state = |at: &Option<String>| Current { record: record.clone(), publish_at: at.clone(), ..current.clone() };
        let states = schedules.iter().map(state);
        states.into_iter().find(|state| state.version() == version)
    };
    if let Some(seen) = seen(&current.record) {
        return Ok(Some(Meanwhile { seen, revisions: Vec::new() }));
    }
    let position = revisions.iter().position(|revision| seen(&revision.record).is_some());
    Ok(position.and_then(|position| {
        let seen = seen(&revisions[position].record)?;
        revisions.truncate(position);
        Some(Meanwhile { seen, revisions })
    }))
}
