//! Times at which cached responses expire without a change of the data: a countdown ends, an event begins.
//!
//! The code that computes such a response adds the time; once it has passed, all responses are outdated, as after a
//! write.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

/// Future expiries, and the number of those that have passed.
#[derive(Default)]
pub struct Expiries(Mutex<State>);

#[derive(Default)]
struct State {
    upcoming: BTreeSet<Timestamp>,
    passed: u64,
}

impl Expiries {
    /// Lets responses expire at `time`.
    pub fn add(&self, time: Timestamp) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).upcoming.insert(time);
    }

    /// Returns how many expiries have passed at `now`.
    pub fn passed(&self, now: Timestamp) -> u64 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while state.upcoming.first().is_some_and(|time| *time <= now) {
            state.upcoming.pop_first();
            state.passed += 1;
        }
        state.passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_expiry_is_counted_once() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let expiries = Expiries::default();
        for second in [20, 10, 20, 30] {
            expiries.add(at(second));
        }
        assert_eq!([5, 10, 15, 25, 30, 99].map(|second| expiries.passed(at(second))), [0, 1, 1, 2, 3, 3]);
    }
}
