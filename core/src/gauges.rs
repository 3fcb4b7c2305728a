//! Metrics that are read at the time of the scrape: outbox, disk, backups, database, uploads in progress.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use jiff::Timestamp;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Unit;
use tokio::time::timeout;

use crate::backup;
use festival_base::error::{Error, Result};
use festival_mail as mail;
use festival_web::metrics::Metrics;
use festival_web::site::Site;

/// Time limit for the database, and for the disk, to provide their figures.
const TIMEOUT: Duration = Duration::from_secs(3);

/// A state with its name.
type StateLabel = [(&'static str, &'static str); 1];

/// Gauges with the figures of the last scrape.
#[derive(Clone, Default)]
pub(crate) struct Gauges {
    mails: Family<StateLabel, Gauge>,
    oldest_mail: Gauge<f64, AtomicU64>,
    free_space: Gauge<f64, AtomicU64>,
    reserved_space: Gauge<f64, AtomicU64>,
    last_backup: Gauge,
    is_database_up: Gauge,
    connections: Family<StateLabel, Gauge>,
    connection_limit: Gauge,
    active_uploads: Gauge,
    waiting_uploads: Gauge,
    upload_limit: Gauge,
}

impl Gauges {
    /// Registers the gauges, and the counters of the database, with `metrics`.
    pub(crate) fn new(metrics: &Metrics, site: &Site) -> Self {
        let gauges = Self::default();
        let usage = site.db.usage();
        metrics.register(|registry| {
            registry.register("outbox_mails", "Mails that are not sent", gauges.mails.clone());
            let help = "Age of the oldest unsent mail that is not held back, 0 if there is none";
            registry.register_with_unit("outbox_oldest_age", help, Unit::Seconds, gauges.oldest_mail.clone());
            registry.register_with_unit(
                "data_free",
                "Free space of the data folder",
                Unit::Bytes,
                gauges.free_space.clone(),
            );
            let help = "Space that uploads leave free";
            registry.register_with_unit("data_keep_free", help, Unit::Bytes, gauges.reserved_space.clone());
            let help = "When the last backup was made, 0 if there is none";
            registry.register_with_unit("last_backup_timestamp", help, Unit::Seconds, gauges.last_backup.clone());
            registry.register("database_up", "1 if the database responds", gauges.is_database_up.clone());
            registry.register("database_connections", "Connections to the database", gauges.connections.clone());
            registry.register("database_connections_limit", "Limit of connections", gauges.connection_limit.clone());
            let help = "Waits for a database connection or the write lock, however short";
            registry.register("database_waits", help, usage.waits.clone());
            let help = "Total duration of these waits";
            registry.register_with_unit("database_wait", help, Unit::Seconds, usage.wait_seconds.clone());
            registry.register("database_timeouts", "Waits that timed out", usage.timeouts.clone());
            registry.register("upload_slots", "Forms with files that are arriving", gauges.active_uploads.clone());
            registry.register("upload_slots_limit", "Maximum number of such forms", gauges.upload_limit.clone());
            registry.register("upload_slots_waiting", "Forms that wait for a slot", gauges.waiting_uploads.clone());
        });
        gauges
    }

    /// Reads all figures. A source that does not respond in time keeps its last figure.
    pub(crate) async fn refresh(&self, site: &Site) {
        let size = site.db.pool_size();
        let connections = |state| self.connections.get_or_create(&[("state", state)]);
        connections("idle").set(size.idle.into());
        connections("used").set(size.open.saturating_sub(size.idle).into());
        self.connection_limit.set(size.max.into());
        let slots = site.media.upload_slots(&site.settings.uploads);
        self.active_uploads.set(count(slots.used));
        self.waiting_uploads.set(count(slots.waiting));
        self.upload_limit.set(count(slots.limit));
        self.reserved_space.set(bytes(site.settings.uploads.keep_free_mib << 20));
        if let Ok(Ok(free)) = timeout(TIMEOUT, site.media.free_bytes()).await {
            self.free_space.set(bytes(free));
        }
        let database = timeout(TIMEOUT, self.refresh_from_database(site)).await;
        self.is_database_up.set(i64::from(matches!(database, Ok(Ok(())))));
    }

    async fn refresh_from_database(&self, site: &Site) -> Result<()> {
        let mut connection = site.db.read().await?;
        let outbox = mail::health(&mut connection).await?;
        let mails = |state| self.mails.get_or_create(&[("state", state)]);
        mails("waiting").set(outbox.waiting - outbox.failed - outbox.held);
        mails("failed").set(outbox.failed);
        mails("held").set(outbox.held);
        let now = site.clock.now();
        let oldest = outbox.oldest_due.map(|at| parse_timestamp(&at)).transpose()?;
        self.oldest_mail.set(oldest.map_or(0.0, |at| now.duration_since(at).as_secs_f64().max(0.0)));
        let backup = backup::last(&mut connection).await?.map(|at| parse_timestamp(&at)).transpose()?;
        self.last_backup.set(backup.map_or(0, Timestamp::as_second));
        Ok(())
    }
}

fn parse_timestamp(text: &str) -> Result<Timestamp> {
    text.parse().map_err(Error::internal)
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Exact up to eight petabytes.
fn bytes(count: u64) -> f64 {
    count as f64
}
