//! The connection pool. The server opens it through `rocket_db_pools`, commands open it directly, both from Rocket's
//! `databases.festival`.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use prometheus_client::metrics::counter::Counter;
use rocket::figment::Figment;
use rocket_db_pools::Database;
use smart_default::SmartDefault;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, install_default_drivers};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Connection as _, Executor as _};
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore};

use super::address::Backend;
use super::address::{cannot_open, parse_url};
use super::write::{Versions, Write, data_version};
use crate::error::{Error, Result};

/// The database as a Rocket fairing, configured by `databases.festival` in Rocket.toml or `ROCKET_DATABASES`.
#[derive(Database)]
#[database("festival")]
pub struct FestivalDb(Db);

/// A process that has waited for the lock of a SQLite file for up to 228 milliseconds asks for it again at least this
/// often (`delays` in `sqliteDefaultBusyCallback` of SQLite's source), and then every 100 milliseconds.
const LOCK_POLL: Duration = Duration::from_millis(60);

/// The connection pool. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    pub(super) pool: AnyPool,
    pub(super) backend: Backend,
    pub(super) url: Arc<str>,
    /// Allows one writer at a time on SQLite: waiting for this mutex is fair, waiting for the file's lock is not.
    pub(super) writer: Arc<Mutex<()>>,
    /// Versions of the data, for caches.
    pub(super) versions: Arc<Versions>,
    /// Limits concurrent previews, whose connections are outside the pool.
    pub(super) previews: Arc<Semaphore>,
    usage: Usage,
}

/// Previews that may run at the same time; each holds a connection outside the pool.
const MAX_PREVIEWS: usize = 2;

/// The settings under `[default.databases.festival]`, named as in `rocket_db_pools`. Its `extensions` of SQLite are
/// missing: they are not loaded.
#[derive(serde::Deserialize, SmartDefault)]
#[serde(deny_unknown_fields, default)]
struct PoolSettings {
    url: String,
    /// Connections that are open even if nobody uses them.
    min_connections: u32,
    #[default = 16]
    max_connections: u32,
    /// Seconds to wait for a connection.
    #[default = 5]
    connect_timeout: u64,
    /// Seconds after which a connection that nobody uses is closed; the default of sqlx.
    #[default = 600]
    idle_timeout: u64,
}

#[rocket::async_trait]
impl rocket_db_pools::Pool for Db {
    type Connection = PoolConnection<Any>;
    type Error = Error;

    async fn init(figment: &Figment) -> Result<Self> {
        let settings: PoolSettings =
            figment.extract().map_err(|e| Error::internal(format!("databases.festival: {e}")))?;
        let options = AnyPoolOptions::new()
            .max_connections(settings.max_connections)
            .min_connections(settings.min_connections)
            .acquire_timeout(Duration::from_secs(settings.connect_timeout))
            .idle_timeout(Duration::from_secs(settings.idle_timeout));
        Self::connect(&settings.url, options).await
    }

    async fn get(&self) -> Result<Self::Connection> {
        self.read().await
    }

    async fn close(&self) {
        self.pool.close().await;
    }
}

impl Db {
    /// Opens `url` (`sqlite://path` or `postgres://...`) with at most `max_connections` connections. Waiting for a
    /// connection or the write lock fails after `acquire_timeout`.
    ///
    /// # Errors
    /// If the URL is invalid or the database cannot be opened.
    pub async fn open(url: &str, max_connections: u32, acquire_timeout: Duration) -> Result<Self> {
        let options = AnyPoolOptions::new().max_connections(max_connections).acquire_timeout(acquire_timeout);
        Self::connect(url, options).await
    }

    async fn connect(url: &str, pool: AnyPoolOptions) -> Result<Self> {
        install_default_drivers();
        let (backend, url) = parse_url(url)?;
        let options = AnyConnectOptions::from_str(&url)
            .map_err(|e| Error::internal(format!("databases.festival.url cannot be read: {e}")))?;
        let pool = pool
            .after_connect(move |connection, _| Box::pin(async move { configure(connection, backend).await }))
            // SQLite rolls a transaction back by itself when the disk is full, but the driver still believes that it is
            // in one: such a connection could never begin another.
            .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
            .connect_with(options.clone())
            .await;
        match pool {
            Ok(pool) => Ok(Self::from_pool(pool, backend, url.into())),
            Err(error) => Err(cannot_open(error, &options).await),
        }
    }

    /// Wraps a pool, with its own lock and counters.
    pub(super) fn from_pool(pool: AnyPool, backend: Backend, url: Arc<str>) -> Self {
        let previews = Arc::new(Semaphore::new(MAX_PREVIEWS));
        Self { pool, backend, url, writer: Arc::default(), versions: Arc::default(), previews, usage: Usage::default() }
    }

    /// Returns the kind of database.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Returns the URL, for connections outside the pool. It contains the password: never log or show it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns a connection for reading.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        self.usage.wait(self.pool.acquire()).await
    }

    /// Begins a write transaction; on SQLite it holds the write lock from the start. Its commit invalidates all cached
    /// responses.
    pub async fn write(&self) -> Result<Write> {
        self.begin(true).await
    }

    /// Begins a write transaction for data that visitors do not see: submissions, sessions, mails, the audit log.
    /// Cached responses remain valid, so that many submissions before a deadline do not slow down the pages.
    pub async fn write_private(&self) -> Result<Write> {
        self.begin(false).await
    }

    /// Lets others write in the middle of a change that takes long, on SQLite, where they have to wait for its end:
    /// commits what was written so far, and begins again when they had time to notice that the lock is free. Cached
    /// responses remain valid until the returned transaction is committed.
    ///
    /// # Errors
    /// As [`Write::commit`] and [`Db::write`].
    pub async fn let_others_write(&self, write: Write) -> Result<Write> {
        write.commit_part().await?;
        tokio::time::sleep(LOCK_POLL).await;
        self.write().await
    }

    async fn begin(&self, is_public: bool) -> Result<Write> {
        let lock = match self.backend {
            Backend::Sqlite => Some(self.lock_writer().await?),
            Backend::Postgres => None,
        };
        let begin = match self.backend {
            Backend::Sqlite => "BEGIN IMMEDIATE",
            Backend::Postgres => "BEGIN",
        };
        let transaction = self.usage.wait(self.pool.begin_with(begin)).await?;
        Ok(Write::new(transaction, self.backend, self.versions.clone(), is_public, lock))
    }

    /// Waits for the write lock, at most as long as for a connection.
    pub(super) async fn lock_writer(&self) -> Result<OwnedMutexGuard<()>> {
        let timeout = self.pool.options().get_acquire_timeout();
        let lock = tokio::time::timeout(timeout, self.writer.clone().lock_owned());
        self.usage.wait(async { lock.await.map_err(|_| sqlx::Error::PoolTimedOut) }).await
    }

    /// Returns the version of the data that visitors see. It increases with every change that this process made or
    /// noticed.
    pub fn data_version(&self) -> i64 {
        self.versions.data.load(Ordering::Acquire)
    }

    /// Returns the number of changes to any data that this process made or noticed.
    pub fn changes(&self) -> u64 {
        self.versions.changes.load(Ordering::Acquire)
    }

    /// Records a change by another process, and reads whether it affects the data that visitors see.
    pub(crate) async fn record_external_change(&self, connection: &mut AnyConnection) -> sqlx::Result<()> {
        self.versions.record_change();
        self.versions.record_data_version(data_version(connection).await?);
        Ok(())
    }

    /// Returns how often, and how long, connections and the write lock were waited for.
    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// Returns the current number of connections.
    pub fn pool_size(&self) -> PoolSize {
        let idle = u32::try_from(self.pool.num_idle()).unwrap_or(u32::MAX);
        PoolSize { open: self.pool.size(), idle, max: self.pool.options().get_max_connections() }
    }

    /// Closes all connections.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// Applies the settings that every new connection needs.
pub(super) async fn configure(connection: &mut AnyConnection, backend: Backend) -> sqlx::Result<()> {
    if backend == Backend::Sqlite {
        // FULL: an acknowledged submission survives a power failure, not only a crash of the program.
        for pragma in [
            "PRAGMA busy_timeout = 5000",
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "PRAGMA foreign_keys = ON",
            // Deleted data is overwritten, so that the file does not retain personal data.
            "PRAGMA secure_delete = ON",
            // KiB of pages for each of the connections, a quarter of SQLite's default; the system caches the file too.
            "PRAGMA cache_size = -512",
        ] {
            connection.execute(pragma).await?;
        }
    }
    Ok(())
}

/// Counters of waits for the database since the program started.
#[derive(Clone, Default)]
pub struct Usage {
    /// Number of times that a connection or the write lock was requested, even if it was available at once.
    pub waits: Counter,
    /// Total duration of these waits, in seconds.
    pub wait_seconds: Counter<f64, AtomicU64>,
    /// Waits that timed out.
    pub timeouts: Counter,
}

/// The current number of connections.
#[derive(Clone, Copy, Debug)]
pub struct PoolSize {
    /// Open connections.
    pub open: u32,
    /// Open connections that are not in use.
    pub idle: u32,
    /// Maximum number of connections.
    pub max: u32,
}

impl Usage {
    /// Awaits `acquiring` and counts the wait.
    pub(super) async fn wait<T>(&self, acquiring: impl Future<Output = sqlx::Result<T>>) -> Result<T> {
        let start = Instant::now();
        let acquired = acquiring.await;
        self.waits.inc();
        self.wait_seconds.inc_by(start.elapsed().as_secs_f64());
        if matches!(acquired, Err(sqlx::Error::PoolTimedOut)) {
            self.timeouts.inc();
        }
        acquired.map_err(Error::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn sqlite_connections_have_safe_pragmas() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite://{}", folder.path().join("festival.db").display());
        let db = Db::open(&url, 2, Duration::from_secs(5)).await?;
        let mut connections = [db.read().await?, db.read().await?];
        for connection in &mut connections {
            let pragma = async |name: &'static str, connection: &mut AnyConnection| -> Result<i64> {
                let query = sqlx::AssertSqlSafe(format!("SELECT * FROM pragma_{name}"));
                Ok(sqlx::query_scalar(query).fetch_one(connection).await?)
            };
            assert_eq!(pragma("synchronous", connection).await?, 2, "FULL");
            assert_eq!(pragma("foreign_keys", connection).await?, 1);
            assert_eq!(pragma("busy_timeout", connection).await?, 5000);
            assert_eq!(pragma("secure_delete", connection).await?, 1);
            assert_eq!(pragma("cache_size", connection).await?, -512);
            let mode: String =
                sqlx::query_scalar("SELECT * FROM pragma_journal_mode").fetch_one(&mut **connection).await?;
            assert_eq!(mode, "wal");
        }
        Ok(())
    }

    #[tokio::test]
    async fn sqlite_is_compiled_without_locks_of_the_whole_process() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite://{}", folder.path().join("festival.db").display());
        let db = Db::open(&url, 1, Duration::from_secs(5)).await?;
        let options: Vec<String> =
            sqlx::query_scalar("PRAGMA compile_options").fetch_all(&mut *db.read().await?).await?;
        // The flags of .cargo/config.toml.
        assert!(options.iter().any(|option| option == "DEFAULT_MEMSTATUS=0"), "{options:?}");
        assert!(!options.iter().any(|option| option == "ENABLE_MEMORY_MANAGEMENT"), "{options:?}");
        Ok(())
    }

    #[tokio::test]
    async fn waiting_too_long_for_the_write_lock_is_a_503() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite://{}", folder.path().join("festival.db").display());
        let db = Db::open(&url, 4, Duration::from_secs(60)).await?;
        let first = db.write_private().await?;
        // The same write lock, for a caller who does not wait at all.
        let pool = AnyPoolOptions::new().acquire_timeout(Duration::ZERO).connect_lazy(&url)?;
        let impatient = Db { pool, ..db.clone() };
        let second = impatient.write_private().await.err().and_then(|error| error.retry_after());
        assert_eq!(second, Some(5));
        drop(first);
        db.write_private().await?.rollback().await
    }
}
