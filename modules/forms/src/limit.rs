//! How often one client may send forms.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

/// The time that is looked back on.
const WINDOW_MS: i64 = 10 * 60 * 1000;
/// Above this many clients those that have been quiet are forgotten.
const MANY: usize = 10_000;

/// Counts what each client sent in the last ten minutes, in this process.
pub(crate) struct Limiter {
    most: usize,
    seen: Mutex<HashMap<IpAddr, VecDeque<i64>>>,
}

impl Limiter {
    /// Lets a client send `most` forms in ten minutes.
    pub(crate) fn new(most: u32) -> Self {
        Self { most: most.max(1) as usize, seen: Mutex::default() }
    }

    /// Counts one form of `client`; `Err`: seconds until the next one is welcome.
    pub(crate) fn count(&self, client: IpAddr, now: Timestamp) -> Result<(), u32> {
        let now = now.as_millisecond();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() > MANY {
            seen.retain(|_, times| times.back().is_some_and(|last| now - last < WINDOW_MS));
        }
        let times = seen.entry(client).or_default();
        while times.front().is_some_and(|first| now - first >= WINDOW_MS) {
            times.pop_front();
        }
        match times.front() {
            Some(first) if times.len() >= self.most => {
                let wait = (first + WINDOW_MS - now).clamp(1_000, WINDOW_MS);
                Err(u32::try_from((wait + 999) / 1000).unwrap_or(600))
            }
            _ => {
                times.push_back(now);
                Ok(())
            }
        }
    }
}
