//! Detects within a second what other processes (the command line, a second server) changed in the database.

use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::postgres::PgListener;
use sqlx::{AnyConnection, ConnectOptions as _};

use crate::db::{Backend, CHANNEL, Db};

/// How often SQLite is polled for changes by other connections. A poll takes microseconds.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
// Changes have to be visible within a second.
const _: () = assert!(POLL_INTERVAL.as_millis() <= 500);
/// Pause before reconnecting after the connection was lost.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Watches the database and keeps [`Db::changes`] and [`Db::data_version`] current. Runs until the task is dropped.
pub async fn watch(db: &Db) {
    loop {
        let result = match db.backend() {
            Backend::Sqlite => watch_sqlite(db).await,
            Backend::Postgres => watch_postgres(db).await,
        };
        if let Err(error) = result {
            tracing::warn!(%error, "lost track of changes by other processes; reconnecting");
        }
        tokio::time::sleep(RETRY_DELAY).await;
        // Until the watch is back, poll once a second. While the database is unreachable nothing changes, and cached
        // responses remain valid.
        if let Ok(mut connection) = db.read().await {
            let _result = db.record_external_change(&mut connection).await;
        }
    }
}

/// `PRAGMA data_version` changes on a connection when another connection commits.
async fn watch_sqlite(db: &Db) -> sqlx::Result<()> {
    let options: AnyConnectOptions = db.url().parse()?;
    let mut connection: AnyConnection = options.connect().await?;
    let mut last: Option<i64> = None;
    loop {
        let version: i64 = sqlx::query_scalar("PRAGMA data_version").fetch_one(&mut connection).await?;
        // The first iteration counts as a change: earlier changes went unnoticed.
        if last != Some(version) {
            db.record_external_change(&mut connection).await?;
        }
        last = Some(version);
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Every commit notifies the channel.
async fn watch_postgres(db: &Db) -> sqlx::Result<()> {
    let mut listener = PgListener::connect(db.url()).await?;
    listener.listen(CHANNEL).await?;
    loop {
        // The first iteration counts as a change: earlier changes went unnoticed.
        let mut connection = db.read().await.map_err(|error| sqlx::Error::AnyDriverError(error.to_string().into()))?;
        db.record_external_change(&mut connection).await?;
        drop(connection);
        // `None`: the connection was re-established, and notifications sent in between are lost.
        let _notice = listener.try_recv().await?;
    }
}
