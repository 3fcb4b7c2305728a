//! Notices within a second what other processes changed: the command line, a second server.

use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::postgres::PgListener;
use sqlx::{AnyConnection, ConnectOptions as _};

use crate::db::{Backend, CHANNEL, Db};

/// How often SQLite is asked whether its file changed. The question costs microseconds.
const EVERY: Duration = Duration::from_millis(250);
// What is said of it: a change shows within a second.
const _: () = assert!(EVERY.as_millis() <= 500);
/// How long to wait before a lost connection is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// Watches the database until the task is dropped, and moves [`Db::changes`] and [`Db::data_version`] on.
pub async fn watch(db: &Db) {
    loop {
        let ended = match db.backend() {
            Backend::Sqlite => watch_sqlite(db).await,
            Backend::Postgres => watch_postgres(db).await,
        };
        if let Err(error) = ended {
            tracing::warn!(%error, "cannot see what other processes change; trying again");
        }
        tokio::time::sleep(RETRY).await;
        // Without the watch one looks once a second. While the database is away nothing changes, and what is in memory
        // goes on being served.
        if let Ok(mut connection) = db.read().await {
            let _seen = db.changed_elsewhere(&mut connection).await;
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
        // The first look counts as a change: what happened before it went unseen.
        if last != Some(version) {
            db.changed_elsewhere(&mut connection).await?;
        }
        last = Some(version);
        tokio::time::sleep(EVERY).await;
    }
}

/// Every commit notifies the channel.
async fn watch_postgres(db: &Db) -> sqlx::Result<()> {
    let mut listener = PgListener::connect(db.url()).await?;
    listener.listen(CHANNEL).await?;
    loop {
        // The first look counts as a change: what happened before it went unseen.
        let mut connection = db.read().await.map_err(|error| sqlx::Error::AnyDriverError(error.to_string().into()))?;
        db.changed_elsewhere(&mut connection).await?;
        drop(connection);
        // None: the connection was lost and is there again, and what was said meanwhile went unheard.
        let _notice = listener.try_recv().await?;
    }
}
