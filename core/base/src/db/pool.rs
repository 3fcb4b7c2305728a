//! The connection pool. `rocket_db_pools` opens it from Rocket's `databases.festival`; commands open the same.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use rocket::figment::Figment;
use rocket_db_pools::Database;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, install_default_drivers};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Connection as _, Executor as _, Row as _};
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore};

use super::copies;
use super::usage::{PoolSize, Usage};
use super::write::Write;
use crate::error::{Error, Result};

/// The database as Rocket knows it: `databases.festival` in Rocket.toml or `ROCKET_DATABASES`.
#[derive(Database)]
#[database("festival")]
pub struct FestivalDb(Db);

/// Which database answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// A file beside the program.
    Sqlite,
    /// A Postgres server.
    Postgres,
}

/// The pool. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    pub(super) pool: AnyPool,
    pub(super) backend: Backend,
    pub(super) url: Arc<str>,
    /// On SQLite one writer at a time: waiting here is fair, waiting for the file's lock is not.
    pub(super) writer: Arc<Mutex<()>>,
    /// For whoever keeps something in memory.
    pub(super) versions: Arc<Versions>,
    /// Previews have connections beside the pool: so many at once.
    pub(super) previews: Arc<Semaphore>,
    usage: Usage,
}

/// What is known of changes of the data.
#[derive(Default)]
pub(super) struct Versions {
    /// How many were made or noticed.
    changes: AtomicU64,
    /// The highest number seen in the table `data_version`.
    data: AtomicI64,
}

impl Versions {
    /// Something was written.
    pub(super) fn changed(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// The table says `version`.
    pub(super) fn is_at(&self, version: i64) {
        self.data.fetch_max(version, Ordering::AcqRel);
    }
}

/// The most previews at once.
const PREVIEWS: usize = 2;

/// What can be said under `[default.databases.festival]`.
#[derive(serde::Deserialize)]
struct PoolSettings {
    url: String,
    #[serde(default = "default_connections")]
    max_connections: u32,
    /// Seconds that a request waits for a connection.
    #[serde(default = "default_timeout")]
    connect_timeout: u64,
}

fn default_connections() -> u32 {
    16
}

fn default_timeout() -> u64 {
    5
}

#[rocket::async_trait]
impl rocket_db_pools::Pool for Db {
    type Connection = PoolConnection<Any>;
    type Error = Error;

    async fn init(figment: &Figment) -> Result<Self> {
        let settings: PoolSettings =
            figment.extract().map_err(|e| Error::internal(format!("databases.festival: {e}")))?;
        Self::open(&settings.url, settings.max_connections, Duration::from_secs(settings.connect_timeout)).await
    }

    async fn get(&self) -> Result<Self::Connection> {
        self.read().await
    }

    async fn close(&self) {
        self.pool.close().await;
    }
}

impl Db {
    /// Opens `url` (`sqlite://path` or `postgres://...`) with at most `max_connections` connections.
    pub async fn open(url: &str, max_connections: u32, wait: Duration) -> Result<Self> {
        install_default_drivers();
        let (backend, url) = normalise(url)?;
        let options = AnyConnectOptions::from_str(&url)
            .map_err(|e| Error::internal(format!("databases.festival.url cannot be read: {e}")))?;
        let pool = AnyPoolOptions::new()
            .max_connections(max_connections)
            .acquire_timeout(wait)
            .after_connect(move |connection, _| Box::pin(async move { prepare(connection, backend).await }))
            // SQLite ends a transaction by itself when the disk is full, and the driver goes on believing that it is
            // in one: such a connection could never begin another.
            .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
            .connect_with(options)
            .await
            .map_err(|e| Error::internal(format!("the database does not open: {e}")))?;
        Ok(Self::on(pool, backend, url.into()))
    }

    /// The database behind a pool.
    pub(super) fn on(pool: AnyPool, backend: Backend, url: Arc<str>) -> Self {
        let previews = Arc::new(Semaphore::new(PREVIEWS));
        Self { pool, backend, url, writer: Arc::default(), versions: Arc::default(), previews, usage: Usage::default() }
    }

    /// Which database answers.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The address that was opened, for a connection of one's own (with the password, never to be shown).
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A connection for reading.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        self.usage.wait(self.pool.acquire()).await
    }

    /// A transaction for writing; on SQLite it holds the write lock from the start. Its commit makes every answer in
    /// memory old.
    pub async fn write(&self) -> Result<Write> {
        self.begin(true).await
    }

    /// The same for what no visitor sees: what people send, sessions, mails, the audit log. Answers in memory stay
    /// true, so that the night of a deadline costs the pages nothing.
    pub async fn write_private(&self) -> Result<Write> {
        self.begin(false).await
    }

    async fn begin(&self, is_public: bool) -> Result<Write> {
        let turn = match self.backend {
            Backend::Sqlite => Some(self.turn().await?),
            Backend::Postgres => None,
        };
        let begin = match self.backend {
            Backend::Sqlite => "BEGIN IMMEDIATE",
            Backend::Postgres => "BEGIN",
        };
        let transaction = self.usage.wait(self.pool.begin_with(begin)).await?;
        Ok(Write::new(transaction, self.backend, self.versions.clone(), is_public, turn))
    }

    /// The turn to write. Who waits longer than for a connection is asked to come again.
    pub(super) async fn turn(&self) -> Result<OwnedMutexGuard<()>> {
        let wait = self.pool.options().get_acquire_timeout();
        let turn = tokio::time::timeout(wait, self.writer.clone().lock_owned());
        self.usage.wait(async { turn.await.map_err(|_| sqlx::Error::PoolTimedOut) }).await
    }

    /// Makes what was deleted unreadable in the files of the database: pages are written anew, and on SQLite the log is
    /// played into the file and emptied, and the copy from before an upgrade goes. On SQLite writers wait meanwhile.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where others use the log for longer than five seconds; if the disk has no room for a copy.
    pub async fn purge(&self) -> Result<()> {
        let _turn = self.turn().await?;
        copies::remove(self).await?;
        let mut connection = self.read().await?;
        connection.execute("VACUUM").await?;
        if self.backend == Backend::Sqlite {
            let row = connection.fetch_one("PRAGMA wal_checkpoint(TRUNCATE)").await?;
            if row.try_get::<i64, _>(0)? != 0 {
                return Err(Error::Unavailable(
                    "The rows are gone, and their remains are in the log of the database until nobody reads it any more. \
                     Erase again later."
                        .into(),
                ));
            }
        }
        Ok(())
    }

    /// Which state of what visitors see this is: a greater number after every change of it that this process made or
    /// noticed.
    pub fn data_version(&self) -> i64 {
        self.versions.data.load(Ordering::Acquire)
    }

    /// How many changes of anything this process made or noticed.
    pub fn changes(&self) -> u64 {
        self.versions.changes.load(Ordering::Acquire)
    }

    /// Somebody else changed something: looks whether visitors see it.
    pub(crate) async fn changed_elsewhere(&self, connection: &mut AnyConnection) -> sqlx::Result<()> {
        self.versions.changed();
        self.versions.is_at(super::data_version(connection).await?);
        Ok(())
    }

    /// How often, and how long, it was waited for.
    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// How many connections there are.
    pub fn pool_size(&self) -> PoolSize {
        let idle = u32::try_from(self.pool.num_idle()).unwrap_or(u32::MAX);
        PoolSize { open: self.pool.size(), idle, most: self.pool.options().get_max_connections() }
    }

    /// Closes every connection.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// Reads the backend off the address; a SQLite file is made where there is none.
fn normalise(url: &str) -> Result<(Backend, String)> {
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Ok((Backend::Postgres, url.to_owned()));
    }
    if url.starts_with("sqlite:") {
        let separator = if url.contains('?') { '&' } else { '?' };
        let mode = if url.contains("mode=") { String::new() } else { format!("{separator}mode=rwc") };
        return Ok((Backend::Sqlite, format!("{url}{mode}")));
    }
    Err(Error::internal(
        "databases.festival.url must begin with sqlite:// (a file) or postgres:// (a server)".to_owned(),
    ))
}

/// What every new connection is told.
pub(super) async fn prepare(connection: &mut AnyConnection, backend: Backend) -> sqlx::Result<()> {
    if backend == Backend::Sqlite {
        // FULL: an acknowledged submission survives a power cut, not only a crash of the program.
        for pragma in [
            "PRAGMA busy_timeout = 5000",
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "PRAGMA foreign_keys = ON",
            // What is deleted is overwritten: the file must not tell of people who are gone.
            "PRAGMA secure_delete = ON",
        ] {
            connection.execute(pragma).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a crash, a second writer and a reference to nothing must not do.
    #[tokio::test]
    async fn every_connection_to_sqlite_is_told_to_be_careful() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite://{}", folder.path().join("festival.db").display());
        let db = Db::open(&url, 2, Duration::from_secs(5)).await?;
        let mut connections = [db.read().await?, db.read().await?];
        for connection in &mut connections {
            let is = async |name: &'static str, connection: &mut AnyConnection| -> Result<i64> {
                let query = sqlx::AssertSqlSafe(format!("SELECT * FROM pragma_{name}"));
                Ok(sqlx::query_scalar(query).fetch_one(connection).await?)
            };
            assert_eq!(is("synchronous", connection).await?, 2, "FULL");
            assert_eq!(is("foreign_keys", connection).await?, 1);
            assert_eq!(is("busy_timeout", connection).await?, 5000);
            assert_eq!(is("secure_delete", connection).await?, 1);
            let mode: String =
                sqlx::query_scalar("SELECT * FROM pragma_journal_mode").fetch_one(&mut **connection).await?;
            assert_eq!(mode, "wal");
        }
        Ok(())
    }

    #[tokio::test]
    async fn whoever_waits_too_long_to_write_is_asked_to_come_again() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite://{}", folder.path().join("festival.db").display());
        let db = Db::open(&url, 4, Duration::from_millis(50)).await?;
        let first = db.write_private().await?;
        let second = db.write_private().await.err().and_then(|error| error.retry_after());
        assert_eq!(second, Some(5));
        drop(first);
        db.write_private().await?.rollback().await
    }
}
