//! How much is done at a time: uploads, pictures in work, memory for pixels.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::quota::Quota;
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;

use crate::workers::Workers;

/// How long an upload waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);
/// The memory that the pixels of all pictures in work share, in MiB. The largest picture needs all of it, alone.
const PIXEL_MIB: u32 = 96;

/// The gate of all uploads of a site.
pub(crate) struct Gate {
    turns: Semaphore,
    queue: Semaphore,
    cores: Semaphore,
    memory: Semaphore,
    pub(crate) workers: Workers,
    pub(crate) quota: Quota,
    patience: Duration,
}

impl Gate {
    pub(crate) fn new(settings: &Uploads) -> Self {
        Self::with_patience(settings, PATIENCE)
    }

    pub(crate) fn with_patience(settings: &Uploads, patience: Duration) -> Self {
        let at_once = settings.at_once.max(1) as usize;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            turns: Semaphore::new(at_once),
            queue: Semaphore::new(at_once),
            cores: Semaphore::new(cores),
            memory: Semaphore::new(PIXEL_MIB as usize),
            workers: Workers::new(cores),
            quota: Quota::new(settings.mib_per_client_and_hour),
            patience,
        }
    }

    /// Waits for a turn to receive a form; the queue is short, so that nobody waits for nothing.
    pub(crate) async fn turn(&self) -> Result<SemaphorePermit<'_>> {
        let busy = || Error::Unavailable("Many forms are arriving at the moment. Please try again in a moment.".into());
        if let Ok(turn) = self.turns.try_acquire() {
            return Ok(turn);
        }
        let _place = self.queue.try_acquire().map_err(|_| busy())?;
        let turn = tokio::time::timeout(self.patience, self.turns.acquire()).await;
        turn.map_err(|_| busy())?.map_err(Error::internal)
    }

    /// Waits for a core to work on a file.
    pub(crate) async fn core(&self) -> Result<SemaphorePermit<'_>> {
        self.cores.acquire().await.map_err(Error::internal)
    }

    /// Waits for `bytes` of memory; more than there is means all of it, alone.
    pub(crate) async fn memory(&self, bytes: u64) -> Result<SemaphorePermit<'_>> {
        let mib = u32::try_from(bytes >> 20).map_or(PIXEL_MIB, |mib| (mib + 1).min(PIXEL_MIB));
        self.memory.acquire_many(mib).await.map_err(Error::internal)
    }
}
