//! What was decided and noted about a submission, line by line. A decision is made on what its page showed: whoever
//! decides says which line was the last then, and is told where there is a newer one.

use festival_core::admin::{AdminRequest, nothing_here};
use festival_core::db::{Write, timestamp_text};
use festival_core::{Error, Result};
use sqlx::{AnyConnection, FromRow};

use super::show;
use crate::submissions::Kind;
use crate::submit::tables;

/// A line.
#[derive(Debug, FromRow)]
pub(super) struct Event {
    pub(super) id: i64,
    /// `status`, `award`, `payment`, `quarantine` or `note`.
    pub(super) kind: String,
    /// In words for people; of a note only the second.
    pub(super) before_text: String,
    pub(super) after_text: String,
    pub(super) who: String,
    pub(super) at: String,
}

/// All lines of a submission, the newest first.
pub(super) async fn list(connection: &mut AnyConnection, kind: &Kind, id: i64) -> Result<Vec<Event>> {
    Ok(sqlx::query_as(tables::of(kind.entity)?.events).bind(id).fetch_all(connection).await?)
}

/// What tells the present state from any other: the last line that is no note.
pub(super) fn mark(events: &[Event]) -> i64 {
    events.iter().find(|event| event.kind != "note").map_or(0, |event| event.id)
}

/// Writes a line.
pub(super) async fn add(
    write: &mut Write,
    request: &AdminRequest,
    (kind, id): (&Kind, i64),
    what: &'static str,
    (before, after): (&str, &str),
) -> Result<()> {
    let account = request.account()?;
    sqlx::query(tables::of(kind.entity)?.insert_event)
        .bind(id)
        .bind(what)
        .bind(before.to_owned())
        .bind(after.to_owned())
        .bind(account.id)
        .bind(account.name.clone())
        .bind(timestamp_text(request.now()))
        .execute(&mut **write)
        .await?;
    Ok(())
}

/// Takes a submission for a change and answers its status: from here on others wait their turn. What is not there for
/// whoever asks is not taken.
pub(super) async fn lock(write: &mut Write, request: &AdminRequest, (kind, id): (&Kind, i64)) -> Result<String> {
    let select = show::select(write, &request.scope(), (kind, id)).await?;
    show::find(request, write, kind, &select).await?;
    let status = sqlx::query_scalar(tables::of(kind.entity)?.take)
        .bind(timestamp_text(request.now()))
        .bind(id)
        .fetch_optional(&mut **write)
        .await?;
    status.ok_or_else(nothing_here)
}

/// The same, where nobody decided anything since a page with the mark `seen` was opened.
pub(super) async fn lock_as_seen(
    write: &mut Write,
    request: &AdminRequest,
    (kind, id): (&Kind, i64),
    seen: &str,
) -> Result<String> {
    let status = lock(write, request, (kind, id)).await?;
    let events = list(write, kind, id).await?;
    if seen == mark(&events).to_string() {
        return Ok(status);
    }
    let who = events.iter().find(|event| event.kind != "note").map_or("Somebody", |event| event.who.as_str());
    Err(Error::Conflict(format!(
        "{who} decided something about this while you had it open. The history below shows what. What you chose still \
         stands in the form: look at it again, and save it if it is still right."
    )))
}
