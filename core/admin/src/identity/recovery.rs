//! Recovery codes: single-use replacements for the second factor, ten per account.

use data_encoding::BASE32_NOPAD;
use jiff::Timestamp;
use sqlx::AnyConnection;

use crate::identity::token;
use festival_base::db::{insert_row, timestamp_text};
use festival_base::error::Result;

/// Codes per account.
const COUNT: usize = 10;

/// Replaces the codes of an account and returns the new ones, to be shown once: `abcd-efgh-ijkl-mnop`.
pub(crate) async fn replace(connection: &mut AnyConnection, account_id: i64) -> Result<Vec<String>> {
    delete_all(connection, account_id).await?;
    let mut codes = Vec::with_capacity(COUNT);
    for _ in 0..COUNT {
        let code = BASE32_NOPAD.encode(&token::random_bytes::<10>()?).to_lowercase();
        let values = [("account_id", account_id.into()), ("code_hash", token::hash("recovery", &code).into())];
        insert_row(connection, "admin_recovery_codes", &values).await?;
        codes.push(code.as_bytes().chunks(4).map(String::from_utf8_lossy).collect::<Vec<_>>().join("-"));
    }
    Ok(codes)
}

/// Deletes the codes of an account.
pub(crate) async fn delete_all(connection: &mut AnyConnection, account_id: i64) -> Result<()> {
    sqlx::query("DELETE FROM admin_recovery_codes WHERE account_id = $1").bind(account_id).execute(connection).await?;
    Ok(())
}

/// Counts the unused codes of an account.
pub(crate) async fn count_unused(connection: &mut AnyConnection, account_id: i64) -> Result<i64> {
    Ok(sqlx::query_scalar("SELECT count(*) FROM admin_recovery_codes WHERE account_id = $1 AND used_at IS NULL")
        .bind(account_id)
        .fetch_one(connection)
        .await?)
}

/// Marks a code as used; `false` if it is unknown or was used before.
pub(crate) async fn redeem(
    connection: &mut AnyConnection,
    account_id: i64,
    input: &str,
    now: Timestamp,
) -> Result<bool> {
    let code: String = input.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_lowercase();
    let updated = sqlx::query(
        "UPDATE admin_recovery_codes SET used_at = $1 WHERE account_id = $2 AND code_hash = $3 AND used_at IS NULL",
    )
    .bind(timestamp_text(now))
    .bind(account_id)
    .bind(token::hash("recovery", &code))
    .execute(connection)
    .await?;
    Ok(updated.rows_affected() == 1)
}
