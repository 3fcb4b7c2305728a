//! How the mails are.

use super::{DashboardContext, Fact, PendingTask};
use crate::request::AdminRequest;
use festival_base::error::Result;
use festival_base::time_text;
use festival_mail::{self as mail, Health};

pub(super) async fn tasks(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let health = mail::health(&mut *context.read().await?).await?;
    let troubled = ("mail could not be sent", "mails could not be sent");
    let held = ("mail is held back", "mails are held back");
    let failed =
        PendingTask::counted(health.failed, troubled.0, troubled.1, "/admin/mail?part=failed").map(PendingTask::urgent);
    let held = PendingTask::counted(health.held, held.0, held.1, "/admin/mail?part=held");
    Ok(failed.into_iter().chain(held).collect())
}

pub(super) async fn facts(request: &AdminRequest) -> Result<Vec<Fact>> {
    let Health { waiting, oldest_waiting, last_sent, .. } = mail::health(&mut *request.read().await?).await?;
    let zone = &request.site.time_zone;
    let settings = &request.site.settings.mail;
    let waits = match (waiting, oldest_waiting) {
        (0, _) | (_, None) => "nothing".to_owned(),
        (count, Some(since)) => format!("{count}, the oldest since {}", time_text::short(&since, zone)),
    };
    Ok(vec![
        Fact::new(
            "Mails go",
            if settings.host.is_empty() {
                "into a folder, and reach nobody".to_owned()
            } else {
                format!("to {}", settings.host)
            },
        ),
        Fact::new("Waiting to be sent", waits),
        Fact::new("Last mail sent", last_sent.map_or("never".to_owned(), |at| time_text::short(&at, zone))),
    ])
}
