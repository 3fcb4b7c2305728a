//! The clock that all code reads the time from, so that tests can set it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// The system clock, or a fixed time that a test sets.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// The fixed time in milliseconds since the Unix epoch; `None` follows the system clock.
    fixed: Option<Arc<AtomicI64>>,
}

impl Clock {
    /// Returns a clock that stands at `time` until [`Clock::set`] is called.
    pub fn fixed(time: Timestamp) -> Self {
        Self { fixed: Some(Arc::new(AtomicI64::new(time.as_millisecond()))) }
    }

    /// Returns the current time.
    pub fn now(&self) -> Timestamp {
        match &self.fixed {
            None => Timestamp::now(),
            Some(fixed) => Timestamp::from_millisecond(fixed.load(Ordering::Relaxed)).unwrap_or(Timestamp::UNIX_EPOCH),
        }
    }

    /// Sets a fixed clock; has no effect on one that follows the system.
    pub fn set(&self, time: Timestamp) {
        if let Some(fixed) = &self.fixed {
            fixed.store(time.as_millisecond(), Ordering::Relaxed);
        }
    }
}
