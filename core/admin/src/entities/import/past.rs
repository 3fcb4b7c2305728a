//! The imports of an entity, undoing one of them, and its saved mappings.

use serde_json::{Value, json};
use sqlx::AnyConnection;

use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::collections::Pager;
use crate::entities::paths::{home, imports};
use crate::identity::role::{Action, CONTENT};
use crate::identity::token;
use crate::serving::frame::capitalized;
use crate::serving::input::Input;
use crate::serving::reply::Reply;
use crate::serving::request::nothing_here;
use festival_base::error::{Error, Result};
use festival_base::time_text;
use festival_records::entity::Entity;
use festival_records::importing::{self, PastImport, SavedMapping, Undo};

/// Imports per page.
const PAGE_SIZE: usize = 50;
/// Maximum number of titles on the confirmation page.
const MAX_SHOWN_TITLES: usize = 200;

pub(crate) async fn list(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut connection = request.read().await?;
    let zone = &request.site.time_zone;
    let pager = Pager::new(&request, PAGE_SIZE);
    let mut imports = importing::past_imports(&mut connection, Some(entity), (pager.before, pager.limit())).await?;
    let links = pager.paginate(&request, &mut imports, |import| import.id);
    let undone = |import: &PastImport| {
        let (by, at) = (import.undone_by.as_deref()?, import.undone_at.as_deref()?);
        Some(format!("by {by}, {}", time_text::short(at, zone)))
    };
    let rows: Vec<Value> = imports
        .iter()
        .map(|import| {
            json!({
                "source": import.source,
                "who": import.editor,
                "at": time_text::short(&import.at, zone),
                "created": import.created,
                "changed": import.changed,
                "undone": undone(import),
                "undo": format!("{}/imports/{}/undo", home(entity), import.id),
            })
        })
        .collect();
    Ok(Reply::page("entity-imports", format!("Imports of {}", entity.plural))
        .crumb(capitalized(entity.plural), home(entity))
        .with("rows", rows)
        .with("home", home(entity))
        .with("mappings", mapping_rows(&mut connection, entity).await?)
        .with("may_edit", request.may(&CONTENT, Action::Edit))
        .paged(links)
        .with("may_undo", request.may(&CONTENT, Action::Delete))
        .into())
}

/// Shows what undoing an import would do.
pub(crate) async fn ask(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut write = request.write().await?;
    let import = import_of(&mut write, entity, request.id()?).await?;
    let undo = match importing::undo(&request.site.records, &mut write, import.id, &request.editor()?).await {
        Err(Error::Conflict(message)) => return Ok(Reply::redirect(imports(entity)).problem(message).into()),
        undo => undo?,
    };
    write.rollback().await?;
    let left: Vec<Value> =
        undo.left.iter().map(|(title, reason)| json!({ "title": title, "reason": reason })).collect();
    let titles = |titles: &[String]| titles.iter().take(MAX_SHOWN_TITLES).cloned().collect::<Vec<_>>();
    Ok(Reply::page("entity-import-undo", format!("Undo the import of “{}”?", import.source))
        .crumb(capitalized(entity.plural), home(entity))
        .crumb("Imports", imports(entity))
        .with("restored_count", undo.restored.len())
        .with("restored", titles(&undo.restored))
        .with("deleted_count", undo.deleted.len())
        .with("deleted", titles(&undo.deleted))
        .with("left", left)
        .with("max", MAX_SHOWN_TITLES)
        .with("action", format!("{}/{}/undo", imports(entity), import.id))
        .with("back", imports(entity))
        .inputs([Input::hidden("seen", fingerprint(&undo))])
        .into())
}

pub(crate) async fn undo(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut write = request.write().await?;
    let import = import_of(&mut write, entity, request.id()?).await?;
    let undo = match importing::undo(&request.site.records, &mut write, import.id, &request.editor()?).await {
        Err(Error::Conflict(message)) => return Ok(Reply::redirect(imports(entity)).problem(message).into()),
        undo => undo?,
    };
    if fingerprint(&undo) != request.form.get("seen") {
        write.rollback().await?;
        let message = "The data changed since this page was shown. Nothing was undone. Check it again.";
        return Ok(Reply::redirect(format!("{}/{}/undo", imports(entity), import.id)).problem(message).into());
    }
    let (restored, deleted, left) = (undo.restored.len(), undo.deleted.len(), undo.left.len());
    let done = json!({ "restored": restored, "deleted": deleted, "left": left });
    request.commit(write, Entry::new("undo import", entity.table).id(import.id).after(done)).await?;
    let message = format!("Import undone: {restored} restored, {deleted} deleted, {left} left as they are.");
    Ok(Reply::redirect(imports(entity)).done(message).into())
}

/// Returns a text that changes if undoing would no longer do what the page showed.
fn fingerprint(undo: &Undo) -> String {
    token::hash("undo", &format!("{:?} {:?} {:?}", undo.restored, undo.deleted, undo.left))
}

async fn import_of(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<PastImport> {
    let import = importing::past_import(connection, id).await?;
    if import.table == entity.table { Ok(import) } else { Err(nothing_here()) }
}

/// Maximum length of a mapping's name, in characters.
pub(super) const MAX_NAME: usize = 80;

/// Returns the saved mappings for the template.
async fn mapping_rows(connection: &mut AnyConnection, entity: &Entity) -> Result<Vec<Value>> {
    let column = |(header, field): &(String, String)| match field.as_str() {
        "" => format!("{header}: ignored"),
        field => format!("{header}: {}", entity.field(field).map_or(field, |field| field.label)),
    };
    let row = |mapping: &SavedMapping| json!({ "name": mapping.name, "columns": mapping.columns.iter().map(column).collect::<Vec<_>>().join("; ") });
    Ok(importing::saved_mappings(connection, Some(entity)).await?.iter().map(row).collect())
}

/// Handles the form of a mapping: renames or deletes it.
pub(crate) async fn change_mapping(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let name = request.form.get("mapping").trim();
    let new_name: String = request.form.get("name").trim().chars().take(MAX_NAME).collect();
    let mut write = request.site.db.write_private().await?;
    let (is_done, entry, message) = if request.form.get("action") == "delete" {
        let is_done = importing::delete_mapping(&mut write, entity, name).await?;
        let entry = Entry::new("delete saved columns", entity.table).before(json!({ "name": name }));
        (is_done, entry, format!("“{name}” deleted."))
    } else {
        let renamed = importing::rename_mapping(&mut write, entity, name, &new_name).await;
        let is_done = match renamed {
            Err(Error::Conflict(message) | Error::BadRequest(message)) => {
                return Ok(Reply::redirect(imports(entity)).problem(message).into());
            }
            renamed => renamed?,
        };
        let entry = Entry::new("rename saved columns", entity.table).before(json!({ "name": name }));
        (is_done, entry.after(json!({ "name": new_name })), format!("“{name}” is now called “{new_name}”."))
    };
    let reply = Reply::redirect(imports(entity));
    if !is_done {
        return Ok(reply.problem(format!("“{name}” is not there any more.")).into());
    }
    request.commit(write, entry).await?;
    Ok(reply.done(message).into())
}
