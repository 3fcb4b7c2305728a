//! Removal of what deleted rows leave in the database's files.

use sqlx::{Executor as _, Row as _};

use super::{Backend, Db, copies};
use crate::error::{Error, Result};

impl Db {
    /// Removes the remains of deleted rows from the database's files: rewrites them (`VACUUM`), and on SQLite empties
    /// the write-ahead log and deletes copies from before an upgrade. On SQLite writers have to wait.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if others use the write-ahead log for more than five seconds; if the disk is full.
    pub async fn purge(&self) -> Result<()> {
        let _lock = self.lock_writer().await?;
        copies::remove(self).await?;
        let mut connection = self.read().await?;
        connection.execute("VACUUM").await?;
        if self.backend == Backend::Sqlite {
            let row = connection.fetch_one("PRAGMA wal_checkpoint(TRUNCATE)").await?;
            if row.try_get::<i64, _>(0)? != 0 {
                return Err(Error::Unavailable(
                    "The rows are deleted, but traces of them remain in the database's log while it is in use. Erase again later."
                        .into(),
                ));
            }
        }
        Ok(())
    }
}
