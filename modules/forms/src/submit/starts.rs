//! When the sending of forms started, by Idempotency-Key: a form whose sending started before the deadline may be finished
//! after it.

use festival_core::Result;
use festival_core::db::{time_before, timestamp_text};
use festival_core::site::Site;
use jiff::{SignedDuration, Timestamp};

/// Longest time in which sending a form may be finished: that of one body, however often it is interrupted.
const MAX_SENDING_TIME: SignedDuration = SignedDuration::from_mins(90);

/// Returns when the first form with this key (its hash) began to arrive.
///
/// # Errors
/// If the database does not answer.
pub(super) async fn find(site: &Site, key: &str) -> Result<Option<Timestamp>> {
    let started_at: Option<String> = sqlx::query_scalar("SELECT began_at FROM submission_starts WHERE key_hash = $1")
        .bind(key.to_owned())
        .fetch_optional(&mut *site.db.read().await?)
        .await?;
    let oldest = site.clock.now().checked_sub(MAX_SENDING_TIME).unwrap_or_default();
    Ok(started_at.and_then(|at| at.parse().ok()).filter(|at| *at >= oldest))
}

/// Stores that a form with this key began to arrive at `now`, and deletes expired starts.
///
/// A failure is logged and does not stop the form, which matters more.
pub(super) async fn store(site: &Site, key: &str, now: Timestamp) {
    if let Err(error) = insert(site, key, now).await {
        tracing::warn!(cause = error.for_terminal(), "cannot store when the sending of a form started");
    }
}

async fn insert(site: &Site, key: &str, now: Timestamp) -> Result<()> {
    let mut write = site.db.write_private().await?;
    sqlx::query("DELETE FROM submission_starts WHERE began_at < $1")
        .bind(time_before(now, MAX_SENDING_TIME))
        .execute(&mut *write)
        .await?;
    sqlx::query("INSERT INTO submission_starts (key_hash, began_at) VALUES ($1, $2) ON CONFLICT (key_hash) DO NOTHING")
        .bind(key.to_owned())
        .bind(timestamp_text(now))
        .execute(&mut *write)
        .await?;
    write.commit().await
}
