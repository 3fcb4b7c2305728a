//! The threads that work on files: as many as there are cores, always the same ones.
//!
//! An allocator keeps what a thread freed for that thread. The runtime's own threads for blocking work are many,
//! and each of them would keep the memory of the largest picture it ever had in hand.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use festival_base::error::{Error, Result};

type Job = Box<dyn FnOnce() + Send>;

/// Threads that end when this is dropped.
pub struct Workers {
    jobs: Sender<Job>,
}

impl Workers {
    /// Starts `count` threads.
    pub fn new(count: usize) -> Self {
        let (jobs, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..count {
            let waiting = waiting.clone();
            let started = thread::Builder::new().name("files".into()).spawn(move || work(&waiting));
            if let Err(error) = started {
                tracing::error!(%error, "a thread that works on files cannot be started");
            }
        }
        Self { jobs }
    }

    /// Does `job` on one of the threads; `None`: it panicked.
    ///
    /// # Errors
    /// If no thread could be started.
    pub async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<Option<T>> {
        let (answer, answered) = oneshot::channel();
        let job = move || {
            if let Ok(done) = catch_unwind(AssertUnwindSafe(job)) {
                // Who asked may have gone.
                let _ = answer.send(done);
            }
        };
        self.jobs.send(Box::new(job)).map_err(|_| Error::internal("no thread works on files"))?;
        Ok(answered.await.ok())
    }
}

/// Does one job after the other until there are no more to come.
fn work(waiting: &Mutex<Receiver<Job>>) {
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_job_that_panics_takes_no_thread_with_it() -> Result<()> {
        let workers = Workers::new(1);
        assert_eq!(workers.run(|| 1).await?, Some(1));
        assert_eq!(workers.run(|| -> u8 { panic!("on purpose") }).await?, None);
        let (first, second) = tokio::join!(workers.run(thread_id), workers.run(thread_id));
        assert_eq!(first?, second?);
        Ok(())
    }

    fn thread_id() -> thread::ThreadId {
        thread::current().id()
    }
}
