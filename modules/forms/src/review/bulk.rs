//! Sets the status of several submissions at once, after a confirmation that lists them.

use festival_core::admin::selected::{self, BulkSelection};
use festival_core::admin::{AdminRequest, Input, Page, Reply};
use festival_core::{Error, Result};
use serde_json::json;

use super::{decide, events, show};
use crate::submissions::{State, SubmissionKind};

/// Maximum number of submissions at once.
const MAX_ROWS: usize = 200;

pub(super) async fn set_status(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let back = request.address(&kind.list_path(), &[]);
    let Ok(status) = decide::parse_status(kind, request.form.get("status")) else {
        return Ok(Reply::redirect(back).problem("Choose the status first.").into());
    };
    let mut ids: Vec<i64> = request.form.all("row").filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(Reply::redirect(back).problem(format!("Tick the {} first.", kind.entity.plural)).into());
    }
    if ids.len() > MAX_ROWS {
        return Err(Error::BadRequest(format!("At most {MAX_ROWS} at once, please.")));
    }
    if request.form.get("sure") != "yes" {
        return Ok(confirmation(&request, kind, status, &ids).await?.into());
    }
    let mut write = request.write_private().await?;
    let mut count = 0_u64;
    for &id in &ids {
        let version = selected::mark(&request, id);
        let submission = match events::lock_version(&mut write, &request, (kind, id), version).await {
            Err(Error::Conflict(_)) => {
                drop(write);
                return Ok(selected::conflict(confirmation(&request, kind, status, &ids).await?)?.into());
            }
            locked => locked?,
        };
        count += u64::from(decide::update_status(&mut write, &request, &submission, status).await?);
    }
    write.commit().await?;
    let message = format!("{count} {} set to “{}”.", kind.noun(count), status.label);
    Ok(Reply::redirect(back).done(message).into())
}

/// Returns the page that lists the submissions as they are now and asks for confirmation.
async fn confirmation(
    request: &AdminRequest,
    kind: &'static SubmissionKind,
    status: State,
    ids: &[i64],
) -> Result<Page> {
    let mut selected = BulkSelection::new(request, [Input::hidden("status", status.key)]);
    let mut connection = request.read().await?;
    for &id in ids {
        let submission = show::find(request, &mut connection, (kind, id)).await?;
        let version = events::version(&events::list(&mut connection, kind, id).await?).to_string();
        let title = format!("{} {}", submission.reference(), submission.title());
        selected.add(id, &version, title, request.address(&submission.path(), &[]));
    }
    let count = selected.len();
    let title = format!("Set {count} {} to “{}”?", kind.noun(count as u64), status.label);
    Ok(selected
        .page(title)
        .crumb(show::list_title(kind), request.address(&kind.list_path(), &[]))
        .lists_people(kind.entity.table, count, json!({ "set status": status.key }))
        .with("message", "The senders are not notified. Each submission gets an entry in its history.")
        .with("button", "Set the status")
        .with("danger", false)
        .with("home", kind.list_path()))
}
