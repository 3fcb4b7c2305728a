//! Invitation links: with one a person chooses the first password, or a new one after a reset.

use jiff::{SignedDuration, Timestamp};
use sqlx::AnyConnection;

use super::token;
use festival_base::db::timestamp_text;
use festival_base::error::Result;

/// Lifetime of a link.
const TIME_TO_LIVE: SignedDuration = SignedDuration::from_hours(72);

/// Creates the token of a link for an account and revokes earlier ones.
pub(super) async fn create(connection: &mut AnyConnection, account_id: i64, now: Timestamp) -> Result<String> {
    revoke(connection, account_id).await?;
    let token = token::random()?;
    sqlx::query(
        "INSERT INTO admin_invitations (token_hash, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
    )
    .bind(token::hash("invitation", &token))
    .bind(account_id)
    .bind(timestamp_text(now))
    .bind(timestamp_text(now.saturating_add(TIME_TO_LIVE).unwrap_or(now)))
    .execute(connection)
    .await?;
    Ok(token)
}

/// Finds the id of the account of an unexpired link.
pub(super) async fn find(connection: &mut AnyConnection, token: &str, now: Timestamp) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar("SELECT account_id FROM admin_invitations WHERE token_hash = $1 AND expires_at > $2")
        .bind(token::hash("invitation", token))
        .bind(timestamp_text(now))
        .fetch_optional(connection)
        .await?)
}

/// Revokes the links of an account; returns whether there was one.
pub(super) async fn revoke(connection: &mut AnyConnection, account_id: i64) -> Result<bool> {
    let deleted =
        sqlx::query("DELETE FROM admin_invitations WHERE account_id = $1").bind(account_id).execute(connection).await?;
    Ok(deleted.rows_affected() > 0)
}

/// Deletes expired links.
pub(super) async fn delete_expired(connection: &mut AnyConnection, now: Timestamp) -> Result<()> {
    sqlx::query("DELETE FROM admin_invitations WHERE expires_at <= $1")
        .bind(timestamp_text(now))
        .execute(connection)
        .await?;
    Ok(())
}
