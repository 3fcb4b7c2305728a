//! The table `outbox`: adding mails, and the operations of the delivery worker on rows.
//!
//! A row is due if it is neither sent nor held back and its `not_before` has passed. A worker claims a row before it
//! sends it: the claim moves `not_before` to the end of a lease, so no other worker finds the row due, and a row whose
//! process died becomes due again.

use jiff::{SignedDuration, Timestamp};
use sqlx::{AnyConnection, FromRow};

use super::failure::random;
use super::{ACCOUNT_LINK, Mailbox, Message, text};
use festival_base::db::{Datum, Db, Write, insert_rows_with_ids, timestamp_text};
use festival_base::error::{Error, Result};
use festival_base::settings::Settings;

/// How long a claim lasts: longer than any attempt can take.
const LEASE: SignedDuration = SignedDuration::from_mins(10);

/// The columns of a new row.
const COLUMNS: &str =
    "kind, to_name, to_address, reply_to_name, reply_to_address, subject, body_text, created_at, not_before";

/// A row that this process has claimed.
#[derive(Debug, FromRow)]
pub(super) struct ClaimedMail {
    pub(super) id: i64,
    pub(super) kind: String,
    pub(super) to_name: String,
    pub(super) to_address: String,
    pub(super) reply_to_name: Option<String>,
    pub(super) reply_to_address: Option<String>,
    pub(super) subject: String,
    pub(super) body_text: String,
    /// `<left part>@<host>`, without angle brackets.
    pub(super) message_id: String,
    pub(super) created_at: String,
    /// Number of attempts, the present one included.
    pub(super) attempts: i64,
    pub(super) claim: String,
}

/// Puts `message` into the outbox and returns its id; it is stored when `write` is committed.
///
/// An invalid address is not an error here: the change that the mail reports is worth storing all the same. The
/// delivery worker marks the row as refused, and `festival mail list` shows it.
///
/// # Errors
/// If the database cannot be written.
pub async fn enqueue(write: &mut Write, message: &Message) -> Result<i64> {
    let ids = enqueue_all(write, std::slice::from_ref(message)).await?;
    ids.first().copied().ok_or_else(|| Error::internal("a mail without an id"))
}

/// Puts messages into the outbox as [`enqueue`] does, and returns their ids in the order of the messages.
///
/// # Errors
/// If the database cannot be written.
pub async fn enqueue_all(write: &mut Write, messages: &[Message]) -> Result<Vec<i64>> {
    let row = |message: &Message| {
        let (to, reply_to) = (&message.to, message.reply_to.as_ref());
        let created_at = timestamp_text(message.created_at);
        vec![
            Datum::from(message.kind),
            text::name(&to.name).into(),
            text::body(&to.address).into(),
            reply_to.map(|mailbox| text::name(&mailbox.name)).into(),
            reply_to.map(|mailbox| text::body(&mailbox.address)).into(),
            text::subject(&message.subject).into(),
            text::body(&message.body).into(),
            created_at.clone().into(),
            created_at.into(),
        ]
    };
    let columns: Vec<&str> = COLUMNS.split(", ").collect();
    insert_rows_with_ids(write, "outbox", &columns, &messages.iter().map(row).collect::<Vec<_>>()).await
}

/// Puts a copy of `message` into the outbox for each address of the organisers, and returns the ids.
///
/// `message.to` is replaced. Nothing is enqueued if the settings have no such address.
///
/// # Errors
/// If the database cannot be written.
pub async fn enqueue_to_organisers(write: &mut Write, settings: &Settings, message: &Message) -> Result<Vec<i64>> {
    let copy = |address| Message { to: Mailbox::new(&settings.product.name, address), ..message.clone() };
    enqueue_all(write, &settings.organisers().into_iter().map(copy).collect::<Vec<_>>()).await
}

/// Counts the mails that were put into the outbox after `since` for the mailbox at `address`, however it is written: tags
/// after a plus, dots and capital letters lead to the same one.
///
/// # Errors
/// If the database cannot be read.
pub async fn count_recent(connection: &mut AnyConnection, address: &str, since: Timestamp) -> Result<usize> {
    let wanted = mailbox_key(address);
    // Ids rise with time, so that both databases read the newest rows only.
    let addresses: Vec<String> = sqlx::query_scalar(
        "SELECT to_address FROM outbox WHERE id > (SELECT coalesce(max(id), 0) FROM outbox WHERE created_at <= $1)",
    )
    .bind(timestamp_text(since))
    .fetch_all(connection)
    .await?;
    Ok(addresses.iter().filter(|address| mailbox_key(address) == wanted).count())
}

/// Returns what all ways to write an address have in common.
fn mailbox_key(address: &str) -> (String, String) {
    let (name, host) = address.rsplit_once('@').unwrap_or((address, ""));
    let name = name.split('+').next().unwrap_or_default();
    (name.replace('.', "").to_lowercase(), host.trim_end_matches('.').to_lowercase())
}

/// The ids of up to `limit` rows that are due at `now`, the longest due first.
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

/// When the next row becomes due; `None` if there is no unsent one.
pub(super) async fn next_due(db: &Db) -> Result<Option<Timestamp>> {
    let mut connection = db.read().await?;
    let first: Option<String> = sqlx::query_scalar(
        "SELECT not_before FROM outbox WHERE sent_at IS NULL AND is_held = 0 ORDER BY not_before LIMIT 1",
    )
    .fetch_optional(&mut *connection)
    .await?;
    Ok(first.and_then(|text| text.parse().ok()))
}

/// Whether somebody asked after `since` that a row that is due at `now` is tried at once: its attempts are not counted, and
/// it became due later than it was put into the outbox.
pub(super) async fn is_asked_for(db: &Db, since: Timestamp, now: Timestamp) -> Result<bool> {
    let mut connection = db.read().await?;
    let count: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM outbox WHERE sent_at IS NULL AND is_held = 0 AND attempts = 0 \
         AND not_before > created_at AND not_before > $1 AND not_before <= $2",
    )
    .bind(timestamp_text(since))
    .bind(timestamp_text(now))
    .fetch_one(&mut *connection)
    .await?;
    Ok(count > 0)
}

/// Claims the row, which counts as an attempt; `None` if it is not due any more.
///
/// `host` becomes the right part of the Message-ID if the row has none yet.
pub(super) async fn claim(db: &Db, id: i64, now: Timestamp, host: &str) -> Result<Option<ClaimedMail>> {
    let mut write = db.write_private().await?;
    let mail = sqlx::query_as(
        "UPDATE outbox SET claim = $1, not_before = $2, attempts = attempts + 1, \
         message_id = coalesce(message_id, $3) \
         WHERE id = $4 AND sent_at IS NULL AND is_held = 0 AND not_before <= $5 \
         RETURNING id, kind, to_name, to_address, reply_to_name, reply_to_address, subject, body_text, message_id, \
         created_at, attempts, claim",
    )
    .bind(format!("{:016x}", random()))
    .bind(timestamp_text(now.saturating_add(LEASE).unwrap_or(now)))
    .bind(format!("{id}.{:016x}@{host}", random()))
    .bind(id)
    .bind(timestamp_text(now))
    .fetch_optional(&mut *write)
    .await?;
    write.commit().await?;
    Ok(mail)
}

/// Marks the row as sent, and removes the secrets of links from it, no matter who holds its claim by now: the mail is sent. `false` if the row was deleted
/// meanwhile.
///
/// One statement, because it waits for an erasure that is being committed; a row that was read before may be gone.
pub(super) async fn mark_sent(db: &Db, mail: &ClaimedMail, now: Timestamp) -> Result<bool> {
    let without_keys = Some(text::without_keys(&mail.body_text)).filter(|text| *text != mail.body_text);
    let mut write = db.write_private().await?;
    let result = sqlx::query(
        "UPDATE outbox SET sent_at = coalesce(sent_at, $1), claim = NULL, last_error = NULL, is_refused = 0, \
         body_text = CASE WHEN kind = $2 THEN '' ELSE coalesce($5, body_text) END WHERE id = $3 AND created_at = $4",
    )
    .bind(timestamp_text(now))
    .bind(ACCOUNT_LINK)
    .bind(mail.id)
    .bind(&mail.created_at)
    .bind(without_keys)
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(result.rows_affected() > 0)
}

/// Gives up the claim after a failed attempt; the row is due again at `not_before`.
pub(super) async fn mark_failed(
    db: &Db,
    mail: &ClaimedMail,
    not_before: Timestamp,
    message: &str,
    is_permanent: bool,
) -> Result<()> {
    let mut write = db.write_private().await?;
    sqlx::query(
        "UPDATE outbox SET not_before = $1, claim = NULL, last_error = $2, is_refused = $3 \
         WHERE id = $4 AND claim = $5 AND sent_at IS NULL",
    )
    .bind(timestamp_text(not_before))
    .bind(text::failure(message))
    .bind(i64::from(is_permanent))
    .bind(mail.id)
    .bind(&mail.claim)
    .execute(&mut *write)
    .await?;
    write.commit().await
}
