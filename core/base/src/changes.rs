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

/// Watches the database until the task is dropped, and moves [`Db::generation`] on with every change.
pub async fn watch(db: &Db) {
    loop {
        let ended = match db.backend() {
            Backend::Sqlite => watch_sqlite(db).await,
            Backend::Postgres => watch_postgres(db).await,
        };
        if let Err(error) = ended {
            tracing::warn!(%error, "cannot see what other processes change; trying again");
        }
        // Blind for a moment: whatever is remembered may be old.
        db.changed_elsewhere();
        tokio::time::sleep(RETRY).await;
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
            db.changed_elsewhere();
        }
        last = Some(version);
        tokio::time::sleep(EVERY).await;
    }
}

/// Every commit notifies the channel.
async fn watch_postgres(db: &Db) -> sqlx::Result<()> {
    let mut listener = PgListener::connect(db.url()).await?;
    listener.listen(CHANNEL).await?;
    db.changed_elsewhere();
    loop {
        listener.recv().await?;
        db.changed_elsewhere();
    }
}
