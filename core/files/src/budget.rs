//! What reading one file may cost, whatever the file says about itself.
//!
//! A decoder charges each step to the [`Budget`] of its file, also one that fails, and stops where the budget is spent or
//! nobody waits for the answer any more. The memory that all files in work share is taken before anything is decoded.

use std::cell::Cell;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The memory that all files in work share, in bytes. Whoever needs more takes all of it, and is alone then.
const SHARED: u64 = 96 << 20;
/// The longest time that one file is worked on. Its work is bounded before: this is for a machine that hangs.
const LONGEST: Duration = Duration::from_secs(120);
/// After so much work somebody looks at the clock, and whether the answer is still waited for.
const LOOK: u64 = 64 << 10;
/// How long a file waits for memory until it looks whether its answer is still waited for.
const PAUSE: Duration = Duration::from_millis(200);

static MEMORY: Memory = Memory { turn: Mutex::new(()), taken: Mutex::new(0), freed: Condvar::new() };

/// Why a decoder stops before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The work or the memory that a file may cost is used up.
    #[error("this file takes more work than a file of its kind may")]
    Spent,
    /// Nobody waits for the answer any more.
    #[error("nobody waits for this file any more")]
    Left,
}

impl From<Stop> for io::Error {
    fn from(stop: Stop) -> Self {
        Self::other(stop)
    }
}

/// Who waits for an answer; by default somebody who never goes.
#[derive(Clone, Debug, Default)]
pub struct Asker(Option<Weak<()>>);

impl Asker {
    /// Somebody who waits as long as the value that `waiting` leads to is there.
    pub(crate) fn new(waiting: Weak<()>) -> Self {
        Self(Some(waiting))
    }

    /// Whether nobody waits any more.
    pub fn has_gone(&self) -> bool {
        self.0.as_ref().is_some_and(|waiting| waiting.strong_count() == 0)
    }
}

/// What one file may still cost.
#[derive(Debug)]
pub struct Budget {
    asker: Asker,
    until: Instant,
    /// Bytes that may still go into and come out of decoders.
    work: Cell<u64>,
    charged: Cell<u64>,
    looked: Cell<u64>,
    /// Bytes that what was read may still take.
    memory: Cell<u64>,
    /// Bytes taken of the memory that all files share, given back with the budget.
    reserved: Cell<u64>,
}

impl Budget {
    /// So much work, in bytes that go into and come out of decoders, and so much memory for what was read, in bytes.
    pub fn new(work: u64, memory: u64, asker: &Asker) -> Self {
        Self {
            asker: asker.clone(),
            until: Instant::now() + LONGEST,
            work: Cell::new(work),
            charged: Cell::new(0),
            looked: Cell::new(0),
            memory: Cell::new(memory),
            reserved: Cell::new(0),
        }
    }

    /// Charges work that is about to be done, or was.
    ///
    /// # Errors
    /// Where there is not so much left, or nobody waits any more: then all that follows fails as well.
    pub fn charge(&self, bytes: u64) -> Result<(), Stop> {
        self.charged.set(self.charged.get().saturating_add(bytes));
        let left = self.work.get().checked_sub(bytes);
        self.work.set(left.unwrap_or(0));
        if left.is_none() {
            return Err(Stop::Spent);
        }
        if self.charged.get() - self.looked.get() < LOOK {
            return Ok(());
        }
        self.check()
    }

    /// Whether there is something left, and somebody waits.
    ///
    /// # Errors
    /// Where it is not so.
    pub fn check(&self) -> Result<(), Stop> {
        self.looked.set(self.charged.get());
        if self.asker.has_gone() {
            self.work.set(0);
            return Err(Stop::Left);
        }
        if Instant::now() > self.until {
            self.work.set(0);
        }
        if self.work.get() == 0 { Err(Stop::Spent) } else { Ok(()) }
    }

    /// Counts memory that what was read takes until the file is done.
    ///
    /// # Errors
    /// Where it may not take so much.
    pub fn hold(&self, bytes: u64) -> Result<(), Stop> {
        let left = self.memory.get().checked_sub(bytes);
        self.memory.set(left.unwrap_or(0));
        left.map(drop).ok_or(Stop::Spent)
    }

    /// Waits until so many bytes of the memory that all files share are free, and keeps them as long as the budget lives.
    /// A file asks once, before anything of it is decoded.
    ///
    /// # Errors
    /// Where nobody waits any more.
    pub fn reserve(&self, bytes: u64) -> Result<(), Stop> {
        if self.reserved.get() == 0 {
            self.reserved.set(MEMORY.take(bytes.min(SHARED), self)?);
        }
        Ok(())
    }

    /// The work that was charged until now.
    pub fn charged(&self) -> u64 {
        self.charged.get()
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        MEMORY.give_back(self.reserved.get());
    }
}

/// Memory that is taken before it is used.
struct Memory {
    /// Held while somebody waits: nobody overtakes a file that needs much.
    turn: Mutex<()>,
    taken: Mutex<u64>,
    freed: Condvar,
}

impl Memory {
    fn take(&self, bytes: u64, budget: &Budget) -> Result<u64, Stop> {
        let _turn = lock(&self.turn);
        let mut taken = lock(&self.taken);
        while *taken + bytes > SHARED {
            taken = self.freed.wait_timeout(taken, PAUSE).unwrap_or_else(PoisonError::into_inner).0;
            budget.check()?;
        }
        *taken += bytes;
        Ok(bytes)
    }

    fn give_back(&self, bytes: u64) {
        if bytes > 0 {
            *lock(&self.taken) -= bytes;
            self.freed.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A source whose bytes are charged to a budget.
pub(crate) struct Metered<'b, R> {
    source: R,
    budget: &'b Budget,
}

impl<'b, R> Metered<'b, R> {
    pub(crate) fn new(source: R, budget: &'b Budget) -> Self {
        Self { source, budget }
    }
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.budget.charge(count as u64 + 1)?;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Metered<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.budget.charge(1)?;
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        // Where it is spent, the next look at the source fails.
        let _ = self.budget.charge(count as u64);
        self.source.consume(count);
    }
}

impl<R: Seek> Seek for Metered<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.source.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn what_is_spent_stays_spent() {
        let budget = Budget::new(100, 10, &Asker::default());
        assert_eq!(budget.charge(60), Ok(()));
        assert_eq!(budget.charge(60), Err(Stop::Spent));
        assert_eq!((budget.charge(1), budget.check(), budget.charged()), (Err(Stop::Spent), Err(Stop::Spent), 121));
        assert_eq!((budget.hold(10), budget.hold(1)), (Ok(()), Err(Stop::Spent)));
    }

    #[test]
    fn work_ends_when_nobody_waits_for_it() {
        let waiting = Arc::new(());
        let budget = Budget::new(u64::MAX, 0, &Asker::new(Arc::downgrade(&waiting)));
        assert_eq!(budget.charge(10 * LOOK), Ok(()));
        drop(waiting);
        assert_eq!(budget.charge(1), Ok(()), "nobody looks at every byte");
        assert_eq!(budget.charge(LOOK), Err(Stop::Left));
        assert_eq!(budget.charge(1), Err(Stop::Spent));
        let mut source = Metered::new(io::Cursor::new([0; 9]), &budget);
        assert!(source.read(&mut [0; 4]).is_err() && source.fill_buf().is_err());
    }

    #[test]
    fn memory_is_taken_before_it_is_used_and_given_back_with_the_budget() {
        let waiting = Arc::new(());
        let first = Budget::new(1, 0, &Asker::default());
        assert_eq!(first.reserve(10 * SHARED), Ok(()));
        let second = Budget::new(1, 0, &Asker::new(Arc::downgrade(&waiting)));
        drop(waiting);
        assert_eq!(second.reserve(1), Err(Stop::Left), "there was none, and nobody waited");
        drop(first);
        assert_eq!(Budget::new(1, 0, &Asker::default()).reserve(SHARED), Ok(()));
    }
}
