//! Answers to messages, written on the page of the message.

use std::slice;

use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Reply};
use festival_core::entity::trim;
use festival_core::{Error, FieldError, Result, mail};

use super::decision::Decision;
use super::{events, show};
use crate::decider::Decider;
use crate::description::SENDER;
use crate::mails::{MAX_ANSWER, SubmissionMails};
use crate::submissions::SubmissionKind;

/// Status of a message that was answered.
const ANSWERED: &str = "answered";

/// Handles `POST {id}/answer`.
pub(super) async fn send(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let id = request.id()?;
    let sent = enqueue(&request, kind, id).await;
    show::after_saving(&request, kind, id, sent).await
}

/// Puts the answer into the outbox and returns the message about it. The same answer from the same page is sent once,
/// however often the button is pressed.
///
/// # Errors
/// [`Error::Conflict`] if something was decided about the message, or somebody answered it, meanwhile.
async fn enqueue(request: &AdminRequest, kind: &'static SubmissionKind, id: i64) -> Result<String> {
    let invalid = |message: &str| Error::Invalid(vec![FieldError::new("answer", message)]);
    let input = trim(request.form.get("answer")).replace("\r\n", "\n");
    // Pages and mails show no control characters.
    let text: String = input.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    if text.chars().count() > MAX_ANSWER {
        return Err(invalid(&format!("An answer has at most {MAX_ANSWER} characters.")));
    }
    // Before the transaction: waiting for a second connection while holding one may deadlock.
    let settings = request.site.in_force().await?;
    let mut write = request.write_private().await?;
    let message = events::lock(&mut write, request, (kind, id)).await?;
    if text.is_empty() || text == SubmissionMails::greeting(&message) {
        return Err(invalid("Write an answer."));
    }
    if message.flag("is_quarantined") {
        return Err(Error::Conflict("This message is in quarantine. Release it first.".into()));
    }
    let reference = message.reference();
    let address = message.text(kind.email_of(SENDER));
    let done = format!("{reference}: the answer is on its way to {address}.");
    let version = request.form.get("version");
    let seen: i64 = version.parse().unwrap_or(i64::MAX);
    let decider = Decider::of(request)?;
    let history = events::list(&mut write, kind, id).await?;
    let is_same = |event: &events::Event| event.kind == events::ANSWER && event.id > seen && event.after_text == text;
    if history.iter().any(|event| is_same(event) && event.who == decider.name) {
        return Ok(done);
    }
    if let Some(conflict) = events::conflict(&mut write, &message, version).await? {
        return Err(conflict);
    }
    if address.is_empty() {
        return Err(invalid("The sender gave no e-mail address."));
    }
    let mails = SubmissionMails::about(&request.site, &settings, &mut write, &message).await?;
    mail::enqueue(&mut write, &mails.answer(&text)?).await?;
    if let Some(answered) = kind.states.iter().find(|state| state.key == ANSWERED) {
        let decision = Decision::Status(*answered);
        decision.apply(&mut write, &decider, slice::from_ref(&message)).await?;
    }
    events::add(&mut write, &decider, &message, events::ANSWER, &text).await?;
    request.commit(write, Entry::new("answer", kind.entity.table).id(id)).await?;
    Ok(done)
}
