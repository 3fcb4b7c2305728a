//! Scheduled publishing: rows that the site shows from a given time on.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::tz::TimeZone;
use sqlx::{AnyConnection, Row as _};

use super::{Action, Editor, set_field};
use crate::Records;
use crate::entity::{Datum, Entity, Field, Kind, table};
use festival_base::db::timestamp_text;
use festival_base::error::{Error, Result};

/// The name of the field that says whether the site shows a row.
pub const IS_PUBLISHED: &str = "is_published";

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
    sqlx::query(
        "INSERT INTO publications (entity, row_id, publish_at, account_id, editor) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(entity.table)
    .bind(id)
    .bind(publish_at.to_owned())
    .bind(editor.account)
    .bind(editor.name.clone())
    .execute(connection)
    .await?;
    Ok(())
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

/// The scheduled times of all rows of an entity, as stored, by row id.
///
/// # Errors
/// If the database cannot be read.
pub async fn all_scheduled(connection: &mut AnyConnection, entity: &Entity) -> Result<BTreeMap<i64, String>> {
    let rows = sqlx::query_as("SELECT row_id, publish_at FROM publications WHERE entity = $1")
        .bind(entity.table)
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().collect())
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

/// What exported lists say of a row that is scheduled to be published at `stored`, and importing reads back.
pub fn publication_text(stored: &str, zone: &TimeZone) -> String {
    Field::new("publish_at", "", Kind::DateTime).print(&Datum::Text(stored.to_owned()), zone)
}

/// The stored form of a time of publication in a list; `None` if `text` is none.
pub(crate) fn parse_publication(text: &str, zone: &TimeZone) -> Option<String> {
    match Field::new("publish_at", "", Kind::DateTime).parse(text, zone) {
        Ok(Datum::Text(stored)) => Some(stored),
        _ => None,
    }
}

/// How often due rows are looked for, and so how late a row may be published.
const INTERVAL: Duration = Duration::from_secs(5);

/// Calls [`publish_due`] every few seconds, until it is dropped.
pub async fn publish(records: &Records) {
    loop {
        if let Err(error) = publish_due(records).await {
            tracing::warn!(cause = error.for_terminal(), "cannot publish the rows that are due; trying again");
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// Publishes the rows that are due, and returns how many.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn publish_due(records: &Records) -> Result<usize> {
    let now = timestamp_text(records.clock.now());
    let mut connection = records.db.read().await?;
    let due: i64 = sqlx::query_scalar("SELECT count(*) FROM publications WHERE publish_at <= $1")
        .bind(now.clone())
        .fetch_one(&mut *connection)
        .await?;
    drop(connection);
    if due == 0 {
        return Ok(0); // Without taking the writer.
    }
    let mut write = records.db.write().await?;
    let due =
        "SELECT entity, row_id, account_id, editor FROM publications WHERE publish_at <= $1 ORDER BY entity, row_id";
    let rows = sqlx::query(due).bind(now.clone()).fetch_all(&mut *write).await?;
    let mut published = 0;
    for row in rows {
        let name: String = row.try_get("entity")?;
        let editor = Editor::new(row.try_get("account_id")?, row.try_get::<String, _>("editor")?);
        let entity = records.entities().find(|entity| entity.table == name);
        let id: i64 = row.try_get("row_id")?;
        if let Some(entity) = entity {
            // The row before its schedule, as forms lock them: another order could deadlock.
            table::lock(&mut write, entity, &[id]).await?;
        }
        // Only who deletes the schedule publishes the row, so two servers do not both do it.
        let deleted = sqlx::query("DELETE FROM publications WHERE entity = $1 AND row_id = $2 AND publish_at <= $3")
            .bind(name)
            .bind(id)
            .bind(now.clone())
            .execute(&mut *write)
            .await?;
        let field = entity.and_then(|entity| entity.field(IS_PUBLISHED));
        let (Some(entity), Some(field), 1) = (entity, field, deleted.rows_affected()) else { continue };
        match set_field(records, &mut write, entity, (id, field, Datum::Integer(1)), (Action::Published, &editor)).await
        {
            Ok(_) => published += 1,
            Err(Error::NotFound(_)) => {} // Deleted meanwhile.
            Err(error) => return Err(error),
        }
    }
    write.commit().await?;
    Ok(published)
}
