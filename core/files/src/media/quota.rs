//! How much one client may send in an hour, counted in this process.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use festival_base::error::{Error, Result};

const HOUR: i64 = 60 * 60;
/// Above this many clients those whose hour is over are forgotten.
const MANY: usize = 10_000;

/// What each client sent since its hour began.
pub(crate) struct Quota {
    most: u64,
    hours: Mutex<HashMap<IpAddr, Hour>>,
}

struct Hour {
    began: i64,
    bytes: u64,
}

impl Quota {
    /// Lets a client send so many MiB in an hour; 0: as much as it likes.
    pub(crate) fn new(mib: u64) -> Self {
        Self { most: mib.saturating_mul(1 << 20), hours: Mutex::default() }
    }

    /// Counts `bytes` that `client` is about to send, or says when there is room for them again.
    pub(crate) fn count(&self, client: IpAddr, bytes: u64, now: Timestamp) -> Result<()> {
        if self.most == 0 {
            return Ok(());
        }
        let now = now.as_second();
        let mut hours = self.hours.lock().unwrap_or_else(PoisonError::into_inner);
        if hours.len() > MANY {
            hours.retain(|_, hour| now - hour.began < HOUR);
        }
        let hour = hours.entry(client).or_insert(Hour { began: now, bytes: 0 });
        if now - hour.began >= HOUR {
            *hour = Hour { began: now, bytes: 0 };
        }
        // The first form is taken however large it is: there is a limit for that.
        if hour.bytes > 0 && hour.bytes.saturating_add(bytes) > self.most {
            let wait = (hour.began + HOUR - now).clamp(1, HOUR);
            return Err(Error::NoRoom {
                message: "Very much came from your connection within an hour. Please send this form again later."
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
    fn an_hour_holds_so_much_and_the_next_one_again() {
        let quota = Quota::new(10);
        let [one, other] = [1, 2].map(|last| IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)));
        let at = |second| Timestamp::from_second(second).unwrap_or_default();
        assert!(quota.count(one, 6 << 20, at(1000)).is_ok());
        assert!(quota.count(one, 4 << 20, at(1001)).is_ok(), "exactly full");
        let refused = quota.count(one, 1, at(1600)).err();
        assert_eq!(refused.as_ref().map(|error| error.status().code), Some(507));
        assert_eq!(refused.and_then(|error| error.retry_after()), Some(3000));
        assert!(quota.count(other, 20 << 20, at(1600)).is_ok(), "others have an hour of their own");
        assert!(quota.count(one, 1, at(4599)).is_err());
        assert!(quota.count(one, 1, at(4600)).is_ok());
        assert!(Quota::new(0).count(one, u64::MAX, at(0)).is_ok());
    }
}
