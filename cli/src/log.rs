//! The server's log: one line per request, to standard error, without personal data.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use festival_core::settings::Settings;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// Whether an event may be logged, whatever the filter of the settings allows. Rocket logs every request again, with
/// the values that its guards rejected; below INFO, libraries log the bytes that they handle.
fn is_free_of_personal_data(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    match target.split("::").next().unwrap_or(target) {
        "rocket" | "_" => false,
        name if name.starts_with("festival") => true,
        _ => *metadata.level() <= Level::INFO,
    }
}

/// Time after which a line is written, at most.
const WRITE_INTERVAL: Duration = Duration::from_millis(100);
/// Limit of the lines that wait, in bytes. Where nobody reads standard error, later lines are dropped.
const MAX_WAITING_BYTES: usize = 16 << 20;

/// Lines that wait to be written together: one line at a time, each would cost as much as the rest of a small response.
#[derive(Default)]
struct Lines {
    waiting: Mutex<Waiting>,
    /// Notified when the first line waits, and when the log ends.
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    bytes: Vec<u8>,
    has_ended: bool,
}

impl Lines {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the lines until the log has ended.
    fn write_to(&self, mut out: impl Write) {
        let (mut bytes, mut has_ended) = (Vec::new(), false);
        while !has_ended {
            let mut waiting = self.lock();
            while waiting.bytes.is_empty() && !waiting.has_ended {
                waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
            let collected = self.changed.wait_timeout_while(waiting, WRITE_INTERVAL, |waiting| !waiting.has_ended);
            let mut waiting = collected.unwrap_or_else(PoisonError::into_inner).0;
            mem::swap(&mut bytes, &mut waiting.bytes);
            has_ended = waiting.has_ended;
            drop(waiting);
            // There is nowhere else to report that it failed.
            let _ = out.write_all(&bytes);
            bytes.clear();
        }
    }
}

impl Write for &Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut waiting = self.lock();
        let is_first = waiting.bytes.is_empty();
        if waiting.bytes.len() + line.len() <= MAX_WAITING_BYTES {
            waiting.bytes.extend_from_slice(line);
        }
        drop(waiting);
        if is_first {
            self.changed.notify_one();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The log of a server. When it is dropped, the last lines are written.
pub struct Log {
    lines: Arc<Lines>,
    writer: Option<JoinHandle<()>>,
}

impl Drop for Log {
    fn drop(&mut self) {
        self.lines.lock().has_ended = true;
        self.lines.changed.notify_one();
        drop(self.writer.take().map(JoinHandle::join));
    }
}

/// Starts the log of a server.
pub fn start(settings: &Settings) -> Log {
    let lines = Arc::<Lines>::default();
    let (written, waiting) = (lines.clone(), lines.clone());
    let writer = thread::spawn(move || written.write_to(io::stderr()));
    let filter = EnvFilter::try_new(&settings.log.filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let layer = tracing_subscriber::fmt::layer().with_writer(waiting).with_ansi(false);
    let layer = if settings.log.json {
        layer.json().flatten_event(true).with_span_list(false).boxed()
    } else {
        layer.with_target(false).boxed()
    };
    // Global filters, not filters of the layer: those remember per thread that an event was disabled, and when a
    // library only checks whether an event is enabled, the next event of the thread is lost.
    tracing_subscriber::registry().with(filter).with(filter_fn(is_free_of_personal_data)).with(layer).init();
    Log { lines, writer: Some(writer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_are_written_in_order_before_the_log_ends() {
        let lines = Arc::<Lines>::default();
        let waiting = lines.clone();
        let writer = thread::spawn(move || {
            let mut out = Vec::new();
            waiting.write_to(&mut out);
            String::from_utf8(out).unwrap()
        });
        for number in 0..1_000 {
            (&*lines).write_all(format!("line {number}\n").as_bytes()).unwrap();
        }
        lines.lock().has_ended = true;
        lines.changed.notify_one();
        let expected: String = (0..1_000).map(|number| format!("line {number}\n")).collect();
        assert_eq!(writer.join().unwrap(), expected);
    }

    #[test]
    fn waiting_lines_are_limited() {
        let lines = Lines::default();
        let line = vec![b'x'; 1 << 20];
        (0..20).for_each(|_| (&lines).write_all(&line).unwrap());
        assert_eq!(lines.lock().bytes.len(), 16 << 20);
    }
}
