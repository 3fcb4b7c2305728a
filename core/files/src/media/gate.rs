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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::workers::Crowd;

    #[tokio::test]
    async fn decoding_is_bounded_by_the_cores() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let gate = Arc::new(Gate::new(&Uploads::default()));
        let crowd = Arc::new(Crowd::new(cores));
        let files = (0..8 * cores).map(|_| {
            let (gate, crowd) = (gate.clone(), crowd.clone());
            tokio::spawn(async move {
                let _core = gate.core().await?;
                gate.workers.run(move |_| crowd.work()).await
            })
        });
        for done in futures::future::join_all(files).await {
            assert!(matches!(done, Ok(Ok(Some(())))), "{done:?}");
        }
        assert_eq!(crowd.most(), cores);
        let all = futures::future::join_all((0..cores).map(|_| gate.core())).await;
        assert!(all.iter().all(Result::is_ok) && gate.cores.try_acquire().is_err(), "as many turns as cores");
    }
}
