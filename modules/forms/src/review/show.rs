//! The page of a submission: fields, files, payment, history, and the forms to decide about it.

use festival_core::admin::audit::Entry;
use festival_core::admin::collections::ListQuery;
use festival_core::admin::{Action, AdminRequest, Choice, Input, Page, Reply};
use festival_core::mail::Message;
use festival_core::{Result, time_text};
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::correct::CORRECT;
use super::list::SubmissionList;
use super::{events, payment, view};
use crate::description::{FILM_FORMS, SENDER};
use crate::mails::{MAX_ANSWER, SubmissionMails};
use crate::role::PEOPLE;
use crate::scope::{self, SECTIONS};
use crate::submissions::{Submission, SubmissionKind, UNCLASSIFIED, label_of, possible_duplicates, tone_of};

/// Handles `GET {id}`.
pub(super) async fn show(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let id = request.id()?;
    Ok(page(&request, kind, id).await?.into())
}

/// Returns the reply to a form of the page. `saved` has the message for success, or the error to show with the input.
///
/// Success redirects to the next submission of the list if that was requested, otherwise to the same one.
pub(super) async fn after_saving(
    request: &AdminRequest,
    kind: &'static SubmissionKind,
    id: i64,
    saved: Result<String>,
) -> Result<Reply> {
    let message = match saved {
        Ok(message) => message,
        Err(error) => return Ok(page(request, kind, id).await?.refused(error)?.into()),
    };
    let mut next = None;
    if request.form.get("then") == "next" {
        let mut connection = request.read().await?;
        let query = ListQuery::read(request, &mut connection, &SubmissionList { kind }).await?;
        next = query.select.neighbours(&mut connection, id).await?.0;
    }
    let target = request.address(&format!("{}/{}", kind.list_path(), next.unwrap_or(id)), &[]);
    Ok(Reply::redirect(target).done(message).into())
}

/// Returns the page with the input in its form, and the mail that would be sent.
pub(super) async fn with_preview(
    request: &AdminRequest,
    kind: &'static SubmissionKind,
    id: i64,
    message: &Message,
) -> Result<Page> {
    Ok(page(request, kind, id).await?.with("preview", message.preview()))
}

async fn page(request: &AdminRequest, kind: &'static SubmissionKind, id: i64) -> Result<Page> {
    // Before the connection below: waiting for a second one while holding one may deadlock.
    let panels = request.panels(kind.entity.table, id).await?;
    let mut connection = request.read().await?;
    let submission = scope::find(request, &mut connection, (kind, id)).await?;
    let query = ListQuery::read(request, &mut connection, &SubmissionList { kind }).await?;
    let (older, newer) = match submission.flag("is_quarantined") {
        // Lists leave out quarantined submissions, so this one has no neighbours.
        true => (None, None),
        false => query.select.neighbours(&mut connection, id).await?,
    };
    let duplicates = duplicates(request, &mut connection, &submission).await?;
    let events = events::list(&mut connection, kind, id).await?;
    let payment = if kind.has_payment() && request.may(&PEOPLE, Action::View) {
        Some(payment::summary(request, &mut connection, &submission).await?)
    } else {
        None
    };
    // Duplicates with the same payment are mentioned once, next to the proof.
    let is_beside_payment = |duplicate: &Value| {
        let same = payment.as_ref().and_then(|payment| payment["same"].as_array());
        same.is_some_and(|same| same.iter().any(|other| other["href"] == duplicate["href"]))
    };
    let is_said = !duplicates.is_empty() && duplicates.iter().all(is_beside_payment);
    let answer = answer_input(request, &submission);
    let list = kind.list_path();
    let link = |id: i64| request.address(&format!("{list}/{id}"), &[]);
    let title = if submission.title().is_empty() { submission.reference() } else { submission.title() };
    let status = submission.text("status");
    let version = events::version(&events);
    let may_edit = request.may(kind.resource, Action::Edit);
    // In quarantine it has to be decided first whether a person sent it.
    let may_decide = may_edit && !submission.flag("is_quarantined");
    let may_pay = payment.is_some() && request.may(&PEOPLE, Action::Edit);
    Ok(Reply::page("submission", title)
        .shows_people(Entry::new("view", kind.entity.table).id(id))
        .crumb(kind.list_title(), request.address(&list, &[]))
        .with("reference", submission.reference())
        .with("original", Some(submission.text("title_original")).filter(|text| !text.is_empty() && *text != title))
        .with("received", time_text::short(submission.text("created_at"), &request.site.time_zone))
        .with("consent", consent(request, &mut connection, &submission).await?)
        .with("status", label_of(kind.states, status))
        .with("tone", tone_of(kind.states, status))
        .with("remarks", view::remarks(request, &submission, (!is_said).then_some(&duplicates)))
        .with("sections", view::sections(request, &submission))
        .with("files", files(request, &submission, payment.is_some()))
        .with("money", payment)
        .with("panels", panels)
        .with("preview", Value::Null)
        .with("quarantined", submission.flag("is_quarantined"))
        .with("older", older.map(link))
        .with("newer", newer.map(link))
        .with("action", link(id))
        .with("answer_action", request.address(&format!("{list}/{id}/answer"), &[]))
        .with("quarantine_action", request.address(&format!("{list}/{id}/quarantine"), &[]))
        .with("correct", may_decide.then(|| request.address(&format!("{list}/{id}/{CORRECT}"), &[])))
        .with("version", version)
        .with("status_inputs", may_decide.then(|| status_inputs(request, &submission)))
        .with("payment_inputs", may_pay.then(|| payment::inputs(request, &submission)))
        .with("answer_inputs", answer.map(|answer| vec![answer]))
        .with("note_inputs", vec![note_input(request)])
        .with("may_edit", may_edit)
        .with("may_note", request.may(kind.resource, Action::Review))
        .with("events", history(request, &events)))
}

/// Returns the files, without the proof of the payment if that is shown with the payment.
fn files(request: &AdminRequest, submission: &Submission, without_proof: bool) -> Vec<Value> {
    let files = view::files(request, submission).into_iter();
    files.filter(|file| !(without_proof && file["field"] == payment::PROOF)).collect()
}

/// Returns when the sender consented, with the text of the notice.
async fn consent(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    submission: &Submission,
) -> Result<Option<Value>> {
    let (at, version) = (submission.text("consented_at"), submission.text("consent_notice"));
    if at.is_empty() {
        return Ok(None);
    }
    let text: Option<String> = sqlx::query_scalar("SELECT text FROM consent_notices WHERE version = $1")
        .bind(version.to_owned())
        .fetch_optional(connection)
        .await?;
    let paragraphs: Vec<&str> = text.iter().flat_map(|text| text.lines()).collect();
    let at = time_text::short(at, &request.site.time_zone);
    Ok(Some(json!({ "version": version, "at": at, "paragraphs": paragraphs })))
}

/// Returns the others that may be the same submission.
async fn duplicates(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    submission: &Submission,
) -> Result<Vec<Value>> {
    let kind = submission.kind;
    if !kind.has_files() {
        return Ok(Vec::new());
    }
    let scope = request.scope();
    let mut duplicates = Vec::new();
    for (id, reference) in possible_duplicates(connection, (kind, submission.id)).await? {
        if scope::contains(connection, &scope, (kind, id)).await? {
            duplicates.push(json!({ "href": format!("{}/{id}", kind.list_path()), "reference": reference }));
        }
    }
    Ok(duplicates)
}

fn status_inputs(request: &AdminRequest, submission: &Submission) -> Vec<Input> {
    let kind = submission.kind;
    let status = view::input_or_stored(request, submission, "status");
    let states = kind.states.iter().map(|state| Choice::new(state.key, state.label, &status));
    let mut inputs = vec![Input::choice("status", "Status", states.collect()).value(&status).required()];
    if kind.has_award() {
        let award =
            if request.form.has("award") { request.form.get("award") } else { submission.text("award_category") };
        let open = FILM_FORMS.iter().filter(|form| request.scope().allows(SECTIONS, form.key));
        let mut awards: Vec<Choice> = open.map(|form| Choice::new(form.key, form.award_name(), award)).collect();
        if award == UNCLASSIFIED {
            awards.insert(0, Choice::new(UNCLASSIFIED, "Not known", award));
        }
        inputs.push(Input::choice("award", "Award", awards).value(award).required());
    }
    inputs
}

/// Returns the input of an answer; `None` if the account cannot answer this submission.
fn answer_input(request: &AdminRequest, submission: &Submission) -> Option<Input> {
    let kind = submission.kind;
    let may_answer = kind.can_be_answered() && request.may(kind.resource, Action::Edit);
    if !may_answer || submission.flag("is_quarantined") || submission.text(kind.email_of(SENDER)).is_empty() {
        return None;
    }
    let text = match request.form.has("answer") {
        true => request.form.get("answer").to_owned(),
        false => format!("{}\n\n", SubmissionMails::greeting(submission)),
    };
    let hint = "Goes out as a mail, with the name of the festival and the message below it.";
    Some(Input { max: MAX_ANSWER, ..Input::new("lines", "answer", "Answer").hint(hint).value(text).required() })
}

fn note_input(request: &AdminRequest) -> Input {
    let input = Input::new("lines", "note", "Note");
    input.hint("For other organisers. The sender never sees it.").value(request.form.get("note"))
}

/// Returns the history that the account may see, newest first.
fn history(request: &AdminRequest, events: &[events::Event]) -> Vec<Value> {
    let seen_version: i64 = request.form.get("version").parse().unwrap_or(i64::MAX);
    let entry = |event: &events::Event| {
        let label = match event.kind.as_str() {
            "status" => "Status",
            "award" => "Award",
            "fee" => "Fee",
            "payment" => "Payment",
            "mail" => "Mail",
            "statement" => "Bank statement",
            "quarantine" => "Quarantine",
            events::CONTACT => "Correction",
            "note" if !event.before_text.is_empty() => "Correction",
            _ => "Note",
        };
        json!({
            "what": label,
            "before": event.before_text,
            "after": event.after_text,
            "who": event.who,
            "at": time_text::short(&event.at, &request.site.time_zone),
            "is_answer": event.kind == events::ANSWER,
            "is_new": event.id > seen_version,
        })
    };
    let may_see = |event: &&events::Event| {
        !matches!(event.kind.as_str(), "fee" | "payment" | "statement" | "mail" | events::CONTACT)
            || request.may(&PEOPLE, Action::View)
    };
    events.iter().filter(may_see).map(entry).collect()
}
