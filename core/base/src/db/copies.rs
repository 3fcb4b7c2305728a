//! The backup copy of a SQLite database that is made before a migration.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use sqlx::{Executor as _, Row as _};

use super::{Backend, Db};
use crate::durable::{self, Existing, folder_of};
use crate::error::{Error, Result};

/// Locks the schema of a SQLite database against migration by other processes, until the returned file is dropped.
/// `None` on Postgres, which has its own locks, and for a database in memory.
pub(super) async fn lock_schema(db: &Db) -> Result<Option<File>> {
    let Some(file) = file(db).await? else { return Ok(None) };
    let lock = move || {
        let folder = File::open(folder_of(&file))?;
        folder.lock().map(|()| folder)
    };
    Ok(Some(tokio::task::spawn_blocking(lock).await.map_err(Error::internal)??))
}

/// Copies a SQLite database to `festival.db.before-<version>` in the same folder, synced to disk, and removes earlier
/// copies. The caller holds the lock of [`lock_schema`].
///
/// # Errors
/// If the copy cannot be written, for instance because the disk is full.
pub(super) async fn create(db: &Db, version: &str) -> Result<()> {
    let Some(file) = file(db).await? else { return Ok(()) };
    let copy = copy_path(&file, version);
    let temporary = tempfile::Builder::new().prefix(&name(&copy_path(&file, ""))).tempfile_in(folder_of(&file));
    let temporary = temporary.map_err(|error| failed(&file, &error))?;
    let to = temporary.path().to_string_lossy().into_owned();
    let copied = sqlx::query("VACUUM INTO $1").bind(to).execute(&mut *db.read().await?).await;
    copied.map_err(|error| failed(&file, &error))?;
    durable::persist(temporary, &copy, Existing::Replace).map_err(|error| failed(&file, &error))?;
    tracing::info!(copy = %copy.display(), "copied the database before the upgrade");
    Ok(remove_copies(&file, Some(&copy))?)
}

fn failed(file: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::internal(format!(
        "before a migration {} is copied to its folder, which failed: {error}. Free some space on that disk.",
        file.display()
    ))
}

/// Removes all copies.
///
/// # Errors
/// If it cannot be removed.
pub(super) async fn remove(db: &Db) -> Result<()> {
    match file(db).await? {
        Some(file) => Ok(remove_copies(&file, None)?),
        None => Ok(()),
    }
}

/// The file of a SQLite database; `None` on Postgres and for a database in memory.
async fn file(db: &Db) -> Result<Option<PathBuf>> {
    if db.backend() != Backend::Sqlite {
        return Ok(None);
    }
    let file: String = sqlx::query_scalar("SELECT file FROM pragma_database_list WHERE name = 'main'")
        .fetch_one(&mut *db.read().await?)
        .await?;
    Ok(Some(PathBuf::from(file)).filter(|file| !file.as_os_str().is_empty()))
}

fn copy_path(file: &Path, version: &str) -> PathBuf {
    file.with_file_name(format!("{}.before-{version}", name(file)))
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn remove_copies(file: &Path, except: Option<&Path>) -> io::Result<()> {
    let prefix = name(&copy_path(file, ""));
    for entry in std::fs::read_dir(folder_of(file))? {
        let path = entry?.path();
        if name(&path).starts_with(&prefix) && except != Some(&path) {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

impl Db {
    /// Removes the remains of deleted rows from the database's files: rewrites them (`VACUUM`), and on SQLite empties
    /// the write-ahead log and deletes copies from before an upgrade. On SQLite writers have to wait.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if others use the write-ahead log for more than five seconds; if the disk is full.
    pub async fn purge(&self) -> Result<()> {
        let _lock = self.lock_writer().await?;
        remove(self).await?;
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
