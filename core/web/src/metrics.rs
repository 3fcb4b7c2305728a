//! Prometheus metrics of the running site. No label names a person, an address or a page.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use rocket::http::Status;

use festival_base::error::{Error, Result};

/// The content type of [`Metrics::text`].
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Prefix of all metric names.
const PREFIX: &str = "festival";
/// Upper bounds of the buckets of request durations, in seconds.
const DURATION_BUCKETS: [f64; 9] = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// The kind of route that responds to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteClass {
    /// Pages, feeds, the sitemap.
    Page,
    /// GET endpoints of the API.
    Api,
    /// The back office.
    Admin,
    /// Pictures, documents, styles and scripts.
    Media,
    /// POST endpoints of the API: submissions.
    Form,
    /// Health checks.
    Health,
    /// No route of the site matched.
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

/// Names of labels with their values.
type Labels<const N: usize> = [(&'static str, &'static str); N];

/// Where a response came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheOutcome {
    /// From the cache.
    Hit,
    /// It was computed.
    Miss,
    /// From the cache although the data has changed, because another request computes the new response or the database
    /// is unavailable.
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

/// The metrics of a site.
pub struct Metrics {
    registry: Mutex<Registry>,
    /// By class, and by status from "2xx" to "5xx".
    requests: Family<Labels<2>, Counter>,
    durations: Family<Labels<1>, Histogram>,
    forms: Family<Labels<1>, Counter>,
    /// By [`CacheOutcome`].
    cache: [Counter; 3],
    panics: Counter,
    deadlines_exceeded: Counter,
}

/// The metrics of the responses of one class with similar statuses, for those who record many.
pub(crate) struct ResponseMetrics {
    count: Counter,
    durations: Histogram,
}

impl ResponseMetrics {
    /// Counts a response and records the time until it began.
    pub(crate) fn record(&self, duration: Duration) {
        self.count.inc();
        self.durations.observe(duration.as_secs_f64());
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let cache = Family::<Labels<1>, Counter>::default();
        // In the order of the variants.
        let outcomes = [CacheOutcome::Hit, CacheOutcome::Miss, CacheOutcome::Stale];
        let metrics = Self {
            registry: Mutex::new(Registry::with_prefix(PREFIX)),
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(DURATION_BUCKETS)),
            forms: Family::default(),
            cache: outcomes.map(|outcome| cache.get_or_create_owned(&[("outcome", outcome.name())])),
            panics: Counter::default(),
            deadlines_exceeded: Counter::default(),
        };
        metrics.register(|registry| {
            registry.register("requests", "Requests answered", metrics.requests.clone());
            let help = "Seconds until a response began";
            registry.register("request_duration_seconds", help, metrics.durations.clone());
            registry.register("forms", "Forms of visitors", metrics.forms.clone());
            registry.register("cache_requests", "Responses of pages and API", cache);
            registry.register("panics", "Handlers that panicked", metrics.panics.clone());
            let help = "Requests that were aborted because the work on them took too long";
            registry.register("deadlines_exceeded", help, metrics.deadlines_exceeded.clone());
        });
        // Series that alerts refer to must exist before their first event.
        drop(metrics.requests.get_or_create(&[("class", RouteClass::Other.name()), ("status", "5xx")]));
        for outcome in ["accepted", "refused"] {
            drop(metrics.forms.get_or_create(&[("outcome", outcome)]));
        }
        metrics
    }
}

impl Metrics {
    /// Registers metrics that are counted elsewhere.
    pub fn register(&self, add: impl FnOnce(&mut Registry)) {
        add(&mut self.registry());
    }

    /// Encodes all metrics in the OpenMetrics text format, see [`CONTENT_TYPE`].
    ///
    /// # Errors
    /// If a metric cannot be encoded.
    pub fn text(&self) -> Result<String> {
        let mut out = String::new();
        text::encode(&mut out, &self.registry()).map_err(Error::internal)?;
        Ok(out)
    }

    /// Counts a submission, which was stored or rejected.
    pub fn form(&self, is_accepted: bool) {
        self.forms.get_or_create(&[("outcome", if is_accepted { "accepted" } else { "refused" })]).inc();
    }

    /// Counts a lookup in the cache of responses.
    pub(crate) fn cache(&self, outcome: CacheOutcome) {
        self.cache[outcome as usize].inc();
    }

    /// Counts a response and records the time until it began.
    pub(crate) fn response(&self, class: RouteClass, status: Status, duration: Duration) {
        self.responses(class, status).record(duration);
    }

    /// Returns the metrics of responses of this class, and with statuses like this one.
    pub(crate) fn responses(&self, class: RouteClass, status: Status) -> ResponseMetrics {
        let status = match status.code {
            ..200 => "1xx",
            200..300 => "2xx",
            300..400 => "3xx",
            400..500 => "4xx",
            _ => "5xx",
        };
        ResponseMetrics {
            count: self.requests.get_or_create_owned(&[("class", class.name()), ("status", status)]),
            durations: self.durations.get_or_create_owned(&[("class", class.name())]),
        }
    }

    /// Counts a handler that panicked.
    pub(crate) fn panic(&self) {
        self.panics.inc();
    }

    /// Counts a request that exceeded its deadline.
    pub(crate) fn deadline_exceeded(&self) {
        self.deadlines_exceeded.inc();
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
