//! Deletes mails that were sent long ago: they contain names, addresses and what people wrote.

use jiff::Timestamp;

use festival_base::db::{Db, days_ago};
use festival_base::error::Result;

/// Deletes mails that were sent more than `keep_days` days before `now`, and returns how many. 0 days delete none;
/// unsent mails stay, however old they are.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn delete_sent(db: &Db, now: Timestamp, keep_days: u32) -> Result<u64> {
    let Some(before) = days_ago(now, keep_days) else { return Ok(0) };
    // Counted first: a sweep with nothing to do must not wait for the writer.
    let old: i64 = sqlx::query_scalar("SELECT count(*) FROM outbox WHERE sent_at < $1")
        .bind(before.clone())
        .fetch_one(&mut *db.read().await?)
        .await?;
    if old == 0 {
        return Ok(0);
    }
    let mut write = db.write_private().await?;
    let deleted = sqlx::query("DELETE FROM outbox WHERE sent_at < $1").bind(before).execute(&mut *write).await?;
    write.commit().await?;
    let count = deleted.rows_affected();
    tracing::info!(count, "deleted old sent mails");
    Ok(count)
}
