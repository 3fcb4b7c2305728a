//! The page of the dashboard.

use std::sync::Arc;

use serde_json::{Value, json};

use super::sparkline::sparkline;
use super::{DashboardContext, Days, PendingTask, content, mails, storage};
use crate::back_office::AdminRequest;
use crate::identity::permission::Permission;
use crate::identity::role::{Action, CONTENT, MAIL, SETTINGS};
use crate::serving::reply::Reply;
use crate::widget::Widget;
use festival_base::error::Result;
use festival_records::edition::{self, Edition};

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
    let before = match &edition {
        Some(current) => edition::all(&mut connection).await?.into_iter().find(|edition| edition.year < current.year),
        None => None,
    };
    drop(connection);
    let context = context(&request, edition)?;
    // Tasks of modules, which people wait for, come before those of core.
    let mut tasks = tasks_of_modules(&request, &context).await?;
    let mut metrics = Vec::new();
    if let Some(before) = &before {
        tasks.extend(open_tasks(&request, before, &tasks).await?);
    }
    for widget in &core_tasks() {
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
    let fact = |(label, value): (&str, String)| json!({ "label": label, "value": value });
    let sparklines: Vec<Value> = metrics.iter().map(|metric| sparkline(metric, &context.days)).collect();
    Ok(Reply::page("start", format!("Good to see you, {}", account.name))
        .with("role", role.label)
        .with("description", role.description)
        .with("tasks", tasks)
        .with("sparklines", sparklines)
        .with("facts", facts.into_iter().map(fact).collect::<Vec<_>>())
        .into())
}

/// What the widgets get, for one edition.
fn context(request: &AdminRequest, edition: Option<Edition>) -> Result<DashboardContext> {
    let days = Days::until(request.now(), &request.site.time_zone);
    let (account, last_backup) = (request.account()?, request.admin.last_backup);
    let (email, scope) = (account.email.clone(), account.scope());
    Ok(DashboardContext { site: request.site.clone(), edition, days, email, scope, last_backup })
}

async fn tasks_of_modules(request: &AdminRequest, context: &DashboardContext) -> Result<Vec<PendingTask>> {
    let mut tasks = Vec::new();
    for widget in &request.admin.contents.pending_tasks {
        tasks.extend(widget.of(request.account()?, context).await?);
    }
    Ok(tasks)
}

/// Returns what is open in an edition beside the current one: work does not end because another edition began. The tasks
/// of modules for the current edition are `known`: what is the same for both is no task of an edition.
async fn open_tasks(request: &AdminRequest, edition: &Edition, known: &[PendingTask]) -> Result<Vec<PendingTask>> {
    let mut tasks = tasks_of_modules(request, &context(request, Some(edition.clone()))?).await?;
    tasks.retain(|task| !known.contains(task));
    for task in &mut tasks {
        let separator = if task.href.contains('?') { '&' } else { '?' };
        task.href = format!("{}{separator}edition={}", task.href, edition.year);
        task.text = format!("{}: {}", edition.name, task.text);
    }
    Ok(tasks)
}

/// Returns what is open in `current` and will be kept on the dashboard once `next` is the current edition.
pub(crate) async fn tasks_left_behind(
    request: &AdminRequest,
    current: &Edition,
    next: &Edition,
) -> Result<Vec<PendingTask>> {
    let of_next = tasks_of_modules(request, &context(request, Some(next.clone()))?).await?;
    open_tasks(request, current, &of_next).await
}
