//! One status for several at once: first said, then done.

use festival_core::admin::selected::{self, BulkSelection};
use festival_core::admin::{AdminRequest, Input, Page, Reply};
use festival_core::{Error, Result};
use serde_json::json;

use super::{decide, events, show};
use crate::submissions::{Kind, State};

/// The most at once.
const MOST: usize = 200;

pub(super) async fn set_status(request: AdminRequest, kind: &'static Kind) -> Result<Reply> {
    let back = request.address(&kind.home(), &[]);
    let Ok(status) = decide::state(kind, request.form.get("status")) else {
        return Ok(Reply::redirect(back).problem("Choose the status first.").into());
    };
    let mut ids: Vec<i64> = request.form.all("row").filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(Reply::redirect(back).problem(format!("Tick the {} first.", kind.entity.plural)).into());
    }
    if ids.len() > MOST {
        return Err(Error::BadRequest(format!("At most {MOST} at once, please.")));
    }
    if request.form.get("sure") != "yes" {
        return Ok(ask(&request, kind, status, &ids).await?.into());
    }
    let mut write = request.write_private().await?;
    let mut count = 0;
    for &id in &ids {
        let before = match events::lock_as_seen(&mut write, &request, (kind, id), selected::mark(&request, id)).await {
            Err(Error::Conflict(_)) => {
                drop(write);
                return Ok(selected::conflict(ask(&request, kind, status, &ids).await?)?.into());
            }
            taken => taken?,
        };
        count += usize::from(decide::change(&mut write, &request, (kind, id), &before, status).await?);
    }
    write.commit().await?;
    let words = format!("{} set to “{}”.", counted(kind, count), status.label);
    Ok(Reply::redirect(back).done(words).into())
}

/// Says which submissions will be touched, as they are now.
async fn ask(request: &AdminRequest, kind: &'static Kind, status: State, ids: &[i64]) -> Result<Page> {
    let mut selected = BulkSelection::new(request, [Input::hidden("status", status.key)]);
    let mut connection = request.read().await?;
    for &id in ids {
        let select = show::select(&mut connection, &request.scope(), (kind, id)).await?;
        let submission = show::find(request, &mut connection, kind, &select).await?;
        let mark = events::mark(&events::list(&mut connection, kind, id).await?).to_string();
        let title = format!("{} {}", submission.text("reference"), submission.text(kind.title));
        selected.add(id, &mark, title, request.address(&format!("{}/{id}", kind.home()), &[]));
    }
    let (title, count) = (format!("Set {} to “{}”?", counted(kind, selected.len()), status.label), selected.len());
    Ok(selected
        .page(title)
        .crumb(show::name_of_list(kind), request.address(&kind.home(), &[]))
        .lists_people(kind.entity.table, count, json!({ "set status": status.key }))
        .with("message", "The senders are not told. Each gets a line in its history.")
        .with("button", "Set the status")
        .with("danger", false)
        .with("home", kind.home()))
}

fn counted(kind: &Kind, count: usize) -> String {
    format!("{count} {}", if count == 1 { kind.entity.singular } else { kind.entity.plural })
}
