//! Limits of work and memory for decoding one file, independent of what the file declares.
//!
//! A decoder charges each step to the [`Budget`] of its file, failed ones included, and stops when the budget is
//! exhausted or the job is cancelled. Memory is reserved from a pool shared by all files before anything is decoded.

use std::cell::Cell;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The memory shared by all files that are being decoded, in bytes. A file that needs more reserves all of it and is
/// decoded alone.
const SHARED_MEMORY: u64 = 96 << 20;
/// Maximum time for one file. The limit of work normally comes first; this one is for a machine that hangs.
const MAX_DURATION: Duration = Duration::from_secs(120);
/// Work, in bytes, between two checks of the deadline and of cancellation.
const CHECK_INTERVAL: u64 = 64 << 10;
/// Interval of checks for cancellation while waiting for memory.
const WAIT_INTERVAL: Duration = Duration::from_millis(200);

static MEMORY: MemoryPool = MemoryPool { queue: Mutex::new(()), reserved: Mutex::new(0), released: Condvar::new() };

/// Why a decoder has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// The work or memory allowed for the file is used up.
    #[error("decoding this file exceeds the limit for files of its kind")]
    Exhausted,
    /// The job was cancelled: nobody waits for its result.
    #[error("the job was cancelled")]
    Cancelled,
}

impl From<BudgetError> for io::Error {
    fn from(error: BudgetError) -> Self {
        Self::other(error)
    }
}

/// Tells a job whether anybody still waits for its result. The default is never cancelled.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Option<Weak<()>>);

impl Cancellation {
    /// Cancelled when the value that `waiter` points to is dropped.
    pub(crate) fn when_dropped(waiter: Weak<()>) -> Self {
        Self(Some(waiter))
    }

    /// Returns whether the job was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.as_ref().is_some_and(|waiter| waiter.strong_count() == 0)
    }
}

/// The remaining work and memory for decoding one file.
#[derive(Debug)]
pub struct Budget {
    cancellation: Cancellation,
    deadline: Instant,
    /// Remaining bytes of decoder input and output.
    work: Cell<u64>,
    charged: Cell<u64>,
    /// The value of `charged` at the last check of deadline and cancellation.
    checked_at: Cell<u64>,
    /// Remaining bytes of memory for decoded data.
    memory: Cell<u64>,
    /// Bytes reserved from the shared memory, released on drop.
    reserved: Cell<u64>,
}

impl Budget {
    /// `work` is in bytes of decoder input and output, `memory` in bytes of decoded data.
    pub fn new(work: u64, memory: u64, cancellation: &Cancellation) -> Self {
        Self {
            cancellation: cancellation.clone(),
            deadline: Instant::now() + MAX_DURATION,
            work: Cell::new(work),
            charged: Cell::new(0),
            checked_at: Cell::new(0),
            memory: Cell::new(memory),
            reserved: Cell::new(0),
        }
    }

    /// Charges work that was done or is about to be done.
    ///
    /// # Errors
    /// If the budget is exhausted or the job cancelled; all later calls fail too.
    pub fn charge(&self, bytes: u64) -> Result<(), BudgetError> {
        self.charged.set(self.charged.get().saturating_add(bytes));
        let remaining = self.work.get().checked_sub(bytes);
        self.work.set(remaining.unwrap_or(0));
        if remaining.is_none() {
            return Err(BudgetError::Exhausted);
        }
        if self.charged.get() - self.checked_at.get() < CHECK_INTERVAL {
            return Ok(());
        }
        self.check()
    }

    /// Checks deadline, cancellation and remaining work.
    ///
    /// # Errors
    /// If the budget is exhausted or the job cancelled.
    pub fn check(&self) -> Result<(), BudgetError> {
        self.checked_at.set(self.charged.get());
        if self.cancellation.is_cancelled() {
            self.work.set(0);
            return Err(BudgetError::Cancelled);
        }
        if Instant::now() > self.deadline {
            self.work.set(0);
        }
        if self.work.get() == 0 { Err(BudgetError::Exhausted) } else { Ok(()) }
    }

    /// Counts memory of decoded data that is held until the file is done.
    ///
    /// # Errors
    /// If the file may not use that much.
    pub fn hold(&self, bytes: u64) -> Result<(), BudgetError> {
        let remaining = self.memory.get().checked_sub(bytes);
        self.memory.set(remaining.unwrap_or(0));
        remaining.map(drop).ok_or(BudgetError::Exhausted)
    }

    /// Waits until this much of the shared memory is free, and reserves it for the lifetime of the budget. Called
    /// before decoding; only the first call has an effect.
    ///
    /// # Errors
    /// If the job is cancelled while it waits.
    pub fn reserve(&self, bytes: u64) -> Result<(), BudgetError> {
        if self.reserved.get() == 0 {
            self.reserved.set(MEMORY.reserve(bytes.min(SHARED_MEMORY), self)?);
        }
        Ok(())
    }

    /// Returns the work charged so far, in bytes.
    pub fn charged(&self) -> u64 {
        self.charged.get()
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        MEMORY.release(self.reserved.get());
    }
}

/// Memory that is reserved before it is used.
struct MemoryPool {
    /// Held while waiting, so that small files do not overtake one that needs much.
    queue: Mutex<()>,
    /// Bytes in use.
    reserved: Mutex<u64>,
    released: Condvar,
}

impl MemoryPool {
    fn reserve(&self, bytes: u64, budget: &Budget) -> Result<u64, BudgetError> {
        let _queue = lock(&self.queue);
        let mut reserved = lock(&self.reserved);
        while *reserved + bytes > SHARED_MEMORY {
            reserved = self.released.wait_timeout(reserved, WAIT_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
            budget.check()?;
        }
        *reserved += bytes;
        Ok(bytes)
    }

    fn release(&self, bytes: u64) {
        if bytes > 0 {
            *lock(&self.reserved) -= bytes;
            self.released.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A reader whose bytes are charged to a budget.
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
        // If the budget is exhausted, the next read fails.
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
    fn exhausted_budget_stays_exhausted() {
        let budget = Budget::new(100, 10, &Cancellation::default());
        assert_eq!(budget.charge(60), Ok(()));
        assert_eq!(budget.charge(60), Err(BudgetError::Exhausted));
        assert_eq!(
            (budget.charge(1), budget.check(), budget.charged()),
            (Err(BudgetError::Exhausted), Err(BudgetError::Exhausted), 121)
        );
        assert_eq!((budget.hold(10), budget.hold(1)), (Ok(()), Err(BudgetError::Exhausted)));
    }

    #[test]
    fn cancelled_work_stops() {
        let waiter = Arc::new(());
        let budget = Budget::new(u64::MAX, 0, &Cancellation::when_dropped(Arc::downgrade(&waiter)));
        assert_eq!(budget.charge(10 * CHECK_INTERVAL), Ok(()));
        drop(waiter);
        assert_eq!(budget.charge(1), Ok(()), "cancellation is not checked at every byte");
        assert_eq!(budget.charge(CHECK_INTERVAL), Err(BudgetError::Cancelled));
        assert_eq!(budget.charge(1), Err(BudgetError::Exhausted));
        let mut source = Metered::new(io::Cursor::new([0; 9]), &budget);
        assert!(source.read(&mut [0; 4]).is_err() && source.fill_buf().is_err());
    }

    #[test]
    fn shared_memory_is_reserved_until_the_budget_is_dropped() {
        let waiter = Arc::new(());
        let first = Budget::new(1, 0, &Cancellation::default());
        assert_eq!(first.reserve(10 * SHARED_MEMORY), Ok(()));
        let second = Budget::new(1, 0, &Cancellation::when_dropped(Arc::downgrade(&waiter)));
        drop(waiter);
        assert_eq!(second.reserve(1), Err(BudgetError::Cancelled), "all memory is reserved, and the job is cancelled");
        drop(first);
        assert_eq!(Budget::new(1, 0, &Cancellation::default()).reserve(SHARED_MEMORY), Ok(()));
    }
}
