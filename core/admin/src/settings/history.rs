//! What was done to a group: who, when, from what to what; and the way back to any step.

use serde_json::{Value, json};

use super::{HOME, path_of};
use crate::browser_settings::{Difference, Group, change, history, step};
use crate::pager::Pager;
use crate::reply::Reply;
use crate::request::AdminRequest;
use crate::role::Action;
use festival_base::error::{Error, Result};
use festival_base::time_text;
use festival_records::editing::Action as Done;

/// Steps of a page.
const PAGE: usize = 100;

pub(super) async fn show(request: AdminRequest, group: &'static Group) -> Result<Reply> {
    let mut connection = request.read().await?;
    let pager = Pager::of(&request, PAGE);
    let mut steps = history(&request.site, &mut connection, group, (pager.before, pager.limit())).await?;
    let links = pager.cut(&request, &mut steps, |past| past.step.id);
    let change = |d: &Difference| json!({ "label": d.label, "before": d.before, "after": d.after });
    let said: Vec<Value> = steps
        .iter()
        .enumerate()
        .map(|(index, past)| {
            json!({
                "at": time_text::short(&past.step.at, &request.site.time_zone),
                "who": past.step.who,
                "action": if past.step.who.is_empty() { "as in the file" } else { past.step.action.name() },
                "changes": past.differences.iter().map(change).collect::<Vec<_>>(),
                // The latest step is what is in force.
                "restore": (index > 0 || pager.before != 0).then(|| format!("{}/history/{}/restore", path_of(group), past.step.id)),
            })
        })
        .collect();
    Ok(Reply::page("entity-history", format!("History of “{}”", group.label))
        .crumb("Settings", HOME)
        .crumb(group.label, path_of(group))
        .with("singular", "page of settings")
        .with("steps", said)
        .with("newest", links.newest)
        .with("older", links.older)
        .with("may_edit", request.may(group.resource, Action::Edit))
        .into())
}

pub(super) async fn restore(request: AdminRequest, group: &'static Group) -> Result<Reply> {
    let mut write = request.write().await?;
    let step = step(&mut write, group, request.id()?).await?;
    match change(&request, &mut write, group, (None, &step.values), Done::Restored).await {
        Ok(_) => {}
        Err(error @ Error::Invalid(_)) => {
            let words = format!("This step cannot come back as it was. {error}.");
            return Ok(Reply::redirect(format!("{}/history", path_of(group))).problem(words).into());
        }
        Err(error) => return Err(error),
    }
    write.commit().await?;
    let words = format!("It is as it was on {}.", time_text::short(&step.at, &request.site.time_zone));
    Ok(Reply::redirect(path_of(group)).done(words).into())
}
