//! A single cached value with a lifetime of one minute, for results that are expensive to compute.

use std::future::Future;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use crate::error::Result;

/// Lifetime of a cached value.
const TIME_TO_LIVE: SignedDuration = SignedDuration::from_mins(1);

/// A cached value with the time at which it was loaded.
pub struct TtlValue<T>(Mutex<Option<(Timestamp, T)>>);

impl<T> Default for TtlValue<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T: Clone> TtlValue<T> {
    /// Returns the cached value, or loads it with `load` if there is none or it has expired. Concurrent callers wait
    /// for the same load.
    ///
    /// # Errors
    /// Those of `load`; nothing is cached then.
    pub async fn get<Fut>(&self, now: Timestamp, load: impl FnOnce() -> Fut + Send) -> Result<T>
    where
        Fut: Future<Output = Result<T>> + Send,
    {
        let mut cached = self.0.lock().await;
        if let Some((at, value)) = cached.as_ref()
            && *at <= now
            && now.duration_since(*at) < TIME_TO_LIVE
        {
            return Ok(value.clone());
        }
        let value = load().await?;
        *cached = Some((now, value.clone()));
        Ok(value)
    }

    /// Discards the cached value, because it has changed.
    pub async fn invalidate(&self) {
        *self.0.lock().await = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    #[tokio::test]
    async fn value_is_loaded_once_a_minute_and_after_invalidation() -> Result<()> {
        let (value, loads) = (TtlValue::default(), AtomicI64::new(0));
        let at = |second| Timestamp::from_second(second).unwrap_or_default();
        let get = |second| value.get(at(second), || async { Ok(loads.fetch_add(1, Ordering::Relaxed) + 1) });
        assert_eq!((get(100).await?, get(159).await?, get(160).await?), (1, 1, 2));
        assert_eq!(get(150).await?, 3, "a clock that was set back invalidates the value");
        value.invalidate().await;
        assert_eq!(get(150).await?, 4);
        Ok(())
    }
}
