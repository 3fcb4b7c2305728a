//! Decisions about a submission: its status, its award, and notes about it.

use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Reply};
use festival_core::db::Write;
use festival_core::entity::trim;
use festival_core::{Error, FieldError, Result};
use serde_json::json;

use super::scope::SECTIONS;
use super::{events, show};
use crate::description::{FILM_FORMS, Form};
use crate::submissions::{State, Submission, SubmissionKind, UNCLASSIFIED, label_of};

/// Longest note, in characters.
const MAX_NOTE: usize = 4_000;

/// Handles `POST {id}/status`, which also sets the award of a film.
pub(super) async fn set_status(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let id = request.id()?;
    let saved = save(&request, kind, id).await.map(|reference| format!("{reference} is saved."));
    show::after_saving(&request, kind, id, saved).await
}

async fn save(request: &AdminRequest, kind: &'static SubmissionKind, id: i64) -> Result<String> {
    let status = parse_status(kind, request.form.get("status"))?;
    let mut write = request.write_private().await?;
    let submission = events::lock_version(&mut write, request, (kind, id), request.form.get("mark")).await?;
    let mut is_changed = update_status(&mut write, request, &submission, status).await?;
    let award = request.form.get("award");
    if kind.has_award() && award != submission.text("award_category") {
        let award = FILM_FORMS
            .into_iter()
            .find(|form| form.key == award && request.scope().allows(SECTIONS, form.key))
            .ok_or_else(|| {
                Error::Invalid(vec![FieldError::new("award", "Choose the award that the film is submitted for.")])
            })?;
        update_award(&mut write, request, &submission, award).await?;
        is_changed = true;
    }
    if is_changed {
        write.commit().await?;
    }
    Ok(submission.reference().to_owned())
}

/// Returns the status that was chosen in a form.
pub(super) fn parse_status(kind: &SubmissionKind, key: &str) -> Result<State> {
    let invalid = || Error::Invalid(vec![FieldError::new("status", "Choose one of the statuses.")]);
    kind.states.iter().find(|state| state.key == key).copied().ok_or_else(invalid)
}

/// Sets the status of a locked submission; `false` if it has it already.
pub(super) async fn update_status(
    write: &mut Write,
    request: &AdminRequest,
    submission: &Submission,
    status: State,
) -> Result<bool> {
    let (kind, before) = (submission.kind, submission.text("status"));
    if before == status.key {
        return Ok(false);
    }
    sqlx::query(kind.statements.set_status).bind(status.key).bind(submission.id).execute(&mut **write).await?;
    let label = label_of(kind.states, before);
    events::add(write, request, submission, "status", (&label, status.label)).await?;
    let entry = Entry::new("set status", kind.entity.table).id(submission.id);
    request.audit(write, entry.before(json!({ "status": before })).after(json!({ "status": status.key }))).await?;
    Ok(true)
}

async fn update_award(write: &mut Write, request: &AdminRequest, submission: &Submission, award: &Form) -> Result<()> {
    // "desk": the award was chosen by an organiser.
    sqlx::query("UPDATE film_submissions SET award_category = $1, category_source = 'desk' WHERE id = $2")
        .bind(award.key)
        .bind(submission.id)
        .execute(&mut **write)
        .await?;
    let before = submission.text("award_category");
    let label = match before {
        UNCLASSIFIED => "Not known",
        key => Form::find(key).map_or("", Form::award_name),
    };
    events::add(write, request, submission, "award", (label, award.award_name())).await?;
    let entry = Entry::new("set award", submission.kind.entity.table).id(submission.id);
    request.audit(write, entry.before(json!({ "award": before })).after(json!({ "award": award.key }))).await
}

/// Handles `POST {id}/note`.
pub(super) async fn add_note(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let id = request.id()?;
    let saved = save_note(&request, kind, id).await.map(|()| "Note added.".to_owned());
    show::after_saving(&request, kind, id, saved).await
}

async fn save_note(request: &AdminRequest, kind: &'static SubmissionKind, id: i64) -> Result<()> {
    let text = trim(request.form.get("note"));
    let invalid = |message: String| Err(Error::Invalid(vec![FieldError::new("note", message)]));
    if text.is_empty() {
        return invalid("Write the note first.".to_owned());
    }
    if text.chars().count() > MAX_NOTE {
        return invalid(format!("A note has at most {MAX_NOTE} characters."));
    }
    // Pages cannot show control characters.
    let text: String =
        text.replace("\r\n", "\n").chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    let mut write = request.write_private().await?;
    let submission = show::find(request, &mut write, (kind, id)).await?;
    events::add(&mut write, request, &submission, "note", ("", &text)).await?;
    request.audit(&mut write, Entry::new("note", kind.entity.table).id(id)).await?;
    write.commit().await
}
