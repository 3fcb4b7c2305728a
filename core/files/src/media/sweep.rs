//! Garbage collection of the private store: unreferenced files are moved to the trash, and restored if a row references
//! them again.
//!
//! The trash is `trash/<time>/<key>` of the store. With the database of another site, or an old copy, most files would
//! appear unreferenced; so a sweep that would move many files moves none and reports it. Files left behind by a crash
//! do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};

use super::keys::{PRIVATE, TRASH, is_valid_key, key_below, private_path};
use super::staging::blocking;
use super::store::{Listed, entries};
use super::{Media, Swept};
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
    /// Its path in the store.
    path: String,
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
        let staging = self.staging_dir();
        let staged = blocking(move || delete_old(&staging, before)).await?;
        let mut swept = Swept { staged, ..Swept::default() };
        let (mut total, mut counted) = (0, 0);
        let mut unreferenced = Vec::new();
        let mut present = BTreeSet::new();
        for folder in folders {
            for file in self.store.list(&private_path(folder)).await? {
                let Some(key) = key_below(PRIVATE, &file.path).map(str::to_owned) else { continue };
                total += 1;
                if !referenced.contains(&key) && file.modified <= before {
                    counted += usize::from(!is_exempt(&file, limit));
                    unreferenced.push(key);
                } else {
                    present.insert(key);
                }
            }
        }
        let absent: BTreeSet<&String> = referenced.difference(&present).collect();
        for file in self.trash().await?.into_iter().rev().filter(|file| absent.contains(&file.key)) {
            let to = private_path(&file.key);
            if !self.store.exists(&to).await? {
                swept.restored += u64::from(self.store.rename(&file.path, &to).await?);
            }
        }
        swept.missing = (absent.len() as u64).saturating_sub(swept.restored);
        if counted > MIN_LIMIT.max(total / LIMIT_DIVISOR) {
            swept.refused = unreferenced.len() as u64;
        } else {
            for key in unreferenced {
                // Another process may be sweeping too; each file is moved and counted once.
                let is_moved = self.store.rename(&private_path(&key), &trash_path(&key, now)).await?;
                swept.trashed += u64::from(is_moved);
            }
        }
        self.empty_trash(now).await?;
        *self.last_sweep.lock().unwrap_or_else(PoisonError::into_inner) = swept;
        Ok(swept)
    }

    /// Returns the keys of the private files in `folders`, each with the time of its last modification.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub async fn private_keys(&self, folders: &[String]) -> Result<BTreeMap<String, SystemTime>> {
        let mut keys = BTreeMap::new();
        for folder in folders {
            for file in self.store.list(&private_path(folder)).await? {
                if let Some(key) = key_below(PRIVATE, &file.path) {
                    keys.insert(key.to_owned(), file.modified);
                }
            }
        }
        Ok(keys)
    }

    /// Moves a private file to the trash, if it exists.
    ///
    /// # Errors
    /// If it cannot be moved.
    pub async fn trash_private(&self, key: &str, now: Timestamp) -> Result<()> {
        self.store.rename(&private_path(key), &trash_path(key, now)).await.map(drop)
    }

    /// Deletes private files permanently, from the trash too, as far as they exist.
    ///
    /// # Errors
    /// If one cannot be deleted.
    pub async fn erase_private(&self, keys: &[String]) -> Result<()> {
        let keys: BTreeSet<String> = keys.iter().filter(|key| is_valid_key(key)).cloned().collect();
        let trashed = self.trash().await?.into_iter().filter(|file| keys.contains(&file.key));
        for path in keys.iter().map(|key| private_path(key)).chain(trashed.map(|file| file.path)) {
            self.store.delete(&path).await?;
        }
        Ok(())
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
        let mut deleted = 0;
        for file in self.store.list(&private_path(folder)).await? {
            deleted += u64::from(file.modified <= before && self.store.delete(&file.path).await?);
        }
        Ok(deleted)
    }

    /// Returns the files in the trash, oldest first.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub async fn trash(&self) -> Result<Vec<Trashed>> {
        let files = self.store.list(TRASH).await?.into_iter().filter_map(|file| {
            let (folder, key) = key_below(TRASH, &file.path)?.split_once('/')?;
            let (key, since) = (key.to_owned(), time_of(folder)?);
            is_valid_key(&key).then_some(Trashed { key, since, size: file.size, path: file.path })
        });
        let mut files: Vec<_> = files.collect();
        files.sort_by_key(|file| file.since);
        Ok(files)
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
        self.store.open(&file.path).await?.copy_to(&to).await?;
        Ok(to)
    }

    /// Deletes the folders of the trash that are older than [`TRASH_DAYS`]. Folders with other names are ignored.
    async fn empty_trash(&self, now: Timestamp) -> Result<()> {
        for folder in self.store.folders(TRASH).await? {
            let is_over = |since| now.duration_since(since) > SignedDuration::from_hours(24 * TRASH_DAYS);
            if time_of(&folder).is_some_and(is_over) {
                self.store.delete_folder(&format!("{TRASH}/{folder}")).await?;
            }
        }
        Ok(())
    }
}

/// The path in the trash of a file that is moved there now.
fn trash_path(key: &str, now: Timestamp) -> String {
    format!("{TRASH}/{}/{key}", now.strftime(FOLDER_NAME))
}

/// The time in the name of a folder of the trash.
fn time_of(folder: &str) -> Option<Timestamp> {
    let time = jiff::fmt::strtime::parse(FOLDER_NAME, folder).ok()?.to_datetime().ok()?;
    Some(time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
}

/// Whether a file does not count towards the limit, because it was probably left behind by a crash.
fn is_exempt(file: &Listed, limit: SweepLimit) -> bool {
    let SweepLimit::Few { last_row } = limit else { return true };
    let (Some(last_row), Some(stored_at)) = (last_row, file.stored_at) else { return false };
    stored_at + CRASH_BEFORE >= last_row && stored_at <= last_row + CRASH_AFTER
}

/// Deletes the files of `folder`, on this machine's disk, that were last written before `before`.
fn delete_old(folder: &Path, before: SystemTime) -> io::Result<u64> {
    let mut deleted = 0;
    for entry in entries(folder)? {
        let is_deleted = entry.metadata().and_then(|metadata| {
            let is_old = metadata.is_file() && metadata.modified()? <= before;
            is_old.then(|| fs::remove_file(entry.path())).transpose()
        });
        match is_deleted {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            is_deleted => deleted += u64::from(is_deleted?.is_some()),
        }
    }
    Ok(deleted)
}
