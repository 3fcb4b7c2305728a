//! The first page: what needs doing, numbers by day, how the machine is.
//!
//! Core counts its own things and knows no module: whoever has something to say here registers it with
//! `Registry::pending_task` or `Registry::metric`, and says who may see it.

mod content;
mod days;
mod mails;
mod plot;
mod storage;

use std::future::Future;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;
use sqlx::Any;
use sqlx::pool::PoolConnection;

use super::BackOffice;
use super::account::Account;
use super::reply::Reply;
use super::request::AdminRequest;
use super::role::{Action, CONTENT, MAIL, SETTINGS};
use super::scope::Scope;
use super::screen::Permission;
use festival_base::error::Result;
use festival_records::edition::{self, Edition};
use festival_web::site::Site;

pub use days::Days;

/// What whoever counts is told.
#[derive(Clone)]
pub struct DashboardContext {
    /// The site.
    pub site: Arc<Site>,
    /// The current edition, if there is one.
    pub edition: Option<Edition>,
    /// The last thirty days on the festival's clock.
    pub days: Days,
    /// The part of what people sent that whoever looks is limited to.
    pub scope: Scope,
    admin: Arc<BackOffice>,
}

impl DashboardContext {
    /// A connection for reading.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        self.site.db.read().await
    }
}

/// Something that somebody should do.
#[derive(Clone, Debug, Serialize)]
pub struct PendingTask {
    /// A sentence or a few words, with the number: "3 films that nobody has looked at".
    pub words: String,
    /// Where it is done.
    pub href: String,
    /// Whether it should not wait.
    pub is_urgent: bool,
}

impl PendingTask {
    /// "1 film", "3 films" and what is to be done with them; nothing where there is none.
    pub fn counted(count: i64, one: &str, many: &str, href: impl Into<String>) -> Option<Self> {
        let words = if count == 1 { one.to_owned() } else { many.to_owned() };
        (count > 0).then(|| Self { words: format!("{count} {words}"), href: href.into(), is_urgent: false })
    }

    /// The same, first on the list.
    #[must_use]
    pub fn urgent(mut self) -> Self {
        self.is_urgent = true;
        self
    }
}

/// A number for each of the last thirty days.
#[derive(Clone, Debug)]
pub struct Metric {
    /// What is counted: "Delegates".
    pub label: String,
    /// The list of it.
    pub href: String,
    /// One number a day, the last is today's; made by [`Days::spread`].
    pub counts: Vec<i64>,
}

/// What a module adds to the first page.
pub struct Widget<T: 'static> {
    permission: Permission,
    work: Box<dyn Fn(DashboardContext) -> BoxFuture<'static, Result<Vec<T>>> + Send + Sync>,
}

impl<T: 'static> Widget<T> {
    /// What `work` answers, for those who have the permission.
    pub fn new<F, Fut>(permission: Permission, work: F) -> Self
    where
        F: Fn(DashboardContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<T>>> + Send + 'static,
    {
        Self { permission, work: Box::new(move |context| Box::pin(work(context))) }
    }

    async fn of(&self, account: &Account, context: &DashboardContext) -> Result<Vec<T>> {
        if self.permission.allows(Some(account)) { (self.work)(context.clone()).await } else { Ok(Vec::new()) }
    }
}

/// What core itself counts.
fn own() -> [Arc<Widget<PendingTask>>; 3] {
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
    // What people wait for comes before what core says of the content.
    for widget in request.admin.contents.pending_tasks.iter().chain(&own()) {
        tasks.extend(widget.of(account, &context).await?);
    }
    for widget in &request.admin.contents.metrics {
        metrics.extend(widget.of(account, &context).await?);
    }
    tasks.sort_by_key(|task| !task.is_urgent);
    let mut state = Vec::new();
    if request.may(&SETTINGS, Action::View) {
        state.extend(storage::facts(&request).await?);
        state.extend(mails::facts(&request).await?);
    }
    let plots: Vec<Value> = metrics.iter().map(|metric| plot::drawn(metric, &context.days)).collect();
    Ok(Reply::page("start", format!("Good to see you, {}", account.name))
        .with("role", role.label())
        .with("meaning", role.meaning())
        .with("todos", tasks)
        .with("plots", plots)
        .with("state", state)
        .into())
}

/// A line of what the page says about the machine.
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

/// "340 KB", "1.2 MB", "14.0 GB".
fn size_text(bytes: u64) -> String {
    let (unit, word) = match bytes {
        0..1_000_000 => return format!("{} KB", bytes.div_ceil(1_000)),
        1_000_000..1_000_000_000 => (1_000_000, "MB"),
        _ => (1_000_000_000, "GB"),
    };
    format!("{}.{} {word}", bytes / unit, bytes % unit / (unit / 10))
}
