//! What is decided about a submission: its status, its award; and notes about it.

use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Reply};
use festival_core::db::Write;
use festival_core::entity::trim;
use festival_core::{Error, FieldError, Result};
use serde_json::json;

use super::scope::SECTIONS;
use super::{events, list_query, show};
use crate::description::{FILM_FORMS, Form};
use crate::submissions::{Kind, State, label_of};
use crate::submit::tables;

/// The longest note, in characters.
const LONGEST_NOTE: usize = 4_000;

pub(super) async fn set_status(request: AdminRequest, kind: &'static Kind) -> Result<Reply> {
    let id = request.id()?;
    match save(&request, kind, id).await {
        Ok(reference) => {
            let words = format!("{reference} is saved.");
            Ok(Reply::redirect(show::onward(&request, kind, id).await?).done(words).into())
        }
        Err(error) => show::refused(&request, kind, id, error).await,
    }
}

async fn save(request: &AdminRequest, kind: &'static Kind, id: i64) -> Result<String> {
    let status = state(kind, request.form.get("status"))?;
    let mut write = request.write_private().await?;
    events::lock_as_seen(&mut write, request, (kind, id), request.form.get("mark")).await?;
    let select = show::select(&mut write, &request.scope(), (kind, id)).await?;
    let submission = show::find(request, &mut write, kind, &select).await?;
    let mut changed = change(&mut write, request, (kind, id), submission.text("status"), status).await?;
    let award = request.form.get("award");
    if kind.has_award() && award != submission.text("award_category") {
        let award = FILM_FORMS
            .into_iter()
            .find(|form| form.key == award && request.scope().allows(SECTIONS, form.key))
            .ok_or_else(|| {
                Error::Invalid(vec![FieldError::new("award", "Choose the award that the film is submitted for.")])
            })?;
        set_award(&mut write, request, (kind, id), submission.text("award_category"), award).await?;
        changed = true;
    }
    if changed {
        write.commit().await?;
    }
    Ok(submission.text("reference").to_owned())
}

/// The state that was chosen.
pub(super) fn state(kind: &Kind, key: &str) -> Result<State> {
    let wrong = || Error::Invalid(vec![FieldError::new("status", "Choose one of the states.")]);
    kind.states.iter().find(|state| state.key == key).copied().ok_or_else(wrong)
}

/// Gives a submission that was taken another status; `false` where it had it.
pub(super) async fn change(
    write: &mut Write,
    request: &AdminRequest,
    (kind, id): (&Kind, i64),
    before: &str,
    status: State,
) -> Result<bool> {
    if before == status.key {
        return Ok(false);
    }
    sqlx::query(tables::of(kind.entity)?.set_status).bind(status.key).bind(id).execute(&mut **write).await?;
    let words = label_of(kind.states, before);
    events::add(write, request, (kind, id), "status", (&words, status.label)).await?;
    let entry = Entry::new("set status", kind.entity.table).id(id);
    request.audit(write, entry.before(json!({ "status": before })).after(json!({ "status": status.key }))).await?;
    Ok(true)
}

async fn set_award(
    write: &mut Write,
    request: &AdminRequest,
    (kind, id): (&Kind, i64),
    before: &str,
    award: &Form,
) -> Result<()> {
    // From now on it is known from a person.
    sqlx::query("UPDATE film_submissions SET award_category = $1, category_source = 'desk' WHERE id = $2")
        .bind(award.key)
        .bind(id)
        .execute(&mut **write)
        .await?;
    let words = match before {
        list_query::UNCLASSIFIED => "Not known",
        known => Form::of(known).map_or("", Form::award_name),
    };
    events::add(write, request, (kind, id), "award", (words, award.award_name())).await?;
    let entry = Entry::new("set award", kind.entity.table).id(id);
    request.audit(write, entry.before(json!({ "award": before })).after(json!({ "award": award.key }))).await
}

pub(super) async fn add_note(request: AdminRequest, kind: &'static Kind) -> Result<Reply> {
    let id = request.id()?;
    match note(&request, kind, id).await {
        Ok(()) => Ok(Reply::redirect(show::onward(&request, kind, id).await?).done("The note is kept.").into()),
        Err(error) => show::refused(&request, kind, id, error).await,
    }
}

async fn note(request: &AdminRequest, kind: &'static Kind, id: i64) -> Result<()> {
    let text = trim(request.form.get("note"));
    let wrong = |words: String| Err(Error::Invalid(vec![FieldError::new("note", words)]));
    if text.is_empty() {
        return wrong("Write the note first.".to_owned());
    }
    if text.chars().count() > LONGEST_NOTE {
        return wrong(format!("A note has at most {LONGEST_NOTE} characters."));
    }
    // No character that a page could not show.
    let text: String =
        text.replace("\r\n", "\n").chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    let mut write = request.write_private().await?;
    let select = show::select(&mut write, &request.scope(), (kind, id)).await?;
    show::find(request, &mut write, kind, &select).await?;
    events::add(&mut write, request, (kind, id), "note", ("", &text)).await?;
    request.audit(&mut write, Entry::new("note", kind.entity.table).id(id)).await?;
    write.commit().await
}
