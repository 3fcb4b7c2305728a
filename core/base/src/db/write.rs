//! The write transaction.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::{Any, AnyConnection, Transaction};
use tokio::sync::OwnedMutexGuard;

use super::pool::Backend;
use crate::error::Result;

/// The channel on which Postgres tells every process that something was written.
pub(crate) const CHANNEL: &str = "festival_changes";

/// A transaction that writes. Dropped without [`Write::commit`], nothing of it happened.
pub struct Write {
    transaction: Transaction<'static, Any>,
    backend: Backend,
    generation: Arc<AtomicU64>,
    _turn: Option<OwnedMutexGuard<()>>,
}

impl Write {
    pub(super) fn new(
        transaction: Transaction<'static, Any>,
        backend: Backend,
        generation: Arc<AtomicU64>,
        turn: Option<OwnedMutexGuard<()>>,
    ) -> Self {
        Self { transaction, backend, generation, _turn: turn }
    }

    /// Makes it last, and tells every process that keeps answers in memory.
    pub async fn commit(mut self) -> Result<()> {
        if self.backend == Backend::Postgres {
            sqlx::query("SELECT CAST(pg_notify($1, '') AS TEXT)").bind(CHANNEL).execute(&mut *self.transaction).await?;
        }
        self.transaction.commit().await?;
        self.generation.fetch_add(1, Ordering::AcqRel);
        Ok(())
    }

    /// Gives it up: nothing of it happened.
    pub async fn rollback(self) -> Result<()> {
        Ok(self.transaction.rollback().await?)
    }
}

impl Deref for Write {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.transaction
    }
}

impl DerefMut for Write {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }
}
