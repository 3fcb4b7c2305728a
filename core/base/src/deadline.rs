//! The end that the work on a request has.
//!
//! The limit is set once, around the whole of it ([`within`]). What happens inside may say that it waits for the sender
//! ([`Arriving`]), whose pace has rules of its own, or that long work makes progress ([`progress`]).

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::{Instant, sleep};

tokio::task_local! {
    static CURRENT: Arc<Deadline>;
}

/// The time that work has, from its beginning or its last progress.
struct Deadline {
    limit: Duration,
    state: Mutex<State>,
}

struct State {
    since: Instant,
    /// Bodies that the work waits for.
    waiting: usize,
}

/// Work took longer than its limit.
#[derive(Debug, PartialEq, Eq)]
pub struct Elapsed;

impl Deadline {
    fn new(limit: Duration, now: Instant) -> Self {
        Self { limit, state: Mutex::new(State { since: now, waiting: 0 }) }
    }

    /// The time that is left; `None` where it is over.
    fn left(&self, now: Instant) -> Option<Duration> {
        let state = self.lock();
        if state.waiting > 0 {
            return Some(self.limit);
        }
        self.limit.checked_sub(now.saturating_duration_since(state.since)).filter(|left| !left.is_zero())
    }

    fn restart(&self, now: Instant) {
        self.lock().since = now;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does `work`, unless it takes longer than `limit` without progress; then it is dropped where it stands.
///
/// # Errors
/// [`Elapsed`] where it took longer.
pub async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Result<T, Elapsed> {
    let deadline = Arc::new(Deadline::new(limit, Instant::now()));
    let watch = async {
        while let Some(left) = deadline.left(Instant::now()) {
            sleep(left).await;
        }
    };
    tokio::select! {
        biased;
        done = CURRENT.scope(deadline.clone(), work) => Ok(done),
        () = watch => Err(Elapsed),
    }
}

/// Says that long work came a step further, and gives it the whole of its time again. For work whose length is bounded
/// by what there is to do: the rows of an export, the lines of an import.
pub fn progress() {
    // Commands and tasks have no deadline.
    let _ = CURRENT.try_with(|deadline| deadline.restart(Instant::now()));
}

/// The body of a request. While it is waited for, no time of the work passes; with each part that comes it begins anew.
pub struct Arriving<R> {
    source: R,
    deadline: Option<Arc<Deadline>>,
    is_waiting: bool,
}

impl<R> Arriving<R> {
    /// The body that `source` brings, of the request that is worked on here.
    pub fn new(source: R) -> Self {
        Self { source, deadline: CURRENT.try_with(Arc::clone).ok(), is_waiting: false }
    }

    fn waits(&mut self, is_waiting: bool) {
        let Some(deadline) = &self.deadline else { return };
        let mut state = deadline.lock();
        match (self.is_waiting, is_waiting) {
            (false, true) => state.waiting += 1,
            (true, false) => state.waiting -= 1,
            _ => {}
        }
        state.since = Instant::now();
        self.is_waiting = is_waiting;
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Arriving<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let read = Pin::new(&mut self.source).poll_read(context, buffer);
        self.waits(read.is_pending());
        read
    }
}

impl<R> Drop for Arriving<R> {
    fn drop(&mut self) {
        // Who waits no longer works again.
        if self.is_waiting {
            self.waits(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    fn after(begun: Instant, seconds: u64) -> Instant {
        begun + Duration::from_secs(seconds)
    }

    #[tokio::test]
    async fn work_without_end_is_dropped_at_its_limit() {
        let held = Arc::new(());
        let inside = held.clone();
        let work = async move {
            let _held = inside;
            pending::<()>().await;
        };
        assert_eq!(within(Duration::from_millis(20), work).await, Err(Elapsed));
        assert_eq!(Arc::strong_count(&held), 1, "what it held is free again");
        assert_eq!(within(Duration::ZERO, ready(7)).await, Ok(7), "what is done is done");
        progress(); // Outside of any work nothing happens.
    }

    #[test]
    fn progress_gives_the_whole_time_again() {
        let begun = Instant::now();
        let deadline = Deadline::new(LIMIT, begun);
        assert_eq!(deadline.left(after(begun, 9)), Some(Duration::from_secs(1)));
        assert_eq!(deadline.left(after(begun, 10)), None);
        deadline.restart(after(begun, 9));
        assert_eq!(deadline.left(after(begun, 18)), Some(Duration::from_secs(1)));
        assert_eq!(deadline.left(after(begun, 19)), None);
    }

    #[tokio::test]
    async fn no_time_passes_while_a_body_is_waited_for() {
        let begun = Instant::now();
        let deadline = Arc::new(Deadline::new(LIMIT, begun));
        let watched = deadline.clone();
        let is_over = move |seconds| watched.left(after(Instant::now(), seconds)).is_none();
        let work = async {
            let (mut sender, receiver) = duplex(16);
            let mut body = Arriving::new(receiver);
            assert!(is_over(10), "nobody waits yet");
            let mut part = [0; 4];
            let mut reading = Box::pin(body.read_exact(&mut part));
            tokio::select! {
                biased;
                _ = &mut reading => panic!("nothing was sent"),
                () = ready(()) => assert!(!is_over(3600), "the sender has a pace of its own"),
            }
            sender.write_all(b"part").await.expect("somebody reads");
            reading.await.expect("it comes");
            assert!(is_over(10), "it is here: the work goes on");
            tokio::select! {
                biased;
                _ = body.read_u8() => panic!("nothing was sent"),
                () = ready(()) => assert!(!is_over(3600)),
            }
            drop(body);
            assert!(is_over(10), "who waits no longer works again");
            progress();
        };
        CURRENT.scope(deadline.clone(), work).await;
        assert!(deadline.lock().since > begun);
    }
}
