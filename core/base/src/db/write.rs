//! The write transaction.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use sqlx::{Any, AnyConnection, Transaction};
use tokio::sync::OwnedMutexGuard;

use super::pool::{Backend, Versions};
use crate::error::Result;

/// The channel on which Postgres tells every process that something was written.
pub(crate) const CHANNEL: &str = "festival_changes";

/// Which state of what visitors see `connection` reads: the number grows with every change of it.
///
/// # Errors
/// If the database cannot be read.
pub async fn data_version(connection: &mut AnyConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT version FROM data_version").fetch_one(connection).await
}

/// A transaction that writes. Dropped without [`Write::commit`], nothing of it happened.
pub struct Write {
    transaction: Transaction<'static, Any>,
    backend: Backend,
    versions: Arc<Versions>,
    /// What visitors see may be among it.
    is_public: bool,
    _turn: Option<OwnedMutexGuard<()>>,
}

impl Write {
    pub(super) fn new(
        transaction: Transaction<'static, Any>,
        backend: Backend,
        versions: Arc<Versions>,
        is_public: bool,
        turn: Option<OwnedMutexGuard<()>>,
    ) -> Self {
        Self { transaction, backend, versions, is_public, _turn: turn }
    }

    /// Makes it last, and tells every process that keeps answers in memory.
    pub async fn commit(mut self) -> Result<()> {
        let mut version = None;
        if self.is_public {
            // At the very end: on Postgres whoever else commits waits here.
            let counted = "UPDATE data_version SET version = version + 1 RETURNING version";
            version = Some(sqlx::query_scalar(counted).fetch_one(&mut *self.transaction).await?);
        }
        if self.backend == Backend::Postgres {
            sqlx::query("SELECT CAST(pg_notify($1, '') AS TEXT)").bind(CHANNEL).execute(&mut *self.transaction).await?;
        }
        self.transaction.commit().await?;
        self.versions.changed();
        if let Some(version) = version {
            self.versions.is_at(version);
        }
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
