//! The server's log: one line per request, to standard error, without personal data.

use festival_core::settings::Settings;
use tracing::{Level, Metadata};
use tracing_appender::non_blocking::WorkerGuard;
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

/// Starts the log of a server. Buffered lines are written when the guard is dropped.
pub fn start(settings: &Settings) -> WorkerGuard {
    let (writer, guard) = tracing_appender::non_blocking(std::io::stderr());
    let filter = EnvFilter::try_new(&settings.log.filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt::layer().with_writer(writer).with_ansi(false);
    let lines = if settings.log.json {
        lines.json().flatten_event(true).with_span_list(false).boxed()
    } else {
        lines.with_target(false).boxed()
    };
    // Global filters, not filters of the layer: those remember per thread that an event was disabled, and when a
    // library only checks whether an event is enabled, the next event of the thread is lost.
    tracing_subscriber::registry().with(filter).with(filter_fn(is_free_of_personal_data)).with(lines).init();
    guard
}
