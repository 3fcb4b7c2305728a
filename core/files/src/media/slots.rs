//! How many forms arrive at a time: so many in all, and of one client only its share.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use festival_base::error::{Error, Result};

/// One client may hold at most this part of the slots that are free, so that the last ones are left to whoever has none.
const PART_OF_FREE: usize = 8;

/// The slots of all forms that are arriving or being checked.
pub(crate) struct Slots {
    most: usize,
    most_per_client: usize,
    patience: Duration,
    taken: Mutex<Taken>,
    freed: Notify,
    waiting: AtomicUsize,
}

/// How the slots stand.
#[derive(Clone, Copy, Debug)]
pub struct SlotUse {
    /// Slots that are taken.
    pub taken: usize,
    /// Forms that wait for one.
    pub waiting: usize,
    /// All slots.
    pub most: usize,
}

#[derive(Default)]
struct Taken {
    all: usize,
    by_client: HashMap<IpAddr, usize>,
}

/// A slot, free again when it is dropped.
pub(crate) struct Slot<'a> {
    slots: &'a Slots,
    client: Option<IpAddr>,
}

impl Slots {
    /// So many slots, and so many of them for one client; whoever finds none waits as long as `patience`.
    pub(crate) fn new(most: u32, most_per_client: u32, patience: Duration) -> Self {
        let [most, most_per_client] = [most, most_per_client].map(|count| count.max(1) as usize);
        Self {
            most,
            most_per_client,
            patience,
            taken: Mutex::default(),
            freed: Notify::new(),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Takes a slot for `client`, whose share is not counted where it is `None`. Nothing of the form is read before.
    pub(crate) async fn acquire(&self, client: Option<IpAddr>) -> Result<Slot<'_>> {
        let waiting = async {
            if let Some(slot) = self.try_take(client) {
                return slot;
            }
            let _waiting = Waiting::new(&self.waiting);
            loop {
                let mut freed = pin!(self.freed.notified());
                freed.as_mut().enable();
                if let Some(slot) = self.try_take(client) {
                    return slot;
                }
                freed.await;
            }
        };
        let busy =
            |_| Error::Unavailable("Many forms are arriving at the moment. Please try again in a moment.".into());
        tokio::time::timeout(self.patience, waiting).await.map_err(busy)
    }

    /// How they stand now.
    pub(crate) fn in_use(&self) -> SlotUse {
        SlotUse { taken: self.lock().all, waiting: self.waiting.load(Ordering::Relaxed), most: self.most }
    }

    fn try_take(&self, client: Option<IpAddr>) -> Option<Slot<'_>> {
        let mut taken = self.lock();
        let free = self.most - taken.all;
        if free == 0 {
            return None;
        }
        if let Some(client) = client {
            let share = self.most_per_client.min(free / PART_OF_FREE).max(1);
            let own = taken.by_client.entry(client).or_default();
            if *own >= share {
                return None;
            }
            *own += 1;
        }
        taken.all += 1;
        Some(Slot { slots: self, client })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody waits for a slot, until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut taken = self.slots.lock();
        taken.all -= 1;
        if let Some(client) = self.client
            && let Some(own) = taken.by_client.get_mut(&client)
        {
            *own -= 1;
            if *own == 0 {
                taken.by_client.remove(&client);
            }
        }
        drop(taken);
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

    /// The slots that a client gets who takes all that it can.
    fn all_for(slots: &Slots, client: Option<IpAddr>) -> Vec<Slot<'_>> {
        std::iter::from_fn(|| slots.try_take(client)).collect()
    }

    #[test]
    fn a_client_has_its_share_and_the_last_slots_are_for_others() {
        let slots = Slots::new(64, 4, Duration::ZERO);
        let first = all_for(&slots, client(1));
        assert_eq!(first.len(), 4);
        let greedy: Vec<_> = (2..=20).map(|number| all_for(&slots, client(number))).collect();
        let held: usize = first.len() + greedy.iter().map(Vec::len).sum::<usize>();
        assert!(greedy.iter().all(|held| !held.is_empty()), "nobody came too late");
        assert!((50..64).contains(&held), "{held} of 64");
        assert!(slots.try_take(client(21)).is_some(), "somebody new finds a slot");
        drop((first, greedy));
        assert_eq!(all_for(&slots, client(1)).len(), 4, "what was given back is there again");
        assert!(slots.lock().by_client.is_empty(), "nobody is remembered who holds nothing");
    }

    #[tokio::test]
    async fn who_finds_no_slot_waits_for_one_and_is_refused_in_the_end() {
        let slots = Slots::new(1, 1, Duration::from_secs(600));
        let held = slots.acquire(client(1)).await.expect("a slot");
        let mut waiting = pin!(slots.acquire(client(2)));
        tokio::select! {
            biased;
            _ = &mut waiting => panic!("there was no slot for it"),
            () = std::future::ready(()) => {}
        }
        let in_use = slots.in_use();
        assert_eq!((in_use.taken, in_use.waiting, in_use.most), (1, 1, 1));
        drop(held);
        let second = waiting.await.expect("its turn came");
        assert_eq!(slots.in_use().waiting, 0);
        let impatient = Slots { patience: Duration::ZERO, ..Slots::new(1, 1, Duration::ZERO) };
        let _held = impatient.acquire(None).await.expect("a slot");
        let refused = impatient.acquire(client(2)).await.err();
        assert_eq!(refused.as_ref().map(|error| error.status().code), Some(503));
        assert_eq!(refused.and_then(|error| error.retry_after()), Some(5));
        drop(second);
    }
}
