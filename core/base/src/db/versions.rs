//! Counters that tell caches that the data changed.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Counters of changes to the data, made by this process or noticed.
#[derive(Default)]
pub(super) struct Versions {
    /// Number of changes.
    pub(super) changes: AtomicU64,
    /// Highest version seen in the table `data_version`.
    pub(super) data: AtomicI64,
}

impl Versions {
    /// Records a change.
    pub(super) fn record_change(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Records a version read from the table `data_version`.
    pub(super) fn record_data_version(&self, version: i64) {
        self.data.fetch_max(version, Ordering::AcqRel);
    }
}
