//! The copy of a SQLite database that is made before its schema is changed.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{Backend, Db};
use crate::error::{Error, Result};

/// A copy that is whole and not yet kept. Dropping it deletes it.
pub(super) struct Copy {
    file: PathBuf,
    unfinished: NamedTempFile,
}

/// Copies the file of a SQLite database.
///
/// # Errors
/// If the disk has no room for it.
pub(super) async fn make(db: &Db) -> Result<Option<Copy>> {
    let Some(file) = file(db).await? else { return Ok(None) };
    let unfinished = tempfile::Builder::new().prefix(&name(&beside(&file, ""))).tempfile_in(folder(&file));
    let unfinished = unfinished.map_err(|error| failed(&file, &error))?;
    let to = unfinished.path().to_string_lossy().into_owned();
    let copied = sqlx::query("VACUUM INTO $1").bind(to).execute(&mut *db.read().await?).await;
    copied.map_err(|error| failed(&file, &error))?;
    Ok(Some(Copy { file, unfinished }))
}

impl Copy {
    /// Keeps it beside the database as `festival.db.before-<version>`; when this returns, it survives a power cut. Earlier
    /// ones go.
    ///
    /// # Errors
    /// If the disk takes it no more.
    pub(super) fn keep(self, version: &str) -> Result<()> {
        let Self { file, unfinished } = self;
        let copy = beside(&file, version);
        unfinished.as_file().sync_all().map_err(|error| failed(&file, &error))?;
        unfinished.persist(&copy).map_err(|error| failed(&file, &error))?;
        tracing::info!(copy = %copy.display(), "the database as it was before this upgrade");
        Ok(remove_others(&file, Some(&copy))?)
    }
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
