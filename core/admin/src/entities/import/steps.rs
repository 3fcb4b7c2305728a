//! The steps of an import: upload, preview, import.

use serde_json::json;

use super::form::ImportForm;
use super::page::{fingerprint, page, upload_page};
use super::staged::{ClaimResult, StagedTable, Ticket};
use super::table::{MAX_BYTES, edition_days, preview, read, readable, write};
use crate::audit::Entry;
use crate::back_office::{AdminRequest, Screen};
use crate::entities::paths::{home, imports};
use crate::identity::role::{Action, CONTENT};
use crate::serving::reply::Reply;
use festival_base::db;
use festival_base::error::{Error, FieldError, Result};
use festival_files::checks::AcceptedKinds;
use festival_files::upload::{AcceptedFile, Accepts};
use festival_records::entity::Entity;
use festival_records::importing::{self, Imported, Outcome, RowOutcome};

/// Makes `screen` accept a table.
pub(crate) fn accepting_table(screen: Screen) -> Screen {
    screen.accepts(Accepts {
        texts: vec!["edition".to_owned()],
        files: vec![AcceptedFile::new("table", AcceptedKinds::Table).max_bytes(MAX_BYTES as u64)],
        tolerate_errors: true,
        ..Accepts::default()
    })
}

pub(crate) async fn show(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let Some(ticket) = Ticket::parse(&request, entity, request.query.get("file")) else {
        if request.query.has("file") {
            return Ok(expired(entity));
        }
        return Ok(upload_page(&request, entity).await?.into());
    };
    let form = ImportForm::read(&request.query, entity, ticket);
    preview_page(&request, entity, form).await
}

/// Returns the page of a staged table: its columns and, if it can be read, what the import would do.
async fn preview_page(request: &AdminRequest, entity: &'static Entity, mut form: ImportForm) -> Result<Reply> {
    let Some(bytes) = form.staged.open(request).await? else { return Ok(expired(entity)) };
    form.options.days = edition_days(request, entity, &form.year).await?;
    let table = read(request, entity, &form, bytes, false).await?;
    // The form of the import then sends the choices of a saved mapping like all others.
    if let Ok(table) = &table {
        form.options.columns.clone_from(&table.columns);
        form.options.files.clone_from(&table.files);
    }
    let mut outcome = None;
    if let Some(reading) = readable(&table) {
        outcome = Some(preview(request, entity, &form, &reading).await?);
    }
    Ok(page(request, entity, &form, table, outcome).await?.into())
}

pub(crate) async fn receive(mut request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut errors = std::mem::take(&mut request.field_errors);
    let Some(staged) = request.files.remove("table") else {
        errors.push(FieldError::new("table", "Choose a file"));
        return Ok(upload_page(&request, entity).await?.refused(Error::Invalid(errors))?.into());
    };
    let StagedTable { ticket, name } = StagedTable::store(&request, entity, staged).await?;
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("file", &ticket.text())
        .append_pair("name", &name.chars().take(80).collect::<String>())
        .append_pair("edition", request.form.get("edition"))
        .finish();
    Ok(Reply::redirect(format!("{}/import?{query}", home(entity))).into())
}

pub(crate) async fn import(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let Some(ticket) = Ticket::parse(&request, entity, request.form.get("file")) else { return Ok(expired(entity)) };
    let mut form = ImportForm::read(&request.form, entity, ticket);
    // The choices are applied to the preview first.
    if request.form.has("check") {
        return preview_page(&request, entity, form).await;
    }
    let claim = match form.staged.claim(&request).await? {
        ClaimResult::Claimed(claim) => claim,
        ClaimResult::AlreadyClaimed => {
            let message =
                "This list has already been imported, or the import is still running. Nothing was imported twice.";
            return Ok(Reply::redirect(list_path(entity, &form.year)).problem(message).into());
        }
        ClaimResult::Expired => return Ok(expired(entity)),
    };
    form.options.days = edition_days(&request, entity, &form.year).await?;
    let table = read(&request, entity, &form, claim.content(), true).await?;
    if let Ok(table) = &table {
        form.options.files.clone_from(&table.files);
    }
    let Some(reading) = readable(&table) else {
        claim.release().await;
        return Ok(page(&request, entity, &form, table, None).await?.into());
    };
    let may_skip = request.form.get("skip") == "yes";
    let accept = |outcome: &Outcome| {
        fingerprint(outcome) == request.form.get("fingerprint")
            && (outcome.errors.is_empty() || may_skip)
            && outcome.open_questions().next().is_none()
    };
    let (outcome, mut write) = match write(&request, entity, &form, &reading, accept).await? {
        Imported::Written(outcome, write) => (outcome, write),
        Imported::Refused(outcome) => {
            claim.release().await;
            let message = "The data or your choices changed since this preview. Nothing was imported. The preview is now up to date.";
            let page = page(&request, entity, &form, table, Some(outcome)).await?;
            return Ok(page.refused(Error::Conflict(message.into()))?.into());
        }
    };
    let (new, changed) = (outcome.count(RowOutcome::New), outcome.count(RowOutcome::Changed));
    let done = json!({ "new": new, "changed": changed, "left_out": outcome.errors.len() });
    request.audit(&mut write, Entry::new("import", entity.table).after(done)).await?;
    let now = db::timestamp_text(request.site.clock.now());
    importing::save_mapping(&mut write, entity, &form.save_mapping, &reading.columns, &now).await?;
    write.commit().await?;
    claim.complete().await;
    let message = format!("List imported: {new} new, {changed} changed.");
    let redirect = Reply::redirect(list_path(entity, &form.year)).done(message);
    let may_undo = request.may(&CONTENT, Action::Delete);
    Ok(if may_undo { redirect.link(imports(entity), "Undo an import") } else { redirect }.into())
}

/// Returns the path of the list of the edition that was imported into.
fn list_path(entity: &Entity, year: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("edition", year).finish();
    if year.is_empty() { home(entity) } else { format!("{}?{query}", home(entity)) }
}

/// Redirects to the upload because the staged file no longer exists.
fn expired(entity: &Entity) -> Reply {
    let message = "The file is no longer available. It is kept for one hour after the upload. Choose it again.";
    Reply::redirect(format!("{}/import", home(entity))).problem(message).into()
}
