//! Moments at which answers stop being true though nobody writes anything: a countdown ends, an event begins.
//!
//! Whoever computes such an answer notes the moment; when it comes, all answers are old, as after a write.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

/// The moments that are ahead, and how many have come.
#[derive(Default)]
pub struct Moments(Mutex<Noted>);

#[derive(Default)]
struct Noted {
    ahead: BTreeSet<Timestamp>,
    come: u64,
}

impl Moments {
    /// At `moment` answers stop being true.
    pub fn note(&self, moment: Timestamp) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).ahead.insert(moment);
    }

    /// How many of the noted moments have come until `now`.
    pub fn come(&self, now: Timestamp) -> u64 {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while noted.ahead.first().is_some_and(|moment| *moment <= now) {
            noted.ahead.pop_first();
            noted.come += 1;
        }
        noted.come
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_comes_once() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let moments = Moments::default();
        for second in [20, 10, 20, 30] {
            moments.note(at(second));
        }
        assert_eq!([5, 10, 15, 25, 30, 99].map(|second| moments.come(at(second))), [0, 1, 1, 2, 3, 3]);
    }
}
