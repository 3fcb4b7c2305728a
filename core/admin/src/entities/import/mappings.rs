//! The saved mappings of an entity: named, renamed and deleted on the page with its imports.

use serde_json::{Value, json};

use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::entities::paths::imports;
use crate::serving::reply::Reply;
use festival_base::error::{Error, Result};
use festival_records::entity::Entity;
use festival_records::importing::{self, SavedMapping};
use sqlx::AnyConnection;

/// Maximum length of a mapping's name, in characters.
pub(super) const MAX_NAME: usize = 80;

/// Returns the saved mappings for the template.
pub(super) async fn list(connection: &mut AnyConnection, entity: &Entity) -> Result<Vec<Value>> {
    let column = |(header, field): &(String, String)| match field.as_str() {
        "" => format!("{header}: ignored"),
        field => format!("{header}: {}", entity.field(field).map_or(field, |field| field.label)),
    };
    let row = |mapping: &SavedMapping| json!({ "name": mapping.name, "columns": mapping.columns.iter().map(column).collect::<Vec<_>>().join("; ") });
    Ok(importing::saved_mappings(connection, Some(entity)).await?.iter().map(row).collect())
}

/// Handles the form of a mapping: renames or deletes it.
pub(crate) async fn change(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
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
