//! A database as it would be: changes that their maker alone sees, and that nobody keeps.

use std::time::Duration;

use sqlx::Any;
use sqlx::Executor as _;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::pool::PoolConnection;
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit};

use super::pool::{Backend, Db, prepare};
use crate::error::{Error, Result};

/// How long somebody waits for a place, and for the one connection.
const WAIT: Duration = Duration::from_secs(5);

/// A database of one connection, which stands in a transaction that is never committed. What is written through it is
/// read through it, by whoever reads; the others see nothing of it.
pub struct PreviewTransaction {
    db: Db,
    /// On SQLite nobody else writes meanwhile.
    _turn: Option<OwnedMutexGuard<()>>,
    _place: OwnedSemaphorePermit,
}

impl PreviewTransaction {
    /// Begins one beside `db`.
    pub async fn begin(db: &Db) -> Result<Self> {
        let busy = |_| Error::Unavailable("Several previews are being made. Please try again in a moment.".into());
        let place = tokio::time::timeout(WAIT, db.previews.clone().acquire_owned()).await.map_err(busy)?;
        let place = place.map_err(Error::internal)?;
        let backend = db.backend;
        let turn = match backend {
            Backend::Sqlite => Some(db.turn().await?),
            Backend::Postgres => None,
        };
        let options: AnyConnectOptions = db.url.parse()?;
        let pool = AnyPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(WAIT)
            .idle_timeout(None)
            .max_lifetime(None)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    prepare(connection, backend).await?;
                    // By hand: no guard of a transaction ends it when the connection goes back to the pool.
                    let begin = if backend == Backend::Sqlite { "BEGIN IMMEDIATE" } else { "BEGIN" };
                    connection.execute(begin).await?;
                    Ok(())
                })
            })
            .connect_with(options)
            .await?;
        let db = Db::on(pool, backend, db.url.clone());
        Ok(Self { db, _turn: turn, _place: place })
    }

    /// The connection, for writing. It must be given back before anybody reads.
    pub async fn write(&self) -> Result<PoolConnection<Any>> {
        self.db.read().await
    }

    /// The database for whoever is to read what was written.
    pub fn db(&self) -> Db {
        self.db.clone()
    }

    /// Ends it: nothing of it happened.
    pub async fn discard(self) {
        if let Ok(mut connection) = self.db.read().await {
            // Said, so that the next one to write need not wait for the connection to go away.
            let _ended = sqlx::query("ROLLBACK").execute(&mut *connection).await;
            let _closed = connection.close().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_draft_takes_a_place_and_gives_it_back() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite://{}", folder.path().join("preview.db").display());
        let db = Db::open(&url, 1, WAIT).await?;
        let places = db.previews.available_permits();
        let preview = PreviewTransaction::begin(&db).await?;
        assert_eq!(db.previews.available_permits(), places - 1);
        preview.discard().await;
        assert_eq!(db.previews.available_permits(), places);
        Ok(())
    }
}
