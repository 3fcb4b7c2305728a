//! Responses in memory. An entry is valid as long as the data has not changed since it was computed.
//!
//! quick_cache (S3-FIFO) decides which entries stay: a crawler that requests every film displaces the films that nobody
//! requests twice, but not the pages that everybody requests.

mod cached_response;
mod expiries;
mod replays;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

pub use cached_response::{CHUNK, CachedResponse};
pub(crate) use cached_response::{CacheKey, Encoding, is_known};
pub use expiries::Expiries;
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
pub(crate) use replays::Replays;
use tokio::sync::watch;

/// Maximum total weight of all entries, in bytes: uncompressed bodies, keys and [`OVERHEAD`].
const MAX_BYTES: u64 = 64 << 20;

/// Weight of an entry in addition to its key and its uncompressed body, in bytes.
const OVERHEAD: usize = 1024;

/// Estimated number of entries, from which quick_cache derives how many displaced keys it remembers.
const ESTIMATED_ENTRIES: usize = 4096;

/// Entries with a total weight.
type Entries<V> = quick_cache::sync::Cache<String, V, Weight<V>>;

/// Returns the weight of a value, in bytes; that of its key is added.
#[derive(Clone)]
struct Weight<V>(fn(&V) -> usize);

impl<V> Weighter<String, V> for Weight<V> {
    fn weight(&self, key: &String, value: &V) -> u64 {
        (key.len() + (self.0)(value)) as u64
    }
}

/// Returns no entries yet, of which those with a total weight of `max_bytes` will stay.
#[expect(clippy::expect_used, reason = "nothing that is required is missing")]
fn entries<V: Clone>(max_bytes: u64, weight: fn(&V) -> usize) -> Entries<V> {
    let mut options = OptionsBuilder::new();
    // An entry must fit into its shard. Most requests are for few keys, so that shards would help little.
    options.shards(1).estimated_items_capacity(ESTIMATED_ENTRIES).weight_capacity(max_bytes);
    let options = options.build().expect("options of the cache");
    Entries::with_options(options, Weight(weight), DefaultHashBuilder::default(), Default::default())
}

/// Responses by key, each with the version of the data that it was computed from.
pub struct Cache {
    /// `None`: nothing is cached.
    entries: Option<Entries<(u64, Arc<CachedResponse>)>>,
    in_progress: InProgress,
}

/// Keys whose response is being computed. The receiver ends with the computation.
type InProgress = Arc<Mutex<HashMap<String, watch::Receiver<()>>>>;

/// The right to compute the response of a key; released on drop.
pub struct Computing {
    key: String,
    in_progress: InProgress,
    _end: watch::Sender<()>,
}

/// The computation of a response by another request.
pub struct Other(watch::Receiver<()>);

impl Other {
    /// Waits until it has ended, with or without a response.
    pub async fn ended(mut self) {
        // Nothing is ever sent: the sender is dropped.
        let _ = self.0.changed().await;
    }
}

impl Drop for Computing {
    fn drop(&mut self) {
        self.in_progress.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

impl Cache {
    /// An empty cache; one that is not `enabled` stores nothing.
    pub fn new(enabled: bool) -> Self {
        let build =
            || entries(MAX_BYTES, |(_, response): &(u64, Arc<CachedResponse>)| response.bytes().len() + OVERHEAD);
        Self { entries: enabled.then(build), in_progress: Arc::default() }
    }

    /// The response for `key`, if it was computed from this version of the data.
    pub fn get(&self, key: &str, version: u64) -> Option<Arc<CachedResponse>> {
        let (computed_from, response) = self.entries.as_ref()?.get(key)?;
        (computed_from == version).then_some(response)
    }

    /// The last response for `key`, whatever version of the data it was computed from.
    pub fn former(&self, key: &str) -> Option<Arc<CachedResponse>> {
        Some(self.entries.as_ref()?.get(key)?.1)
    }

    /// The right to compute the response for `key`.
    ///
    /// # Errors
    /// While another request has it: that request's computation.
    pub fn computing(&self, key: &str) -> Result<Computing, Other> {
        let mut in_progress = self.in_progress.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(other) = in_progress.get(key) {
            return Err(Other(other.clone()));
        }
        let (end, other) = watch::channel(());
        in_progress.insert(key.to_owned(), other);
        Ok(Computing { key: key.to_owned(), in_progress: self.in_progress.clone(), _end: end })
    }

    /// Stores a response. `version` is that of the data before it was read.
    pub fn put(&self, key: String, version: u64, response: Arc<CachedResponse>) {
        if let Some(entries) = &self.entries {
            entries.insert(key, (version, response));
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn answer(bytes: usize) -> Arc<CachedResponse> {
        Arc::new(CachedResponse::json(vec![b' '; bytes]))
    }

    #[test]
    fn crawling_every_address_does_not_displace_requested_pages() {
        let cache = Cache::new(true);
        let home = answer(60_000);
        cache.put("home".into(), 1, home.clone());
        for film in 0..5_000 {
            cache.put(format!("film {film}"), 1, answer(60_000));
            if film % 100 == 0 {
                let kept = cache.get("home", 1).is_some_and(|kept| Arc::ptr_eq(&kept, &home));
                assert!(kept, "forgotten after {film} films");
            }
        }
        let entries = cache.entries.as_ref().expect("an enabled cache");
        assert!(entries.weight() <= MAX_BYTES, "{} bytes", entries.weight());
        assert!(entries.len() < 1_200, "{} of 5,000 films", entries.len());
    }

    #[test]
    fn small_answers_are_bounded_by_their_number() {
        let cache = Cache::new(true);
        (0..200_000).for_each(|number| cache.put(number.to_string(), 1, answer(1)));
        let count = cache.entries.as_ref().expect("an enabled cache").len();
        assert!(count <= MAX_BYTES as usize / OVERHEAD, "{count} entries");
    }

    #[tokio::test]
    async fn only_one_request_at_a_time_may_compute_a_response() {
        let cache = Cache::new(true);
        let first = cache.computing("home");
        let Err(other) = cache.computing("home") else { unreachable!("a second permit") };
        assert!(first.is_ok() && cache.computing("films").is_ok());
        let mut waiting = Box::pin(other.ended());
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(first);
        waiting.await;
        assert!(cache.computing("home").is_ok());
    }

    #[test]
    fn former_response_is_available_after_the_data_has_changed() {
        let cache = Cache::new(true);
        let home = answer(1);
        assert!(cache.former("home").is_none());
        cache.put("home".into(), 1, home.clone());
        assert!(cache.get("home", 2).is_none());
        assert!(cache.former("home").is_some_and(|former| Arc::ptr_eq(&former, &home)));
    }
}
