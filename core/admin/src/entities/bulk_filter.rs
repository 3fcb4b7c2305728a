//! A bulk action on all rows of a list's filter. The confirmation gives their number and names the first ones; nothing
//! is done if they have changed since.

use serde_json::json;
use sqlx::AnyConnection;

use super::bulk_action::{BulkAction, about, rejected};
use super::list::list_query;
use super::paths::row_path;
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::input::Input;
use crate::reply::{Page, Reply};
use crate::selected;
use festival_base::error::{Error, Result};
use festival_records::editing;
use festival_records::entity::{Entity, Listing, table};

/// Maximum number of rows of a filter.
const MAX_ROWS: i64 = 100_000;
/// Maximum number of rows that are deleted at once: for each, everything that may refer to it is searched.
const MAX_DELETED: usize = 2_000;
/// Maximum number of rows that the confirmation names.
const MAX_NAMED: usize = 20;

/// The rows of a filter.
struct Found {
    ids: Vec<i64>,
    /// Title and link of the first rows.
    named: Vec<serde_json::Value>,
    fingerprint: String,
}

pub(super) async fn submit(request: &AdminRequest, entity: &'static Entity, action: BulkAction) -> Result<Reply> {
    let found = find(request, &mut *request.read().await?, entity).await?;
    if found.ids.len() > MAX_DELETED && action == BulkAction::Delete {
        let message = format!("Delete at most {MAX_DELETED} rows at once. Narrow the filter.");
        return Err(Error::BadRequest(message));
    }
    if request.form.get("sure") != "yes" {
        return Ok(confirmation(request, entity, action, &found).into());
    }
    match apply(request, entity, action).await {
        Err(Error::Conflict(_)) => {
            let found = find(request, &mut *request.read().await?, entity).await?;
            Ok(selected::conflict(confirmation(request, entity, action, &found))?.into())
        }
        reply => reply,
    }
}

/// Reads the rows of the list that the request's query describes.
async fn find(request: &AdminRequest, connection: &mut AnyConnection, entity: &'static Entity) -> Result<Found> {
    let query = list_query(request, connection, entity).await?;
    let listing = Listing { offset: 0, limit: MAX_ROWS, ..query.listing };
    let page = table::list(connection, entity, &listing).await?;
    if page.total > MAX_ROWS {
        return Err(Error::BadRequest(format!(
            "These are {} rows, {MAX_ROWS} at most. Narrow the filter.",
            page.total
        )));
    }
    let mut ids: Vec<i64> = page.rows.iter().map(|row| row.id).collect();
    let mut named = Vec::new();
    for id in ids.iter().take(MAX_NAMED) {
        if let Some(current) = editing::find(connection, entity, *id).await? {
            let title = editing::title_of(entity, &current.record);
            named.push(json!({ "title": title, "href": row_path(entity, *id), "changed": false }));
        }
    }
    ids.sort_unstable();
    let fingerprint = editing::fingerprint(connection, entity, &ids).await?;
    Ok(Found { ids, named, fingerprint })
}

fn confirmation(request: &AdminRequest, entity: &Entity, action: BulkAction, found: &Found) -> Page {
    let inputs = [("action", action.key()), ("all", "yes"), ("sure", "yes"), ("set", &found.fingerprint)];
    let page = Reply::page("selected", action.question(found.ids.len(), entity))
        .inputs(inputs.map(|(name, value)| Input::hidden(name, value)))
        .with("rows", &found.named)
        .with("more", found.ids.len() - found.named.len());
    about(request, page, action, entity)
}

async fn apply(request: &AdminRequest, entity: &'static Entity, action: BulkAction) -> Result<Reply> {
    let editor = request.editor()?;
    let seen = request.form.get("set");
    let records = &request.site.records;
    let mut write = request.write().await?;
    let found = find(request, &mut write, entity).await?;
    if found.fingerprint != seen {
        return Err(Error::Conflict("The rows of this filter have changed.".into()));
    }
    if action == BulkAction::Delete {
        for id in &found.ids {
            match editing::delete(records, &mut write, entity, *id, &editor).await {
                Ok(_) => {}
                Err(Error::Conflict(message)) => {
                    let current = editing::get(&mut write, entity, *id).await?;
                    return Ok(rejected(entity, &current, &message));
                }
                Err(error) => return Err(error),
            }
        }
    } else {
        let is_published = action == BulkAction::Publish;
        editing::publish_many(records, &mut write, entity, (&found.ids, seen), is_published, &editor).await?;
    }
    let entries: Vec<Entry> = found.ids.iter().map(|id| Entry::new(action.key(), entity.table).id(*id)).collect();
    request.audit_rows(&mut write, &entries).await?;
    write.commit().await?;
    Ok(action.redirect(request, found.ids.len(), entity))
}
