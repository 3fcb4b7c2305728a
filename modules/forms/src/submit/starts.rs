//! When the sending of forms began, by their Idempotency-Keys: whoever began before the deadline may finish after it.

use festival_core::Result;
use festival_core::db::timestamp_text;
use festival_core::site::Site;
use jiff::{SignedDuration, Timestamp};

/// How long after its beginning a sending may be finished.
const FINISHED_WITHIN: SignedDuration = SignedDuration::from_hours(24);

/// When a request with this key (its hash) was first seen.
///
/// # Errors
/// If the database does not answer.
pub(super) async fn find(site: &Site, key: &str) -> Result<Option<Timestamp>> {
    let began: Option<String> = sqlx::query_scalar("SELECT began_at FROM submission_starts WHERE key_hash = $1")
        .bind(key.to_owned())
        .fetch_optional(&mut *site.db.read().await?)
        .await?;
    let oldest = site.clock.now().checked_sub(FINISHED_WITHIN).unwrap_or_default();
    Ok(began.and_then(|began| began.parse().ok()).filter(|began| *began >= oldest))
}

/// Remembers that a request with this key was seen at `now`, and forgets those that are over.
///
/// The form itself is worth more than this note: where it cannot be written, the form goes on without it.
pub(super) async fn remember(site: &Site, key: &str, now: Timestamp) {
    if let Err(error) = write(site, key, now).await {
        tracing::warn!(cause = error.for_terminal(), "when a form began to arrive could not be noted");
    }
}

async fn write(site: &Site, key: &str, now: Timestamp) -> Result<()> {
    let oldest = now.checked_sub(FINISHED_WITHIN).unwrap_or_default();
    let mut write = site.db.write_private().await?;
    sqlx::query("DELETE FROM submission_starts WHERE began_at < $1")
        .bind(timestamp_text(oldest))
        .execute(&mut *write)
        .await?;
    sqlx::query("INSERT INTO submission_starts (key_hash, began_at) VALUES ($1, $2) ON CONFLICT (key_hash) DO NOTHING")
        .bind(key.to_owned())
        .bind(timestamp_text(now))
        .execute(&mut *write)
        .await?;
    write.commit().await
}
