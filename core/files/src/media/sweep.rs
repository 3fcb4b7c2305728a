//! What nothing names any more: files go to the trash first, and come back when a row names them again.
//!
//! The trash is `<media>/trash/<moment>/<key>`. A database that is not the site's own, or an older copy of it, names few
//! of the files: a sweep that would take many of them takes none and says so. Those that a crash left do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};

use super::private::{blocking, make_folder, sync_folder};
use super::{Media, is_plain};
use festival_base::error::{Error, Result};

/// How long a file stays in the trash, in days.
pub const TRASH_DAYS: i64 = 30;
/// So many files a sweep may take, however few there are.
const FEW: usize = 20;
/// Of more files at most one in so many.
const SHARE: usize = 20;
/// What was put in place so long before the database's last row, or [`SHORTLY_AFTER`] it, was left by a crash.
const SHORTLY_BEFORE: Duration = Duration::from_secs(10 * 60);
const SHORTLY_AFTER: Duration = Duration::from_secs(60);
/// The name of a folder in the trash says when it was made.
const MOMENT: &str = "%Y-%m-%dT%H-%M-%SZ";

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Files that were received but never kept: deleted.
    pub staged: u64,
    /// Private files that no row names: now in the trash.
    pub trashed: u64,
    /// Files that a row names and that lay in the trash: back in their place.
    pub restored: u64,
    /// Private files that no row names and that were left alone because they are too many.
    pub refused: u64,
    /// Files that a row names and that are nowhere.
    pub missing: u64,
}

/// How many files that no row names a sweep may take.
#[derive(Clone, Copy, Debug)]
pub enum Take {
    /// All of them.
    All,
    /// A few. A crash under load leaves more: those that were put in place around the database's last row do not count.
    /// To an older copy of the database the files are newer than its last row.
    Few {
        /// When the database's last row was written that names files.
        last_row: Option<SystemTime>,
    },
}

/// A file in the trash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trashed {
    /// The key that it had in the private store.
    pub key: String,
    /// When it was put there.
    pub since: Timestamp,
    /// Its length in bytes.
    pub size: u64,
    path: PathBuf,
}

impl Media {
    /// Deletes staged files, and moves private files of `folders` that no row names to the trash: those that were last
    /// written before `before`. `known` holds the keys that rows name; those of them that lie in the trash come back.
    /// What has been in the trash for [`TRASH_DAYS`] is deleted.
    ///
    /// `before` keeps away from files whose row is just being written: it is a moment, not an age, because time passes
    /// between reading the rows and looking at the files. Where more files would go than `take` allows, none does.
    ///
    /// # Errors
    /// If a folder cannot be read or a file not be moved.
    pub async fn sweep(
        &self,
        folders: &[String],
        known: &BTreeSet<String>,
        before: SystemTime,
        now: Timestamp,
        take: Take,
    ) -> Result<Swept> {
        let (staging, private, trash) = (self.staging_dir(), self.private_dir(), self.trash_dir());
        let (folders, known) = (folders.to_vec(), known.clone());
        let swept = blocking(move || {
            let mut swept = Swept { staged: delete_old(&staging, before)?, ..Swept::default() };
            let (mut all, mut suspicious) = (0, 0);
            let mut unnamed = Vec::new();
            let mut there = BTreeSet::new();
            for folder in &folders {
                for entry in entries(&private.join(folder))? {
                    let key = format!("{folder}/{}", entry.file_name().to_string_lossy());
                    all += 1;
                    if !known.contains(&key) && is_old(&entry, before)? {
                        suspicious += usize::from(!was_left_by_a_crash(&entry, take));
                        unnamed.push(key);
                    } else {
                        there.insert(key);
                    }
                }
            }
            let lost: BTreeSet<&String> = known.difference(&there).collect();
            for file in find_trashed(&trash)?.into_iter().rev().filter(|file| lost.contains(&file.key)) {
                let to = private.join(&file.key);
                if !to.exists() {
                    swept.restored += u64::from(is_done(put(&file.path, &to))?);
                }
            }
            swept.missing = (lost.len() as u64).saturating_sub(swept.restored);
            if suspicious > FEW.max(all / SHARE) {
                swept.refused = unnamed.len() as u64;
            } else {
                let to = trash.join(now.strftime(MOMENT).to_string());
                for key in unnamed {
                    // Another process may sweep as well: each file is moved once.
                    swept.trashed += u64::from(is_done(put(&private.join(&key), &to.join(&key)))?);
                }
            }
            empty_trash(&trash, now)?;
            Ok(swept)
        })
        .await?;
        *self.last_sweep.lock().unwrap_or_else(PoisonError::into_inner) = swept;
        Ok(swept)
    }

    /// The keys of the private files in `folders`, each with when it was last written.
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

    /// Moves one private file to the trash; one that is gone already is no error.
    ///
    /// # Errors
    /// If it cannot be moved.
    pub async fn trash_private(&self, key: &str, now: Timestamp) -> Result<()> {
        let (from, to) =
            (self.private_dir().join(key), self.trash_dir().join(now.strftime(MOMENT).to_string()).join(key));
        blocking(move || is_done(put(&from, &to)).map(drop)).await
    }

    /// Deletes private files for good, out of the trash too; those that are gone already are no error.
    ///
    /// # Errors
    /// If one cannot be deleted.
    pub async fn erase_private(&self, keys: &[String]) -> Result<()> {
        let (private, trash) = (self.private_dir(), self.trash_dir());
        let keys: BTreeSet<String> = keys.iter().filter(|key| is_plain(key)).cloned().collect();
        blocking(move || {
            let trashed = find_trashed(&trash)?.into_iter().filter(|file| keys.contains(&file.key));
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

    /// What the last sweep of this process did.
    pub fn last_sweep(&self) -> Swept {
        *self.last_sweep.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Deletes the files of a folder of the private store that were last written before `before`, and says how many.
    ///
    /// # Errors
    /// If it cannot be read or a file not be deleted.
    pub async fn sweep_folder(&self, folder: &str, before: SystemTime) -> Result<u64> {
        let folder = self.private_dir().join(folder);
        blocking(move || delete_old(&folder, before)).await
    }

    /// What is in the trash, the oldest first.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub async fn trash(&self) -> Result<Vec<Trashed>> {
        let trash = self.trash_dir();
        blocking(move || find_trashed(&trash)).await
    }

    /// Copies the file that had the key `key` from the trash into `folder`, and answers the copy's path. What lies in the
    /// trash stays there: by itself it comes back when a row names it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the trash has no such file, [`Error::Conflict`] where the folder has one of its name.
    pub async fn copy_from_trash(&self, key: &str, folder: &Path) -> Result<PathBuf> {
        let found = self.trash().await?.into_iter().rev().find(|file| file.key == key);
        let file = found.ok_or_else(|| Error::NotFound(format!("There is no {key} in the trash.")))?;
        let to = folder.join(key.rsplit('/').next().unwrap_or(key));
        if to.exists() {
            return Err(Error::Conflict(format!("{} is there already.", to.display())));
        }
        let (from, target) = (file.path, to.clone());
        blocking(move || {
            make_folder(target.parent().unwrap_or(Path::new(".")))?;
            fs::copy(from, target)
        })
        .await?;
        Ok(to)
    }

    fn trash_dir(&self) -> PathBuf {
        self.dir.join("trash")
    }
}

/// Moves a file; when this returns, the move survives a power cut.
fn put(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(to);
    make_folder(folder)?;
    fs::rename(from, to)?;
    sync_folder(folder)
}

/// Whether what was to be done to a file is done: `false` where the file is gone.
fn is_done(done: io::Result<()>) -> io::Result<bool> {
    match done {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        done => done.map(|()| true),
    }
}

/// Whether a file was last written before `before`; one that is gone was not.
fn is_old(entry: &fs::DirEntry, before: SystemTime) -> io::Result<bool> {
    match entry.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        metadata => metadata.and_then(|metadata| Ok(metadata.is_file() && metadata.modified()? <= before)),
    }
}

/// Whether a file needs no other reason to have no row than that the server ended before it was written.
fn was_left_by_a_crash(entry: &fs::DirEntry, take: Take) -> bool {
    let Take::Few { last_row } = take else { return true };
    let (Some(last_row), Ok(metadata)) = (last_row, entry.metadata()) else { return false };
    // When it was moved here; its content may be much older where it came slowly.
    #[cfg(unix)]
    let put = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(
        std::os::unix::fs::MetadataExt::ctime(&metadata).try_into().unwrap_or_default(),
    ));
    #[cfg(not(unix))]
    let put = metadata.modified().ok();
    put.is_some_and(|put| put + SHORTLY_BEFORE >= last_row && put <= last_row + SHORTLY_AFTER)
}

/// Deletes the files of `folder` that were last written before `before`.
fn delete_old(folder: &Path, before: SystemTime) -> io::Result<u64> {
    let mut deleted = 0;
    for entry in entries(folder)? {
        if is_old(&entry, before)? && is_done(fs::remove_file(entry.path()))? {
            deleted += 1;
        }
    }
    Ok(deleted)
}

fn find_trashed(trash: &Path) -> io::Result<Vec<Trashed>> {
    let mut found = Vec::new();
    for (since, moment) in moments(trash)? {
        for folder in entries(&moment)? {
            for file in entries(&folder.path())? {
                let key = format!("{}/{}", folder.file_name().to_string_lossy(), file.file_name().to_string_lossy());
                if is_plain(&key) {
                    found.push(Trashed { key, since, size: file.metadata()?.len(), path: file.path() });
                }
            }
        }
    }
    Ok(found)
}

/// The folders of the trash with their moments, the oldest first. What is none of ours is left alone.
fn moments(trash: &Path) -> io::Result<Vec<(Timestamp, PathBuf)>> {
    let mut found: Vec<_> = entries(trash)?
        .into_iter()
        .filter_map(|entry| {
            let name = entry.file_name();
            let time = jiff::fmt::strtime::parse(MOMENT, name.to_str()?).ok()?.to_datetime().ok()?;
            Some((time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp(), entry.path()))
        })
        .collect();
    found.sort();
    Ok(found)
}

fn empty_trash(trash: &Path, now: Timestamp) -> io::Result<()> {
    for (since, folder) in moments(trash)? {
        if now.duration_since(since) > SignedDuration::from_hours(24 * TRASH_DAYS) {
            fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}

/// What is in `folder`; nothing if there is no such folder.
fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
