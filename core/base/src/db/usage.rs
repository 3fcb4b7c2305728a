//! Metrics of the connection pool.

use std::sync::atomic::AtomicU64;
use std::time::Instant;

use prometheus_client::metrics::counter::Counter;

use crate::error::{Error, Result};

/// Counters of waits for the database since the program started.
#[derive(Clone, Default)]
pub struct Usage {
    /// Number of times that a connection or the write lock was requested, even if it was available at once.
    pub waits: Counter,
    /// Total duration of these waits, in seconds.
    pub wait_seconds: Counter<f64, AtomicU64>,
    /// Waits that timed out.
    pub timeouts: Counter,
}

/// The current number of connections.
#[derive(Clone, Copy, Debug)]
pub struct PoolSize {
    /// Open connections.
    pub open: u32,
    /// Open connections that are not in use.
    pub idle: u32,
    /// Maximum number of connections.
    pub max: u32,
}

impl Usage {
    /// Awaits `acquiring` and counts the wait.
    pub(super) async fn wait<T>(&self, acquiring: impl Future<Output = sqlx::Result<T>>) -> Result<T> {
        let start = Instant::now();
        let acquired = acquiring.await;
        self.waits.inc();
        self.wait_seconds.inc_by(start.elapsed().as_secs_f64());
        if matches!(acquired, Err(sqlx::Error::PoolTimedOut)) {
            self.timeouts.inc();
        }
        acquired.map_err(Error::from)
    }
}
