//! What is known of the cached responses to requests, for their replay: the key in the cache, and the headers.

use std::sync::{Arc, Mutex, PoisonError};

use hyper::HeaderMap;

use super::CacheKey;
use crate::metrics::RouteClass;

/// Maximum total weight of all entries, in bytes: addresses, keys and [`OVERHEAD`].
const MAX_BYTES: u64 = 8 << 20;

/// Weight of an entry in addition to its address and its key, in bytes.
const OVERHEAD: usize = 256;

/// Keys and headers of cached responses, by the address that was requested.
pub(crate) struct Replays {
    entries: moka::sync::Cache<String, (CacheKey, Arc<Head>)>,
    /// All different ones: few, because they depend on the kind of the response only.
    heads: Mutex<Vec<Arc<Head>>>,
}

/// The headers of a response, without those that differ between responses of one kind.
#[derive(PartialEq)]
pub(crate) struct Head {
    pub(crate) class: RouteClass,
    pub(crate) headers: HeaderMap,
    /// Those of a 304.
    pub(crate) not_modified: HeaderMap,
}

impl Default for Replays {
    fn default() -> Self {
        let weight = |address: &String, (key, _): &(CacheKey, Arc<Head>)| {
            u32::try_from(address.len() + key.0.len() + OVERHEAD).unwrap_or(u32::MAX)
        };
        let entries = moka::sync::Cache::builder().max_capacity(MAX_BYTES).weigher(weight).build();
        Self { entries, heads: Mutex::default() }
    }
}

impl Replays {
    /// Returns key and headers of the response to `address`.
    pub(crate) fn get(&self, address: &str) -> Option<(CacheKey, Arc<Head>)> {
        self.entries.get(address)
    }

    /// Records key and headers of the response to `address`.
    pub(crate) fn put(&self, address: String, key: CacheKey, head: Head) {
        let mut heads = self.heads.lock().unwrap_or_else(PoisonError::into_inner);
        let equal = heads.iter().find(|other| ***other == head).cloned();
        let head = equal.unwrap_or_else(|| {
            let head = Arc::new(head);
            heads.push(head.clone());
            head
        });
        self.entries.insert(address, (key, head));
    }
}
