//! Background task: deletes expired sessions, invitations, failed attempts and staged imports.

use std::time::Duration;

use crate::back_office::BackOffice;
use crate::entities;
use crate::identity::{invitation, session, throttle};
use festival_base::error::Result;
use festival_web::site::Site;

/// Time between two runs.
const INTERVAL: Duration = Duration::from_secs(15 * 60);

/// Prepares signing in, then deletes expired rows and files every 15 minutes until it is dropped. Returns at once if
/// the back office is switched off.
pub async fn run_maintenance(admin: &BackOffice) {
    if !admin.site.settings.admin.enabled {
        return;
    }
    if let Err(error) = admin.passwords.prepare().await {
        tracing::warn!(%error, "could not compute the dummy password hash");
    }
    loop {
        if let Err(error) = delete_expired(&admin.site).await {
            tracing::warn!(%error, "could not delete expired sessions");
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

async fn delete_expired(site: &Site) -> Result<()> {
    entities::import::staged::delete_expired(&site.media).await?;
    let now = site.clock.now();
    let mut write = site.db.write_private().await?;
    session::delete_expired(&mut write, now).await?;
    invitation::delete_expired(&mut write, now).await?;
    throttle::delete_expired(&mut write, now).await?;
    write.commit().await
}
