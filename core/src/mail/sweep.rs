//! Forgets mails that were sent long ago: they hold names, addresses and what people wrote.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;

use crate::app::App;
use crate::db::timestamp_text;
use crate::error::Result;
use crate::task::Task;

const EVERY: Duration = Duration::from_secs(60 * 60);

/// Looks at the start and then every hour.
pub(crate) struct Sweep;

#[rocket::async_trait]
impl Task for Sweep {
    fn name(&self) -> &'static str {
        "sweep of sent mails"
    }

    async fn run(&self, app: Arc<App>) {
        loop {
            match forget_sent(&app).await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "sent mails forgotten"),
                Err(error) => tracing::warn!(cause = error.for_terminal(), "old mails stay; trying again in an hour"),
            }
            tokio::time::sleep(EVERY).await;
        }
    }
}

/// Removes mails that were sent more than `mail.keep_sent_days` ago, and answers how many; 0 days keep them all.
/// Those that wait stay, however old they are.
pub async fn forget_sent(app: &App) -> Result<u64> {
    let days = i64::from(app.settings.mail.keep_sent_days);
    if days == 0 {
        return Ok(0);
    }
    let now = app.clock.now();
    let before = timestamp_text(now.checked_sub(SignedDuration::from_hours(24 * days)).unwrap_or(now));
    // Looked up first: a write makes every server compute its answers anew.
    let old: i64 = sqlx::query_scalar("SELECT count(*) FROM outbox WHERE sent_at < $1")
        .bind(before.clone())
        .fetch_one(&mut *app.db.read().await?)
        .await?;
    if old == 0 {
        return Ok(0);
    }
    let mut write = app.db.write().await?;
    let gone = sqlx::query("DELETE FROM outbox WHERE sent_at < $1").bind(before).execute(&mut *write).await?;
    write.commit().await?;
    Ok(gone.rows_affected())
}
