//! What core itself does while the server runs.

use std::sync::Arc;

use crate::app::App;
use crate::task::Task;
use festival_admin as admin;
use festival_mail as mail;
use festival_records::editing;

/// Forgets mails that were sent long ago, at the start and then every hour.
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

/// Publishes what is due, every few seconds.
pub(crate) struct Publish;

#[rocket::async_trait]
impl Task for Publish {
    fn name(&self) -> &'static str {
        "publish"
    }

    async fn run(&self, app: Arc<App>) {
        editing::publish(&app.records).await;
    }
}

/// Removes sessions and the like that are over, at the start and then every quarter of an hour.
pub(crate) struct LookAfterBackOffice;

#[rocket::async_trait]
impl Task for LookAfterBackOffice {
    fn name(&self) -> &'static str {
        "admin sweep"
    }

    async fn run(&self, app: Arc<App>) {
        admin::run_maintenance(&app.admin).await;
    }
}

/// Takes out what was kept about people for longer than the settings allow, at the start and then every day.
pub(crate) struct Forget;

#[rocket::async_trait]
impl Task for Forget {
    fn name(&self) -> &'static str {
        "retention"
    }

    async fn run(&self, app: Arc<App>) {
        admin::privacy::run_retention(&app, &app.admin.contents.personal).await;
    }
}
