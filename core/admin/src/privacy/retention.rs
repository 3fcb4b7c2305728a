//! Erases data after its retention period.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;

use super::erase::remove_files;
use super::{Erased, Holders};
use crate::audit::{Entry, record};
use festival_base::db::timestamp_text;
use festival_base::error::Result;
use festival_web::site::Site;

/// Time between two retention runs.
const RETENTION_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

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

/// Runs [`expire`] now and then once a day, until it is dropped.
pub async fn run_retention(site: &Site, holders: &Holders) {
    loop {
        match expire(site, holders, false).await {
            Ok(erased) if erased.is_nothing() => {}
            Ok(erased) => {
                tracing::info!(counts = ?erased.counts, stay = ?erased.stays, "erased data after its retention period")
            }
            Err(error) => tracing::warn!(cause = error.for_terminal(), "retention failed; trying again tomorrow"),
        }
        tokio::time::sleep(RETENTION_INTERVAL).await;
    }
}

/// Returns the time `days` before `now`, as stored; `None` for 0 days, which means no limit.
pub fn days_ago(now: Timestamp, days: u32) -> Option<String> {
    let hours = jiff::SignedDuration::from_hours(24 * i64::from(days));
    (days > 0).then(|| timestamp_text(now.checked_sub(hours).unwrap_or(Timestamp::MIN)))
}
