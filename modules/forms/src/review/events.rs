//! The history of a submission: statuses, awards, fees, payments, bank statements, answers, quarantine, notes.
//!
//! A decision refers to the version of the history that its page showed, and is refused if there is a newer one.

use festival_core::admin::AdminRequest;
use festival_core::db::{Datum, Write, insert_rows, timestamp_text, update_rows};
use festival_core::{Error, Result};
use sqlx::{AnyConnection, AssertSqlSafe, FromRow};

use crate::decider::Decider;
use crate::scope;
use crate::submissions::{Submission, SubmissionKind};

/// The kind of an answer in the history.
pub(super) const ANSWER: &str = "answer";
/// The kind of a corrected contact detail, which not everybody may see.
pub(crate) const CONTACT: &str = "contact";

/// An entry of the history.
#[derive(Debug, FromRow)]
pub(crate) struct Event {
    pub(super) id: i64,
    /// `status`, `award`, `fee`, `payment`, `statement`, `mail`, `answer`, `quarantine`, `contact` or `note`.
    pub(crate) kind: String,
    /// The label of the former value; "" for an answer or a note.
    pub(crate) before_text: String,
    /// The label of the new value, or the text of an answer or a note.
    pub(crate) after_text: String,
    pub(super) who: String,
    pub(crate) at: String,
}

/// Returns the history of a submission, newest first.
pub(crate) async fn list(connection: &mut AnyConnection, kind: &SubmissionKind, id: i64) -> Result<Vec<Event>> {
    let sql = format!(
        "SELECT id, kind, before_text, after_text, who, at FROM submission_events WHERE {} = $1 ORDER BY id DESC",
        kind.owner_column
    );
    Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_all(connection).await?)
}

fn last_decision(events: &[Event]) -> Option<&Event> {
    events.iter().find(|event| !["note", CONTACT].contains(&event.kind.as_str()))
}

/// Returns the version of a submission: the id of its last event that is neither a note nor a correction, or 0.
pub(super) fn version(events: &[Event]) -> i64 {
    last_decision(events).map_or(0, |event| event.id)
}

/// An entry to be added to the history of a submission.
pub(crate) struct NewEvent {
    /// The id of the submission.
    pub(crate) id: i64,
    pub(crate) kind: &'static str,
    pub(crate) before: String,
    pub(crate) after: String,
}

impl NewEvent {
    /// An entry without a former value.
    pub(crate) fn new(id: i64, kind: &'static str, after: impl Into<String>) -> Self {
        Self { id, kind, before: String::new(), after: after.into() }
    }
}

/// Adds an entry of the kind `event` to the history.
pub(super) async fn add(
    write: &mut Write,
    decider: &Decider,
    submission: &Submission,
    event: &'static str,
    after: &str,
) -> Result<()> {
    add_all(write, decider, submission.kind, vec![NewEvent::new(submission.id, event, after)]).await
}

/// Adds entries to the histories of submissions of one kind.
pub(crate) async fn add_all(
    write: &mut Write,
    decider: &Decider,
    kind: &SubmissionKind,
    events: Vec<NewEvent>,
) -> Result<()> {
    // A number that is missing cannot be bound.
    let mut columns = vec![kind.owner_column, "kind", "before_text", "after_text", "who", "at"];
    columns.extend(decider.account.map(|_| "account_id"));
    let at = timestamp_text(decider.now);
    let row = |event: NewEvent| {
        let mut row = vec![
            Datum::Integer(event.id),
            Datum::Text(event.kind.to_owned()),
            Datum::Text(event.before),
            Datum::Text(event.after),
            Datum::Text(decider.name.clone()),
            Datum::Text(at.clone()),
        ];
        row.extend(decider.account.map(Datum::Integer));
        row
    };
    let rows: Vec<_> = events.into_iter().map(row).collect();
    insert_rows(write, "submission_events", &columns, &rows).await
}

/// Locks a submission until the transaction ends, and returns it.
///
/// # Errors
/// 404 if the account may not see it; the transaction must not be committed then.
pub(super) async fn lock(
    write: &mut Write,
    request: &AdminRequest,
    (kind, id): (&'static SubmissionKind, i64),
) -> Result<Submission> {
    let now = Datum::Text(timestamp_text(request.now()));
    update_rows(write, kind.entity.table, &[("updated_at", now)], &[id]).await?;
    scope::find(request, write, (kind, id)).await
}

/// Returns the error that refuses a decision about a locked submission if another was made after `version`, which its
/// page showed.
pub(super) async fn conflict(write: &mut Write, submission: &Submission, version: &str) -> Result<Option<Error>> {
    let events = list(write, submission.kind, submission.id).await?;
    if version == self::version(&events).to_string() {
        return Ok(None);
    }
    let who = last_decision(&events).map_or("Somebody", |event| event.who.as_str());
    Ok(Some(Error::Conflict(format!(
        "{who} decided something about this while you had it open. The history below shows what. What you chose still \
         stands in the form: look at it again, and save it if it is still right."
    ))))
}
