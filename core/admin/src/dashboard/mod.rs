//! The dashboard: pending tasks, charts of the last 30 days, state of storage and mail.
//!
//! Modules register widgets with `Registry::pending_task` and `Registry::metric`, each with the permission to see it.

mod content;
mod days;
mod mails;
mod sparkline;
mod storage;

use std::sync::Arc;

use serde::Serialize;
use sqlx::Any;
use sqlx::pool::PoolConnection;

use self::sparkline::Sparkline;
use super::BackOffice;
use super::reply::Reply;
use super::request::AdminRequest;
use super::role::{Action, CONTENT, MAIL, SETTINGS};
use super::scope::Scope;
use super::screen::Permission;
use super::widget::Widget;
use festival_base::error::Result;
use festival_records::edition::{self, Edition};
use festival_web::site::Site;

pub use days::Days;

/// What a widget gets to compute its content.
#[derive(Clone)]
pub struct DashboardContext {
    /// The site.
    pub site: Arc<Site>,
    /// The current edition, if there is one.
    pub edition: Option<Edition>,
    /// The last 30 days in the festival's time zone.
    pub days: Days,
    /// The part of the submissions that the user is limited to.
    pub scope: Scope,
    admin: Arc<BackOffice>,
}

impl DashboardContext {
    /// Acquires a connection for reading.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        self.site.db.read().await
    }
}

/// A task on the dashboard.
#[derive(Clone, Debug, Serialize)]
pub struct PendingTask {
    /// A sentence or phrase: "3 films without a poster".
    pub text: String,
    /// The page where it can be done.
    pub href: String,
    /// Whether it is shown first and highlighted.
    pub is_urgent: bool,
}

impl PendingTask {
    /// Creates a task with a count: "1 mail is on hold", "3 mails are on hold"; `None` if the count is 0.
    pub fn counted(count: i64, singular: &str, plural: &str, href: impl Into<String>) -> Option<Self> {
        let phrase = if count == 1 { singular } else { plural };
        (count > 0).then(|| Self { text: format!("{count} {phrase}"), href: href.into(), is_urgent: false })
    }

    /// Makes the task urgent.
    #[must_use]
    pub fn urgent(mut self) -> Self {
        self.is_urgent = true;
        self
    }
}

/// A chart: a count for each of the last 30 days.
#[derive(Clone, Debug)]
pub struct Metric {
    /// The label: "Delegates".
    pub label: String,
    /// The page that lists the rows.
    pub href: String,
    /// Counts in ascending order of days, today last; computed by [`Days::counts_by_day`].
    pub counts: Vec<i64>,
}

/// Returns the task widgets of core.
fn core_tasks() -> [Arc<Widget<DashboardContext, PendingTask>>; 3] {
    [
        Widget::new(Permission::To(&CONTENT, Action::Edit), content::tasks),
        Widget::new(Permission::To(&MAIL, Action::View), mails::tasks),
        Widget::new(Permission::To(&SETTINGS, Action::View), storage::tasks),
    ]
    .map(Arc::new)
}

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    let account = request.account()?;
    let role = account.role();
    let mut connection = request.read().await?;
    let edition = edition::find_current(&mut connection).await?;
    drop(connection);
    let days = Days::until(request.now(), &request.site.time_zone);
    let (site, admin) = (request.site.clone(), request.admin.clone());
    let context = DashboardContext { site, edition, days, scope: account.scope(), admin };
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

/// A line of the section about storage and mail.
#[derive(Clone, Debug, Serialize)]
struct Fact {
    label: &'static str,
    value: String,
}

impl Fact {
    fn new(label: &'static str, value: impl Into<String>) -> Self {
        Self { label, value: value.into() }
    }
}
