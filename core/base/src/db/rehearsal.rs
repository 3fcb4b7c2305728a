//! A transaction that is never committed: what would happen.

use std::ops::{Deref, DerefMut};
use std::path::Path;

use sqlx::any::AnyConnectOptions;
use sqlx::{Any, AnyConnection, ConnectOptions as _, Executor as _, Transaction};

use super::pool::{Backend, Db};
use crate::error::{Error, Result};

/// Written to like a [`super::Write`]; nothing of it happens, and nobody who writes waits for it. On SQLite, where one
/// alone can write, it is a copy of the file.
pub enum Rehearsal {
    /// On SQLite. The file has no name any more: it ends with the connection.
    Copy(AnyConnection),
    /// On Postgres.
    Transaction(Transaction<'static, Any>),
}

impl Db {
    /// Begins a rehearsal.
    pub async fn rehearse(&self) -> Result<Rehearsal> {
        if self.backend == Backend::Postgres {
            return Ok(Rehearsal::Transaction(self.pool.begin().await?));
        }
        let mut connection = self.read().await?;
        // Beside the database: that disk has room for it, and the folder is the program's own.
        let main: String = sqlx::query_scalar("SELECT file FROM pragma_database_list WHERE name = 'main'")
            .fetch_one(&mut *connection)
            .await?;
        let folder = Path::new(&main).parent().unwrap_or(Path::new("."));
        let file = tempfile::Builder::new().prefix("rehearsal-").suffix(".db").tempfile_in(folder)?.into_temp_path();
        let path = file.to_str().ok_or_else(|| Error::internal("the name of the data folder is no text"))?;
        sqlx::query("VACUUM INTO $1").bind(path.to_owned()).execute(&mut *connection).await?;
        drop(connection);
        let options: AnyConnectOptions = format!("sqlite://{path}").parse()?;
        let mut copy = options.connect().await?;
        // With its journal in memory it needs no other file; so this one may lose its name at once, and is gone whatever
        // becomes of the program.
        for pragma in ["PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF", "PRAGMA foreign_keys = ON"] {
            copy.execute(pragma).await?;
        }
        drop(file);
        copy.execute("BEGIN").await?;
        Ok(Rehearsal::Copy(copy))
    }
}

impl Deref for Rehearsal {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        match self {
            Self::Copy(connection) => connection,
            Self::Transaction(transaction) => transaction,
        }
    }
}

impl DerefMut for Rehearsal {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        match self {
            Self::Copy(connection) => connection,
            Self::Transaction(transaction) => transaction,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_rehearsal_leaves_nothing_and_keeps_nobody_from_writing() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite://{}", folder.path().join("festival.db").display());
        let db = Db::open(&url, 4, Duration::from_secs(5)).await?;
        sqlx::query("CREATE TABLE films (title TEXT)").execute(&mut *db.read().await?).await?;
        let count = "SELECT count(*) FROM films";
        let mut rehearsal = db.rehearse().await?;
        let names =
            || std::fs::read_dir(folder.path()).map(|entries| entries.flatten().map(|e| e.file_name()).collect());
        let names: Vec<std::ffi::OsString> = names()?;
        assert!(names.iter().all(|name| name.to_string_lossy().starts_with("festival.db")), "{names:?}");
        for _ in 0..2_000 {
            sqlx::query("INSERT INTO films VALUES ('A rather long title of a film')").execute(&mut *rehearsal).await?;
        }
        // The one who may write is not held up.
        let mut write = db.write_private().await?;
        sqlx::query("INSERT INTO films VALUES ('The real one')").execute(&mut *write).await?;
        write.commit().await?;
        assert_eq!(sqlx::query_scalar::<_, i64>(count).fetch_one(&mut *rehearsal).await?, 2_000);
        drop(rehearsal);
        assert_eq!(sqlx::query_scalar::<_, i64>(count).fetch_one(&mut *db.read().await?).await?, 1);
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
