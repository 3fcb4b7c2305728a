//! One status for several at once: first said, then done.

use festival_core::admin::{Input, Reply, Visit};
use festival_core::{Error, Result};
use serde_json::json;

use super::{decide, events, one};
use crate::kept::Kind;

/// The most at once.
const MOST: usize = 200;

pub(super) async fn set_status(visit: Visit, kind: &'static Kind) -> Result<Reply> {
    let back = visit.address(&kind.home(), &[]);
    let Ok(status) = decide::state(kind, visit.form.get("status")) else {
        return Ok(Reply::redirect(back).problem("Choose the status first.").into());
    };
    let mut ids: Vec<i64> = visit.form.all("row").filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(Reply::redirect(back).problem(format!("Tick the {} first.", kind.entity.plural)).into());
    }
    if ids.len() > MOST {
        return Err(Error::BadRequest(format!("At most {MOST} at once, please.")));
    }
    if visit.form.get("sure") == "yes" {
        let mut write = visit.write().await?;
        let mut count = 0;
        for id in ids {
            let before = events::take(&mut write, &visit, (kind, id)).await?;
            count += usize::from(decide::change(&mut write, &visit, (kind, id), &before, status).await?);
        }
        write.commit().await?;
        let words = format!("{} set to “{}”.", counted(kind, count), status.label);
        return Ok(Reply::redirect(back).done(words).into());
    }
    let mut inputs = vec![Input::hidden("status", status.key), Input::hidden("sure", "yes")];
    let mut titles = Vec::new();
    let mut connection = visit.read().await?;
    for id in ids {
        let select = one::select(&mut connection, &visit.scope(), (kind, id)).await?;
        let submission = one::find(&visit, &mut connection, kind, &select).await?;
        titles.push(format!("{} {}", submission.text("reference"), submission.text(kind.title)));
        inputs.push(Input::hidden("row", id.to_string()));
    }
    let title = format!("Set {} to “{}”?", counted(kind, titles.len()), status.label);
    Ok(Reply::page("entity-selected", title)
        .crumb(one::name_of_list(kind), back)
        .inputs(inputs)
        .lists_people(kind.entity.table, titles.len(), json!({ "set status": status.key }))
        .with("titles", titles)
        .with("words", "The senders are not told. Each gets a line in its history.")
        .with("button", "Set the status")
        .with("danger", false)
        .with("home", kind.home())
        .into())
}

fn counted(kind: &Kind, count: usize) -> String {
    format!("{count} {}", if count == 1 { kind.entity.singular } else { kind.entity.plural })
}
