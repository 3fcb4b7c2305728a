//! Removes what is over: sessions, invitations, counted failures, tables that nobody brought in.

use std::time::Duration;

use super::{BackOffice, entities, invitation, session, throttle};
use festival_base::error::Result;
use festival_web::site::Site;

/// How often.
const EVERY: Duration = Duration::from_secs(15 * 60);

/// Prepares what signing in needs, and removes what is over as long as it runs.
pub async fn look_after(admin: &BackOffice) {
    if !admin.site.settings.admin.enabled {
        return;
    }
    if let Err(error) = admin.passwords.prepare().await {
        tracing::warn!(%error, "the comparison of passwords could not be prepared");
    }
    loop {
        if let Err(error) = sweep(&admin.site).await {
            tracing::warn!(%error, "sessions that are over could not be removed");
        }
        tokio::time::sleep(EVERY).await;
    }
}

async fn sweep(site: &Site) -> Result<()> {
    entities::import::waiting::sweep(&site.media).await?;
    let now = site.clock.now();
    let mut write = site.db.write_private().await?;
    session::sweep(&mut write, now).await?;
    invitation::sweep(&mut write, now).await?;
    throttle::sweep(&mut write, now).await?;
    write.commit().await
}
