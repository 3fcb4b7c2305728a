//! Tasks and facts about the outbox.

use super::{DashboardContext, PendingTask};
use crate::back_office::AdminRequest;
use festival_base::error::Result;
use festival_base::time_text;
use festival_mail::{self as mail, Health};

pub(super) async fn tasks(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let health = mail::health(&mut *context.read().await?).await?;
    let failed = PendingTask::counted(
        health.failed,
        "mail could not be sent",
        "mails could not be sent",
        "/admin/mail?part=failed",
    );
    let failed = failed.map(PendingTask::urgent);
    let held = PendingTask::counted(health.held, "mail is on hold", "mails are on hold", "/admin/mail?part=held");
    Ok(failed.into_iter().chain(held).collect())
}

pub(super) async fn facts(request: &AdminRequest) -> Result<[(&'static str, String); 3]> {
    let Health { waiting, oldest_waiting, last_sent, .. } = mail::health(&mut *request.read().await?).await?;
    let zone = &request.site.time_zone;
    let settings = &request.site.settings.mail;
    let queue = match (waiting, oldest_waiting) {
        (0, _) | (_, None) => "none".to_owned(),
        (count, Some(since)) => format!("{count}, the oldest since {}", time_text::short(&since, zone)),
    };
    let delivery = match settings.host.as_str() {
        "" => "written to a folder, not sent".to_owned(),
        host => format!("through {host}"),
    };
    Ok([
        ("Mail delivery", delivery),
        ("Waiting to be sent", queue),
        ("Last mail sent", last_sent.map_or("never".to_owned(), |at| time_text::short(&at, zone))),
    ])
}
