//! The page of the dashboard.

use std::sync::Arc;

use super::sparkline::Sparkline;
use super::{DashboardContext, Days, PendingTask, content, mails, storage};
use crate::back_office::AdminRequest;
use crate::identity::permission::Permission;
use crate::identity::role::{Action, CONTENT, MAIL, SETTINGS};
use crate::serving::reply::Reply;
use crate::widget::Widget;
use festival_base::error::Result;
use festival_records::edition;

/// Returns the task widgets of core.
fn core_tasks() -> [Arc<Widget<DashboardContext, PendingTask>>; 3] {
    [
        Widget::new(Permission::To(&CONTENT, Action::Edit), content::tasks),
        Widget::new(Permission::To(&MAIL, Action::View), mails::tasks),
        Widget::new(Permission::To(&SETTINGS, Action::View), storage::tasks),
    ]
    .map(Arc::new)
}

/// `GET /admin/`
pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    let account = request.account()?;
    let role = account.role();
    let mut connection = request.read().await?;
    let edition = edition::find_current(&mut connection).await?;
    drop(connection);
    let days = Days::until(request.now(), &request.site.time_zone);
    let last_backup = request.admin.last_backup;
    let context = DashboardContext { site: request.site.clone(), edition, days, scope: account.scope(), last_backup };
    let mut tasks = Vec::new();
    let mut metrics = Vec::new();
    // Tasks of modules, which people wait for, come before those of core.
    for widget in request.admin.contents.pending_tasks.iter().chain(&core_tasks()) {
        tasks.extend(widget.of(account, &context).await?);
    }
    for widget in &request.admin.contents.metrics {
        metrics.extend(widget.of(account, &context).await?);
    }
    tasks.sort_by_key(|task| !task.is_urgent);
    let mut facts = Vec::new();
    if request.may(&SETTINGS, Action::View) {
        facts.extend(storage::facts(&request).await?);
        facts.extend(mails::facts(&request).await?);
    }
    let sparklines: Vec<Sparkline> = metrics.iter().map(|metric| Sparkline::new(metric, &context.days)).collect();
    Ok(Reply::page("start", format!("Good to see you, {}", account.name))
        .with("role", role.label)
        .with("description", role.description)
        .with("tasks", tasks)
        .with("sparklines", sparklines)
        .with("facts", facts)
        .into())
}
