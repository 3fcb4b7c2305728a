//! When responses expire though nobody writes anything: a countdown ends, an event begins.
//!
//! Whoever computes such a response adds the moment; when it comes, all responses are old, as after a write.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

/// The expiries that are ahead, and how many have passed.
#[derive(Default)]
pub struct Expiries(Mutex<Known>);

#[derive(Default)]
struct Known {
    ahead: BTreeSet<Timestamp>,
    passed: u64,
}

impl Expiries {
    /// At `moment` responses expire.
    pub fn add(&self, moment: Timestamp) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).ahead.insert(moment);
    }

    /// How many expiries have passed until `now`.
    pub fn passed(&self, now: Timestamp) -> u64 {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while known.ahead.first().is_some_and(|moment| *moment <= now) {
            known.ahead.pop_first();
            known.passed += 1;
        }
        known.passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expiry_passes_once() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let expiries = Expiries::default();
        for second in [20, 10, 20, 30] {
            expiries.add(at(second));
        }
        assert_eq!([5, 10, 15, 25, 30, 99].map(|second| expiries.passed(at(second))), [0, 1, 1, 2, 3, 3]);
    }
}
