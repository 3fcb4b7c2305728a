//! Time limits for the handling of a request.
//!
//! [`within`] sets the limit, once, around all the work. Code inside can pause it while it waits for the request's body
//! ([`IncomingBody`]), whose pace is limited elsewhere, or restart it after a step of a long task ([`progress`]).

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::{Instant, sleep};

tokio::task_local! {
    static CURRENT: Arc<Deadline>;
}

/// A time limit that counts from the start of the work or its last progress.
struct Deadline {
    limit: Duration,
    /// `None` while the body of the request is waited for.
    since: Mutex<Option<Instant>>,
}

/// The work exceeded its time limit.
#[derive(Debug, PartialEq, Eq)]
pub struct Elapsed;

impl Deadline {
    fn new(limit: Duration, now: Instant) -> Self {
        Self { limit, since: Mutex::new(Some(now)) }
    }

    /// Returns the remaining time; `None` once the limit is exceeded.
    fn remaining(&self, now: Instant) -> Option<Duration> {
        let Some(since) = *self.since.lock().unwrap_or_else(PoisonError::into_inner) else { return Some(self.limit) };
        self.limit.checked_sub(now.saturating_duration_since(since)).filter(|remaining| !remaining.is_zero())
    }

    fn restart(&self, since: Option<Instant>) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }
}

/// Runs `work`, and drops it when it takes longer than `limit` without reporting [`progress`].
///
/// # Errors
/// [`Elapsed`] if the limit was exceeded.
pub async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Result<T, Elapsed> {
    let deadline = Arc::new(Deadline::new(limit, Instant::now()));
    let watch = async {
        while let Some(remaining) = deadline.remaining(Instant::now()) {
            sleep(remaining).await;
        }
    };
    tokio::select! {
        biased;
        output = CURRENT.scope(deadline.clone(), work) => Ok(output),
        () = watch => Err(Elapsed),
    }
}

/// Restarts the time limit of the current work. For tasks of many steps whose number is bounded: the rows of an export,
/// the lines of an import.
pub fn progress() {
    // Commands and tasks have no deadline.
    let _ = CURRENT.try_with(|deadline| deadline.restart(Some(Instant::now())));
}

/// The body of a request. The time limit is paused while the body is waited for, and restarts whenever data arrives.
pub struct IncomingBody<R> {
    source: R,
    deadline: Option<Arc<Deadline>>,
}

impl<R> IncomingBody<R> {
    /// Wraps the body of the request that the current task handles.
    pub fn new(source: R) -> Self {
        Self { source, deadline: CURRENT.try_with(Arc::clone).ok() }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for IncomingBody<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let read = Pin::new(&mut self.source).poll_read(context, buffer);
        if let Some(deadline) = &self.deadline {
            deadline.restart(read.is_ready().then(Instant::now));
        }
        read
    }
}

impl<R> Drop for IncomingBody<R> {
    fn drop(&mut self) {
        if let Some(deadline) = &self.deadline {
            deadline.restart(Some(Instant::now()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    fn after(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[tokio::test]
    async fn endless_work_is_dropped_at_its_limit() {
        let held = Arc::new(());
        let inside = held.clone();
        let work = async move {
            let _held = inside;
            pending::<()>().await;
        };
        assert_eq!(within(Duration::from_millis(20), work).await, Err(Elapsed));
        assert_eq!(Arc::strong_count(&held), 1, "the dropped work releases what it held");
        assert_eq!(within(Duration::ZERO, ready(7)).await, Ok(7), "finished work is not dropped");
        progress(); // Has no effect without a deadline.
    }

    #[test]
    fn progress_restarts_the_limit() {
        let start = Instant::now();
        let deadline = Deadline::new(LIMIT, start);
        assert_eq!(deadline.remaining(after(start, 9)), Some(Duration::from_secs(1)));
        assert_eq!(deadline.remaining(after(start, 10)), None);
        deadline.restart(Some(after(start, 9)));
        assert_eq!(deadline.remaining(after(start, 18)), Some(Duration::from_secs(1)));
        assert_eq!(deadline.remaining(after(start, 19)), None);
    }

    #[tokio::test]
    async fn limit_is_paused_while_waiting_for_the_body() {
        let start = Instant::now();
        let deadline = Arc::new(Deadline::new(LIMIT, start));
        let watched = deadline.clone();
        let is_over = move |seconds| watched.remaining(after(Instant::now(), seconds)).is_none();
        let work = async {
            let (mut sender, receiver) = duplex(16);
            let mut body = IncomingBody::new(receiver);
            assert!(is_over(10), "the limit runs before the first read");
            let mut part = [0; 4];
            let mut reading = Box::pin(body.read_exact(&mut part));
            tokio::select! {
                biased;
                _ = &mut reading => panic!("nothing was sent"),
                () = ready(()) => assert!(!is_over(3600), "the limit is paused during a read"),
            }
            sender.write_all(b"part").await.expect("sent");
            reading.await.expect("received");
            assert!(is_over(10), "the limit runs again once the data arrived");
            tokio::select! {
                biased;
                _ = body.read_u8() => panic!("nothing was sent"),
                () = ready(()) => assert!(!is_over(3600)),
            }
            drop(body);
            assert!(is_over(10), "dropping the body ends the pause");
            progress();
        };
        CURRENT.scope(deadline.clone(), work).await;
        assert!(*deadline.since.lock().unwrap() > Some(start));
    }
}
