//! Background task: prepares signing in, and deletes expired sessions, invitations, failed attempts and staged imports.

use crate::back_office::BackOffice;
use crate::entities;
use crate::identity::{invitation, session, throttle};
use festival_base::error::Result;

/// Prepares signing in, and deletes expired rows and files, unless the back office is switched off.
///
/// # Errors
/// If no password can be hashed, or the database or the store cannot be written.
pub async fn run_maintenance(admin: &BackOffice) -> Result<()> {
    let site = &admin.site;
    if !site.settings.admin.enabled {
        return Ok(());
    }
    let prepared = admin.passwords.prepare().await;
    entities::import::staged::delete_expired(&site.media).await?;
    let now = site.clock.now();
    let mut write = site.db.write_private().await?;
    session::delete_expired(&mut write, now).await?;
    invitation::delete_expired(&mut write, now).await?;
    throttle::delete_expired(&mut write, now).await?;
    write.commit().await?;
    prepared
}
