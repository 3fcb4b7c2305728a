//! Deleting a row with confirmation, and the list of deleted rows.

use serde_json::{Value, json};

use super::paths::{bin, home, row_path};
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::collections::Pager;
use crate::identity::role::{Action, CONTENT};
use crate::serving::frame::capitalized;
use crate::serving::input::Input;
use crate::serving::reply::Reply;
use crate::serving::request::nothing_here;
use festival_base::error::{Error, Result};
use festival_base::time_text;
use festival_records::editing;
use festival_records::entity::Entity;

/// Rows per page.
const PAGE_SIZE: usize = 100;

pub(super) async fn ask(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let current = editing::find(&mut connection, entity, id).await?.ok_or_else(nothing_here)?;
    let title = editing::title_of(entity, &current.record);
    Ok(Reply::page("confirmation", format!("Delete “{title}”?"))
        .crumb(capitalized(entity.plural), home(entity))
        .crumb(&title, row_path(entity, id))
        .with(
            "message",
            format!(
                "This {} will be removed from the site. You can restore it from the deleted items.",
                entity.singular
            ),
        )
        .inputs([Input::hidden("version", current.version())])
        .with("action", format!("{}/delete", row_path(entity, id)))
        .with("button", "Delete")
        .with("danger", true)
        .with("back", row_path(entity, id))
        .into())
}

pub(super) async fn delete(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let id = request.id()?;
    let mut write = request.write().await?;
    if let Err(Error::Conflict(message)) =
        editing::get_unchanged(&mut write, entity, id, request.form.get("version")).await
    {
        let message = format!("{message} Check it, and delete it again if you still want to.");
        return Ok(Reply::redirect(row_path(entity, id)).problem(message).into());
    }
    let deleted = match editing::delete(&request.site.records, &mut write, entity, id, &request.editor()?).await {
        Ok(deleted) => deleted,
        Err(Error::Conflict(message)) => return Ok(Reply::redirect(row_path(entity, id)).problem(message).into()),
        Err(error) => return Err(error),
    };
    request.commit(write, Entry::new("delete", entity.table).id(id)).await?;
    let title = editing::title_of(entity, &deleted.record);
    Ok(Reply::redirect(home(entity))
        .done(format!("“{title}” deleted."))
        .link(bin(entity), format!("Deleted {}", entity.plural))
        .into())
}

pub(super) async fn list_deleted(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut connection = request.read().await?;
    let zone = &request.site.time_zone;
    let pager = Pager::new(&request, PAGE_SIZE);
    let search = request.query.get("q");
    let mut deleted = editing::deleted(&mut connection, entity, search, (pager.before, pager.limit())).await?;
    let links = pager.paginate(&request, &mut deleted, |revision| revision.id);
    let rows: Vec<Value> = deleted
        .iter()
        .map(|revision| {
            json!({
                "title": revision.title,
                "who": revision.editor.name,
                "at": time_text::short(&revision.at, zone),
                "restore": format!("{}/history/{}/restore", home(entity), revision.id),
            })
        })
        .collect();
    Ok(Reply::page("entity-deleted", format!("Deleted {}", entity.plural))
        .crumb(capitalized(entity.plural), home(entity))
        .with("plural", entity.plural)
        .with("search", search)
        .with("here", bin(entity))
        .with("rows", rows)
        .paged(links)
        .with("may_edit", request.may(&CONTENT, Action::Edit))
        .into())
}
