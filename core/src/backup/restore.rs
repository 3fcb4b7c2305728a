//! Restoring a backup into an empty data folder and database.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::manifest::{self, Manifest};
use super::{MEDIA, SETTINGS, postgres};
use crate::admin::privacy::{self, ERASURES, Erasures};
use crate::blocking;
use crate::db::{self, Backend};
use crate::durable::{folder_of, sync_folder};
use crate::error::{Error, Result};
use crate::mail;
use crate::media::{Area, CopiedFile, Media};
use crate::program::Program;
use crate::secrets;
use crate::settings::SEEDED;
use crate::transfer;

/// Files that are copied to the store at the same time.
const AT_ONCE: usize = 8;

/// Restores the backup in `folder` into the site that `open` opens, with the URL `database`, the data folder `data` and
/// the store `media`, all of them empty. Every file is compared with the manifest, and the rows of every table are
/// counted. Unsent mails are held back, because the original site has probably sent them by now.
///
/// People who were erased after the backup was made are erased again. They are read from the files `erasures`, and from
/// those in the backup, in `data` and in other backups of the site in the same parent folder.
///
/// An interrupted restore is resumed by running it again.
///
/// # Errors
/// [`Error::Conflict`] if the store or the database is not empty; [`Error::BadRequest`] if the backup is damaged, of
/// the other kind of database, of another schema or of a newer program. Nothing is restored then.
pub async fn restore<Opened>(
    folder: &Path,
    data: &Path,
    media: &Media,
    database: &str,
    known_migrations: &[db::Migration],
    erasures: &[PathBuf],
    open: impl FnOnce() -> Opened,
) -> Result<RestoreReport>
where
    Opened: Future<Output = Result<std::sync::Arc<Program>>>,
{
    let manifest = Manifest::read(folder)?;
    let erasures = find_erasures(folder, data, &manifest.site_id, erasures)?;
    let sqlite_file = sqlite_file(database);
    check_compatible(&manifest, sqlite_file.is_some(), known_migrations)?;
    let is_resumed = media.restoring().await?.is_some_and(|id| id == manifest.site_id);
    if !is_resumed {
        check_empty(media).await?;
    }
    if let Some(file) = sqlite_file.as_ref().filter(|file| file.exists() && !is_resumed)
        && !is_blank(file)?
    {
        return Err(Error::Conflict(format!(
            "{} exists already; a backup can only be restored into an empty place",
            file.display()
        )));
    }
    if sqlite_file.is_none() && !is_resumed {
        postgres::check_target(database, &folder.join("festival.dump")).await?;
    }
    let (from, copied) = (folder.to_owned(), manifest.clone());
    blocking(move || match copied.check(&from)?.first() {
        Some(problem) => Err(Error::BadRequest(format!("this backup is damaged: {problem}"))),
        None => Ok(()),
    })
    .await?;
    media.begin_restore(&manifest.site_id).await?;
    copy_media(&manifest, folder, media).await?;
    let (from, to, copied) = (folder.to_owned(), data.to_owned(), manifest.clone());
    blocking(move || {
        copy_settings(&copied, &from, &to)?;
        if let Some(file) = sqlite_file {
            copy_sqlite(&from.join("festival.db"), &file)?;
        }
        Ok(())
    })
    .await?;
    erasures.write(data)?;
    let app = open().await?;
    let finished = finish(&app, folder, &manifest, &erasures).await;
    app.db.close().await;
    let (held_mails, erased_people, undecryptable) = finished?;
    media.end_restore().await?;
    Ok(RestoreReport { manifest, held_mails, erased_people, undecryptable })
}

/// The result of a restore.
#[derive(Debug)]
pub struct RestoreReport {
    /// The manifest of the backup.
    pub manifest: Manifest,
    /// Number of mails that are held back.
    pub held_mails: u64,
    /// Number of people who were erased again.
    pub erased_people: usize,
    /// A sentence for each column of secrets that cannot be decrypted without the original site's key.
    pub undecryptable: Vec<String>,
}

/// Everybody who was erased, according to all lists that can be found.
fn find_erasures(folder: &Path, data: &Path, site_id: &str, given: &[PathBuf]) -> Result<Erasures> {
    let mut erasures = Erasures::default();
    for file in given {
        if !file.is_file() {
            return Err(Error::BadRequest(format!("there is no file {}", file.display())));
        }
        erasures.read(file)?;
    }
    for file in [folder.join(ERASURES), data.join(ERASURES)] {
        erasures.read(&file)?;
    }
    // Later backups contain later erasures.
    let folder = folder.canonicalize()?;
    for entry in fs::read_dir(folder.parent().unwrap_or(&folder)).into_iter().flatten().flatten() {
        if Manifest::read(&entry.path()).is_ok_and(|manifest| manifest.site_id == site_id) {
            erasures.read(&entry.path().join(ERASURES))?;
        }
    }
    Ok(erasures)
}

/// Checks that the backup is of the same kind of database and of no newer program.
fn check_compatible(manifest: &Manifest, is_sqlite: bool, known: &[db::Migration]) -> Result<()> {
    if (manifest.database == "sqlite") != is_sqlite {
        return Err(Error::BadRequest(format!(
            "this backup is of a {} database, and databases.festival.url names another kind; \
             set it in Rocket.toml to an empty database of that kind",
            manifest.database
        )));
    }
    let known: BTreeSet<&str> = known.iter().map(|migration| migration.version).collect();
    match manifest.migrations.iter().find(|version| !known.contains(version.as_str())) {
        Some(version) => Err(Error::BadRequest(format!(
            "this backup is of a newer program ({}; it knows migration {version}); restore it with that one",
            manifest.version
        ))),
        None => Ok(()),
    }
}

async fn check_empty(media: &Media) -> Result<()> {
    for area in Area::ALL {
        if media.has_files(area).await? {
            let remedy = match media.folder() {
                Some(folder) => format!("move {} away, or choose another data_dir", folder.display()),
                None => "choose another s3.bucket or s3.prefix".to_owned(),
            };
            return Err(Error::Conflict(format!(
                "there are files in {}/{}; a backup can only be restored into an empty place: {remedy}",
                media.location(),
                area.name()
            )));
        }
    }
    Ok(())
}

/// Copies the files to the store.
async fn copy_media(manifest: &Manifest, from: &Path, media: &Media) -> Result<()> {
    let files = manifest.files.iter().filter_map(|file| {
        let path = file.path.strip_prefix(MEDIA)?.strip_prefix('/')?;
        Some(async move {
            if media.copy_in(&from.join(&file.path), path).await? != file.digest {
                return Err(changed(file));
            }
            Ok(())
        })
    });
    stream::iter(files).buffer_unordered(AT_ONCE).try_collect().await
}

/// Copies the seed's settings. Other settings are not restored, because they may be for another machine.
fn copy_settings(manifest: &Manifest, from: &Path, data: &Path) -> Result<()> {
    let seeded = format!("{SETTINGS}/{SEEDED}");
    if let Some(file) = manifest.files.iter().find(|file| file.path == seeded) {
        fs::create_dir_all(data)?;
        if transfer::copy(&from.join(&file.path), &data.join(SEEDED))? != file.digest {
            return Err(changed(file));
        }
    }
    Ok(())
}

fn changed(file: &CopiedFile) -> Error {
    Error::internal(format!("{} changed while it was copied", file.path))
}

/// Copies the database file atomically, after deleting the logs that another database may have left: SQLite would
/// replay them into this one.
fn copy_sqlite(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    let with_suffix = |suffix: &str| PathBuf::from(format!("{}{suffix}", to.display()));
    for suffix in ["-wal", "-shm", "-journal"] {
        match fs::remove_file(with_suffix(suffix)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    let unfinished = with_suffix(".part");
    transfer::copy(from, &unfinished)?;
    fs::rename(&unfinished, to)?;
    Ok(sync_folder(folder_of(to))?)
}

/// Whether a file is a SQLite database without any table, as `festival check` leaves one in an empty folder: a single
/// page, and nothing in the log that the next connection would add.
fn is_blank(file: &Path) -> Result<bool> {
    const PAGE: usize = 4096;
    let logged = match fs::metadata(format!("{}-wal", file.display())) {
        Ok(log) => log.len(),
        Err(error) if error.kind() == ErrorKind::NotFound => 0,
        Err(error) => return Err(error.into()),
    };
    if logged > 0 || fs::metadata(file)?.len() > PAGE as u64 {
        return Ok(false);
    }
    let page = fs::read(file)?;
    Ok(page.is_empty() || page.starts_with(b"SQLite format 3\0"))
}

/// The file of a URL `sqlite://path?...`; `None` for a Postgres URL.
fn sqlite_file(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("sqlite:")?;
    let path = path.strip_prefix("//").unwrap_or(path);
    Some(PathBuf::from(path.split('?').next().unwrap_or(path)))
}

/// Restores and checks the database, holds mails back and repeats erasures. The site id of the files comes last: no
/// site starts without it. Returns the numbers of held mails and erased people, and the columns that cannot be
/// decrypted.
async fn finish(
    app: &Program,
    folder: &Path,
    manifest: &Manifest,
    erasures: &Erasures,
) -> Result<(u64, usize, Vec<String>)> {
    let backend = app.db.backend();
    let mut is_unmigrated = true;
    if backend == Backend::Postgres {
        let tables = manifest::count_rows(&mut *app.db.read().await?, backend, "").await?;
        if tables.is_empty() {
            let (url, file) = (app.db.url().to_owned(), folder.join("festival.dump"));
            blocking(move || postgres::restore(&url, &file)).await?;
        } else {
            // pg_restore is atomic, so the dump is complete, but it may have been migrated since.
            is_unmigrated = false;
        }
    }
    let rows = manifest::count_rows(&mut *app.db.read().await?, backend, "main").await?;
    let differs = |(table, count): &(&String, &i64)| rows.get(*table) != Some(*count);
    if let Some((table, count)) = manifest.rows.iter().filter(|_| is_unmigrated).find(differs) {
        let found = rows.get(table).map_or("is missing".to_owned(), |found| format!("has {found} rows"));
        return Err(Error::internal(format!(
            "the table {table} {found} and should have {count} rows: the database is not that of the backup"
        )));
    }
    db::migrate(&app.db, &app.registry.all_migrations(), &app.clock).await?;
    let columns = secrets::encrypt_all(app, &app.secrets).await?;
    let undecryptable = secrets::undecryptable(&app.secrets, &columns);
    let held = mail::hold_all(&app.db).await?;
    let erased = privacy::replay(app, &app.admin.contents.personal, erasures).await?;
    app.media.set_site_id(&manifest.site_id).await?;
    Ok((held, erased, undecryptable))
}
