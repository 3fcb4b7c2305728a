//! Publishes the rows that are due.

use super::change::set_field;
use super::editor::Editor;
use super::publication::IS_PUBLISHED;
use super::revision::Action;
use crate::Records;
use crate::entity::{Datum, table};
use festival_base::db::timestamp_text;
use festival_base::error::{Error, Result};

/// A row that is due, and who scheduled it.
#[derive(sqlx::FromRow)]
struct Due {
    entity: String,
    row_id: i64,
    #[sqlx(flatten)]
    editor: Editor,
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
        return Ok(0); // Without waiting for the writer.
    }
    let mut write = records.db.write().await?;
    let due =
        "SELECT entity, row_id, account_id, editor FROM publications WHERE publish_at <= $1 ORDER BY entity, row_id";
    let rows: Vec<Due> = sqlx::query_as(due).bind(now.clone()).fetch_all(&mut *write).await?;
    let mut published = 0;
    for Due { entity: name, row_id: id, editor } in rows {
        let entity = records.entities().find(|entity| entity.table == name);
        if let Some(entity) = entity {
            // The row before its schedule, as forms lock them: another order could deadlock.
            table::lock(&mut write, entity, &[id]).await?;
        }
        // Only the server that deletes the schedule publishes the row, so two servers do not both do it.
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
