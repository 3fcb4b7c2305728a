//! Publishing at a time that was set before.

use std::collections::BTreeMap;
use std::time::Duration;

use sqlx::{AnyConnection, Row as _};

use super::{Action, Editor, set};
use crate::Records;
use crate::entity::{Datum, Entity, table};
use festival_base::db::timestamp_text;
use festival_base::error::{Error, Result};

/// The field that says whether the site shows a row.
pub const SHOWN: &str = "is_published";

/// Sets or takes back (`None`) the moment at which a row is published by itself.
pub async fn plan(
    connection: &mut AnyConnection,
    entity: &Entity,
    id: i64,
    publish_at: Option<&str>,
    editor: &Editor,
) -> Result<()> {
    sqlx::query("DELETE FROM publications WHERE entity = $1 AND row_id = $2")
        .bind(entity.table)
        .bind(id)
        .execute(&mut *connection)
        .await?;
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

/// The moment at which a row is published by itself, as stored.
pub async fn planned(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<String>> {
    Ok(sqlx::query_scalar("SELECT publish_at FROM publications WHERE entity = $1 AND row_id = $2")
        .bind(entity.table)
        .bind(id)
        .fetch_optional(connection)
        .await?)
}

/// How many rows of each table are published by themselves before a moment.
pub async fn due_before(connection: &mut AnyConnection, moment: &str) -> Result<Vec<(String, i64)>> {
    let sql = "SELECT entity, count(*) FROM publications WHERE publish_at < $1 GROUP BY entity ORDER BY entity";
    Ok(sqlx::query_as(sql).bind(moment.to_owned()).fetch_all(connection).await?)
}

/// The moments at which rows of an entity are published by themselves, as stored, by the row's id.
pub async fn plans(connection: &mut AnyConnection, entity: &Entity) -> Result<BTreeMap<i64, String>> {
    let rows = sqlx::query_as("SELECT row_id, publish_at FROM publications WHERE entity = $1")
        .bind(entity.table)
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().collect())
}

/// How late a publication may be.
const EVERY: Duration = Duration::from_secs(5);

/// Publishes what is due, every few seconds, until it is dropped.
pub async fn publish(records: &Records) {
    loop {
        if let Err(error) = publish_due(records).await {
            tracing::warn!(cause = error.for_terminal(), "what is due could not be published; trying again");
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Publishes what is due now, and answers how many rows that were.
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
        return Ok(0); // No write lock for nothing.
    }
    let mut write = records.db.write().await?;
    let due =
        "SELECT entity, row_id, account_id, editor FROM publications WHERE publish_at <= $1 ORDER BY entity, row_id";
    let rows = sqlx::query(due).bind(now.clone()).fetch_all(&mut *write).await?;
    let mut published = 0;
    for row in rows {
        let name: String = row.try_get("entity")?;
        let editor = Editor { account: row.try_get("account_id")?, name: row.try_get("editor")? };
        let entity = records.entities().find(|entity| entity.table == name);
        let id: i64 = row.try_get("row_id")?;
        if let Some(entity) = entity {
            // The row first, then its plan, as forms do: two that wait for each other would wait for ever.
            table::lock(&mut write, entity, id).await?;
        }
        // Whoever deletes the plan carries it out: two servers never do the same twice.
        let taken = sqlx::query("DELETE FROM publications WHERE entity = $1 AND row_id = $2 AND publish_at <= $3")
            .bind(name)
            .bind(id)
            .bind(now.clone())
            .execute(&mut *write)
            .await?;
        let field = entity.and_then(|entity| entity.field(SHOWN));
        let (Some(entity), Some(field), 1) = (entity, field, taken.rows_affected()) else { continue };
        match set(records, &mut write, entity, (id, field, Datum::Integer(1)), (Action::Published, &editor)).await {
            Ok(_) => published += 1,
            Err(Error::NotFound(_)) => {} // Deleted meanwhile.
            Err(error) => return Err(error),
        }
    }
    write.commit().await?;
    Ok(published)
}
