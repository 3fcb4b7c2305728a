//! Removes what is over: sessions, invitations, counted failures, tables that nobody brought in.

use std::sync::Arc;
use std::time::Duration;

use super::{entities, invitation, session, throttle};
use crate::app::App;
use crate::error::Result;
use crate::task::Task;

/// How often.
const EVERY: Duration = Duration::from_secs(15 * 60);

/// The task.
pub(super) struct Sweep;

#[rocket::async_trait]
impl Task for Sweep {
    fn name(&self) -> &'static str {
        "admin sweep"
    }

    async fn run(&self, app: Arc<App>) {
        if !app.settings.admin.enabled {
            return;
        }
        if let Err(error) = app.admin.passwords.prepare().await {
            tracing::warn!(%error, "the comparison of passwords could not be prepared");
        }
        loop {
            if let Err(error) = sweep(&app).await {
                tracing::warn!(%error, "sessions that are over could not be removed");
            }
            tokio::time::sleep(EVERY).await;
        }
    }
}

async fn sweep(app: &App) -> Result<()> {
    entities::import::waiting::sweep(&app.media).await?;
    let now = app.clock.now();
    let mut write = app.db.write().await?;
    let gone = session::sweep(&mut write, now).await?
        + invitation::sweep(&mut write, now).await?
        + throttle::sweep(&mut write, now).await?;
    // What changed nothing must not make every remembered answer old.
    if gone > 0 { write.commit().await } else { write.rollback().await }
}
