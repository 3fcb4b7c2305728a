//! Figures about the running site, for whoever watches over it. None of them names a person, an address or a page.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use rocket::http::Status;

use festival_base::error::{Error, Result};

/// The content type of [`Metrics::text`].
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What the name of every figure begins with.
const PREFIX: &str = "festival";
/// The upper bounds of the classes of latency, in seconds.
const LATENCIES: [f64; 9] = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// What kind of route answers a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteClass {
    /// Pages, feeds, the sitemap.
    Page,
    /// What the API answers.
    Api,
    /// The back office.
    Admin,
    /// Pictures, documents, styles and scripts.
    Media,
    /// What people send.
    Form,
    /// Probes.
    Health,
    /// No route of ours.
    Other,
}

impl RouteClass {
    const fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Api => "api",
            Self::Admin => "admin",
            Self::Media => "media",
            Self::Form => "form",
            Self::Health => "health",
            Self::Other => "other",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    class: &'static str,
    /// "2xx" to "5xx".
    status: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ClassLabel {
    class: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct FormLabel {
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CacheLabel {
    outcome: &'static str,
}

/// What became of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormOutcome {
    /// It was received.
    Accepted,
    /// Its sender was told what is wrong, or to come again.
    Refused,
}

impl FormOutcome {
    const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
        }
    }
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheOutcome {
    /// From memory.
    Hit,
    /// It was computed.
    Miss,
    /// From memory, although the data has changed: another request computes the new one, or the database is away.
    Stale,
}

impl CacheOutcome {
    const fn name(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Miss => "miss",
            Self::Stale => "stale",
        }
    }
}

/// The figures of a site.
pub struct Metrics {
    registry: Mutex<Registry>,
    requests: Family<RequestLabels, Counter>,
    latencies: Family<ClassLabel, Histogram>,
    forms: Family<FormLabel, Counter>,
    cache: Family<CacheLabel, Counter>,
    panics: Counter,
    given_up: Counter,
}

impl Default for Metrics {
    fn default() -> Self {
        let metrics = Self {
            registry: Mutex::new(Registry::with_prefix(PREFIX)),
            requests: Family::default(),
            latencies: Family::new_with_constructor(|| Histogram::new(LATENCIES)),
            forms: Family::default(),
            cache: Family::default(),
            panics: Counter::default(),
            given_up: Counter::default(),
        };
        metrics.register(|registry| {
            registry.register("requests", "Requests answered", metrics.requests.clone());
            let words = "Seconds until an answer began";
            registry.register("request_duration_seconds", words, metrics.latencies.clone());
            registry.register("forms", "Forms of visitors", metrics.forms.clone());
            registry.register("cache_requests", "Answers of pages and API", metrics.cache.clone());
            registry.register("panics", "Handlers that panicked", metrics.panics.clone());
            let words = "Requests that were given up because the work on them took too long";
            registry.register("deadlines_exceeded", words, metrics.given_up.clone());
        });
        // What an alert asks for is there before it first happens.
        drop(metrics.requests.get_or_create(&RequestLabels { class: RouteClass::Other.name(), status: "5xx" }));
        for outcome in [FormOutcome::Accepted, FormOutcome::Refused] {
            drop(metrics.forms.get_or_create(&FormLabel { outcome: outcome.name() }));
        }
        for outcome in [CacheOutcome::Hit, CacheOutcome::Miss, CacheOutcome::Stale] {
            drop(metrics.cache.get_or_create(&CacheLabel { outcome: outcome.name() }));
        }
        metrics
    }
}

impl Metrics {
    /// Adds figures that somebody else counts.
    pub fn register(&self, add: impl FnOnce(&mut Registry)) {
        add(&mut self.registry());
    }

    /// All figures in the text format of OpenMetrics, as [`CONTENT_TYPE`].
    ///
    /// # Errors
    /// If a figure cannot be written.
    pub fn text(&self) -> Result<String> {
        let mut out = String::new();
        text::encode(&mut out, &self.registry()).map_err(Error::internal)?;
        Ok(out)
    }

    /// A form was received, or not.
    pub fn form(&self, outcome: FormOutcome) {
        self.forms.get_or_create(&FormLabel { outcome: outcome.name() }).inc();
    }

    /// An answer was looked for in memory.
    pub(crate) fn cache(&self, outcome: CacheOutcome) {
        self.cache.get_or_create(&CacheLabel { outcome: outcome.name() }).inc();
    }

    /// A request was answered after so long.
    pub(crate) fn answered(&self, class: RouteClass, status: Status, after: Duration) {
        let status = match status.code {
            ..200 => "1xx",
            200..300 => "2xx",
            300..400 => "3xx",
            400..500 => "4xx",
            _ => "5xx",
        };
        self.requests.get_or_create(&RequestLabels { class: class.name(), status }).inc();
        self.latencies.get_or_create(&ClassLabel { class: class.name() }).observe(after.as_secs_f64());
    }

    /// A handler panicked.
    pub(crate) fn panicked(&self) {
        self.panics.inc();
    }

    /// The work on a request took too long.
    pub(crate) fn gave_up(&self) {
        self.given_up.inc();
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
