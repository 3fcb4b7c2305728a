//! The table `outbox`, as those who fill it and the postman see it.
//!
//! A row is due when it is neither sent nor held back and its `not_before` is past. Who wants to send it claims it: the claim moves
//! `not_before` behind the lease, so nobody else finds the row due, and a row whose process died comes back.

use jiff::{SignedDuration, Timestamp};
use sqlx::FromRow;

use super::pause::chance;
use super::{Message, text};
use festival_base::db::{Db, Write, timestamp_text};
use festival_base::error::Result;

/// How long a row belongs to the process that claimed it: longer than any attempt can take.
const LEASE: SignedDuration = SignedDuration::from_mins(10);

/// A row that this process has claimed.
#[derive(Debug, FromRow)]
pub(super) struct Letter {
    pub(super) id: i64,
    pub(super) kind: String,
    pub(super) to_name: String,
    pub(super) to_address: String,
    pub(super) reply_to_name: Option<String>,
    pub(super) reply_to_address: Option<String>,
    pub(super) subject: String,
    pub(super) body_text: String,
    /// The left part and the host, without angle brackets.
    pub(super) message_id: String,
    pub(super) created_at: String,
    /// With the present one.
    pub(super) attempts: i64,
    pub(super) claim: String,
}

/// Puts `message` into the outbox and answers its id; it lasts when `write` is committed.
///
/// An address that cannot be sent to is no error here: what the mail tells about is worth keeping all the same.
/// The row is marked as refused when its turn comes, and `festival mail list` shows it.
pub async fn enqueue(write: &mut Write, message: &Message) -> Result<i64> {
    let reply_to = message.reply_to.as_ref();
    let id = sqlx::query_scalar(
        "INSERT INTO outbox (kind, to_name, to_address, reply_to_name, reply_to_address, subject, body_text, \
         created_at, not_before) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) RETURNING id",
    )
    .bind(message.kind)
    .bind(text::name(&message.to.name))
    .bind(text::body(&message.to.address))
    .bind(reply_to.map(|mailbox| text::name(&mailbox.name)))
    .bind(reply_to.map(|mailbox| text::body(&mailbox.address)))
    .bind(text::subject(&message.subject))
    .bind(text::body(&message.body))
    .bind(timestamp_text(message.created_at))
    .fetch_one(&mut **write)
    .await?;
    Ok(id)
}

/// The ids of the rows that are due at `now`, `limit` at most, the longest waiting first.
pub(super) async fn due(db: &Db, now: Timestamp, limit: i64) -> Result<Vec<i64>> {
    let mut connection = db.read().await?;
    let ids = sqlx::query_scalar(
        "SELECT id FROM outbox WHERE sent_at IS NULL AND is_held = 0 AND not_before <= $1 \
         ORDER BY not_before, id LIMIT $2",
    )
    .bind(timestamp_text(now))
    .bind(limit)
    .fetch_all(&mut *connection)
    .await?;
    Ok(ids)
}

/// When the next row becomes due; `None` while nothing waits.
pub(super) async fn next_due(db: &Db) -> Result<Option<Timestamp>> {
    let mut connection = db.read().await?;
    let first: Option<String> = sqlx::query_scalar(
        "SELECT not_before FROM outbox WHERE sent_at IS NULL AND is_held = 0 ORDER BY not_before LIMIT 1",
    )
    .fetch_optional(&mut *connection)
    .await?;
    Ok(first.and_then(|text| text.parse().ok()))
}

/// Claims the row, which counts as an attempt; `None` if somebody else was quicker.
///
/// `host` becomes the right part of the Message-ID if the row has none yet.
pub(super) async fn claim(db: &Db, id: i64, now: Timestamp, host: &str) -> Result<Option<Letter>> {
    let mut write = db.write_private().await?;
    let letter = sqlx::query_as(
        "UPDATE outbox SET claim = $1, not_before = $2, attempts = attempts + 1, \
         message_id = coalesce(message_id, $3) \
         WHERE id = $4 AND sent_at IS NULL AND is_held = 0 AND not_before <= $5 \
         RETURNING id, kind, to_name, to_address, reply_to_name, reply_to_address, subject, body_text, message_id, \
         created_at, attempts, claim",
    )
    .bind(format!("{:016x}", chance()))
    .bind(timestamp_text(now.saturating_add(LEASE).unwrap_or(now)))
    .bind(format!("{id}.{:016x}@{host}", chance()))
    .bind(id)
    .bind(timestamp_text(now))
    .fetch_optional(&mut *write)
    .await?;
    write.commit().await?;
    Ok(letter)
}

/// Marks the row as sent, whoever holds it by now: it is. `false` if there is no such row any more.
pub(super) async fn sent(db: &Db, letter: &Letter, now: Timestamp) -> Result<bool> {
    let mut write = db.write_private().await?;
    let there: i64 = sqlx::query_scalar("SELECT count(*) FROM outbox WHERE id = $1 AND created_at = $2")
        .bind(letter.id)
        .bind(letter.created_at.clone())
        .fetch_one(&mut *write)
        .await?;
    sqlx::query(
        "UPDATE outbox SET sent_at = $1, claim = NULL, last_error = NULL, is_refused = 0 \
         WHERE id = $2 AND sent_at IS NULL",
    )
    .bind(timestamp_text(now))
    .bind(letter.id)
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(there > 0)
}

/// Gives the row back after an attempt that failed; it is due again at `not_before`.
pub(super) async fn failed(
    db: &Db,
    letter: &Letter,
    not_before: Timestamp,
    words: &str,
    is_refused: bool,
) -> Result<()> {
    let mut write = db.write_private().await?;
    sqlx::query(
        "UPDATE outbox SET not_before = $1, claim = NULL, last_error = $2, is_refused = $3 \
         WHERE id = $4 AND claim = $5 AND sent_at IS NULL",
    )
    .bind(timestamp_text(not_before))
    .bind(text::complaint(words))
    .bind(i64::from(is_refused))
    .bind(letter.id)
    .bind(&letter.claim)
    .execute(&mut *write)
    .await?;
    write.commit().await
}
