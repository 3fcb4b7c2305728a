//! Lists of the outbox for organisers and the command line: recipients are masked, texts left out.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;
use sqlx::{AnyConnection, FromRow};

use super::text::mask;
use festival_base::db::{Db, timestamp_text};
use festival_base::error::Result;

/// A mail in a list.
#[derive(Debug, FromRow, Serialize)]
pub struct Summary {
    /// Row id.
    pub id: i64,
    /// What it is about.
    pub kind: String,
    /// The recipient's address, masked.
    #[sqlx(rename = "to_address")]
    pub to: String,
    /// When it was put into the outbox, as stored.
    pub created_at: String,
    /// "waiting": no attempt was made yet. "sending": a server is sending it at this moment. "delayed": the last
    /// attempt failed, and another follows. "refused": the last attempt failed for good; another follows all the same,
    /// but somebody has to correct something. "held": somebody holds it back. "sent": the mail server has it.
    pub state: String,
    /// Number of attempts so far.
    pub attempts: i64,
    /// Why the last attempt failed; `None` before the first and after a success.
    pub last_error: Option<String>,
}

/// SQL for [`Summary`] at the time `$1`; `$conditions` are appended.
macro_rules! select_mails {
    ($($conditions:expr),+) => {
        concat!(
            "SELECT id, kind, to_address, created_at, attempts, last_error, CASE WHEN sent_at IS NOT NULL THEN 'sent' \
             WHEN claim IS NOT NULL AND not_before > $1 THEN 'sending' WHEN is_held = 1 THEN 'held' \
             WHEN is_refused = 1 THEN 'refused' WHEN attempts > 0 THEN 'delayed' ELSE 'waiting' END AS state \
             FROM outbox WHERE ",
            $($conditions),+
        )
    };
}

fn masked(mails: Vec<Summary>) -> Vec<Summary> {
    mails.into_iter().map(|mail| Summary { to: mask(&mail.to), ..mail }).collect()
}

/// The mails, the oldest first; without `all` only those that are not sent.
///
/// # Errors
/// If the database cannot be read.
pub async fn list(db: &Db, now: Timestamp, all: bool) -> Result<Vec<Summary>> {
    let mut connection = db.read().await?;
    let mails = sqlx::query_as(select_mails!("($2 = 1 OR sent_at IS NULL) ORDER BY id"))
        .bind(timestamp_text(now))
        .bind(i64::from(all))
        .fetch_all(&mut *connection)
        .await?;
    Ok(masked(mails))
}

/// The filters of the list in the back office, in the order of the tabs; every mail matches exactly one.
pub const FILTERS: [&str; 4] = ["waiting", "failed", "held", "sent"];

/// SQL for the one of [`FILTERS`] that a row matches.
macro_rules! filter_name {
    () => {
        "CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN is_held = 1 THEN 'held' \
         WHEN last_error IS NOT NULL THEN 'failed' ELSE 'waiting' END"
    };
}

/// Up to `limit` mails that match one of [`FILTERS`] and have an id below `before` (0: any), the newest first.
///
/// # Errors
/// If the database cannot be read.
pub async fn newest(
    connection: &mut AnyConnection,
    now: Timestamp,
    filter: &'static str,
    before: i64,
    limit: i64,
) -> Result<Vec<Summary>> {
    let sql = select_mails!("($2 = 0 OR id < $2) AND ", filter_name!(), " = $3 ORDER BY id DESC LIMIT $4");
    let mails = sqlx::query_as(sql)
        .bind(timestamp_text(now))
        .bind(before)
        .bind(filter)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    Ok(masked(mails))
}

/// The number of mails by the one of [`FILTERS`] that they match; filters without mails are left out.
///
/// # Errors
/// If the database cannot be read.
pub async fn counts(connection: &mut AnyConnection) -> Result<BTreeMap<String, i64>> {
    let rows: Vec<(String, i64)> =
        sqlx::query_as(concat!("SELECT ", filter_name!(), " AS name, count(*) FROM outbox GROUP BY name"))
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().collect())
}

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
    /// When the oldest mail was put into the outbox that is neither sent nor held back, as stored.
    pub oldest_due: Option<String>,
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
         min(CASE WHEN is_held = 0 THEN created_at END) AS oldest_due, \
         (SELECT max(sent_at) FROM outbox) AS last_sent \
         FROM outbox WHERE sent_at IS NULL",
    )
    .fetch_one(connection)
    .await?)
}
