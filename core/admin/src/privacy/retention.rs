//! Erases data after its retention period.

use serde_json::json;

use super::erase::remove_files;
use super::{Erased, Holders};
use crate::audit::{Entry, record};
use festival_base::error::Result;
use festival_web::site::Site;

/// Erases data older than its retention period; a dry run only counts it.
///
/// # Errors
/// Any error of database or store.
pub async fn expire(site: &Site, holders: &Holders, is_dry_run: bool) -> Result<Erased> {
    let mut write = site.db.write_private().await?;
    let mut erased = Erased::default();
    for holder in holders {
        erased.add(holder.expire(site, &mut write).await?);
    }
    if is_dry_run || erased.is_nothing() {
        write.rollback().await?;
        return Ok(erased);
    }
    let entry = Entry::new("expire", "person").after(json!({ "counts": erased.counts, "stay": erased.stays }));
    record(&mut write, None, "retention", entry, site.clock.now()).await?;
    write.commit().await?;
    remove_files(site, &erased).await?;
    Ok(erased)
}

/// Runs [`expire`], and logs what it erased.
///
/// # Errors
/// Those of [`expire`].
pub async fn run_retention(site: &Site, holders: &Holders) -> Result<()> {
    let erased = expire(site, holders, false).await?;
    if !erased.is_nothing() {
        tracing::info!(counts = ?erased.counts, stay = ?erased.stays, "erased data after its retention period");
    }
    Ok(())
}
