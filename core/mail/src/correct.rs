//! A mail that is not sent yet, read and corrected by a person: a wrong address, a wrong word.

use jiff::Timestamp;
use lettre::Address;
use sha2::{Digest as _, Sha256};
use sqlx::{AnyConnection, FromRow};

use super::overview::{Retried, why_not};
use super::text;
use festival_base::db::{Db, Write, timestamp_text};
use festival_base::error::{Error, FieldError, Result};

/// The mails that nobody holds back or changes: whoever changes where money goes cannot keep it from the owners.
pub const WATCHING: &str = "payment-notice";

/// The longest text of a mail, in characters.
const LONGEST_BODY: usize = 50_000;

/// A mail with all that is in it.
#[derive(Clone, Debug, FromRow)]
pub struct Whole {
    /// Row id.
    pub id: i64,
    /// What it is about.
    pub kind: String,
    /// The recipient's name.
    pub to_name: String,
    /// The recipient's address.
    pub to_address: String,
    /// Where answers go; none: to whom the mail comes from.
    pub reply_to_address: Option<String>,
    /// The subject.
    pub subject: String,
    /// The text, plain.
    pub body_text: String,
    /// When it was written, as stored.
    pub created_at: String,
    /// When it is tried next, as stored.
    pub not_before: String,
    /// How often it was tried.
    pub attempts: i64,
    /// What the last failure was; none after a success.
    pub last_error: Option<String>,
    /// 1: somebody holds it back.
    pub is_held: i64,
    /// When the mail server took it, as stored.
    pub sent_at: Option<String>,
}

impl Whole {
    /// What tells its words from any others: whoever corrects a mail says what they saw.
    pub fn mark(&self) -> String {
        let mut hash = Sha256::new();
        for part in [&self.to_name, &self.to_address, &self.subject, &self.body_text] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What a person makes of a mail.
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
        let mut wrong = Vec::new();
        if self.to_address.parse::<Address>().is_err() {
            wrong.push(FieldError::new("to_address", "Write an e-mail address like name@example.org."));
        }
        if text::subject(&self.subject).is_empty() {
            wrong.push(FieldError::new("subject", "Write a subject."));
        }
        if self.body.trim().is_empty() || self.body.chars().count() > LONGEST_BODY {
            let words = format!("Write a text of at most {LONGEST_BODY} characters.");
            wrong.push(FieldError::new("body", words));
        }
        if wrong.is_empty() { Ok(()) } else { Err(Error::Invalid(wrong)) }
    }
}

/// The mail with this id.
pub async fn find(connection: &mut AnyConnection, id: i64) -> Result<Option<Whole>> {
    Ok(sqlx::query_as(
        "SELECT id, kind, to_name, to_address, reply_to_address, subject, body_text, created_at, not_before, \
         attempts, last_error, is_held, sent_at FROM outbox WHERE id = $1",
    )
    .bind(id)
    .fetch_optional(connection)
    .await?)
}

/// Takes an unsent mail that nobody is sending for a change; `None` where there is none to take.
///
/// [`Error::Conflict`]: it watches over those who could change it.
async fn take(write: &mut Write, now: Timestamp, id: i64) -> Result<Option<Whole>> {
    let taken = sqlx::query(
        "UPDATE outbox SET claim = NULL WHERE id = $1 AND sent_at IS NULL AND (claim IS NULL OR not_before <= $2)",
    )
    .bind(id)
    .bind(timestamp_text(now))
    .execute(&mut **write)
    .await?;
    if taken.rows_affected() == 0 {
        return Ok(None);
    }
    let mail = find(write, id).await?;
    if mail.as_ref().is_some_and(|mail| mail.kind == WATCHING) {
        let words = "This mail tells the owners that the payment details were changed. It goes out as it is.";
        return Err(Error::Conflict(words.into()));
    }
    Ok(mail)
}

/// Writes a correction over an unsent mail; `mark` is that of the mail as it was seen. It is another mail then, and is
/// tried from the beginning. Answers why not, where it was sent or is being sent.
pub async fn correct(
    write: &mut Write,
    now: Timestamp,
    (id, mark): (i64, &str),
    correction: &Correction,
) -> Result<Retried> {
    correction.check()?;
    let Some(mail) = take(write, now, id).await? else { return why_not(write, id).await };
    if mail.mark() != mark {
        return Err(Error::Conflict("Somebody else corrected this mail meanwhile. Read it again first.".into()));
    }
    sqlx::query(
        "UPDATE outbox SET to_name = $1, to_address = $2, subject = $3, body_text = $4, message_id = NULL, \
         attempts = 0, last_error = NULL, is_refused = 0, not_before = $5 WHERE id = $6",
    )
    .bind(text::name(&correction.to_name))
    .bind(text::body(&correction.to_address))
    .bind(text::subject(&correction.subject))
    .bind(text::body(&correction.body))
    .bind(timestamp_text(now))
    .bind(id)
    .execute(&mut **write)
    .await?;
    Ok(Retried::Due)
}

/// Holds an unsent mail back until somebody releases it. Answers why not, where it was sent or is being sent.
pub async fn hold(write: &mut Write, now: Timestamp, id: i64) -> Result<Retried> {
    if take(write, now, id).await?.is_none() {
        return why_not(write, id).await;
    }
    sqlx::query("UPDATE outbox SET is_held = 1 WHERE id = $1").bind(id).execute(&mut **write).await?;
    Ok(Retried::Due)
}

/// Holds back every mail that is not sent, and answers how many: the database is a copy whose original sends them.
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

/// Releases every mail that is held back, and answers how many: they are due now.
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
