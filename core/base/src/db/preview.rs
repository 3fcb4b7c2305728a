//! Preview transactions: changes that are visible to their author only and never committed.

use std::time::Duration;

use sqlx::Any;
use sqlx::Executor as _;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::pool::PoolConnection;
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit};

use super::address::Backend;
use super::pool::{Db, configure};
use crate::error::{Error, Result};

/// Time to wait for a permit, and for the connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// A database handle whose single connection is in a transaction that is never committed. Readers that use the handle
/// see what was written through it; all others see nothing of it.
pub struct PreviewTransaction {
    db: Db,
    /// Keeps other writers waiting on SQLite.
    _writer_lock: Option<OwnedMutexGuard<()>>,
    _permit: OwnedSemaphorePermit,
}

impl PreviewTransaction {
    /// Begins a preview of `db` on a connection outside its pool.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if too many previews are running, or the write lock is held for too long.
    pub async fn begin(db: &Db) -> Result<Self> {
        let busy = |_| Error::Unavailable("Several previews are being made. Please try again in a moment.".into());
        let permit = tokio::time::timeout(ACQUIRE_TIMEOUT, db.previews.clone().acquire_owned()).await.map_err(busy)?;
        let permit = permit.map_err(Error::internal)?;
        let backend = db.backend;
        let writer_lock = match backend {
            Backend::Sqlite => Some(db.lock_writer().await?),
            Backend::Postgres => None,
        };
        let options: AnyConnectOptions = db.url.parse()?;
        let pool = AnyPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .idle_timeout(None)
            .max_lifetime(None)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    configure(connection, backend).await?;
                    // As a plain statement: a transaction guard would roll back when the connection returns to the
                    // pool.
                    let begin = if backend == Backend::Sqlite { "BEGIN IMMEDIATE" } else { "BEGIN" };
                    connection.execute(begin).await?;
                    Ok(())
                })
            })
            .connect_with(options)
            .await?;
        let db = Db::from_pool(pool, backend, db.url.clone());
        Ok(Self { db, _writer_lock: writer_lock, _permit: permit })
    }

    /// Returns the connection for writing. It has to be dropped before anything reads through
    /// [`PreviewTransaction::db`].
    pub async fn write(&self) -> Result<PoolConnection<Any>> {
        self.db.read().await
    }

    /// Returns the database handle for reading what was written.
    pub fn db(&self) -> Db {
        self.db.clone()
    }

    /// Rolls the transaction back and closes the connection.
    pub async fn discard(self) {
        if let Ok(mut connection) = self.db.read().await {
            // Explicitly, so that the next writer need not wait for the connection to be closed.
            let _rolled_back = sqlx::query("ROLLBACK").execute(&mut *connection).await;
            let _closed = connection.close().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn preview_holds_a_permit_until_it_is_discarded() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite://{}", folder.path().join("preview.db").display());
        let db = Db::open(&url, 1, ACQUIRE_TIMEOUT).await?;
        let permits = db.previews.available_permits();
        let preview = PreviewTransaction::begin(&db).await?;
        assert_eq!(db.previews.available_permits(), permits - 1);
        preview.discard().await;
        assert_eq!(db.previews.available_permits(), permits);
        Ok(())
    }
}
