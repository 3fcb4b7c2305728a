//! The background tasks of core.

use std::sync::Arc;

use crate::app::App;
use crate::task::Task;
use festival_admin as admin;
use festival_mail as mail;
use festival_records::editing;

/// Deletes mails that were sent long ago, at start and then every hour.
pub(crate) struct SweepSentMails;

#[rocket::async_trait]
impl Task for SweepSentMails {
    fn name(&self) -> &'static str {
        "sweep of sent mails"
    }

    async fn run(&self, app: Arc<App>) {
        mail::sweep(&app.db, &app.clock, app.settings.mail.keep_sent_days).await;
    }
}

/// Publishes scheduled rows that are due, every few seconds.
pub(crate) struct PublishDueRows;

#[rocket::async_trait]
impl Task for PublishDueRows {
    fn name(&self) -> &'static str {
        "publish"
    }

    async fn run(&self, app: Arc<App>) {
        editing::publish(&app.records).await;
    }
}

/// Deletes expired sessions and the like, at start and then every quarter of an hour.
pub(crate) struct SweepBackOffice;

#[rocket::async_trait]
impl Task for SweepBackOffice {
    fn name(&self) -> &'static str {
        "admin sweep"
    }

    async fn run(&self, app: Arc<App>) {
        admin::run_maintenance(&app.admin).await;
    }
}

/// Deletes personal data that is older than its retention period, at start and then every day.
pub(crate) struct ApplyRetention;

#[rocket::async_trait]
impl Task for ApplyRetention {
    fn name(&self) -> &'static str {
        "retention"
    }

    async fn run(&self, app: Arc<App>) {
        admin::privacy::run_retention(&app, &app.admin.contents.personal).await;
    }
}
