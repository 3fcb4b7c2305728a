//! Backups: the database, all files and the settings as a folder of their own, made while the site runs; and the way back.
//!
//! The database is copied first: every file that it names is there then, and is copied after it.

mod manifest;
mod postgres;
mod restore;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use sqlx::{AnyConnection, Connection as _};

use crate::admin::privacy::ERASURES;
use crate::app::App;
use crate::blocking;
use crate::db::{self, Backend, timestamp_text};
use crate::error::{Error, Result};
use crate::identity;

pub use manifest::{CopiedFile, Manifest};
pub use restore::{Restored, restore};

/// The folders below `media` that cannot be made again from others.
const FILES: [&str; 2] = ["public", "private"];
/// What the name of a backup begins with.
const PREFIX: &str = "festival-";
/// What the name of one that is being made begins with.
const UNFINISHED: &str = ".backup-";
/// The folder of a backup with the site's settings.
const SETTINGS: &str = "settings";

/// Backs the site up into a new folder below `folder`, which is made where it is missing, and answers its path. It is
/// there when it is whole and was read back. `settings` are the files to keep with it, those that exist.
///
/// # Errors
/// [`Error::Conflict`] while another backup into `folder` is being made; if anything cannot be read or written.
pub async fn make(app: &App, folder: &Path, settings: &[PathBuf]) -> Result<PathBuf> {
    let now = timestamp_text(app.clock.now());
    let kept = folder.join(format!("{PREFIX}{}", now.replace([':', '.'], "-")));
    let lock = prepare(folder)?;
    // For its owner alone, and gone again if anything goes wrong.
    let unfinished = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(folder)?;
    let mut manifest = copy_database(app, unfinished.path(), now.clone()).await?;
    let (data, settings, to) = (app.settings.data_dir.clone(), settings.to_vec(), kept.clone());
    blocking(move || {
        let path = unfinished.path();
        for name in FILES {
            copy_folder(&data.join("media").join(name), path, &format!("media/{name}"), &mut manifest.files)?;
        }
        let erasures = data.join(ERASURES);
        if erasures.is_file() {
            copy_file(&erasures, path, ERASURES, &mut manifest.files)?;
        }
        for file in settings.iter().filter(|file| file.is_file()) {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            copy_file(file, path, &format!("{SETTINGS}/{name}"), &mut manifest.files)?;
        }
        // What counts is what a reader of the disk gets.
        if let Some(wrong) = manifest.check(path)?.first() {
            return Err(Error::internal(format!("the copy is damaged: {wrong}")));
        }
        manifest.write(path)?;
        fs::rename(path, &to)?;
        drop(unfinished.keep());
        sync(to.parent().unwrap_or(Path::new(".")))?;
        drop(lock);
        Ok(())
    })
    .await?;
    let mut write = app.db.write_private().await?;
    sqlx::query("INSERT INTO backups (at) VALUES ($1)").bind(now).execute(&mut *write).await?;
    write.commit().await?;
    Ok(kept)
}

/// Deletes all backups of the site in `folder` but the latest `keep`, and answers those that are gone.
///
/// # Errors
/// If the folder cannot be read or a backup not be deleted.
pub fn delete_old(folder: &Path, site_id: &str, keep: usize) -> Result<Vec<PathBuf>> {
    let mut backups: Vec<PathBuf> = fs::read_dir(folder)?
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX))
        .map(|entry| entry.path())
        .filter(|path| Manifest::read(path).is_ok_and(|manifest| manifest.site_id == site_id))
        .collect();
    // Their names are their moments.
    backups.sort();
    backups.truncate(backups.len().saturating_sub(keep));
    for path in &backups {
        fs::remove_dir_all(path)?;
    }
    Ok(backups)
}

/// When the last backup was made, as stored.
pub(crate) async fn last(connection: &mut AnyConnection) -> Result<Option<String>> {
    Ok(sqlx::query_scalar("SELECT max(at) FROM backups").fetch_one(connection).await?)
}

/// Makes `folder` where it is missing, takes it for this backup, and clears away what killed ones left.
fn prepare(folder: &Path) -> Result<fs::File> {
    fs::create_dir_all(folder)?;
    let lock = fs::File::create(folder.join(".lock"))?;
    if lock.try_lock().is_err() {
        return Err(Error::Conflict(format!("another backup into {} is being made", folder.display())));
    }
    for entry in fs::read_dir(folder)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(lock)
}

async fn copy_database(app: &App, folder: &Path, made_at: String) -> Result<Manifest> {
    let mut connection = app.db.read().await?;
    let site_id = identity::find(&mut connection).await?.unwrap_or_default();
    let backend = app.db.backend();
    let (name, rows) = match backend {
        Backend::Sqlite => {
            let file = folder.join("festival.db");
            let path = file.to_string_lossy().into_owned();
            sqlx::query("VACUUM INTO $1").bind(path.clone()).execute(&mut *connection).await?;
            sync(&file)?;
            // Beside the open database, so that the copy itself is not written.
            sqlx::query("ATTACH DATABASE $1 AS copy").bind(path).execute(&mut *connection).await?;
            let counted = count_copy(&mut connection).await;
            sqlx::query("DETACH DATABASE copy").execute(&mut *connection).await?;
            ("festival.db", counted?)
        }
        Backend::Postgres => {
            let mut snapshot = connection.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
            let id: String = sqlx::query_scalar("SELECT pg_export_snapshot()").fetch_one(&mut *snapshot).await?;
            let (url, file) = (app.db.url().to_owned(), folder.join("festival.dump"));
            blocking(move || {
                postgres::dump(&url, &id, &file)?;
                Ok(sync(&file)?)
            })
            .await?;
            let rows = manifest::count_rows(&mut snapshot, backend, "").await?;
            snapshot.rollback().await?;
            ("festival.dump", rows)
        }
    };
    let migrations: Vec<String> =
        sqlx::query_scalar("SELECT version FROM migrations ORDER BY version").fetch_all(&mut *connection).await?;
    let (bytes, sha256) = manifest::hash(&folder.join(name))?;
    Ok(Manifest {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        site_id,
        made_at,
        database: if backend == Backend::Sqlite { "sqlite" } else { "postgres" }.to_owned(),
        migrations,
        rows,
        files: vec![CopiedFile { path: name.to_owned(), bytes, sha256 }],
    })
}

/// Counts the rows of the attached copy, and has SQLite look through all of it.
async fn count_copy(connection: &mut AnyConnection) -> Result<std::collections::BTreeMap<String, i64>> {
    let found: Vec<String> = sqlx::query_scalar("PRAGMA copy.integrity_check").fetch_all(&mut *connection).await?;
    if found != ["ok"] {
        return Err(Error::internal(format!("the copy of the database is damaged: {}", found.join("; "))));
    }
    manifest::count_rows(connection, db::Backend::Sqlite, "copy").await
}

/// Copies a folder with everything in it to `name` below `to`. What vanishes meanwhile was named by nothing.
fn copy_folder(from: &Path, to: &Path, name: &str, copied: &mut Vec<CopiedFile>) -> io::Result<()> {
    fs::create_dir_all(to.join(name))?;
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => copy_folder(&entry.path(), to, &name, copied)?,
            _ => match copy_file(&entry.path(), to, &name, copied) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                done => done?,
            },
        }
    }
    sync(&to.join(name))
}

fn copy_file(from: &Path, to: &Path, name: &str, copied: &mut Vec<CopiedFile>) -> io::Result<()> {
    let target = to.join(name);
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    let (bytes, sha256) = manifest::copy(from, &target)?;
    copied.push(CopiedFile { path: name.to_owned(), bytes, sha256 });
    Ok(())
}

/// A copy counts when it is on the disk.
fn sync(path: &Path) -> io::Result<()> {
    if cfg!(unix) || path.is_file() { fs::File::open(path)?.sync_all() } else { Ok(()) }
}
