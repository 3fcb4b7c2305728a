//! Garbage collection of the private store: unreferenced files are moved to the trash, and restored if a row references
//! them again.
//!
//! The trash is `<media>/trash/<time>/<key>`. With the database of another site, or an old copy, most files would
//! appear unreferenced; so a sweep that would move many files moves none and reports it. Files left behind by a crash
//! do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};

use super::private::{blocking, create_folder, sync_folder};
use super::{Media, is_valid_key};
use festival_base::error::{Error, Result};

/// Days that a file stays in the trash.
pub const TRASH_DAYS: i64 = 30;
/// Number of files that a sweep may always move.
const MIN_LIMIT: usize = 20;
/// Of many files, a sweep may move at most one in this number.
const LIMIT_DIVISOR: usize = 20;
/// A file stored from [`CRASH_BEFORE`] before to [`CRASH_AFTER`] after the database's last row was left behind by a
/// crash.
const CRASH_BEFORE: Duration = Duration::from_secs(10 * 60);
const CRASH_AFTER: Duration = Duration::from_secs(60);
/// Format of the time in the name of a trash folder, in UTC.
const FOLDER_NAME: &str = "%Y-%m-%dT%H-%M-%SZ";

/// The result of a sweep: numbers of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Staged files that were deleted.
    pub staged: u64,
    /// Unreferenced files that were moved to the trash.
    pub trashed: u64,
    /// Referenced files that were restored from the trash.
    pub restored: u64,
    /// Unreferenced files that were left in place because there are too many.
    pub refused: u64,
    /// Referenced files that are missing, from the trash too.
    pub missing: u64,
}

/// The number of unreferenced files that a sweep may move to the trash.
#[derive(Clone, Copy, Debug)]
pub enum SweepLimit {
    /// No limit.
    Unlimited,
    /// A small share of all files. Files stored around the time of the database's last row do not count: a crash under
    /// load may leave many of them. For an old copy of the database, files are newer than its last row, and do count.
    Few {
        /// When the last row that references files was written.
        last_row: Option<SystemTime>,
    },
}

/// A file in the trash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trashed {
    /// Its former key in the private store.
    pub key: String,
    /// When it was moved to the trash.
    pub since: Timestamp,
    /// Its length in bytes.
    pub size: u64,
    path: PathBuf,
}

impl Media {
    /// Deletes staged files and moves unreferenced private files of `folders` to the trash, both only if they were last
    /// written before `before`. `referenced` holds the keys that rows reference; those in the trash are restored. Files
    /// that have been in the trash for [`TRASH_DAYS`] are deleted.
    ///
    /// `before` protects files whose row is just being written. It is a time and not an age, because time passes
    /// between reading the rows and listing the files. If more files would be moved than `limit` allows, none is.
    ///
    /// # Errors
    /// If a folder cannot be read or a file cannot be moved.
    pub async fn sweep(
        &self,
        folders: &[String],
        referenced: &BTreeSet<String>,
        before: SystemTime,
        now: Timestamp,
        limit: SweepLimit,
    ) -> Result<Swept> {
        let (staging, private, trash) = (self.staging_dir(), self.private_dir(), self.trash_dir());
        let (folders, referenced) = (folders.to_vec(), referenced.clone());
        let swept = blocking(move || {
            let mut swept = Swept { staged: delete_old(&staging, before)?, ..Swept::default() };
            let (mut total, mut counted) = (0, 0);
            let mut unreferenced = Vec::new();
            let mut present = BTreeSet::new();
            for folder in &folders {
                for entry in entries(&private.join(folder))? {
                    let key = format!("{folder}/{}", entry.file_name().to_string_lossy());
                    total += 1;
                    if !referenced.contains(&key) && is_old(&entry, before)? {
                        counted += usize::from(!is_exempt(&entry, limit));
                        unreferenced.push(key);
                    } else {
                        present.insert(key);
                    }
                }
            }
            let absent: BTreeSet<&String> = referenced.difference(&present).collect();
            for file in list_trashed(&trash)?.into_iter().rev().filter(|file| absent.contains(&file.key)) {
                let to = private.join(&file.key);
                if !to.exists() {
                    swept.restored += u64::from(was_found(move_file(&file.path, &to))?);
                }
            }
            swept.missing = (absent.len() as u64).saturating_sub(swept.restored);
            if counted > MIN_LIMIT.max(total / LIMIT_DIVISOR) {
                swept.refused = unreferenced.len() as u64;
            } else {
                let to = trash.join(now.strftime(FOLDER_NAME).to_string());
                for key in unreferenced {
                    // Another process may be sweeping too; each file is moved and counted once.
                    swept.trashed += u64::from(was_found(move_file(&private.join(&key), &to.join(&key)))?);
                }
            }
            empty_trash(&trash, now)?;
            Ok(swept)
        })
        .await?;
        *self.last_sweep.lock().unwrap_or_else(PoisonError::into_inner) = swept;
        Ok(swept)
    }

    /// Returns the keys of the private files in `folders`, each with the time of its last modification.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub async fn private_keys(&self, folders: &[String]) -> Result<BTreeMap<String, SystemTime>> {
        let (private, folders) = (self.private_dir(), folders.to_vec());
        blocking(move || {
            let mut keys = BTreeMap::new();
            for folder in folders {
                for entry in entries(&private.join(&folder))? {
                    let key = format!("{folder}/{}", entry.file_name().to_string_lossy());
                    keys.insert(key, entry.metadata()?.modified()?);
                }
            }
            Ok(keys)
        })
        .await
    }

    /// Moves a private file to the trash, if it exists.
    ///
    /// # Errors
    /// If it cannot be moved.
    pub async fn trash_private(&self, key: &str, now: Timestamp) -> Result<()> {
        let (from, to) =
            (self.private_dir().join(key), self.trash_dir().join(now.strftime(FOLDER_NAME).to_string()).join(key));
        blocking(move || was_found(move_file(&from, &to)).map(drop)).await
    }

    /// Deletes private files permanently, from the trash too, as far as they exist.
    ///
    /// # Errors
    /// If one cannot be deleted.
    pub async fn erase_private(&self, keys: &[String]) -> Result<()> {
        let (private, trash) = (self.private_dir(), self.trash_dir());
        let keys: BTreeSet<String> = keys.iter().filter(|key| is_valid_key(key)).cloned().collect();
        blocking(move || {
            let trashed = list_trashed(&trash)?.into_iter().filter(|file| keys.contains(&file.key));
            for path in keys.iter().map(|key| private.join(key)).chain(trashed.map(|file| file.path)) {
                match fs::remove_file(&path) {
                    Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
            Ok(())
        })
        .await
    }

    /// Returns the result of the last sweep of this process.
    pub fn last_sweep(&self) -> Swept {
        *self.last_sweep.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Deletes the files of a folder of the private store that were last written before `before`, and returns their
    /// number.
    ///
    /// # Errors
    /// If the folder cannot be read or a file cannot be deleted.
    pub async fn sweep_folder(&self, folder: &str, before: SystemTime) -> Result<u64> {
        let folder = self.private_dir().join(folder);
        blocking(move || delete_old(&folder, before)).await
    }

    /// Returns the files in the trash, oldest first.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub async fn trash(&self) -> Result<Vec<Trashed>> {
        let trash = self.trash_dir();
        blocking(move || list_trashed(&trash)).await
    }

    /// Copies the file with the former key `key` from the trash to `folder`, and returns the path of the copy. The file
    /// itself stays in the trash.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the trash has no such file, [`Error::Conflict`] if the folder has a file of that name.
    pub async fn copy_from_trash(&self, key: &str, folder: &Path) -> Result<PathBuf> {
        let file = self.trash().await?.into_iter().rev().find(|file| file.key == key);
        let file = file.ok_or_else(|| Error::NotFound(format!("There is no {key} in the trash.")))?;
        let to = folder.join(key.rsplit('/').next().unwrap_or(key));
        if to.exists() {
            return Err(Error::Conflict(format!("{} is there already.", to.display())));
        }
        let (from, target) = (file.path, to.clone());
        blocking(move || {
            create_folder(target.parent().unwrap_or(Path::new(".")))?;
            fs::copy(from, target)
        })
        .await?;
        Ok(to)
    }

    fn trash_dir(&self) -> PathBuf {
        self.dir.join("trash")
    }
}

/// Moves a file and syncs the move to disk.
fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(to);
    create_folder(folder)?;
    fs::rename(from, to)?;
    sync_folder(folder)
}

/// Turns the error of a missing file into `false`; `true` if the operation succeeded.
fn was_found(result: io::Result<()>) -> io::Result<bool> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        result => result.map(|()| true),
    }
}

/// Whether a file was last written before `before`; `false` for a missing one.
fn is_old(entry: &fs::DirEntry, before: SystemTime) -> io::Result<bool> {
    match entry.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        metadata => metadata.and_then(|metadata| Ok(metadata.is_file() && metadata.modified()? <= before)),
    }
}

/// Whether a file does not count towards the limit, because it was probably left behind by a crash.
fn is_exempt(entry: &fs::DirEntry, limit: SweepLimit) -> bool {
    let SweepLimit::Few { last_row } = limit else { return true };
    let (Some(last_row), Ok(metadata)) = (last_row, entry.metadata()) else { return false };
    // When it was moved here: its content may be much older, if the upload was slow.
    #[cfg(unix)]
    let stored_at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(
        std::os::unix::fs::MetadataExt::ctime(&metadata).try_into().unwrap_or_default(),
    ));
    #[cfg(not(unix))]
    let stored_at = metadata.modified().ok();
    stored_at.is_some_and(|stored_at| stored_at + CRASH_BEFORE >= last_row && stored_at <= last_row + CRASH_AFTER)
}

/// Deletes the files of `folder` that were last written before `before`.
fn delete_old(folder: &Path, before: SystemTime) -> io::Result<u64> {
    let mut deleted = 0;
    for entry in entries(folder)? {
        if is_old(&entry, before)? && was_found(fs::remove_file(entry.path()))? {
            deleted += 1;
        }
    }
    Ok(deleted)
}

fn list_trashed(trash: &Path) -> io::Result<Vec<Trashed>> {
    let mut files = Vec::new();
    for (since, path) in trash_folders(trash)? {
        for folder in entries(&path)? {
            for file in entries(&folder.path())? {
                let key = format!("{}/{}", folder.file_name().to_string_lossy(), file.file_name().to_string_lossy());
                if is_valid_key(&key) {
                    files.push(Trashed { key, since, size: file.metadata()?.len(), path: file.path() });
                }
            }
        }
    }
    Ok(files)
}

/// The folders of the trash with their times, oldest first. Folders with other names are ignored.
fn trash_folders(trash: &Path) -> io::Result<Vec<(Timestamp, PathBuf)>> {
    let mut folders: Vec<_> = entries(trash)?
        .into_iter()
        .filter_map(|entry| {
            let name = entry.file_name();
            let time = jiff::fmt::strtime::parse(FOLDER_NAME, name.to_str()?).ok()?.to_datetime().ok()?;
            Some((time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp(), entry.path()))
        })
        .collect();
    folders.sort();
    Ok(folders)
}

fn empty_trash(trash: &Path, now: Timestamp) -> io::Result<()> {
    for (since, folder) in trash_folders(trash)? {
        if now.duration_since(since) > SignedDuration::from_hours(24 * TRASH_DAYS) {
            fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}

/// The entries of `folder`; none if it does not exist.
fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
