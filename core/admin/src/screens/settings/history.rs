//! The history of a settings group, and restoring a revision.

use serde_json::{Value, json};

use crate::back_office::AdminRequest;
use crate::browser_settings::{Group, HOME, SettingsRevision, change, differences, history, revision};
use crate::collections::Pager;
use crate::identity::role::Action;
use crate::serving::reply::Reply;
use crate::versions::{History, PAGE_SIZE};
use festival_base::error::{Error, Result};
use festival_base::time_text;
use festival_records::editing::Action as RevisionAction;

pub(crate) async fn show(request: AdminRequest, group: &'static Group) -> Result<Reply> {
    let mut connection = request.read().await?;
    let pager = Pager::new(&request, PAGE_SIZE);
    let revisions = history(&mut connection, group, (pager.before, pager.limit())).await?;
    let shown = History {
        title: group.label.to_owned(),
        path: group.path(),
        baseline: "as in the settings file",
        is_current: true,
        empty: "These settings have not been changed here yet.".to_owned(),
        may_edit: request.may(group.resource, Action::Edit),
    };
    let changes = |revision: &SettingsRevision, before: Option<&SettingsRevision>| -> Vec<Value> {
        let differences = before.map(|before| differences(&request.site, group, &before.record, &revision.record));
        differences.into_iter().flatten().map(|difference| json!(difference)).collect()
    };
    Ok(shown
        .page(&request, &pager, &revisions, changes)
        .crumb("Settings", HOME)
        .crumb(group.label, group.path())
        .into())
}

pub(crate) async fn restore(request: AdminRequest, group: &'static Group) -> Result<Reply> {
    let mut write = request.write().await?;
    let revision = revision(&mut write, group, request.id()?).await?;
    match change(&request, &mut write, group, (None, &revision.record), RevisionAction::Restored).await {
        Ok(_) => {}
        Err(error @ Error::Invalid(_)) => {
            let message = format!("This version cannot be restored. {error}.");
            return Ok(Reply::redirect(format!("{}/history", group.path())).problem(message).into());
        }
        Err(error) => return Err(error),
    }
    write.commit().await?;
    let message = format!("Restored the version of {}.", time_text::short(&revision.at, &request.site.time_zone));
    Ok(Reply::redirect(group.path()).done(message).into())
}
