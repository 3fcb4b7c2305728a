//! The one clock. Everything that asks "when is it?" asks here, so that a test can say when.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// Tells the time: the system's, or a fixed moment that a test sets.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Milliseconds since 1970 that [`Clock::set`] fixed; `None` follows the system.
    fixed: Option<Arc<AtomicI64>>,
}

impl Clock {
    /// A clock that stands at `moment` until it is set anew.
    pub fn fixed(moment: Timestamp) -> Self {
        Self { fixed: Some(Arc::new(AtomicI64::new(moment.as_millisecond()))) }
    }

    /// The present moment.
    pub fn now(&self) -> Timestamp {
        match &self.fixed {
            None => Timestamp::now(),
            Some(fixed) => Timestamp::from_millisecond(fixed.load(Ordering::Relaxed)).unwrap_or(Timestamp::UNIX_EPOCH),
        }
    }

    /// Moves a fixed clock; a clock that follows the system does not change.
    pub fn set(&self, moment: Timestamp) {
        if let Some(fixed) = &self.fixed {
            fixed.store(moment.as_millisecond(), Ordering::Relaxed);
        }
    }
}
