//! The outbox as organisers see it: what waits, why, and "try it again now".

use std::collections::BTreeMap;

use jiff::Timestamp;
use sqlx::{AnyConnection, FromRow};

use super::text::mask;
use festival_base::db::{Db, Write, timestamp_text};
use festival_base::error::Result;

/// Where a mail stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nobody has tried yet.
    Waiting,
    /// A server is sending it at this moment.
    Sending,
    /// An attempt failed; the next follows by itself.
    Delayed,
    /// The last attempt was refused for good. The next follows by itself, but somebody should look.
    Refused,
    /// Somebody holds it back.
    Held,
    /// The mail server has it.
    Sent,
}

impl State {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sending => "sending",
            Self::Delayed => "delayed",
            Self::Refused => "refused",
            Self::Held => "held",
            Self::Sent => "sent",
        }
    }
}

/// A mail without what is private in it.
#[derive(Debug)]
pub struct Summary {
    /// Row id.
    pub id: i64,
    /// What it is about.
    pub kind: String,
    /// The recipient's address, masked.
    pub to: String,
    /// When it was written, as it is stored.
    pub created_at: String,
    /// Where it stands.
    pub state: State,
    /// How often it was tried.
    pub attempts: i64,
    /// What the last failure was; none after a success.
    pub last_error: Option<String>,
}

/// What became of the wish to try a mail again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retried {
    /// It is due now.
    Due,
    /// It was sent already.
    Sent,
    /// A server is sending it at this moment.
    Sending,
    /// There is no mail with this id.
    Unknown,
}

#[derive(FromRow)]
struct Row {
    id: i64,
    kind: String,
    to_address: String,
    created_at: String,
    not_before: String,
    claim: Option<String>,
    attempts: i64,
    last_error: Option<String>,
    is_refused: i64,
    is_held: i64,
    sent_at: Option<String>,
}

impl Row {
    fn state(&self, now: &str) -> State {
        if self.sent_at.is_some() {
            State::Sent
        } else if self.claim.is_some() && self.not_before.as_str() > now {
            State::Sending
        } else if self.is_held != 0 {
            State::Held
        } else if self.is_refused != 0 {
            State::Refused
        } else if self.attempts > 0 {
            State::Delayed
        } else {
            State::Waiting
        }
    }

    fn summary(self, now: &str) -> Summary {
        Summary {
            state: self.state(now),
            to: mask(&self.to_address),
            id: self.id,
            kind: self.kind,
            created_at: self.created_at,
            attempts: self.attempts,
            last_error: self.last_error,
        }
    }
}

/// Mails with an id above `after`, in order, `limit` at most; without `all` only those that are not sent.
pub async fn list(db: &Db, now: Timestamp, all: bool, after: i64, limit: i64) -> Result<Vec<Summary>> {
    let mut connection = db.read().await?;
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT id, kind, to_address, created_at, not_before, claim, attempts, last_error, is_refused, is_held, \
         sent_at \
         FROM outbox WHERE id > $1 AND ($2 = 1 OR sent_at IS NULL) ORDER BY id LIMIT $3",
    )
    .bind(after)
    .bind(i64::from(all))
    .bind(limit)
    .fetch_all(&mut *connection)
    .await?;
    let now = timestamp_text(now);
    Ok(rows.into_iter().map(|row| row.summary(&now)).collect())
}

/// Which part of the outbox is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What goes out by itself.
    Waiting,
    /// What could not be sent so far.
    Failed,
    /// What somebody holds back.
    Held,
    /// What the mail server has.
    Sent,
}

impl Part {
    /// Every part, what needs somebody first.
    pub const ALL: [Self; 4] = [Self::Waiting, Self::Failed, Self::Held, Self::Sent];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Failed => "failed",
            Self::Held => "held",
            Self::Sent => "sent",
        }
    }

    /// The one called `name`.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }
}

/// The part that a row of the outbox belongs to, as SQL says it.
macro_rules! part {
    () => {
        "CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN is_held = 1 THEN 'held' \
         WHEN last_error IS NOT NULL THEN 'failed' ELSE 'waiting' END"
    };
}

/// The newest mails of a part with an id below `before` (0: any), `limit` at most.
pub async fn newest(
    connection: &mut AnyConnection,
    now: Timestamp,
    part: Part,
    before: i64,
    limit: i64,
) -> Result<Vec<Summary>> {
    let rows: Vec<Row> = sqlx::query_as(concat!(
        "SELECT id, kind, to_address, created_at, not_before, claim, attempts, last_error, is_refused, is_held, \
         sent_at FROM outbox WHERE ($1 = 0 OR id < $1) AND ",
        part!(),
        " = $2 ORDER BY id DESC LIMIT $3"
    ))
    .bind(before)
    .bind(part.name())
    .bind(limit)
    .fetch_all(connection)
    .await?;
    let now = timestamp_text(now);
    Ok(rows.into_iter().map(|row| row.summary(&now)).collect())
}

/// How many mails each part has.
pub async fn counts(connection: &mut AnyConnection) -> Result<BTreeMap<String, i64>> {
    let rows: Vec<(String, i64)> =
        sqlx::query_as(concat!("SELECT ", part!(), " AS part, count(*) FROM outbox GROUP BY part"))
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().collect())
}

/// Makes the mail due now, as if it had never been tried.
pub async fn retry(db: &Db, now: Timestamp, id: i64) -> Result<Retried> {
    let mut write = db.write_private().await?;
    let retried = make_due(&mut write, now, id).await?;
    if retried == Retried::Due {
        write.commit().await?;
    }
    Ok(retried)
}

/// The same in a transaction. What somebody held back is released.
pub async fn make_due(write: &mut Write, now: Timestamp, id: i64) -> Result<Retried> {
    let text = timestamp_text(now);
    let done = sqlx::query(
        "UPDATE outbox SET not_before = $1, claim = NULL, attempts = 0, is_held = 0 \
         WHERE id = $2 AND sent_at IS NULL AND (claim IS NULL OR not_before <= $1)",
    )
    .bind(&text)
    .bind(id)
    .execute(&mut **write)
    .await?;
    if done.rows_affected() > 0 {
        return Ok(Retried::Due);
    }
    why_not(write, id).await
}

/// Why nothing can be done about a mail that is not there to be changed.
pub(super) async fn why_not(write: &mut Write, id: i64) -> Result<Retried> {
    let sent: Option<Option<String>> =
        sqlx::query_scalar("SELECT sent_at FROM outbox WHERE id = $1").bind(id).fetch_optional(&mut **write).await?;
    Ok(match sent {
        None => Retried::Unknown,
        Some(Some(_)) => Retried::Sent,
        Some(None) => Retried::Sending,
    })
}

/// Makes every mail due that is neither sent, being sent nor held back, and answers how many.
pub async fn retry_all(db: &Db, now: Timestamp) -> Result<u64> {
    let mut write = db.write_private().await?;
    let count = make_all_due(&mut write, now).await?;
    write.commit().await?;
    Ok(count)
}

/// The same in a transaction.
pub async fn make_all_due(write: &mut Write, now: Timestamp) -> Result<u64> {
    let done = sqlx::query(
        "UPDATE outbox SET not_before = $1, claim = NULL, attempts = 0 \
         WHERE sent_at IS NULL AND is_held = 0 AND (claim IS NULL OR not_before <= $1)",
    )
    .bind(timestamp_text(now))
    .execute(&mut **write)
    .await?;
    Ok(done.rows_affected())
}
