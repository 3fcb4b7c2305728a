//! Deleting with a question before, and the bin with the way back.

use serde_json::{Value, json};

use super::{capital, editor, home, row_path};
use crate::audit::Entry;
use crate::input::Input;
use crate::pager::Pager;
use crate::reply::Reply;
use crate::request::{AdminRequest, nothing_here};
use crate::role::{Action, CONTENT};
use festival_base::error::{Error, Result};
use festival_base::time_text;
use festival_records::editing;
use festival_records::entity::Entity;

/// Rows of a page of the bin.
const PAGE: usize = 100;

pub(super) async fn ask(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let current = editing::find(&mut connection, entity, id).await?.ok_or_else(nothing_here)?;
    let title = editing::title_of(entity, &current.record);
    Ok(Reply::page("ask", format!("Delete “{title}”?"))
        .crumb(capital(entity.plural), home(entity))
        .crumb(&title, row_path(entity, id))
        .with(
            "words",
            format!(
                "The site shows this {} no more. It goes to the bin, from where it can come back.",
                entity.singular
            ),
        )
        .inputs([Input::hidden("mark", &current.version)])
        .with("action", format!("{}/delete", row_path(entity, id)))
        .with("button", "Delete")
        .with("danger", true)
        .with("back", row_path(entity, id))
        .into())
}

pub(super) async fn delete(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let id = request.id()?;
    let mut write = request.write().await?;
    if let Err(Error::Conflict(words)) = editing::get_unchanged(&mut write, entity, id, request.form.get("mark")).await
    {
        let words = format!("{words} Look at it again, and delete it if that is still right.");
        return Ok(Reply::redirect(row_path(entity, id)).problem(words).into());
    }
    let deleted = match editing::delete(&request.site.records, &mut write, entity, id, &editor(&request)?).await {
        Ok(deleted) => deleted,
        Err(Error::Conflict(words)) => return Ok(Reply::redirect(row_path(entity, id)).problem(words).into()),
        Err(error) => return Err(error),
    };
    request.audit(&mut write, Entry::new("delete", entity.table).id(id)).await?;
    write.commit().await?;
    let title = editing::title_of(entity, &deleted.record);
    Ok(Reply::redirect(home(entity)).done(format!("“{title}” is in the bin.")).into())
}

pub(super) async fn show_bin(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut connection = request.read().await?;
    let zone = &request.site.time_zone;
    let pager = Pager::of(&request, PAGE);
    let mut gone = editing::deleted(&mut connection, entity, (pager.before, pager.limit())).await?;
    let links = pager.cut(&request, &mut gone, |step| step.id);
    let rows: Vec<Value> = gone
        .iter()
        .map(|gone| {
            json!({
                "title": gone.title,
                "who": gone.editor.name,
                "at": time_text::short(&gone.at, zone),
                "restore": format!("{}/history/{}/restore", home(entity), gone.id),
            })
        })
        .collect();
    Ok(Reply::page("entity-bin", format!("Bin of {}", entity.plural))
        .crumb(capital(entity.plural), home(entity))
        .with("plural", entity.plural)
        .with("rows", rows)
        .with("newest", links.newest)
        .with("older", links.older)
        .with("may_edit", request.may(&CONTENT, Action::Edit))
        .into())
}
