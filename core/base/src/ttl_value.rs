//! A value that costs a walk over the disk, remembered for a minute.

use std::future::Future;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use crate::error::Result;

/// How long.
const LASTS: SignedDuration = SignedDuration::from_mins(1);

/// A value with the moment at which it was found.
pub struct TtlValue<T>(Mutex<Option<(Timestamp, T)>>);

impl<T> Default for TtlValue<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T: Clone> TtlValue<T> {
    /// The value; `find` finds it where it is not known, or no more. Who asks meanwhile waits for the same answer.
    pub async fn get<Fut>(&self, now: Timestamp, find: impl FnOnce() -> Fut + Send) -> Result<T>
    where
        Fut: Future<Output = Result<T>> + Send,
    {
        let mut known = self.0.lock().await;
        if let Some((at, value)) = known.as_ref()
            && *at <= now
            && now.duration_since(*at) < LASTS
        {
            return Ok(value.clone());
        }
        let value = find().await?;
        *known = Some((now, value.clone()));
        Ok(value)
    }

    /// Forgets the value: it is another by now.
    pub async fn forget(&self) {
        *self.0.lock().await = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_value_is_found_once_a_minute_and_after_it_was_forgotten() -> Result<()> {
        let (value, found) = (TtlValue::default(), AtomicI64::new(0));
        let at = |second| Timestamp::from_second(second).unwrap_or_default();
        let get = |second| value.get(at(second), || async { Ok(found.fetch_add(1, Ordering::Relaxed) + 1) });
        assert_eq!((get(100).await?, get(159).await?, get(160).await?), (1, 1, 2));
        assert_eq!(get(150).await?, 3, "a clock that was put back is believed");
        value.forget().await;
        assert_eq!(get(150).await?, 4);
        Ok(())
    }
}
