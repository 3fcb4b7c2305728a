//! Limits how many requests of one kind a client may send in ten minutes.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

/// Length of the sliding window, in milliseconds.
const WINDOW_MS: i64 = 10 * 60 * 1000;
/// Number of clients above which those without a request in the window are dropped.
const CLEANUP_THRESHOLD: usize = 10_000;

/// What is counted: the requests of a client for one purpose, such as messages.
pub(crate) type Client<'a> = (&'a str, IpAddr);

type Requests = HashMap<(String, IpAddr), VecDeque<i64>>;

/// Counts the requests of each client in the last ten minutes, in the memory of this process. Those for one purpose do not
/// count for another.
pub(crate) struct RateLimiter {
    limit: usize,
    requests: Mutex<Requests>,
}

impl RateLimiter {
    /// Creates a limiter that allows `limit` requests per client in ten minutes, at least one.
    pub(crate) fn new(limit: u32) -> Self {
        Self { limit: limit.max(1) as usize, requests: Mutex::default() }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// The seconds until the next request is allowed; the refused one is not counted.
    pub(crate) fn count(&self, client: Client<'_>, now: Timestamp) -> Result<(), u32> {
        let now = now.as_millisecond();
        let mut requests = self.lock();
        let times = recent(&mut requests, client, now);
        match times.front() {
            Some(first) if times.len() >= self.limit => {
                let wait = (first + WINDOW_MS - now).clamp(1_000, WINDOW_MS);
                Err(u32::try_from((wait + 999) / 1000).unwrap_or(600))
            }
            _ => {
                times.push_back(now);
                Ok(())
            }
        }
    }

    /// Returns how many requests are counted.
    pub(crate) fn counted(&self, client: Client<'_>, now: Timestamp) -> usize {
        recent(&mut self.lock(), client, now.as_millisecond()).len()
    }

    fn lock(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the times of a client's requests in the window, in milliseconds.
fn recent<'a>(requests: &'a mut Requests, (purpose, client): Client<'_>, now: i64) -> &'a mut VecDeque<i64> {
    if requests.len() > CLEANUP_THRESHOLD {
        requests.retain(|_, times| times.back().is_some_and(|last| now - last < WINDOW_MS));
    }
    let times = requests.entry((purpose.to_owned(), client)).or_default();
    while times.front().is_some_and(|first| now - first >= WINDOW_MS) {
        times.pop_front();
    }
    times
}
