//! Concurrency limits of uploads: forms that are received, files that are processed. Memory is limited by
//! [`crate::budget`].

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::quota::Quota;
use super::slots::Slots;
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;

use crate::workers::Workers;

/// Time that a form waits for a slot before it is read.
const SLOT_TIMEOUT: Duration = Duration::from_secs(5);

/// The limits of all uploads of a site. A form that is being received holds a slot only; cores and memory are acquired
/// when its files are processed.
pub(crate) struct Gate {
    pub(crate) slots: Slots,
    core_permits: Semaphore,
    pub(crate) workers: Workers,
    pub(crate) quota: Quota,
}

impl Gate {
    pub(crate) fn new(settings: &Uploads) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            slots: Slots::new(settings.at_once, settings.at_once_per_client, SLOT_TIMEOUT),
            core_permits: Semaphore::new(cores),
            workers: Workers::new(cores),
            quota: Quota::new(settings.mib_per_client_and_hour),
        }
    }

    /// Waits for a core to process a file on. The permit is held until the file is written, so that no more files are
    /// in memory than there are cores.
    pub(crate) async fn acquire_core(&self) -> Result<SemaphorePermit<'_>> {
        self.core_permits.acquire().await.map_err(Error::internal)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::workers::ConcurrencyProbe;

    #[tokio::test]
    async fn decoding_is_limited_to_the_number_of_cores() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let gate = Arc::new(Gate::new(&Uploads::default()));
        let probe = Arc::new(ConcurrencyProbe::new(cores));
        let files = (0..8 * cores).map(|_| {
            let (gate, probe) = (gate.clone(), probe.clone());
            tokio::spawn(async move {
                let _core = gate.acquire_core().await?;
                gate.workers.run(move |_| probe.run_job()).await
            })
        });
        for output in futures::future::join_all(files).await {
            assert!(matches!(output, Ok(Ok(Some(())))), "{output:?}");
        }
        assert_eq!(probe.max(), cores);
        let all = futures::future::join_all((0..cores).map(|_| gate.acquire_core())).await;
        assert!(all.iter().all(Result::is_ok) && gate.core_permits.try_acquire().is_err(), "as many permits as cores");
    }
}
