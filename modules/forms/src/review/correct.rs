//! Corrections of answers by the desk: a form with the texts as they stand. The history keeps what they were before.

use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Input, Page, Reply};
use festival_core::entity::{Field, trim};
use festival_core::submissions::{Changed, Submissions as _};
use festival_core::{Error, Result};
use serde_json::{Map, Value};

use super::events::{self, Event};
use crate::description::short_label;
use crate::offered::{OfferedSubmissions, may_correct};
use crate::role::may_see;
use crate::scope;
use crate::submissions::{Submission, SubmissionKind};

/// The address of the form, after that of the submission.
pub(super) const CORRECT: &str = "correct";

/// Handles `GET {id}/correct`.
pub(super) async fn show(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    Ok(page(&request, kind).await?.into())
}

/// Handles `POST {id}/correct`.
pub(super) async fn save(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let done = match correct(&request, kind).await {
        Ok(done) => done,
        Err(error) => return Ok(page(&request, kind).await?.refused(error)?.into()),
    };
    Ok(Reply::redirect(request.address(&format!("{}/{}", kind.list_path(), request.id()?), &[])).done(done).into())
}

/// The form, with what was entered in it.
async fn page(request: &AdminRequest, kind: &'static SubmissionKind) -> Result<Page> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let submission = scope::find(request, &mut connection, (kind, id)).await?;
    let version = version(&events::list(&mut connection, kind, id).await?);
    let input = |field: &'static Field| {
        let entered = request.form.has(field.name).then(|| request.form.get(field.name).to_owned());
        Input::of(field, entered.unwrap_or_else(|| submission.sent_text(field)))
    };
    let here = request.address(&format!("{}/{id}", kind.list_path()), &[]);
    let inputs = fields(request, &submission).map(input).chain([Input::hidden("version", version)]).collect::<Vec<_>>();
    Ok(Reply::page("confirmation", format!("Correct {}", submission.reference()))
        .shows_people(Entry::new("view", kind.entity.table).id(id))
        .crumb(submission.reference(), &here)
        .with("message", "What was sent stays in the history. The sender is not told.")
        .inputs(inputs)
        .with("action", request.address(&format!("{}/{id}/{CORRECT}", kind.list_path()), &[]))
        .with("button", "Save the corrections")
        .with("back", here))
}

/// The fields with an answer that the account may see and correct.
fn fields(request: &AdminRequest, submission: &Submission) -> impl Iterator<Item = &'static Field> {
    let may_correct = |field: &&Field| may_correct(field) && may_see(request, field);
    submission.kind.entity.columns().filter(may_correct).filter(|field| !submission.sent_text(field).is_empty())
}

/// The last entry of the history: notes and corrections count, too.
fn version(events: &[Event]) -> String {
    events.first().map_or(0, |event| event.id).to_string()
}

/// Stores what differs; returns the message about it.
///
/// # Errors
/// [`Error::Conflict`] if something happened to the submission since the form was opened; those of the texts.
async fn correct(request: &AdminRequest, kind: &'static SubmissionKind) -> Result<String> {
    let id = request.id()?;
    let who = &request.account()?.name;
    let mut write = request.write_private().await?;
    let submission = events::lock(&mut write, request, (kind, id)).await?;
    if request.form.get("version") != version(&events::list(&mut write, kind, id).await?) {
        let message = "Somebody wrote something about this submission while you had it open. Look at its history, then \
                       save the corrections again if they are still right.";
        return Err(Error::Conflict(message.into()));
    }
    let (mut before, mut after, mut labels) = (Map::new(), Map::new(), Vec::new());
    for field in fields(request, &submission).filter(|field| request.form.has(field.name)) {
        let entered = request.form.get(field.name).replace("\r\n", "\n");
        let (text, sent) = (trim(&entered), submission.sent_text(field));
        if text == sent {
            continue;
        }
        let change = Changed::Text(field, text);
        OfferedSubmissions(kind).change(&request.site, &mut write, id, change, who).await?;
        before.insert(field.name.to_owned(), sent.into());
        after.insert(field.name.to_owned(), text.into());
        labels.push(short_label(field));
    }
    if labels.is_empty() {
        return Ok("No changes to save.".to_owned());
    }
    let entry = Entry::new("correct", kind.entity.table).id(id).before(Value::Object(before));
    request.commit(write, entry.after(Value::Object(after))).await?;
    Ok(format!("{} corrected: {}.", submission.reference(), labels.join(", ")))
}
