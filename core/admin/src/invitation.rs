//! Links with which a person chooses a password: the first one, or a new one after a reset.

use jiff::{SignedDuration, Timestamp};
use sqlx::AnyConnection;

use super::token;
use festival_base::db::timestamp_text;
use festival_base::error::Result;

/// How long a link works.
const LASTS: SignedDuration = SignedDuration::from_hours(72);

/// Makes a link's token for an account; earlier ones stop working.
pub(super) async fn make(connection: &mut AnyConnection, account_id: i64, now: Timestamp) -> Result<String> {
    withdraw(connection, account_id).await?;
    let token = token::random()?;
    sqlx::query(
        "INSERT INTO admin_invitations (token_hash, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
    )
    .bind(token::hash("invitation", &token))
    .bind(account_id)
    .bind(timestamp_text(now))
    .bind(timestamp_text(now.saturating_add(LASTS).unwrap_or(now)))
    .execute(connection)
    .await?;
    Ok(token)
}

/// The account that a link is for, while it works.
pub(super) async fn find(connection: &mut AnyConnection, token: &str, now: Timestamp) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar("SELECT account_id FROM admin_invitations WHERE token_hash = $1 AND expires_at > $2")
        .bind(token::hash("invitation", token))
        .bind(timestamp_text(now))
        .fetch_optional(connection)
        .await?)
}

/// Makes the links of an account stop working; answers whether there was one.
pub(super) async fn withdraw(connection: &mut AnyConnection, account_id: i64) -> Result<bool> {
    let gone =
        sqlx::query("DELETE FROM admin_invitations WHERE account_id = $1").bind(account_id).execute(connection).await?;
    Ok(gone.rows_affected() > 0)
}

/// Removes the links that do not work any more.
pub(super) async fn sweep(connection: &mut AnyConnection, now: Timestamp) -> Result<()> {
    sqlx::query("DELETE FROM admin_invitations WHERE expires_at <= $1")
        .bind(timestamp_text(now))
        .execute(connection)
        .await?;
    Ok(())
}
