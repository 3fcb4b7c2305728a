//! A fixed pool of threads for CPU work on files.
//!
//! An allocator retains freed memory per thread. The runtime has many threads for blocking work, and each would retain
//! the memory of the largest picture it ever decoded.

use std::sync::Arc;
#[cfg(test)]
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::oneshot;

use crate::budget::Cancellation;
use festival_base::error::{Error, Result};

/// A thread pool, whose threads end when it is dropped; `None` if the threads could not be started.
pub struct Workers(Option<ThreadPool>);

impl Workers {
    /// Starts `count` threads.
    pub fn new(count: usize) -> Self {
        // `run` reports a job that panicked to its caller.
        let threads = ThreadPoolBuilder::new().num_threads(count).thread_name(|_| "files".into()).panic_handler(drop);
        let pool = threads.build();
        if let Err(error) = &pool {
            tracing::error!(%error, "cannot start the worker threads for files");
        }
        Self(pool.ok())
    }

    /// Runs `job` on one of the threads and returns its result; `None` if it panicked. If the returned future is
    /// dropped, a queued job is skipped, and a running one can see it from its [`Cancellation`].
    ///
    /// # Errors
    /// If no thread could be started.
    pub async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Cancellation) -> T + Send + 'static,
    ) -> Result<Option<T>> {
        let pool = self.0.as_ref().ok_or_else(|| Error::internal("no worker thread for files is running"))?;
        let (sender, receiver) = oneshot::channel();
        let waiter = Arc::new(());
        let cancellation = Cancellation::when_dropped(Arc::downgrade(&waiter));
        pool.spawn(move || {
            if !cancellation.is_cancelled() {
                // Fails if the receiver was dropped: nobody needs the result then.
                let _ = sender.send(job(&cancellation));
            }
        });
        let output = receiver.await.ok();
        drop(waiter);
        Ok(output)
    }
}

/// For tests: measures how many jobs run at the same time.
#[cfg(test)]
pub(crate) struct ConcurrencyProbe {
    barrier: std::sync::Barrier,
    current: AtomicUsize,
    max: AtomicUsize,
}

#[cfg(test)]
impl ConcurrencyProbe {
    /// A probe whose jobs end only when `count` of them run at the same time.
    pub(crate) fn new(count: usize) -> Self {
        Self { barrier: std::sync::Barrier::new(count), current: AtomicUsize::new(0), max: AtomicUsize::new(0) }
    }

    /// Blocks until `count` jobs run at the same time. The total number of jobs must be a multiple of `count`.
    pub(crate) fn run_job(&self) {
        let current = self.current.fetch_add(1, Ordering::SeqCst) + 1;
        self.max.fetch_max(current, Ordering::SeqCst);
        self.barrier.wait();
        std::thread::yield_now();
        self.current.fetch_sub(1, Ordering::SeqCst);
    }

    /// Returns the largest number of jobs that ran at the same time.
    pub(crate) fn max(&self) -> usize {
        self.max.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[tokio::test]
    async fn panicking_job_does_not_end_its_thread() -> Result<()> {
        let workers = Workers::new(1);
        assert_eq!(workers.run(|_| 1).await?, Some(1));
        assert_eq!(workers.run(|_| -> u8 { panic!("on purpose") }).await?, None);
        let (first, second) = tokio::join!(workers.run(thread_id), workers.run(thread_id));
        assert_eq!(first?, second?);
        Ok(())
    }

    #[tokio::test]
    async fn as_many_jobs_run_concurrently_as_there_are_threads() -> Result<()> {
        const THREADS: usize = 3;
        let workers = Workers::new(THREADS);
        let probe = Arc::new(ConcurrencyProbe::new(THREADS));
        let jobs = (0..10 * THREADS).map(|_| {
            let probe = probe.clone();
            workers.run(move |_| probe.run_job())
        });
        for output in futures::future::join_all(jobs).await {
            assert_eq!(output?, Some(()));
        }
        assert_eq!(probe.max(), THREADS);
        Ok(())
    }

    fn thread_id(_: &Cancellation) -> thread::ThreadId {
        thread::current().id()
    }

    #[tokio::test]
    async fn dropping_the_future_cancels_running_and_queued_jobs() -> Result<()> {
        let workers = Workers::new(1);
        let (events, recorded) = mpsc::channel();
        let (first, second) = (events.clone(), events.clone());
        let running = workers.run(move |cancellation| {
            first.send("started").ok();
            while !cancellation.is_cancelled() {
                thread::yield_now();
            }
            first.send("stopped").ok();
        });
        let queued = workers.run(move |_| second.send("a cancelled job ran").ok());
        tokio::select! {
            biased;
            _ = async { tokio::join!(running, queued) } => return Err(Error::internal("the job ended by itself")),
            event = async { recorded.recv() } => assert_eq!(event.ok(), Some("started")),
        }
        workers.run(move |_| events.send("next job").ok()).await?;
        assert_eq!(recorded.try_iter().collect::<Vec<_>>(), ["stopped", "next job"]);
        Ok(())
    }
}
