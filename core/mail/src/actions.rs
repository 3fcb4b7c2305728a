//! What people do with a mail that is not sent yet: read it, correct it, hold it back, release it, try again now.

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use lettre::Address;
use sha2::{Digest as _, Sha256};
use sqlx::{AnyConnection, FromRow};

use super::text;
use festival_base::db::{Db, Write, timestamp_text};
use festival_base::error::{Error, FieldError, Result};

/// The kind of the mails that notify the owners of a change to settings that need confirmation. Nobody can hold them
/// back or correct them, so that the author of a change cannot hide it from the owners. The outbox stores it under the
/// name of the first such mail.
pub const OWNER_NOTICE: &str = "payment-notice";

/// The kind of the mails with a link to choose a password. With it, anybody who may read the outbox could sign in as
/// somebody else, so the text is shown to nobody, cannot be sent to another address, and is deleted from the outbox
/// once it is sent.
pub const ACCOUNT_LINK: &str = "account-link";

/// The kind of the replies that a person wrote. All other mails are written by the program, and say so.
pub const REPLY: &str = "reply";

/// Why mails of a kind cannot be corrected or held back; `None` if they can.
fn protection(kind: &str) -> Option<&'static str> {
    match kind {
        OWNER_NOTICE => Some("This mail tells the owners that important settings were changed. It goes out as it is."),
        ACCOUNT_LINK => {
            Some("This mail has a link to choose a password. It goes out as it is, to the owner of the account.")
        }
        _ => None,
    }
}

/// Maximum length of the text of a mail, in characters.
const MAX_BODY_CHARS: usize = 50_000;

/// A mail of the outbox with all of its stored values.
#[derive(Clone, Debug, FromRow)]
pub struct StoredMail {
    /// Row id.
    pub id: i64,
    /// What it is about, for example `film-receipt`.
    pub kind: String,
    /// The recipient's name.
    pub to_name: String,
    /// The recipient's address.
    pub to_address: String,
    /// Where replies go; `None`: to the sender.
    pub reply_to_address: Option<String>,
    /// The subject.
    pub subject: String,
    /// The text, plain.
    pub body_text: String,
    /// When it was put into the outbox, as stored.
    pub created_at: String,
    /// When the next attempt is due, as stored.
    pub not_before: String,
    /// Number of attempts so far.
    pub attempts: i64,
    /// Why the last attempt failed; `None` before the first and after a success.
    pub last_error: Option<String>,
    /// 1 if somebody holds it back.
    pub is_held: i64,
    /// When it was sent, as stored.
    pub sent_at: Option<String>,
}

impl StoredMail {
    /// The mail as people may see it: without the text if that has a link to choose a password, and without the secrets of
    /// other links.
    pub(super) fn without_secrets(mut self) -> Self {
        if self.kind == ACCOUNT_LINK {
            "The text is not shown: it has a link to choose a password.".clone_into(&mut self.body_text);
        }
        self.body_text = text::without_keys(&self.body_text);
        self
    }

    /// Whether the mail can be corrected and held back while it is not sent.
    pub fn is_changeable(&self) -> bool {
        protection(&self.kind).is_none()
    }

    /// A hash of the recipient and the texts, in 32 hexadecimal digits: a correction names the version that its author
    /// saw.
    pub fn version(&self) -> String {
        let mut hash = Sha256::new();
        for text in [&self.to_name, &self.to_address, &self.subject, &self.body_text] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        HEXLOWER.encode(&hash.finalize()[..16])
    }
}

/// The new recipient and texts of a mail.
#[derive(Clone, Debug)]
pub struct Correction {
    /// The recipient's name.
    pub to_name: String,
    /// The recipient's address.
    pub to_address: String,
    /// The subject.
    pub subject: String,
    /// The text.
    pub body: String,
}

impl Correction {
    fn check(&self) -> Result<()> {
        let mut errors = Vec::new();
        if self.to_address.parse::<Address>().is_err() {
            errors.push(FieldError::new("to_address", "Write an e-mail address like name@example.org."));
        }
        if text::subject(&self.subject).is_empty() {
            errors.push(FieldError::new("subject", "Write a subject."));
        }
        if self.body.trim().is_empty() || self.body.chars().count() > MAX_BODY_CHARS {
            let message = format!("Write a text of at most {MAX_BODY_CHARS} characters.");
            errors.push(FieldError::new("body", message));
        }
        if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
    }
}

/// The outcome of an action on a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionOutcome {
    /// It was done.
    Done,
    /// The mail was sent already.
    AlreadySent,
    /// A server is sending the mail at this moment.
    Sending,
    /// There is no mail with this id.
    NotFound,
}

/// The mail with this id.
///
/// # Errors
/// If the database cannot be read.
pub async fn find(connection: &mut AnyConnection, id: i64) -> Result<Option<StoredMail>> {
    let mail: Option<StoredMail> = sqlx::query_as(
        "SELECT id, kind, to_name, to_address, reply_to_address, subject, body_text, created_at, not_before, \
         attempts, last_error, is_held, sent_at FROM outbox WHERE id = $1",
    )
    .bind(id)
    .fetch_optional(connection)
    .await?;
    Ok(mail.map(StoredMail::without_secrets))
}

/// Reserves an unsent mail for a change in this transaction; `None` if it is sent, being sent or does not exist.
///
/// # Errors
/// [`Error::Conflict`] if its kind is protected.
async fn find_for_update(write: &mut Write, now: Timestamp, id: i64) -> Result<Option<StoredMail>> {
    // Before the claim: the answer must not depend on whether a worker is at the mail.
    let kind: Option<String> = sqlx::query_scalar("SELECT kind FROM outbox WHERE id = $1 AND sent_at IS NULL")
        .bind(id)
        .fetch_optional(&mut **write)
        .await?;
    if let Some(message) = kind.as_deref().and_then(protection) {
        return Err(Error::Conflict(message.into()));
    }
    let reserved = sqlx::query(
        "UPDATE outbox SET claim = NULL WHERE id = $1 AND sent_at IS NULL AND (claim IS NULL OR not_before <= $2)",
    )
    .bind(id)
    .bind(timestamp_text(now))
    .execute(&mut **write)
    .await?;
    if reserved.rows_affected() == 0 { Ok(None) } else { find(write, id).await }
}

/// Corrects an unsent mail that still has the given [`StoredMail::version`]. It becomes due at once, with no attempts
/// counted and a new Message-ID.
///
/// # Errors
/// [`Error::Invalid`] if the correction is not a sendable mail, [`Error::Conflict`] if the mail has another version by
/// now or its kind is protected.
pub async fn correct(
    write: &mut Write,
    now: Timestamp,
    (id, version): (i64, &str),
    correction: &Correction,
) -> Result<ActionOutcome> {
    correction.check()?;
    let Some(mail) = find_for_update(write, now, id).await? else { return why_not_changeable(write, id).await };
    if mail.version() != version {
        return Err(Error::Conflict("Somebody else corrected this mail meanwhile. Read it again first.".into()));
    }
    let original: String =
        sqlx::query_scalar("SELECT body_text FROM outbox WHERE id = $1").bind(id).fetch_one(&mut **write).await?;
    sqlx::query(
        "UPDATE outbox SET to_name = $1, to_address = $2, subject = $3, body_text = $4, message_id = NULL, \
         attempts = 0, last_error = NULL, is_refused = 0, not_before = $5 WHERE id = $6",
    )
    .bind(text::name(&correction.to_name))
    .bind(text::body(&correction.to_address))
    .bind(text::subject(&correction.subject))
    .bind(text::with_keys(text::body(&correction.body), &original))
    .bind(timestamp_text(now))
    .bind(id)
    .execute(&mut **write)
    .await?;
    Ok(ActionOutcome::Done)
}

/// Holds an unsent mail back until somebody releases it.
///
/// # Errors
/// [`Error::Conflict`] if its kind is protected.
pub async fn hold(write: &mut Write, now: Timestamp, id: i64) -> Result<ActionOutcome> {
    if find_for_update(write, now, id).await?.is_none() {
        return why_not_changeable(write, id).await;
    }
    sqlx::query("UPDATE outbox SET is_held = 1 WHERE id = $1").bind(id).execute(&mut **write).await?;
    Ok(ActionOutcome::Done)
}

/// Holds every unsent mail back, and returns how many. For a restored database, whose original site sends them.
///
/// # Errors
/// If the database cannot be written.
pub async fn hold_all(db: &Db) -> Result<u64> {
    let mut write = db.write_private().await?;
    let held =
        sqlx::query("UPDATE outbox SET is_held = 1, claim = NULL WHERE sent_at IS NULL").execute(&mut *write).await?;
    write.commit().await?;
    Ok(held.rows_affected())
}

/// Makes every mail due that is held back, and returns how many.
///
/// # Errors
/// If the database cannot be written.
pub async fn release_all(db: &Db, now: Timestamp) -> Result<u64> {
    let mut write = db.write_private().await?;
    let released = sqlx::query("UPDATE outbox SET is_held = 0, not_before = $1 WHERE sent_at IS NULL AND is_held = 1")
        .bind(timestamp_text(now))
        .execute(&mut *write)
        .await?;
    write.commit().await?;
    Ok(released.rows_affected())
}

/// Makes an unsent mail due now, held back or not, with no attempts counted.
///
/// # Errors
/// If the database cannot be written.
pub async fn make_due(write: &mut Write, now: Timestamp, id: i64) -> Result<ActionOutcome> {
    let updated = sqlx::query(
        "UPDATE outbox SET not_before = $1, claim = NULL, attempts = 0, is_held = 0 \
         WHERE id = $2 AND sent_at IS NULL AND (claim IS NULL OR not_before <= $1)",
    )
    .bind(timestamp_text(now))
    .bind(id)
    .execute(&mut **write)
    .await?;
    if updated.rows_affected() > 0 {
        return Ok(ActionOutcome::Done);
    }
    why_not_changeable(write, id).await
}

/// Why a statement that changes unsent mails did not match this one.
async fn why_not_changeable(write: &mut Write, id: i64) -> Result<ActionOutcome> {
    let sent_at: Option<Option<String>> =
        sqlx::query_scalar("SELECT sent_at FROM outbox WHERE id = $1").bind(id).fetch_optional(&mut **write).await?;
    Ok(match sent_at {
        None => ActionOutcome::NotFound,
        Some(Some(_)) => ActionOutcome::AlreadySent,
        Some(None) => ActionOutcome::Sending,
    })
}

/// Makes every mail due that is neither sent, being sent nor held back, and returns how many.
///
/// # Errors
/// If the database cannot be written.
pub async fn make_all_due(write: &mut Write, now: Timestamp) -> Result<u64> {
    let updated = sqlx::query(
        "UPDATE outbox SET not_before = $1, claim = NULL, attempts = 0 \
         WHERE sent_at IS NULL AND is_held = 0 AND (claim IS NULL OR not_before <= $1)",
    )
    .bind(timestamp_text(now))
    .execute(&mut **write)
    .await?;
    Ok(updated.rows_affected())
}
