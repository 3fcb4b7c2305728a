//! Forgets mails that were sent long ago: they hold names, addresses and what people wrote.

use std::time::Duration;

use festival_base::clock::Clock;
use jiff::{SignedDuration, Timestamp};

use festival_base::db::{Db, timestamp_text};
use festival_base::error::Result;

const EVERY: Duration = Duration::from_secs(60 * 60);

/// Does [`forget_sent`] now and then every hour, until it is dropped.
pub async fn sweep(db: &Db, clock: &Clock, keep_days: u32) {
    loop {
        match forget_sent(db, clock.now(), keep_days).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "sent mails forgotten"),
            Err(error) => tracing::warn!(cause = error.for_terminal(), "old mails stay; trying again in an hour"),
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Removes mails that were sent more than `keep_days` before `now`, and answers how many; 0 days keep them all.
/// Those that wait stay, however old they are.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn forget_sent(db: &Db, now: Timestamp, keep_days: u32) -> Result<u64> {
    let days = i64::from(keep_days);
    if days == 0 {
        return Ok(0);
    }
    let before = timestamp_text(now.checked_sub(SignedDuration::from_hours(24 * days)).unwrap_or(now));
    // Looked up first: a write makes every server compute its answers anew.
    let old: i64 = sqlx::query_scalar("SELECT count(*) FROM outbox WHERE sent_at < $1")
        .bind(before.clone())
        .fetch_one(&mut *db.read().await?)
        .await?;
    if old == 0 {
        return Ok(0);
    }
    let mut write = db.write_private().await?;
    let gone = sqlx::query("DELETE FROM outbox WHERE sent_at < $1").bind(before).execute(&mut *write).await?;
    write.commit().await?;
    Ok(gone.rows_affected())
}
