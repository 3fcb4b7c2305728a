//! The copy of a SQLite database that is made before its schema is changed.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{Backend, Db};
use crate::error::{Error, Result};

/// The turn of one process to change the schema of a SQLite database; Postgres has locks for it. It ends when it is dropped.
pub(super) async fn turn(db: &Db) -> Result<Option<File>> {
    let Some(file) = file(db).await? else { return Ok(None) };
    let lock = move || {
        let folder = File::open(folder(&file))?;
        folder.lock().map(|()| folder)
    };
    Ok(Some(tokio::task::spawn_blocking(lock).await.map_err(Error::internal)??))
}

/// Copies the file of a SQLite database to one beside it, `festival.db.before-<version>`; when this returns, the copy
/// survives a power cut. Earlier ones go. Whoever calls has the [`turn`].
///
/// # Errors
/// If the disk has no room for it.
pub(super) async fn make(db: &Db, version: &str) -> Result<()> {
    let Some(file) = file(db).await? else { return Ok(()) };
    let copy = beside(&file, version);
    let unfinished = tempfile::Builder::new().prefix(&name(&beside(&file, ""))).tempfile_in(folder(&file));
    let unfinished = unfinished.map_err(|error| failed(&file, &error))?;
    let to = unfinished.path().to_string_lossy().into_owned();
    let copied = sqlx::query("VACUUM INTO $1").bind(to).execute(&mut *db.read().await?).await;
    copied.map_err(|error| failed(&file, &error))?;
    unfinished.as_file().sync_all().map_err(|error| failed(&file, &error))?;
    unfinished.persist(&copy).map_err(|error| failed(&file, &error))?;
    tracing::info!(copy = %copy.display(), "the database as it was before this upgrade");
    Ok(remove_others(&file, Some(&copy))?)
}

fn failed(file: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::internal(format!(
        "before the schema is changed {} is copied to a file beside it, which failed: {error}. Make room on that disk.",
        file.display()
    ))
}

/// Removes the copy, if there is one.
///
/// # Errors
/// If it cannot be removed.
pub(super) async fn remove(db: &Db) -> Result<()> {
    match file(db).await? {
        Some(file) => Ok(remove_others(&file, None)?),
        None => Ok(()),
    }
}

/// Where the database is; on SQLite only.
async fn file(db: &Db) -> Result<Option<PathBuf>> {
    if db.backend() != Backend::Sqlite {
        return Ok(None);
    }
    let file: String = sqlx::query_scalar("SELECT file FROM pragma_database_list WHERE name = 'main'")
        .fetch_one(&mut *db.read().await?)
        .await?;
    Ok(Some(PathBuf::from(file)).filter(|file| !file.as_os_str().is_empty()))
}

fn beside(file: &Path, version: &str) -> PathBuf {
    file.with_file_name(format!("{}.before-{version}", name(file)))
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn folder(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new("."))
}

fn remove_others(file: &Path, but: Option<&Path>) -> io::Result<()> {
    let prefix = name(&beside(file, ""));
    for entry in std::fs::read_dir(folder(file))? {
        let path = entry?.path();
        if name(&path).starts_with(&prefix) && but != Some(&path) {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}
