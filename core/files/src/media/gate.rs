//! How much is done at a time: forms that arrive, pictures in work, memory for pixels.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::quota::Quota;
use super::slots::Slots;
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;

use crate::workers::Workers;

/// How long a form waits for a slot before any of it is read.
const PATIENCE: Duration = Duration::from_secs(5);
/// The memory that the pixels of all pictures in work share, in MiB. The largest picture needs all of it, alone.
const PIXEL_MIB: u32 = 96;

/// The gate of all uploads of a site. A form that waits for its bytes holds a slot and nothing else: cores and memory
/// are taken for work only.
pub(crate) struct Gate {
    pub(crate) slots: Slots,
    cores: Semaphore,
    memory: Semaphore,
    pub(crate) workers: Workers,
    pub(crate) quota: Quota,
}

impl Gate {
    pub(crate) fn new(settings: &Uploads) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            slots: Slots::new(settings.at_once, settings.at_once_per_client, PATIENCE),
            cores: Semaphore::new(cores),
            memory: Semaphore::new(PIXEL_MIB as usize),
            workers: Workers::new(cores),
            quota: Quota::new(settings.mib_per_client_and_hour),
        }
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
