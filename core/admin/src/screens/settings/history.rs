//! The history of a settings group, and restoring a revision.

use serde_json::{Value, json};

use super::paths::{HOME, path_of};
use crate::back_office::AdminRequest;
use crate::browser_settings::{Difference, Group, change, history, revision};
use crate::collections::Pager;
use crate::reply::Reply;
use crate::role::Action;
use festival_base::error::{Error, Result};
use festival_base::time_text;
use festival_records::editing::Action as RevisionAction;

/// Revisions per page.
const PAGE_SIZE: usize = 100;

pub(crate) async fn show(request: AdminRequest, group: &'static Group) -> Result<Reply> {
    let mut connection = request.read().await?;
    let pager = Pager::new(&request, PAGE_SIZE);
    let mut revisions = history(&request.site, &mut connection, group, (pager.before, pager.limit())).await?;
    let links = pager.paginate(&request, &mut revisions, |entry| entry.revision.id);
    let change = |d: &Difference| json!({ "label": d.label, "before": d.before, "after": d.after });
    let steps: Vec<Value> = revisions
        .iter()
        .enumerate()
        .map(|(index, entry)| {
            json!({
                "at": time_text::short(&entry.revision.at, &request.site.time_zone),
                "who": entry.revision.who,
                "action": if entry.revision.who.is_empty() { "as in the settings file" } else { entry.revision.action.name() },
                "changes": entry.differences.iter().map(change).collect::<Vec<_>>(),
                // The latest revision is the one in force.
                "restore": (index > 0 || pager.before != 0).then(|| format!("{}/history/{}/restore", path_of(group), entry.revision.id)),
            })
        })
        .collect();
    Ok(Reply::page("entity-history", format!("History of “{}”", group.label))
        .crumb("Settings", HOME)
        .crumb(group.label, path_of(group))
        .with("empty", "These settings have not been changed here yet.")
        .with("steps", steps)
        .with("newest", links.newest)
        .with("older", links.older)
        .with("may_edit", request.may(group.resource, Action::Edit))
        .into())
}

pub(crate) async fn restore(request: AdminRequest, group: &'static Group) -> Result<Reply> {
    let mut write = request.write().await?;
    let revision = revision(&mut write, group, request.id()?).await?;
    match change(&request, &mut write, group, (None, &revision.values), RevisionAction::Restored).await {
        Ok(_) => {}
        Err(error @ Error::Invalid(_)) => {
            let message = format!("This version cannot be restored. {error}.");
            return Ok(Reply::redirect(format!("{}/history", path_of(group))).problem(message).into());
        }
        Err(error) => return Err(error),
    }
    write.commit().await?;
    let message = format!("Restored the version of {}.", time_text::short(&revision.at, &request.site.time_zone));
    Ok(Reply::redirect(path_of(group)).done(message).into())
}
