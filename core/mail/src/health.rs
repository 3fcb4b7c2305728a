//! Figures about the outbox for the dashboard and for monitoring.

use sqlx::{AnyConnection, FromRow};

use festival_base::error::Result;

/// Figures about the outbox.
#[derive(Clone, Debug, FromRow)]
pub struct Health {
    /// Mails that are not sent.
    pub waiting: i64,
    /// Those of them whose last attempt failed and that are not held back.
    pub failed: i64,
    /// Those of them that are held back.
    pub held: i64,
    /// When the oldest mail that is not sent was put into the outbox, as stored.
    pub oldest_waiting: Option<String>,
    /// When a mail was last sent, as stored.
    pub last_sent: Option<String>,
}

/// Reads the figures.
///
/// # Errors
/// If the outbox cannot be read.
pub async fn health(connection: &mut AnyConnection) -> Result<Health> {
    Ok(sqlx::query_as(
        "SELECT count(*) AS waiting, \
         CAST(coalesce(sum(CASE WHEN is_held = 0 AND last_error IS NOT NULL THEN 1 ELSE 0 END), 0) AS BIGINT) \
         AS failed, \
         CAST(coalesce(sum(is_held), 0) AS BIGINT) AS held, min(created_at) AS oldest_waiting, \
         (SELECT max(sent_at) FROM outbox) AS last_sent \
         FROM outbox WHERE sent_at IS NULL",
    )
    .fetch_one(connection)
    .await?)
}

/// When the oldest mail was put into the outbox that is neither sent nor held back, as stored.
///
/// # Errors
/// If the outbox cannot be read.
pub async fn oldest_unsent(connection: &mut AnyConnection) -> Result<Option<String>> {
    let oldest = "SELECT min(created_at) FROM outbox WHERE sent_at IS NULL AND is_held = 0";
    Ok(sqlx::query_scalar(oldest).fetch_one(connection).await?)
}
