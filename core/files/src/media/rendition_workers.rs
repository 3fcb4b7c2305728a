//! The worker threads and limits for creating renditions.

use std::sync::OnceLock;

use tokio::sync::Semaphore;

use crate::workers::Workers;

/// Requests that may wait for renditions at the same time; further ones get the original.
pub(super) const MAX_PENDING: usize = 24;

/// The worker threads and limits for creating renditions.
pub(super) struct RenditionWorkers {
    /// One thread per two cores, so that pages are not slowed down.
    pub(super) workers: OnceLock<Workers>,
    pub(super) permits: Semaphore,
}

impl Default for RenditionWorkers {
    fn default() -> Self {
        Self { workers: OnceLock::new(), permits: Semaphore::new(MAX_PENDING) }
    }
}
