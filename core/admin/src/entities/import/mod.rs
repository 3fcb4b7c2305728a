//! A table that comes in: chosen, read and shown line by line, then brought in with one click.
//!
//! Between the two steps the file waits in the private store, for an hour, for the session that sent it. What is
//! shown is planned and not written; what is done is planned again, and written only if it still is what was shown. The click that does it takes the file away first: a second one finds that it is taken.

mod form;
mod page;
mod table;
pub(crate) mod waiting;

use serde_json::json;

use self::form::ImportForm;
use self::page::{mark, page, upload};
use self::table::{read, readable, rehearse, write};
use self::waiting::{Claimed, Ticket, Waiting};
use super::home;
use crate::audit::Entry;
use crate::reply::Reply;
use crate::request::AdminRequest;
use crate::screen::Screen;
use crate::token;
use festival_base::error::{Error, FieldError, Result};
use festival_files::checks::AcceptedKinds;
use festival_files::upload::{AcceptedFile, Accepts};
use festival_records::entity::Entity;
use festival_records::importing::{Imported, Outcome, RowOutcome};

/// The largest table, in bytes, and its most rows. Longer lists are for the command line.
const LARGEST: usize = 20 << 20;
const MOST_ROWS: usize = 10_000;
/// The kinds of files that can be chosen.
const ACCEPT: &str = ".csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values";

/// `screen`, which takes a table.
pub(super) fn accepting_table(screen: Screen) -> Screen {
    screen.accepts(Accepts {
        texts: vec!["edition".to_owned()],
        files: vec![AcceptedFile::new("table", AcceptedKinds::Table).max_bytes(LARGEST as u64)],
        tolerate_errors: true,
        ..Accepts::default()
    })
}

pub(super) async fn show(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let Some(ticket) = Ticket::read(&request, entity, request.query.get("file")) else {
        if request.query.has("file") {
            return Ok(gone(entity));
        }
        return Ok(upload(&request, entity).await?.into());
    };
    let form = ImportForm::read(&request.query, entity, ticket);
    let Some(bytes) = form.waiting.open(&request).await? else { return Ok(gone(entity)) };
    let table = read(&request, entity, &form, bytes).await?;
    let mut outcome = None;
    if let Some(readable) = readable(&table) {
        outcome = Some(rehearse(&request, entity, &form, &readable).await?);
    }
    Ok(page(&request, entity, &form, table, outcome).await?.into())
}

pub(super) async fn receive(mut request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut wrong = std::mem::take(&mut request.wrong);
    let Some(staged) = request.files.remove("table") else {
        wrong.push(FieldError::new("table", "Please choose a file"));
        return Ok(upload(&request, entity).await?.refused(Error::Invalid(wrong))?.into());
    };
    let Waiting { ticket, name } = Waiting::begin(&request, entity, staged).await?;
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("file", &ticket.text())
        .append_pair("name", &name.chars().take(80).collect::<String>())
        .append_pair("edition", request.form.get("edition"))
        .finish();
    Ok(Reply::redirect(format!("{}/import?{query}", home(entity))).into())
}

pub(super) async fn carry_out(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let Some(ticket) = Ticket::read(&request, entity, request.form.get("file")) else { return Ok(gone(entity)) };
    let form = ImportForm::read(&request.form, entity, ticket);
    let claim = match form.waiting.claim(&request).await? {
        Claimed::Ours(claim) => claim,
        Claimed::ByAnother => {
            let words = "This list came in already, or is coming in at this moment. Nothing was written twice.";
            return Ok(Reply::redirect(list_of(entity, &form.year)).problem(words).into());
        }
        Claimed::Gone => return Ok(gone(entity)),
    };
    let table = read(&request, entity, &form, claim.content()).await?;
    let Some(readable) = readable(&table) else {
        return Ok(page(&request, entity, &form, table, None).await?.into());
    };
    let may_skip = request.form.get("skip") == "yes";
    let accept = |outcome: &Outcome| {
        token::same(&mark(outcome), request.form.get("mark")) && (outcome.errors.is_empty() || may_skip)
    };
    let (outcome, mut write) = match write(&request, entity, &form, &readable, accept).await? {
        Imported::Written(outcome, write) => (outcome, write),
        Imported::Refused(outcome) => {
            let words =
                "What is there changed since you looked. Nothing was written. This is what the list would do now.";
            let page = page(&request, entity, &form, table, Some(outcome)).await?;
            return Ok(page.refused(Error::Conflict(words.into()))?.into());
        }
    };
    let (new, changed) = (outcome.count(RowOutcome::New), outcome.count(RowOutcome::Changed));
    let done = json!({ "new": new, "changed": changed, "left_out": outcome.errors.len() });
    request.audit(&mut write, Entry::new("import", entity.table).after(done)).await?;
    write.commit().await?;
    claim.end();
    let words = format!("The list is in: {new} new, {changed} changed.");
    Ok(Reply::redirect(list_of(entity, &form.year)).done(words).into())
}

/// The rows of the year that a list came into.
fn list_of(entity: &Entity, year: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("edition", year).finish();
    if year.is_empty() { home(entity) } else { format!("{}?{query}", home(entity)) }
}

/// The way back where the file does not wait any more.
fn gone(entity: &Entity) -> Reply {
    let words = "The file is not here any more: it waits for an hour, for the browser that sent it. Choose it again.";
    Reply::redirect(format!("{}/import", home(entity))).problem(words).into()
}
