//! Limits of concurrent form uploads, in total and per client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use festival_base::error::{Error, Result};

/// A client may hold at most the number of free slots divided by this, so that the last ones remain for clients without
/// any.
const FREE_SLOT_DIVISOR: usize = 8;

/// The slots of all forms that are being received or checked.
pub(crate) struct Slots {
    limit: usize,
    limit_per_client: usize,
    timeout: Duration,
    used: Mutex<UsedSlots>,
    freed: Notify,
    waiting: AtomicUsize,
}

/// The current use of the slots.
#[derive(Clone, Copy, Debug)]
pub struct SlotUse {
    /// Slots in use.
    pub used: usize,
    /// Forms that wait for a slot.
    pub waiting: usize,
    /// Total number of slots.
    pub limit: usize,
}

#[derive(Default)]
struct UsedSlots {
    total: usize,
    by_client: HashMap<IpAddr, usize>,
}

/// A slot, released on drop.
pub(crate) struct Slot<'a> {
    slots: &'a Slots,
    client: Option<IpAddr>,
}

impl Slots {
    /// Waiting for a slot fails after `timeout`. Limits below 1 count as 1.
    pub(crate) fn new(limit: u32, limit_per_client: u32, timeout: Duration) -> Self {
        let [limit, limit_per_client] = [limit, limit_per_client].map(|count| count.max(1) as usize);
        Self {
            limit,
            limit_per_client,
            timeout,
            used: Mutex::default(),
            freed: Notify::new(),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Waits for a slot for `client`; without a client only the total is limited.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if no slot becomes free in time.
    pub(crate) async fn acquire(&self, client: Option<IpAddr>) -> Result<Slot<'_>> {
        let acquire = async {
            if let Some(slot) = self.try_acquire(client) {
                return slot;
            }
            let _guard = WaitGuard::new(&self.waiting);
            loop {
                let mut freed = pin!(self.freed.notified());
                freed.as_mut().enable();
                if let Some(slot) = self.try_acquire(client) {
                    return slot;
                }
                freed.await;
            }
        };
        let busy =
            |_| Error::Unavailable("Many forms are arriving at the moment. Please try again in a moment.".into());
        tokio::time::timeout(self.timeout, acquire).await.map_err(busy)
    }

    /// Returns the current use.
    pub(crate) fn in_use(&self) -> SlotUse {
        SlotUse { used: self.lock().total, waiting: self.waiting.load(Ordering::Relaxed), limit: self.limit }
    }

    fn try_acquire(&self, client: Option<IpAddr>) -> Option<Slot<'_>> {
        let mut used = self.lock();
        let free = self.limit - used.total;
        if free == 0 {
            return None;
        }
        if let Some(client) = client {
            let share = self.limit_per_client.min(free / FREE_SLOT_DIVISOR).max(1);
            let own = used.by_client.entry(client).or_default();
            if *own >= share {
                return None;
            }
            *own += 1;
        }
        used.total += 1;
        Some(Slot { slots: self, client })
    }

    fn lock(&self) -> MutexGuard<'_, UsedSlots> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts a waiting form until it is dropped.
struct WaitGuard<'a>(&'a AtomicUsize);

impl<'a> WaitGuard<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut used = self.slots.lock();
        used.total -= 1;
        if let Some(client) = self.client
            && let Some(own) = used.by_client.get_mut(&client)
        {
            *own -= 1;
            if *own == 0 {
                used.by_client.remove(&client);
            }
        }
        drop(used);
        self.slots.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn client(number: u8) -> Option<IpAddr> {
        Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, number)))
    }

    /// All slots that a client can get.
    fn acquire_all(slots: &Slots, client: Option<IpAddr>) -> Vec<Slot<'_>> {
        std::iter::from_fn(|| slots.try_acquire(client)).collect()
    }

    #[test]
    fn clients_are_limited_to_their_share_of_free_slots() {
        let slots = Slots::new(64, 4, Duration::ZERO);
        let first = acquire_all(&slots, client(1));
        assert_eq!(first.len(), 4);
        let greedy: Vec<_> = (2..=20).map(|number| acquire_all(&slots, client(number))).collect();
        let held: usize = first.len() + greedy.iter().map(Vec::len).sum::<usize>();
        assert!(greedy.iter().all(|held| !held.is_empty()), "every client gets a slot");
        assert!((50..64).contains(&held), "{held} of 64");
        assert!(slots.try_acquire(client(21)).is_some(), "a new client still gets a slot");
        drop((first, greedy));
        assert_eq!(acquire_all(&slots, client(1)).len(), 4, "released slots are available again");
        assert!(slots.lock().by_client.is_empty(), "clients without slots are forgotten");
    }

    #[tokio::test]
    async fn waiting_for_a_slot_times_out_with_503() {
        let slots = Slots::new(1, 1, Duration::from_secs(600));
        let held = slots.acquire(client(1)).await.expect("a slot");
        let mut waiting = pin!(slots.acquire(client(2)));
        tokio::select! {
            biased;
            _ = &mut waiting => panic!("no slot was free"),
            () = std::future::ready(()) => {}
        }
        let in_use = slots.in_use();
        assert_eq!((in_use.used, in_use.waiting, in_use.limit), (1, 1, 1));
        drop(held);
        let second = waiting.await.expect("a slot became free");
        assert_eq!(slots.in_use().waiting, 0);
        let impatient = Slots { timeout: Duration::ZERO, ..Slots::new(1, 1, Duration::ZERO) };
        let _held = impatient.acquire(None).await.expect("a slot");
        let refused = impatient.acquire(client(2)).await.err();
        assert_eq!(refused.as_ref().map(|error| error.status().code), Some(503));
        assert_eq!(refused.and_then(|error| error.retry_after()), Some(5));
        drop(second);
    }
}
