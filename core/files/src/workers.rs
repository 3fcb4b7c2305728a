//! The threads that work on files: as many as there are cores, always the same ones.
//!
//! An allocator keeps what a thread freed for that thread. The runtime's own threads for blocking work are many,
//! and each of them would keep the memory of the largest picture it ever had in hand.

use std::sync::Arc;
#[cfg(test)]
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::oneshot;

use crate::budget::Asker;
use festival_base::error::{Error, Result};

/// Threads that end when this is dropped; `None` where the system gave none.
pub struct Workers(Option<ThreadPool>);

impl Workers {
    /// Starts `count` threads.
    pub fn new(count: usize) -> Self {
        // Whoever waits for a job that panicked is told by `run`.
        let threads = ThreadPoolBuilder::new().num_threads(count).thread_name(|_| "files".into()).panic_handler(drop);
        let pool = threads.build();
        if let Err(error) = &pool {
            tracing::error!(%error, "the threads that work on files cannot be started");
        }
        Self(pool.ok())
    }

    /// Does `job` on one of the threads; `None`: it panicked. Where nobody waits for the answer any more it is not begun, or
    /// learns it from the [`Asker`] that it is given.
    ///
    /// # Errors
    /// If no thread could be started.
    pub async fn run<T: Send + 'static>(&self, job: impl FnOnce(&Asker) -> T + Send + 'static) -> Result<Option<T>> {
        let pool = self.0.as_ref().ok_or_else(|| Error::internal("no thread works on files"))?;
        let (answer, answered) = oneshot::channel();
        let waiting = Arc::new(());
        let asker = Asker::new(Arc::downgrade(&waiting));
        pool.spawn(move || {
            if !asker.has_gone() {
                // Whoever asked may have gone since.
                let _ = answer.send(job(&asker));
            }
        });
        let done = answered.await.ok();
        drop(waiting);
        Ok(done)
    }
}

/// For tests: how many are at work at the same time.
#[cfg(test)]
pub(crate) struct Crowd {
    together: std::sync::Barrier,
    now: AtomicUsize,
    most: AtomicUsize,
}

#[cfg(test)]
impl Crowd {
    /// Whose jobs go on only when `count` are at work together.
    pub(crate) fn new(count: usize) -> Self {
        Self { together: std::sync::Barrier::new(count), now: AtomicUsize::new(0), most: AtomicUsize::new(0) }
    }

    /// Works until as many are at work together. There must be a multiple of them in all.
    pub(crate) fn work(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        self.together.wait();
        std::thread::yield_now();
        self.now.fetch_sub(1, Ordering::SeqCst);
    }

    /// The most that were at work together.
    pub(crate) fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[tokio::test]
    async fn a_job_that_panics_takes_no_thread_with_it() -> Result<()> {
        let workers = Workers::new(1);
        assert_eq!(workers.run(|_| 1).await?, Some(1));
        assert_eq!(workers.run(|_| -> u8 { panic!("on purpose") }).await?, None);
        let (first, second) = tokio::join!(workers.run(thread_id), workers.run(thread_id));
        assert_eq!(first?, second?);
        Ok(())
    }

    #[tokio::test]
    async fn so_many_jobs_are_at_work_and_no_more() -> Result<()> {
        const THREADS: usize = 3;
        let workers = Workers::new(THREADS);
        let crowd = Arc::new(Crowd::new(THREADS));
        let jobs = (0..10 * THREADS).map(|_| {
            let crowd = crowd.clone();
            workers.run(move |_| crowd.work())
        });
        for done in futures::future::join_all(jobs).await {
            assert_eq!(done?, Some(()));
        }
        assert_eq!(crowd.most(), THREADS);
        Ok(())
    }

    fn thread_id(_: &Asker) -> thread::ThreadId {
        thread::current().id()
    }

    #[tokio::test]
    async fn work_is_given_up_with_its_request() -> Result<()> {
        let workers = Workers::new(1);
        let (ended, end) = mpsc::channel();
        let (first, second) = (ended.clone(), ended.clone());
        let running = workers.run(move |asker| {
            first.send("begun").ok();
            while !asker.has_gone() {
                thread::yield_now();
            }
            first.send("stopped").ok();
        });
        let queued = workers.run(move |_| second.send("a job that nobody waits for").ok());
        tokio::select! {
            biased;
            _ = async { tokio::join!(running, queued) } => return Err(Error::internal("it ended by itself")),
            begun = async { end.recv() } => assert_eq!(begun.ok(), Some("begun")),
        }
        workers.run(move |_| ended.send("the next").ok()).await?;
        assert_eq!(end.try_iter().collect::<Vec<_>>(), ["stopped", "the next"]);
        Ok(())
    }
}
