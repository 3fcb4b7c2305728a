//! Deletes mails that were sent long ago: they contain names, addresses and what people wrote.

use std::time::Duration;

use festival_base::clock::Clock;
use jiff::{SignedDuration, Timestamp};

use festival_base::db::{Db, timestamp_text};
use festival_base::error::Result;

const INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Calls [`delete_sent`] now and every hour, until it is dropped.
pub async fn sweep(db: &Db, clock: &Clock, keep_days: u32) {
    loop {
        match delete_sent(db, clock.now(), keep_days).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "deleted old sent mails"),
            Err(error) => {
                tracing::warn!(cause = error.for_terminal(), "cannot delete old sent mails; trying again in an hour");
            }
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// Deletes mails that were sent more than `keep_days` days before `now`, and returns how many. 0 days delete none;
/// unsent mails stay, however old they are.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn delete_sent(db: &Db, now: Timestamp, keep_days: u32) -> Result<u64> {
    let days = i64::from(keep_days);
    if days == 0 {
        return Ok(0);
    }
    let before = timestamp_text(now.checked_sub(SignedDuration::from_hours(24 * days)).unwrap_or(now));
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
    Ok(deleted.rows_affected())
}
