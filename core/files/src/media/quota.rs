//! A quota of uploaded bytes per client and hour, counted in this process.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use festival_base::error::{Error, Result};

/// In seconds.
const HOUR: i64 = 60 * 60;
/// Above this number of clients, those whose hour is over are removed.
const CLEANUP_THRESHOLD: usize = 10_000;

/// The bytes that each client sent in its current hour, which starts with its first upload.
pub(crate) struct Quota {
    /// 0: unlimited.
    bytes_per_hour: u64,
    hours: Mutex<HashMap<IpAddr, Hour>>,
}

struct Hour {
    /// In seconds since the Unix epoch.
    started_at: i64,
    bytes: u64,
}

impl Quota {
    /// Limits each client to `mib_per_hour` MiB; 0: unlimited.
    pub(crate) fn new(mib_per_hour: u64) -> Self {
        Self { bytes_per_hour: mib_per_hour.saturating_mul(1 << 20), hours: Mutex::default() }
    }

    /// Counts `bytes` that `client` is about to send.
    ///
    /// # Errors
    /// [`Error::NoRoom`] if they exceed the quota, with the time until the next hour.
    pub(crate) fn charge(&self, client: IpAddr, bytes: u64, now: Timestamp) -> Result<()> {
        if self.bytes_per_hour == 0 {
            return Ok(());
        }
        let now = now.as_second();
        let mut hours = self.hours.lock().unwrap_or_else(PoisonError::into_inner);
        if hours.len() > CLEANUP_THRESHOLD {
            hours.retain(|_, hour| now - hour.started_at < HOUR);
        }
        let hour = hours.entry(client).or_insert(Hour { started_at: now, bytes: 0 });
        if now - hour.started_at >= HOUR {
            *hour = Hour { started_at: now, bytes: 0 };
        }
        // The first form of an hour is accepted whatever its size, which has a limit of its own.
        if hour.bytes > 0 && hour.bytes.saturating_add(bytes) > self.bytes_per_hour {
            let wait = (hour.started_at + HOUR - now).clamp(1, HOUR);
            return Err(Error::NoRoom {
                message: "Too much data came from your connection within an hour. Please send this form again later."
                    .into(),
                retry_after: u32::try_from(wait).unwrap_or(3600),
            });
        }
        hour.bytes += bytes;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn quota_applies_per_client_and_hour() {
        let quota = Quota::new(10);
        let [first, second] = [1, 2].map(|last| IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)));
        let at = |second| Timestamp::from_second(second).unwrap_or_default();
        assert!(quota.charge(first, 6 << 20, at(1000)).is_ok());
        assert!(quota.charge(first, 4 << 20, at(1001)).is_ok(), "exactly full");
        let refused = quota.charge(first, 1, at(1600)).err();
        assert_eq!(refused.as_ref().map(|error| error.status().code), Some(507));
        assert_eq!(refused.and_then(|error| error.retry_after()), Some(3000));
        assert!(quota.charge(second, 20 << 20, at(1600)).is_ok(), "each client has its own quota");
        assert!(quota.charge(first, 1, at(4599)).is_err());
        assert!(quota.charge(first, 1, at(4600)).is_ok());
        assert!(Quota::new(0).charge(first, u64::MAX, at(0)).is_ok());
    }
}
