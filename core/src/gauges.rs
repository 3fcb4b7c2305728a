//! Figures that are looked up when somebody asks: the outbox, the disk, backups, the database, forms on their way.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use jiff::Timestamp;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Unit;
use tokio::time::timeout;

use crate::backup;
use festival_base::error::{Error, Result};
use festival_mail as mail;
use festival_web::metrics::Metrics;
use festival_web::site::Site;

/// How long the database and the disk have to answer.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabel {
    state: &'static str,
}

/// Figures of the site that are as they were when somebody last asked.
#[derive(Clone, Default)]
pub(crate) struct Gauges {
    mails: Family<StateLabel, Gauge>,
    oldest_mail: Gauge<f64, AtomicU64>,
    free: Gauge<f64, AtomicU64>,
    keep_free: Gauge<f64, AtomicU64>,
    last_backup: Gauge,
    is_database_up: Gauge,
    connections: Family<StateLabel, Gauge>,
    most_connections: Gauge,
    forms_arriving: Gauge,
    forms_waiting: Gauge,
    most_forms: Gauge,
}

impl Gauges {
    /// Adds them, and those that the database counts, to `metrics`.
    pub(crate) fn new(metrics: &Metrics, site: &Site) -> Self {
        let gauges = Self::default();
        let usage = site.db.usage();
        metrics.register(|registry| {
            registry.register("outbox_mails", "Mails that are not sent", gauges.mails.clone());
            let words = "Age of the oldest mail that nobody holds back and that is not sent, 0 where there is none";
            registry.register_with_unit("outbox_oldest_age", words, Unit::Seconds, gauges.oldest_mail.clone());
            registry.register_with_unit("data_free", "Free space of the data folder", Unit::Bytes, gauges.free.clone());
            let words = "Space that uploads leave free";
            registry.register_with_unit("data_keep_free", words, Unit::Bytes, gauges.keep_free.clone());
            let words = "When the last backup was made, 0 where there is none";
            registry.register_with_unit("last_backup_timestamp", words, Unit::Seconds, gauges.last_backup.clone());
            registry.register("database_up", "1 where the database answers", gauges.is_database_up.clone());
            registry.register("database_connections", "Connections to the database", gauges.connections.clone());
            registry.register("database_connections_limit", "The most of them", gauges.most_connections.clone());
            let words = "Connections to the database and turns to write that were waited for, however shortly";
            registry.register("database_waits", words, usage.waits.clone());
            let words = "What these waits took together";
            registry.register_with_unit("database_wait", words, Unit::Seconds, usage.wait_seconds.clone());
            registry.register("database_timeouts", "Waits that were given up", usage.timeouts.clone());
            registry.register("upload_slots", "Forms with files that are arriving", gauges.forms_arriving.clone());
            registry.register("upload_slots_limit", "The most of them", gauges.most_forms.clone());
            registry.register("upload_slots_waiting", "Forms that wait for a slot", gauges.forms_waiting.clone());
        });
        gauges
    }

    /// Looks everything up. What does not answer keeps its last figure.
    pub(crate) async fn refresh(&self, site: &Site) {
        let size = site.db.pool_size();
        let connections = |state| self.connections.get_or_create(&StateLabel { state });
        connections("idle").set(size.idle.into());
        connections("used").set(size.open.saturating_sub(size.idle).into());
        self.most_connections.set(size.max.into());
        let slots = site.media.upload_slots(&site.settings.uploads);
        self.forms_arriving.set(count(slots.used));
        self.forms_waiting.set(count(slots.waiting));
        self.most_forms.set(count(slots.limit));
        self.keep_free.set(bytes(site.settings.uploads.keep_free_mib << 20));
        if let Ok(Ok(free)) = timeout(PATIENCE, site.media.free_bytes()).await {
            self.free.set(bytes(free));
        }
        let looked = timeout(PATIENCE, self.look_into_database(site)).await;
        self.is_database_up.set(i64::from(matches!(looked, Ok(Ok(())))));
    }

    async fn look_into_database(&self, site: &Site) -> Result<()> {
        let mut connection = site.db.read().await?;
        let outbox = mail::health(&mut connection).await?;
        let mails = |state| self.mails.get_or_create(&StateLabel { state });
        mails("waiting").set(outbox.waiting - outbox.troubled - outbox.held);
        mails("failed").set(outbox.troubled);
        mails("held").set(outbox.held);
        let now = site.clock.now();
        let oldest = mail::oldest_unsent(&mut connection).await?.map(|at| moment(&at)).transpose()?;
        self.oldest_mail.set(oldest.map_or(0.0, |at| now.duration_since(at).as_secs_f64().max(0.0)));
        let backup = backup::last(&mut connection).await?.map(|at| moment(&at)).transpose()?;
        self.last_backup.set(backup.map_or(0, Timestamp::as_second));
        Ok(())
    }
}

fn moment(text: &str) -> Result<Timestamp> {
    text.parse().map_err(Error::internal)
}

fn count(things: usize) -> i64 {
    i64::try_from(things).unwrap_or(i64::MAX)
}

/// A figure that is exact up to eight petabytes.
fn bytes(count: u64) -> f64 {
    count as f64
}
