//! The body as it comes from the network: limited in size, pace and in what it lets pile up.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures::stream::Stream;
use tokio::io::{AsyncRead, AsyncReadExt as _, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// What is handed on at a time.
const CHUNK: usize = 32 * 1024;
/// What may pile up while nothing comes of it: a preamble, the headers of a part. The parser looks through all of
/// it again whenever a byte is added, so it stays small; one chunk more, which it may not have looked at yet.
const LARGEST_PILE: usize = CHUNK + 16 * 1024;
/// What is thrown away at most after an error, so that the sender gets to read the answer.
const LARGEST_REST: u64 = 48 * 1024 * 1024;
/// How long throwing away lasts at most, and how long it waits for a byte.
const LONGEST_REST: Duration = Duration::from_secs(20);
const REST_PAUSE: Duration = Duration::from_secs(1);

/// How fast a body must come. Only the time counts in which we wait for the sender, not the time that we need.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// The longest time without a byte.
    pub(super) idle: Duration,
    /// In each such time ...
    pub(super) window: Duration,
    /// ... at least so many bytes.
    pub(super) least: u64,
    /// The longest time in all.
    pub(super) longest: Duration,
}

impl Default for Pace {
    /// 2.5 kB/s over each minute: a 2G phone sends five times as much and may pause; what drips slower is no form.
    /// The largest form takes 40 minutes at 100 kbit/s, and twice that with a pause after each moment of sending.
    fn default() -> Self {
        Self {
            idle: Duration::from_secs(20),
            window: Duration::from_secs(60),
            least: 150_000,
            longest: Duration::from_secs(90 * 60),
        }
    }
}

/// How a body came until now, against the pace.
pub(super) struct Progress {
    pace: Pace,
    /// Time waited and bytes come in this window.
    waited: Duration,
    come: u64,
    /// Time waited in all.
    in_all: Duration,
}

impl Progress {
    pub(super) fn new(pace: Pace) -> Self {
        Self { pace, waited: Duration::ZERO, come: 0, in_all: Duration::ZERO }
    }

    /// Counts so many bytes that came after so long a wait; answers whether the body still keeps the pace.
    pub(super) fn keeps_pace(&mut self, waited: Duration, bytes: u64) -> bool {
        self.waited += waited;
        self.in_all += waited;
        self.come += bytes;
        if self.in_all > self.pace.longest {
            return false;
        }
        if self.waited < self.pace.window {
            return true;
        }
        let enough = self.come >= self.pace.least;
        (self.waited, self.come) = (Duration::ZERO, 0);
        enough
    }
}

/// Why reading stopped before the end.
#[derive(Debug, thiserror::Error)]
pub(super) enum Stop {
    #[error("nothing came any more")]
    Stalled,
    #[error("the body is too large")]
    TooLarge,
    #[error("a part has no end of its headers")]
    Piled,
    #[error("the connection broke: {0}")]
    Broken(#[from] io::Error),
}

/// Counts what was handed on without anything coming of it. The reader of parts says when something came of it.
#[derive(Clone, Default)]
pub(super) struct Pile(Arc<AtomicUsize>);

impl Pile {
    pub(super) fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// A body, read once.
pub(super) struct Body<R> {
    source: R,
    limit: u64,
    taken: u64,
    pile: Pile,
    progress: Progress,
    chunk: Box<[u8]>,
    timer: Pin<Box<Sleep>>,
    waiting_since: Option<Instant>,
    /// The parser takes whatever is there; one chunk at a time keeps its memory small.
    pausing: bool,
}

impl<R: AsyncRead + Unpin> Body<R> {
    pub(super) fn new(source: R, limit: u64, pace: Pace) -> Self {
        Self {
            source,
            limit,
            taken: 0,
            pile: Pile::default(),
            progress: Progress::new(pace),
            chunk: vec![0; CHUNK].into_boxed_slice(),
            timer: Box::pin(sleep(Duration::ZERO)),
            waiting_since: None,
            pausing: false,
        }
    }

    pub(super) fn pile(&self) -> Pile {
        self.pile.clone()
    }

    /// Throws away what still comes, within bounds: who is still sending cannot read an answer.
    pub(super) async fn discard_rest(&mut self) {
        let discard = async {
            let mut rest = 0;
            while rest < LARGEST_REST {
                match tokio::time::timeout(REST_PAUSE, self.source.read(&mut self.chunk)).await {
                    Ok(Ok(count)) if count > 0 => rest += count as u64,
                    _ => break,
                }
            }
        };
        let _ = tokio::time::timeout(LONGEST_REST, discard).await;
    }

    /// Ends or continues waiting for the sender.
    fn wait(&mut self, context: &mut Context<'_>) -> Poll<Stop> {
        if self.waiting_since.is_none() {
            let now = Instant::now();
            self.waiting_since = Some(now);
            self.timer.as_mut().reset(now + self.progress.pace.idle);
        }
        self.timer.as_mut().poll(context).map(|()| Stop::Stalled)
    }
}

impl<R: AsyncRead + Unpin> Stream for Body<R> {
    type Item = Result<Bytes, Stop>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let body = self.get_mut();
        if std::mem::take(&mut body.pausing) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if body.pile.0.load(Ordering::Relaxed) >= LARGEST_PILE {
            return Poll::Ready(Some(Err(Stop::Piled)));
        }
        let mut buffer = ReadBuf::new(&mut body.chunk);
        let read = Pin::new(&mut body.source).poll_read(context, &mut buffer);
        let count = buffer.filled().len();
        if read.is_pending() {
            return Poll::Ready(Some(Err(ready!(body.wait(context)))));
        }
        let waited = body.waiting_since.take().map_or(Duration::ZERO, |since| since.elapsed());
        if let Poll::Ready(Err(error)) = read {
            return Poll::Ready(Some(Err(error.into())));
        }
        if count == 0 {
            return Poll::Ready(None);
        }
        body.taken += count as u64;
        if body.taken > body.limit {
            return Poll::Ready(Some(Err(Stop::TooLarge)));
        }
        if !body.progress.keeps_pace(waited, count as u64) {
            return Poll::Ready(Some(Err(Stop::Stalled)));
        }
        body.pausing = true;
        body.pile.0.fetch_add(count, Ordering::Relaxed);
        Poll::Ready(Some(Ok(Bytes::copy_from_slice(&body.chunk[..count]))))
    }
}
