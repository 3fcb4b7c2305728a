//! The request body as a stream, with limits of size, transfer rate and unparsed data.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures::stream::Stream;
use smart_default::SmartDefault;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// Bytes that are passed on at a time.
const CHUNK: usize = 32 * 1024;
/// Maximum of bytes that the parser buffers without producing anything: a preamble, the headers of a part. It searches
/// all of them again for every chunk, so there must be few. Includes one chunk that may not have been parsed yet.
const MAX_UNPARSED: usize = CHUNK + 16 * 1024;
/// The minimum transfer rate of a body. Only time spent waiting for the client counts, not the server's own work.
///
/// The default is 2.5 kB/s over each minute: a 2G phone sends five times as much, with pauses; slower clients are
/// considered attacks. The largest form takes 40 minutes at 100 kbit/s, and twice that if the client pauses half of the
/// time.
#[derive(Clone, Copy, SmartDefault)]
pub(super) struct Pace {
    /// Maximum time without a byte.
    #[default(Duration::from_secs(20))]
    pub(super) idle: Duration,
    /// Period in which at least `min_bytes` have to arrive.
    #[default(Duration::from_secs(60))]
    pub(super) window: Duration,
    /// Minimum number of bytes per window.
    #[default = 150_000]
    pub(super) min_bytes: u64,
    /// Maximum total time.
    #[default(Duration::from_secs(90 * 60))]
    pub(super) max_duration: Duration,
}

/// Measures the transfer rate of a body against the required pace.
pub(super) struct PaceMeter {
    pace: Pace,
    /// Time spent waiting in this window.
    waited: Duration,
    /// Bytes received in this window.
    received: u64,
    /// Total time spent waiting.
    total_waited: Duration,
}

impl PaceMeter {
    pub(super) fn new(pace: Pace) -> Self {
        Self { pace, waited: Duration::ZERO, received: 0, total_waited: Duration::ZERO }
    }

    /// Records bytes that arrived after a wait, and returns whether the body still keeps the pace.
    pub(super) fn record(&mut self, waited: Duration, bytes: u64) -> bool {
        self.waited += waited;
        self.total_waited += waited;
        self.received += bytes;
        if self.total_waited > self.pace.max_duration {
            return false;
        }
        if self.waited < self.pace.window {
            return true;
        }
        let enough = self.received >= self.pace.min_bytes;
        (self.waited, self.received) = (Duration::ZERO, 0);
        enough
    }
}

/// Why reading the body failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum BodyError {
    #[error("the client stopped sending or is too slow")]
    Stalled,
    #[error("the body is too large")]
    TooLarge,
    #[error("the headers of a part are too long")]
    TooMuchUnparsed,
    #[error("the connection failed: {0}")]
    Io(#[from] io::Error),
}

/// A request body.
pub(super) struct Body<R> {
    source: R,
    limit: u64,
    received: u64,
    /// The bytes passed on since the parser last produced something. The reader of parts resets it.
    pub(super) unparsed: Arc<AtomicUsize>,
    meter: PaceMeter,
    chunk: Box<[u8]>,
    timer: Pin<Box<Sleep>>,
    waiting_since: Option<Instant>,
    /// Whether to yield once: the parser reads whatever is available, and one chunk at a time bounds its memory.
    yields_next: bool,
}

impl<R: AsyncRead + Unpin> Body<R> {
    pub(super) fn new(source: R, limit: u64, pace: Pace) -> Self {
        Self {
            source,
            limit,
            received: 0,
            unparsed: Arc::default(),
            meter: PaceMeter::new(pace),
            chunk: vec![0; CHUNK].into_boxed_slice(),
            timer: Box::pin(sleep(Duration::ZERO)),
            waiting_since: None,
            yields_next: false,
        }
    }

    /// Starts or continues waiting for the client; ready once it waited for too long.
    fn poll_idle(&mut self, context: &mut Context<'_>) -> Poll<BodyError> {
        if self.waiting_since.is_none() {
            let now = Instant::now();
            self.waiting_since = Some(now);
            self.timer.as_mut().reset(now + self.meter.pace.idle);
        }
        self.timer.as_mut().poll(context).map(|()| BodyError::Stalled)
    }
}

impl<R: AsyncRead + Unpin> Stream for Body<R> {
    type Item = Result<Bytes, BodyError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let body = self.get_mut();
        if std::mem::take(&mut body.yields_next) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if body.unparsed.load(Ordering::Relaxed) >= MAX_UNPARSED {
            return Poll::Ready(Some(Err(BodyError::TooMuchUnparsed)));
        }
        let mut buffer = ReadBuf::new(&mut body.chunk);
        let read = Pin::new(&mut body.source).poll_read(context, &mut buffer);
        let count = buffer.filled().len();
        if read.is_pending() {
            return Poll::Ready(Some(Err(ready!(body.poll_idle(context)))));
        }
        let waited = body.waiting_since.take().map_or(Duration::ZERO, |since| since.elapsed());
        if let Poll::Ready(Err(error)) = read {
            return Poll::Ready(Some(Err(error.into())));
        }
        if count == 0 {
            return Poll::Ready(None);
        }
        body.received += count as u64;
        if body.received > body.limit {
            return Poll::Ready(Some(Err(BodyError::TooLarge)));
        }
        if !body.meter.record(waited, count as u64) {
            return Poll::Ready(Some(Err(BodyError::Stalled)));
        }
        body.yields_next = true;
        body.unparsed.fetch_add(count, Ordering::Relaxed);
        Poll::Ready(Some(Ok(Bytes::copy_from_slice(&body.chunk[..count]))))
    }
}
