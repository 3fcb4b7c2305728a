//! Bulk actions on selected rows, with a confirmation page.

use super::bulk_action::{BulkAction, about, rejected};
use super::paths::row_path;
use super::{bulk_filter, list};
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::frame::capitalized;
use crate::input::Input;
use crate::reply::{Page, Reply};
use crate::role::{Action, CONTENT};
use crate::selected::{self, BulkSelection};
use festival_base::error::{Error, Result};
use festival_records::editing::{self, Action as RevisionAction};
use festival_records::entity::{Datum, Entity};

/// Maximum number of selected rows.
const MAX_ROWS: usize = 200;

pub(super) async fn submit(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let Some(action) = BulkAction::from_key(request.form.get("action")) else {
        return Err(Error::BadRequest("Choose an action.".into()));
    };
    if action == BulkAction::Delete && !request.may(&CONTENT, Action::Delete) {
        return Err(Error::Closed("Your role may not delete. Ask an owner.".into()));
    }
    if request.form.get("all") == "yes" {
        return bulk_filter::submit(&request, entity, action).await;
    }
    let mut ids: Vec<i64> = request.form.all("row").filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        let message = format!("Select at least one {}.", entity.singular);
        return Ok(Reply::redirect(list::address(&request, entity, &[])).problem(message).into());
    }
    if ids.len() > MAX_ROWS {
        let message = format!("Select at most {MAX_ROWS} rows one by one, or all of the filter.");
        return Err(Error::BadRequest(message));
    }
    if request.form.get("sure") == "yes" {
        apply(&request, entity, action, &ids).await
    } else {
        Ok(confirmation(&request, entity, action, &ids).await?.into())
    }
}

/// Returns the confirmation page: lists the affected rows and marks those that changed since an earlier such page.
async fn confirmation(
    request: &AdminRequest,
    entity: &'static Entity,
    action: BulkAction,
    ids: &[i64],
) -> Result<Page> {
    let mut connection = request.read().await?;
    let mut selected = BulkSelection::new(request, [Input::hidden("action", action.key())]);
    for id in ids {
        let Some(current) = editing::find(&mut connection, entity, *id).await? else { continue };
        let title = editing::title_of(entity, &current.record);
        selected.add(*id, &current.version(), title, row_path(entity, *id));
    }
    let count = selected.len();
    Ok(about(request, selected.page(action.question(count, entity)), action, entity).with("more", 0))
}

/// Applies the action to all rows, or to none if one has changed since the confirmation page.
async fn apply(request: &AdminRequest, entity: &'static Entity, action: BulkAction, ids: &[i64]) -> Result<Reply> {
    let editor = request.editor()?;
    let mut write = request.write().await?;
    for id in ids {
        match editing::get_unchanged(&mut write, entity, *id, selected::seen_version(request, *id)).await {
            Err(Error::Conflict(_)) => {
                drop(write);
                return Ok(selected::conflict(confirmation(request, entity, action, ids).await?)?.into());
            }
            Ok(_) | Err(Error::NotFound(_)) => {} // Rows deleted in the meantime are skipped.
            Err(error) => return Err(error),
        }
    }
    let mut count = 0;
    for id in ids {
        let Some(current) = editing::find(&mut write, entity, *id).await? else { continue };
        let changed = match (action, entity.field("is_published")) {
            (BulkAction::Delete, _) => {
                match editing::delete(&request.site.records, &mut write, entity, *id, &editor).await {
                    Ok(_) => true,
                    Err(Error::Conflict(message)) => return Ok(rejected(entity, &current, &message)),
                    Err(error) => return Err(error),
                }
            }
            (_, Some(field)) => {
                let change = (*id, field, Datum::Integer(i64::from(action == BulkAction::Publish)));
                editing::set_field(
                    &request.site.records,
                    &mut write,
                    entity,
                    change,
                    (RevisionAction::Changed, &editor),
                )
                .await?
            }
            (_, None) => return Err(Error::BadRequest(format!("{} cannot be hidden.", capitalized(entity.plural)))),
        };
        if changed {
            count += 1;
            request.audit(&mut write, Entry::new(action.key(), entity.table).id(*id)).await?;
        }
    }
    write.commit().await?;
    Ok(action.redirect(request, count, entity))
}
