//! How much is done at a time: forms that arrive, files in work. Memory is taken by whoever decodes ([`crate::budget`]).

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::quota::Quota;
use super::slots::Slots;
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;

use crate::workers::Workers;

/// How long a form waits for a slot before any of it is read.
const PATIENCE: Duration = Duration::from_secs(5);

/// The gate of all uploads of a site. A form that waits for its bytes holds a slot and nothing else: a core and memory
/// are taken for work only.
pub(crate) struct Gate {
    pub(crate) slots: Slots,
    cores: Semaphore,
    pub(crate) workers: Workers,
    pub(crate) quota: Quota,
}

impl Gate {
    pub(crate) fn new(settings: &Uploads) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            slots: Slots::new(settings.at_once, settings.at_once_per_client, PATIENCE),
            cores: Semaphore::new(cores),
            workers: Workers::new(cores),
            quota: Quota::new(settings.mib_per_client_and_hour),
        }
    }

    /// Waits for a core to work on a file. Held until the file is written: no more files are in memory than there are cores.
    pub(crate) async fn core(&self) -> Result<SemaphorePermit<'_>> {
        self.cores.acquire().await.map_err(Error::internal)
    }
}
