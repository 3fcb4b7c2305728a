//! The log: one line a request, to standard error, never with what a person typed.

use festival_core::settings::Settings;
use tracing::{Level, Metadata};
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// What is written at all, whatever the filter says. Rocket tells of each request again, in several lines, and names
/// values that guards refused; below "info" the libraries tell what bytes pass through them.
fn tells_nothing_private(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    match target.split("::").next().unwrap_or(target) {
        "rocket" | "_" => false,
        name if name.starts_with("festival") => true,
        _ => *metadata.level() <= Level::INFO,
    }
}

/// Starts the log of a server. What the guard holds back is written when it is dropped.
pub fn start(settings: &Settings) -> WorkerGuard {
    let (writer, guard) = tracing_appender::non_blocking(std::io::stderr());
    let filter = EnvFilter::try_new(&settings.log.filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt::layer().with_writer(writer).with_ansi(false);
    let lines = if settings.log.json {
        lines.json().flatten_event(true).with_span_list(false).boxed()
    } else {
        lines.with_target(false).boxed()
    };
    // In front of everything. As filters of the one layer they would remember, for each thread, what they last
    // refused: a library that asks whether a line would be written, and does not write it, takes the next one away.
    tracing_subscriber::registry().with(filter).with(filter_fn(tells_nothing_private)).with(lines).init();
    guard
}
