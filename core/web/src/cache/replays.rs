//! What is known of the cached responses to requests, for their replay: the key in the cache, and the headers.

use std::sync::{Mutex, PoisonError};

use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use rocket::http::Status;

use super::{CacheKey, Entries, entries};
use crate::metrics::{Metrics, ResponseMetrics, RouteClass};

/// Maximum total weight of all entries, in bytes: addresses, keys and [`OVERHEAD`].
const MAX_BYTES: u64 = 8 << 20;

/// Weight of an entry in addition to its address and its key, in bytes.
const OVERHEAD: usize = 256;

/// Headers that a 304 lacks.
const OF_CONTENT: [HeaderName; 4] = [
    header::CONTENT_TYPE,
    header::CONTENT_DISPOSITION,
    header::CONTENT_SECURITY_POLICY,
    HeaderName::from_static("cross-origin-opener-policy"),
];

/// Keys and headers of cached responses, by the address that was requested.
pub(crate) struct Replays {
    entries: Entries<(CacheKey, &'static Head)>,
    /// All different ones, and never dropped: few, because they depend on the kind of the response only.
    heads: Mutex<Vec<&'static Head>>,
}

/// What the responses of one kind have in common.
pub(crate) struct Head {
    class: RouteClass,
    pub(crate) ok: Variant,
    pub(crate) not_modified: Variant,
}

/// What the responses of one kind with one status have in common.
pub(crate) struct Variant {
    pub(crate) status: Status,
    /// Without those that differ. Their values are static: counting the references of shared ones would cost two threads
    /// a quarter of the time of a replay.
    pub(crate) headers: HeaderMap,
    pub(crate) metrics: ResponseMetrics,
}

impl Default for Replays {
    fn default() -> Self {
        let entries = entries(MAX_BYTES, |(key, _): &(CacheKey, &Head)| key.0.len() + OVERHEAD);
        Self { entries, heads: Mutex::default() }
    }
}

impl Replays {
    /// Returns key and headers of the response to `address`.
    pub(crate) fn get(&self, address: &str) -> Option<(CacheKey, &'static Head)> {
        self.entries.get(address)
    }

    /// Records key, class and headers of the response to `address`.
    pub(crate) fn put(&self, address: String, key: CacheKey, class: RouteClass, headers: HeaderMap, metrics: &Metrics) {
        let mut heads = self.heads.lock().unwrap_or_else(PoisonError::into_inner);
        let equal = heads.iter().find(|head| head.class == class && head.ok.headers == headers).copied();
        let head = equal.unwrap_or_else(|| {
            let head: &Head = Box::leak(Box::new(Head::new(class, &headers, metrics)));
            heads.push(head);
            head
        });
        self.entries.insert(address, (key, head));
    }
}

impl Head {
    fn new(class: RouteClass, headers: &HeaderMap, metrics: &Metrics) -> Self {
        let headers: HeaderMap = headers.iter().map(|(name, value)| (name.clone(), fixed(value))).collect();
        let mut of_no_content = headers.clone();
        OF_CONTENT.iter().for_each(|name| drop(of_no_content.remove(name)));
        let variant = |status: Status, headers| Variant { status, headers, metrics: metrics.responses(class, status) };
        let (ok, not_modified) = (variant(Status::Ok, headers), variant(Status::NotModified, of_no_content));
        Self { class, ok, not_modified }
    }
}

/// Returns the value without a count of its references.
fn fixed(value: &HeaderValue) -> HeaderValue {
    match value.to_str() {
        Ok(text) => HeaderValue::from_static(String::leak(text.to_owned())),
        Err(_) => value.clone(),
    }
}
