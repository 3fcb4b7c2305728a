//! Scheduled publishing: rows that the site shows from a given time on.

use std::collections::BTreeMap;

use sqlx::AnyConnection;

use super::editor::Editor;
use crate::entity::{Entity, Field, Kind, table};
use festival_base::db::insert_row;
use festival_base::error::Result;

/// The name of the field that says whether the site shows a row.
pub const IS_PUBLISHED: &str = "is_published";

/// The time of publication in lists, for a row that is scheduled to be published.
pub(crate) const PUBLISH_AT: Field = Field::new("publish_at", "", Kind::DateTime);

/// Schedules a row to be published at `publish_at`, replacing an earlier time; `None` removes the schedule.
///
/// # Errors
/// If the database cannot be written.
pub async fn schedule(
    connection: &mut AnyConnection,
    entity: &Entity,
    id: i64,
    publish_at: Option<&str>,
    editor: &Editor,
) -> Result<()> {
    unschedule(connection, entity, &[id]).await?;
    let Some(publish_at) = publish_at else { return Ok(()) };
    let values = [
        ("entity", entity.table.into()),
        ("row_id", id.into()),
        ("publish_at", publish_at.into()),
        ("account_id", editor.account.into()),
        ("editor", editor.name.as_str().into()),
    ];
    insert_row(connection, "publications", &values).await
}

/// Removes the schedules of rows.
pub(super) async fn unschedule(connection: &mut AnyConnection, entity: &Entity, ids: &[i64]) -> Result<()> {
    let list = table::id_list(connection, ids);
    let sql = format!("DELETE FROM publications WHERE row_id IN {list} AND entity = '{}'", entity.table);
    table::bind_ids(sql, ids).execute(connection).await?;
    Ok(())
}

/// The number of rows of each table that are scheduled to be published before `time`.
///
/// # Errors
/// If the database cannot be read.
pub async fn due_before(connection: &mut AnyConnection, time: &str) -> Result<Vec<(String, i64)>> {
    let sql = "SELECT entity, count(*) FROM publications WHERE publish_at < $1 GROUP BY entity ORDER BY entity";
    Ok(sqlx::query_as(sql).bind(time.to_owned()).fetch_all(connection).await?)
}

/// The scheduled times of the rows with these ids, as stored, by row id.
pub(super) async fn scheduled_among(
    connection: &mut AnyConnection,
    entity: &Entity,
    ids: &[i64],
) -> Result<BTreeMap<i64, String>> {
    // Few rows are scheduled: the others between the first and the last id cost less than a placeholder for each id.
    let (Some(first), Some(last)) = (ids.iter().min(), ids.iter().max()) else { return Ok(BTreeMap::new()) };
    let sql = "SELECT row_id, publish_at FROM publications WHERE entity = $1 AND row_id BETWEEN $2 AND $3";
    let query = sqlx::query_as(sql).bind(entity.table).bind(*first).bind(*last);
    let rows: Vec<(i64, String)> = query.fetch_all(connection).await?;
    Ok(rows.into_iter().filter(|(id, _)| ids.contains(id)).collect())
}
