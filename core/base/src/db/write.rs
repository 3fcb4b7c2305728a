//! Write transactions, the version of the data that they increase, and the counters that tell caches of a change.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use sqlx::{Any, AnyConnection, Transaction};
use tokio::sync::OwnedMutexGuard;

use super::address::Backend;
use crate::error::Result;

/// The Postgres notification channel that announces commits to all processes.
pub(crate) const CHANNEL: &str = "festival_changes";

/// Returns the version of the data that visitors see, as `connection` sees it. It increases with every change.
///
/// # Errors
/// If the database cannot be read.
pub async fn data_version(connection: &mut AnyConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT version FROM data_version").fetch_one(connection).await
}

/// A write transaction. It is rolled back if it is dropped without [`Write::commit`].
pub struct Write {
    transaction: Transaction<'static, Any>,
    backend: Backend,
    versions: Arc<Versions>,
    /// Whether it may change data that visitors see.
    is_public: bool,
    _lock: Option<OwnedMutexGuard<()>>,
}

impl Write {
    pub(super) fn new(
        transaction: Transaction<'static, Any>,
        backend: Backend,
        versions: Arc<Versions>,
        is_public: bool,
        lock: Option<OwnedMutexGuard<()>>,
    ) -> Self {
        Self { transaction, backend, versions, is_public, _lock: lock }
    }

    /// Commits the transaction, and notifies all processes, so that they drop outdated cached responses.
    pub async fn commit(mut self) -> Result<()> {
        let mut version = None;
        if self.is_public {
            // Last, because on Postgres concurrent commits wait for this row.
            let increment = "UPDATE data_version SET version = version + 1 RETURNING version";
            version = Some(sqlx::query_scalar(increment).fetch_one(&mut *self.transaction).await?);
        }
        if self.backend == Backend::Postgres {
            sqlx::query("SELECT CAST(pg_notify($1, '') AS TEXT)").bind(CHANNEL).execute(&mut *self.transaction).await?;
        }
        self.transaction.commit().await?;
        self.versions.record_change();
        if let Some(version) = version {
            self.versions.record_data_version(version);
        }
        Ok(())
    }

    /// Commits a part of a change: cached responses remain valid until the last part is committed.
    pub(super) async fn commit_part(mut self) -> Result<()> {
        self.is_public = false;
        self.commit().await
    }

    /// Rolls the transaction back.
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

/// Counters of changes to the data, made by this process or noticed.
#[derive(Default)]
pub(super) struct Versions {
    /// Number of changes.
    pub(super) changes: AtomicU64,
    /// Highest version seen in the table `data_version`.
    pub(super) data: AtomicI64,
}

impl Versions {
    /// Records a change.
    pub(super) fn record_change(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Records a version read from the table `data_version`.
    pub(super) fn record_data_version(&self, version: i64) {
        self.data.fetch_max(version, Ordering::AcqRel);
    }
}
