//! What the pool was used for, as figures.

use std::sync::atomic::AtomicU64;
use std::time::Instant;

use prometheus_client::metrics::counter::Counter;

use crate::error::{Error, Result};

/// How often, and how long, the database was waited for since the start.
#[derive(Clone, Default)]
pub struct Usage {
    /// Connections and turns to write that were waited for, however shortly.
    pub waits: Counter,
    /// The seconds that these waits took together.
    pub wait_seconds: Counter<f64, AtomicU64>,
    /// Waits that were given up.
    pub timeouts: Counter,
}

/// How many connections there are now.
#[derive(Clone, Copy, Debug)]
pub struct PoolSize {
    /// Connections that are open.
    pub open: u32,
    /// Those of them that nobody uses.
    pub idle: u32,
    /// The most that there may be.
    pub most: u32,
}

impl Usage {
    /// Counts the wait for what `acquiring` gets.
    pub(super) async fn wait<T>(&self, acquiring: impl Future<Output = sqlx::Result<T>>) -> Result<T> {
        let begun = Instant::now();
        let acquired = acquiring.await;
        self.waits.inc();
        self.wait_seconds.inc_by(begun.elapsed().as_secs_f64());
        if matches!(acquired, Err(sqlx::Error::PoolTimedOut)) {
            self.timeouts.inc();
        }
        acquired.map_err(Error::from)
    }
}
