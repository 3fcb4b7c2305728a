//! Backups: a folder with a copy of the database, all files and the settings, made while the site runs; and restoring
//! it.
//!
//! The database is copied before the files, so that every file that the copy refers to is in the backup.

mod manifest;
mod postgres;
mod restore;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sqlx::{AnyConnection, Connection as _};

use crate::admin::privacy::ERASURES;
use crate::app::App;
use crate::blocking;
use crate::db::{self, Backend, timestamp_text};
use crate::durable::{folder_of, sync_folder};
use crate::error::{Error, Result};
use crate::identity;
use crate::media::{Area, CopiedFile};
use crate::transfer;

pub use manifest::Manifest;
pub use restore::{RestoreReport, restore};

/// The folder of the files in a backup.
const MEDIA: &str = "media";
/// Prefix of the name of a backup.
const PREFIX: &str = "festival-";
/// Prefix of the name of an unfinished backup.
const UNFINISHED_PREFIX: &str = ".backup-";
/// The folder of the settings in a backup.
const SETTINGS: &str = "settings";

/// Backs the site up into a new folder in `folder`, which is created if necessary, and returns its path. The new folder
/// gets its name only when it is complete and was verified. `settings` are files to include, if they exist.
///
/// # Errors
/// [`Error::Conflict`] while another backup into `folder` is running; if anything cannot be read or written.
pub async fn create(app: &App, folder: &Path, settings: &[PathBuf]) -> Result<PathBuf> {
    let now = timestamp_text(app.clock.now());
    let target = folder.join(format!("{PREFIX}{}", now.replace([':', '.'], "-")));
    let lock = prepare(folder)?;
    // Readable by its owner only, and deleted on failure.
    let unfinished = tempfile::Builder::new().prefix(UNFINISHED_PREFIX).tempdir_in(folder)?;
    let mut manifest = copy_database(app, unfinished.path(), now.clone()).await?;
    for area in Area::ALL {
        let copied = app.media.copy_out(area, &unfinished.path().join(MEDIA)).await?;
        let below_media = |file: CopiedFile| CopiedFile { path: format!("{MEDIA}/{}", file.path), ..file };
        manifest.files.extend(copied.into_iter().map(below_media));
    }
    let (data, settings, to) = (app.settings.data_dir.clone(), settings.to_vec(), target.clone());
    blocking(move || {
        let path = unfinished.path();
        let erasures = data.join(ERASURES);
        if erasures.is_file() {
            copy_file(&erasures, path, ERASURES, &mut manifest.files)?;
        }
        for file in settings.iter().filter(|file| file.is_file()) {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            copy_file(file, path, &format!("{SETTINGS}/{name}"), &mut manifest.files)?;
        }
        if let Some(problem) = manifest.check(path)?.first() {
            return Err(Error::internal(format!("the copy is damaged: {problem}")));
        }
        manifest.write(path)?;
        fs::rename(path, &to)?;
        drop(unfinished.keep());
        sync_folder(folder_of(&to))?;
        drop(lock);
        Ok(())
    })
    .await?;
    let mut write = app.db.write_private().await?;
    sqlx::query("INSERT INTO backups (at) VALUES ($1)").bind(now).execute(&mut *write).await?;
    write.commit().await?;
    Ok(target)
}

/// Deletes the backups of the site in `folder` except the latest `keep`, and returns the paths of the deleted ones.
///
/// # Errors
/// If the folder cannot be read or a backup cannot be deleted.
pub fn delete_old(folder: &Path, site_id: &str, keep: usize) -> Result<Vec<PathBuf>> {
    let mut backups: Vec<PathBuf> = fs::read_dir(folder)?
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX))
        .map(|entry| entry.path())
        .filter(|path| Manifest::read(path).is_ok_and(|manifest| manifest.site_id == site_id))
        .collect();
    // The names contain the time.
    backups.sort();
    backups.truncate(backups.len().saturating_sub(keep));
    for path in &backups {
        fs::remove_dir_all(path)?;
    }
    Ok(backups)
}

/// Returns when the last backup was made, as stored.
///
/// # Errors
/// If the database does not answer.
pub async fn last(connection: &mut AnyConnection) -> Result<Option<String>> {
    Ok(sqlx::query_scalar("SELECT max(at) FROM backups").fetch_one(connection).await?)
}

/// Creates `folder` if necessary, locks it, and deletes what interrupted backups left in it.
fn prepare(folder: &Path) -> Result<fs::File> {
    fs::create_dir_all(folder)?;
    let lock = fs::File::create(folder.join(".lock"))?;
    if lock.try_lock().is_err() {
        return Err(Error::Conflict(format!("another backup into {} is being made", folder.display())));
    }
    for entry in fs::read_dir(folder)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED_PREFIX) {
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
            fs::File::open(&file)?.sync_all()?;
            // Attached instead of opened, so that the copy itself is not written to.
            sqlx::query("ATTACH DATABASE $1 AS copy").bind(path).execute(&mut *connection).await?;
            let rows = count_copy(&mut connection).await;
            sqlx::query("DETACH DATABASE copy").execute(&mut *connection).await?;
            ("festival.db", rows?)
        }
        Backend::Postgres => {
            let mut snapshot = connection.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
            let id: String = sqlx::query_scalar("SELECT pg_export_snapshot()").fetch_one(&mut *snapshot).await?;
            let (url, file) = (app.db.url().to_owned(), folder.join("festival.dump"));
            blocking(move || {
                postgres::dump(&url, &id, &file)?;
                Ok(fs::File::open(&file)?.sync_all()?)
            })
            .await?;
            let rows = manifest::count_rows(&mut snapshot, backend, "").await?;
            snapshot.rollback().await?;
            ("festival.dump", rows)
        }
    };
    let migrations: Vec<String> =
        sqlx::query_scalar("SELECT version FROM migrations ORDER BY version").fetch_all(&mut *connection).await?;
    let digest = manifest::hash(&folder.join(name))?;
    Ok(Manifest {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        site_id,
        made_at,
        database: if backend == Backend::Sqlite { "sqlite" } else { "postgres" }.to_owned(),
        migrations,
        rows,
        files: vec![CopiedFile { path: name.to_owned(), digest }],
    })
}

/// Checks the integrity of the attached copy and counts its rows.
async fn count_copy(connection: &mut AnyConnection) -> Result<std::collections::BTreeMap<String, i64>> {
    let messages: Vec<String> = sqlx::query_scalar("PRAGMA copy.integrity_check").fetch_all(&mut *connection).await?;
    if messages != ["ok"] {
        return Err(Error::internal(format!("the copy of the database is damaged: {}", messages.join("; "))));
    }
    manifest::count_rows(connection, db::Backend::Sqlite, "copy").await
}

fn copy_file(from: &Path, to: &Path, name: &str, copied: &mut Vec<CopiedFile>) -> io::Result<()> {
    let target = to.join(name);
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    copied.push(CopiedFile { path: name.to_owned(), digest: transfer::copy(from, &target)? });
    Ok(())
}
