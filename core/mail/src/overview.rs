//! Lists of the outbox for organisers and the command line: recipients are masked, texts left out.

use std::collections::BTreeMap;

use jiff::Timestamp;
use sqlx::{AnyConnection, FromRow};

use super::text::mask;
use festival_base::db::{Db, timestamp_text};
use festival_base::error::Result;

/// The state of one mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// No attempt was made yet.
    Waiting,
    /// A server is sending it at this moment.
    Sending,
    /// The last attempt failed; another follows automatically.
    Delayed,
    /// The last attempt failed for good. Another follows all the same, but somebody has to correct something.
    Refused,
    /// Somebody holds it back.
    Held,
    /// The mail server has it.
    Sent,
}

impl State {
    /// Its name in lists.
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

/// A mail in a list.
#[derive(Debug)]
pub struct Summary {
    /// Row id.
    pub id: i64,
    /// What it is about.
    pub kind: String,
    /// The recipient's address, masked.
    pub to: String,
    /// When it was put into the outbox, as stored.
    pub created_at: String,
    /// Its state.
    pub state: State,
    /// Number of attempts so far.
    pub attempts: i64,
    /// Why the last attempt failed; `None` before the first and after a success.
    pub last_error: Option<String>,
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

fn summaries(rows: Vec<Row>, now: Timestamp) -> Vec<Summary> {
    let now = timestamp_text(now);
    rows.into_iter().map(|row| row.summary(&now)).collect()
}

/// Up to `limit` mails with an id above `after`, the oldest first; without `all` only those that are not sent.
///
/// # Errors
/// If the database cannot be read.
pub async fn list(db: &Db, now: Timestamp, all: bool, after: i64, limit: i64) -> Result<Vec<Summary>> {
    let mut connection = db.read().await?;
    let rows = sqlx::query_as(
        "SELECT id, kind, to_address, created_at, not_before, claim, attempts, last_error, is_refused, is_held, \
         sent_at \
         FROM outbox WHERE id > $1 AND ($2 = 1 OR sent_at IS NULL) ORDER BY id LIMIT $3",
    )
    .bind(after)
    .bind(i64::from(all))
    .bind(limit)
    .fetch_all(&mut *connection)
    .await?;
    Ok(summaries(rows, now))
}

/// A filter of the list in the back office; every mail matches exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutboxFilter {
    /// Not sent, no attempt failed.
    Waiting,
    /// Not sent, the last attempt failed.
    Failed,
    /// Held back by somebody.
    Held,
    /// Sent.
    Sent,
}

impl OutboxFilter {
    /// Every filter, in the order of the tabs.
    pub const ALL: [Self; 4] = [Self::Waiting, Self::Failed, Self::Held, Self::Sent];

    /// Its name in addresses, and in the `CASE` of the SQL below.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Failed => "failed",
            Self::Held => "held",
            Self::Sent => "sent",
        }
    }

    /// The filter with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|filter| filter.name() == name)
    }
}

/// SQL for the name of the filter that a row matches.
macro_rules! filter_name {
    () => {
        "CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN is_held = 1 THEN 'held' \
         WHEN last_error IS NOT NULL THEN 'failed' ELSE 'waiting' END"
    };
}

/// Up to `limit` mails that match `filter` and have an id below `before` (0: any), the newest first.
///
/// # Errors
/// If the database cannot be read.
pub async fn newest(
    connection: &mut AnyConnection,
    now: Timestamp,
    filter: OutboxFilter,
    before: i64,
    limit: i64,
) -> Result<Vec<Summary>> {
    let rows = sqlx::query_as(concat!(
        "SELECT id, kind, to_address, created_at, not_before, claim, attempts, last_error, is_refused, is_held, \
         sent_at FROM outbox WHERE ($1 = 0 OR id < $1) AND ",
        filter_name!(),
        " = $2 ORDER BY id DESC LIMIT $3"
    ))
    .bind(before)
    .bind(filter.name())
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(summaries(rows, now))
}

/// The number of mails by the name of the filter that they match; filters without mails are left out.
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
