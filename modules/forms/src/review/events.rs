//! The history of a submission: statuses, awards, payments, quarantine, notes.
//!
//! A decision refers to the version of the history that its page showed, and is refused if there is a newer one.

use festival_core::admin::AdminRequest;
use festival_core::db::{Write, timestamp_text};
use festival_core::{Error, Result};
use sqlx::{AnyConnection, FromRow};

use super::show;
use crate::submissions::{Submission, SubmissionKind};

/// An entry of the history.
#[derive(Debug, FromRow)]
pub(super) struct Event {
    pub(super) id: i64,
    /// `status`, `award`, `payment`, `quarantine` or `note`.
    pub(super) kind: String,
    /// The label of the former value; "" for a note.
    pub(super) before_text: String,
    /// The label of the new value, or the text of a note.
    pub(super) after_text: String,
    pub(super) who: String,
    pub(super) at: String,
}

/// Returns the history of a submission, newest first.
pub(super) async fn list(connection: &mut AnyConnection, kind: &SubmissionKind, id: i64) -> Result<Vec<Event>> {
    Ok(sqlx::query_as(kind.statements.list_events).bind(id).fetch_all(connection).await?)
}

fn last_decision(events: &[Event]) -> Option<&Event> {
    events.iter().find(|event| event.kind != "note")
}

/// Returns the version of a submission: the id of its last event that is not a note, or 0.
pub(super) fn version(events: &[Event]) -> i64 {
    last_decision(events).map_or(0, |event| event.id)
}

/// Adds an entry of the kind `event` to the history.
pub(super) async fn add(
    write: &mut Write,
    request: &AdminRequest,
    submission: &Submission,
    event: &'static str,
    (before, after): (&str, &str),
) -> Result<()> {
    let account = request.account()?;
    sqlx::query(submission.kind.statements.insert_event)
        .bind(submission.id)
        .bind(event)
        .bind(before.to_owned())
        .bind(after.to_owned())
        .bind(account.id)
        .bind(account.name.clone())
        .bind(timestamp_text(request.now()))
        .execute(&mut **write)
        .await?;
    Ok(())
}

/// Locks a submission until the transaction ends, and returns it.
///
/// # Errors
/// 404 if it is not there for the account; the transaction must not be committed then.
pub(super) async fn lock(
    write: &mut Write,
    request: &AdminRequest,
    (kind, id): (&'static SubmissionKind, i64),
) -> Result<Submission> {
    sqlx::query(kind.statements.lock).bind(timestamp_text(request.now())).bind(id).execute(&mut **write).await?;
    show::find(request, write, (kind, id)).await
}

/// Locks a submission as [`lock`] does, if it still has the `version` that a page showed.
///
/// # Errors
/// [`Error::Conflict`] if something was decided since, and those of [`lock`].
pub(super) async fn lock_version(
    write: &mut Write,
    request: &AdminRequest,
    (kind, id): (&'static SubmissionKind, i64),
    version: &str,
) -> Result<Submission> {
    let submission = lock(write, request, (kind, id)).await?;
    let events = list(write, kind, id).await?;
    if version == self::version(&events).to_string() {
        return Ok(submission);
    }
    let who = last_decision(&events).map_or("Somebody", |event| event.who.as_str());
    Err(Error::Conflict(format!(
        "{who} decided something about this while you had it open. The history below shows what. What you chose still \
         stands in the form: look at it again, and save it if it is still right."
    )))
}
