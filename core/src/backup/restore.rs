//! The way back: a backup into an empty place.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::manifest::{self, Manifest};
use super::{SETTINGS, postgres, sync};
use crate::admin::privacy::{self, ERASURES, Erasures};
use crate::app::App;
use crate::blocking;
use crate::db::{self, Backend};
use crate::error::{Error, Result};
use crate::mail;
use crate::media::restoring_marker;
use crate::secrets;
use crate::settings::SEEDED;

/// Puts the backup in `folder` into the site that `open` opens: `database` is its address, `data` its data folder, both
/// empty. Every file is compared with the manifest, every table is counted. Mails that the backup says are not sent are
/// held back: its site has sent them by now.
///
/// Whoever was erased after the backup was made is erased again: those in `erasures`, in the file that an earlier site left
/// in `data`, and in the other backups of the site beside this one.
///
/// One that was killed is run again and goes on.
///
/// # Errors
/// [`Error::Conflict`] where something is there already, [`Error::BadRequest`] where the backup is damaged, of the other
/// database or of a newer program; nothing is restored then.
pub async fn restore<Opened>(
    folder: &Path,
    data: &Path,
    database: &str,
    known_migrations: &[db::Migration],
    erasures: &[PathBuf],
    open: impl FnOnce() -> Opened,
) -> Result<Restored>
where
    Opened: Future<Output = Result<std::sync::Arc<App>>>,
{
    let manifest = Manifest::read(folder)?;
    let erasures = find_erasures(folder, data, &manifest.site_id, erasures)?;
    let sqlite_file = sqlite_file(database);
    fits(&manifest, sqlite_file.is_some(), known_migrations)?;
    let media = data.join("media");
    let marker = restoring_marker(&media);
    let goes_on = fs::read_to_string(&marker).is_ok_and(|id| id == manifest.site_id);
    is_empty(&media, goes_on)?;
    if let Some(file) = sqlite_file.as_ref().filter(|file| file.exists() && !goes_on) {
        return Err(Error::Conflict(format!(
            "{} is there already; a backup goes into an empty place only",
            file.display()
        )));
    }
    let (from, to) = (folder.to_owned(), data.to_owned());
    let (copied, database_file) = (manifest.clone(), sqlite_file.clone());
    blocking(move || {
        if let Some(wrong) = copied.check(&from)?.first() {
            return Err(Error::BadRequest(format!("this backup is damaged: {wrong}")));
        }
        fs::create_dir_all(&media)?;
        fs::write(&marker, &copied.site_id)?;
        sync(&marker)?;
        copy_files(&copied, &from, &to)?;
        if let Some(file) = database_file {
            copy_sqlite(&from.join("festival.db"), &file)?;
        }
        Ok(())
    })
    .await?;
    erasures.write(data)?;
    let app = open().await?;
    let done = finish(&app, folder, &manifest, goes_on, &erasures).await;
    app.db.close().await;
    let (held, erased, closed) = done?;
    fs::remove_file(restoring_marker(&data.join("media")))?;
    Ok(Restored { manifest, held, erased, closed })
}

/// What a restore did.
#[derive(Debug)]
pub struct Restored {
    /// The backup's.
    pub manifest: Manifest,
    /// How many mails are held back.
    pub held: u64,
    /// How many people were erased again.
    pub erased: usize,
    /// What cannot be read without the key of the site that the backup is of, a sentence each.
    pub closed: Vec<String>,
}

/// Who was erased, as far as anything here knows.
fn find_erasures(folder: &Path, data: &Path, site_id: &str, named: &[PathBuf]) -> Result<Erasures> {
    let mut erasures = Erasures::default();
    for file in named {
        if !file.is_file() {
            return Err(Error::BadRequest(format!("there is no file {}", file.display())));
        }
        erasures.read(file)?;
    }
    for file in [folder.join(ERASURES), data.join(ERASURES)] {
        erasures.read(&file)?;
    }
    // Later ones know of later erasures.
    let whole = folder.canonicalize()?;
    for beside in fs::read_dir(whole.parent().unwrap_or(&whole)).into_iter().flatten().flatten() {
        if Manifest::read(&beside.path()).is_ok_and(|manifest| manifest.site_id == site_id) {
            erasures.read(&beside.path().join(ERASURES))?;
        }
    }
    Ok(erasures)
}

fn fits(manifest: &Manifest, is_sqlite: bool, known: &[db::Migration]) -> Result<()> {
    if (manifest.database == "sqlite") != is_sqlite {
        return Err(Error::BadRequest(format!(
            "this backup is of a {} database, and databases.festival.url names another kind",
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

fn is_empty(media: &Path, goes_on: bool) -> Result<()> {
    if goes_on {
        return Ok(());
    }
    for name in super::FILES {
        let mut entries = match fs::read_dir(media.join(name)) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            entries => entries?,
        };
        if entries.next().is_some() {
            return Err(Error::Conflict(format!(
                "there are files in {}; a backup goes into an empty place only: move {} away, or choose another data_dir",
                media.join(name).display(),
                media.display()
            )));
        }
    }
    Ok(())
}

/// Copies the files of the media folders and the seed's settings. Settings of the site itself stay in the backup: they
/// may be for another machine.
fn copy_files(manifest: &Manifest, from: &Path, data: &Path) -> Result<()> {
    let seeded = format!("{SETTINGS}/{SEEDED}");
    for file in &manifest.files {
        let to = match file.path.as_str() {
            path if path.starts_with("media/") => data.join(path),
            path if path == seeded => data.join(SEEDED),
            _ => continue,
        };
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        if manifest::copy(&from.join(&file.path), &to)? != (file.bytes, file.sha256.clone()) {
            return Err(Error::internal(format!("{} was not copied as it is", file.path)));
        }
    }
    Ok(())
}

/// Puts the database into its place at once, and removes what a database that died there left: its log would be played
/// into this one.
fn copy_sqlite(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    let with = |ending: &str| PathBuf::from(format!("{}{ending}", to.display()));
    for ending in ["-wal", "-shm", "-journal"] {
        match fs::remove_file(with(ending)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    let part = with(".part");
    manifest::copy(from, &part)?;
    fs::rename(&part, to)?;
    Ok(sync(to.parent().unwrap_or(Path::new(".")))?)
}

/// The file of an address `sqlite://path?...`; none where it is of a server.
fn sqlite_file(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("sqlite:")?;
    let path = path.strip_prefix("//").unwrap_or(path);
    Some(PathBuf::from(path.split('?').next().unwrap_or(path)))
}

/// The database, counted; then the mails, held back, and the erasures; the files' id is the last, without it no site starts.
async fn finish(
    app: &App,
    folder: &Path,
    manifest: &Manifest,
    goes_on: bool,
    erasures: &Erasures,
) -> Result<(u64, usize, Vec<String>)> {
    let backend = app.db.backend();
    let mut is_fresh = true;
    if backend == Backend::Postgres {
        let there = manifest::count_rows(&mut *app.db.read().await?, backend, "").await?;
        if there.is_empty() {
            let (url, file) = (app.db.url().to_owned(), folder.join("festival.dump"));
            blocking(move || postgres::restore(&url, &file)).await?;
        } else if !goes_on {
            return Err(Error::Conflict(
                "the database has tables already; a backup goes into an empty one only".into(),
            ));
        } else {
            // It came in at once or not at all; migrations may have been at work on it since.
            is_fresh = false;
        }
    }
    let rows = manifest::count_rows(&mut *app.db.read().await?, backend, "main").await?;
    let differs = |(table, count): &(&String, &i64)| rows.get(*table) != Some(*count);
    if let Some((table, count)) = manifest.rows.iter().filter(|_| is_fresh).find(differs) {
        return Err(Error::internal(format!(
            "{table} has {:?} rows and should have {count}: the database is not that of the backup",
            rows.get(table)
        )));
    }
    db::migrate(&app.db, &app.registry.all_migrations(), &app.clock).await?;
    let secrets = secrets::encrypt_all(app, &app.secrets).await?;
    let closed = secrets::closed(&app.secrets, &secrets);
    let held = mail::hold_all(&app.db).await?;
    let erased = privacy::replay(app, &app.admin.contents.personal, erasures).await?;
    app.media.set_site_id(&manifest.site_id).await?;
    Ok((held, erased, closed))
}
