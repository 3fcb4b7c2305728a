//! Whole stores: copied out for a backup, in by a restore, and from one store to another.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use data_encoding::HEXLOWER;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use md5::{Digest as _, Md5};
use serde::{Deserialize, Serialize};

use super::Media;
use super::keys::{PRIVATE, PUBLIC, TRASH};
use super::store::{Listed, OpenFile};
use crate::transfer::{Digest, digest_of};
use festival_base::blocking;
use festival_base::durable::sync_folder;
use festival_base::error::{Error, Result};

/// Files that are copied from or to a bucket at the same time.
const AT_ONCE: usize = 8;

/// A part of the store that cannot be derived from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// Files that the site shows.
    Public,
    /// Submitted files.
    Private,
}

impl Area {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Public, Self::Private];

    /// Returns the name of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Public => PUBLIC,
            Self::Private => PRIVATE,
        }
    }
}

/// A file that was copied out of a store, or into a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedFile {
    /// Its path in the store (`private/film/<name>`) or in the backup, with `/`.
    pub path: String,
    /// Its length and hash, as they were when it was copied.
    #[serde(flatten)]
    pub digest: Digest,
}

/// Progress of a copy between stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyProgress {
    /// Files that were copied and compared.
    pub copied: u64,
    /// Their length in bytes.
    pub bytes: u64,
    /// Files that were already in the target, with the same content.
    pub present: u64,
    /// Files that disappeared from the source meanwhile.
    pub gone: u64,
}

/// Result of a copy between stores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyReport {
    /// The numbers of files.
    pub progress: CopyProgress,
    /// The paths of files that have different content in the target. They were not replaced.
    pub different: Vec<String>,
}

/// The outcome for one file.
enum Outcome {
    Copied(u64),
    Present,
    Gone,
    Different(String),
}

impl Media {
    /// Returns whether the store has files in `area`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn has_files(&self, area: Area) -> Result<bool> {
        Ok(!self.store.list(area.name()).await?.is_empty())
    }

    /// Copies all files of `area` durably into the folder `<to>/<area>`, and returns what was copied. Files that are
    /// deleted meanwhile are skipped: nothing refers to them.
    ///
    /// # Errors
    /// If a file cannot be read or its copy cannot be written.
    pub async fn copy_out(&self, area: Area, to: &Path) -> Result<Vec<CopiedFile>> {
        let files = self.store.list(area.name()).await?;
        let copies = stream::iter(files).map(|file| {
            let target = to.join(&file.path);
            async move {
                let digest = match self.store.open(&file.path).await {
                    Err(Error::NotFound(_)) => return Ok(None),
                    opened => opened?.copy_to(&target).await?,
                };
                Ok::<_, Error>(Some(CopiedFile { path: file.path, digest }))
            }
        });
        let mut copied: Vec<CopiedFile> =
            copies.buffer_unordered(AT_ONCE).try_filter_map(|file| async { Ok(file) }).try_collect().await?;
        copied.sort_by(|a, b| a.path.cmp(&b.path));
        let folder = to.join(area.name());
        blocking(move || {
            fs::create_dir_all(&folder)?;
            Ok(sync_tree(&folder)?)
        })
        .await?;
        Ok(copied)
    }

    /// Copies the file `from` durably to `path` of the store, replacing an existing file, and returns the digest of the
    /// copy.
    ///
    /// # Errors
    /// If the file cannot be read or its copy cannot be written.
    pub async fn copy_in(&self, from: &Path, path: &str) -> Result<Digest> {
        self.store.copy_in(from, path).await
    }

    /// Copies public and private files and the trash to another store, and compares each copy with its original. Files
    /// that are there already are compared instead, so an interrupted copy continues. The site's id comes last: no site
    /// starts with a store that lacks it. Calls `report` after every file.
    ///
    /// # Errors
    /// [`Error::Conflict`] if this store has no site id, or `to` has files of another site; if something cannot be read
    /// or written.
    pub async fn copy_to(&self, to: &Self, mut report: impl FnMut(CopyProgress)) -> Result<CopyReport> {
        let (from_name, to_name) = (self.location(), to.location());
        let Some(id) = self.site_id().await? else {
            return Err(Error::Conflict(format!("{from_name} has no files of a site: its file site-id is missing")));
        };
        if self.restoring().await?.is_some() || to.restoring().await?.is_some() {
            return Err(Error::Conflict("a restore was not finished; run it again first".into()));
        }
        if to.site_id().await?.is_some_and(|other| other != id) {
            return Err(Error::Conflict(format!(
                "{to_name} has files of another site. Choose an empty place. Nothing was copied."
            )));
        }
        let mut result = CopyReport::default();
        for folder in [PUBLIC, PRIVATE, TRASH] {
            let present: BTreeMap<String, Listed> =
                to.store.list(folder).await?.into_iter().map(|file| (file.path.clone(), file)).collect();
            let files = self.store.list(folder).await?;
            let mut copies = stream::iter(files)
                .map(|file| {
                    let there = present.get(&file.path);
                    async move { self.copy_one(to, file, there).await }
                })
                .buffer_unordered(AT_ONCE);
            while let Some(outcome) = copies.try_next().await? {
                match outcome {
                    Outcome::Copied(bytes) => {
                        result.progress.copied += 1;
                        result.progress.bytes += bytes;
                    }
                    Outcome::Present => result.progress.present += 1,
                    Outcome::Gone => result.progress.gone += 1,
                    Outcome::Different(path) => result.different.push(path),
                }
                report(result.progress);
            }
        }
        if result.different.is_empty() {
            to.set_site_id(&id).await?;
        }
        Ok(result)
    }

    async fn copy_one(&self, to: &Self, file: Listed, there: Option<&Listed>) -> Result<Outcome> {
        let original = match self.store.open(&file.path).await {
            Err(Error::NotFound(_)) => return Ok(Outcome::Gone),
            opened => opened?,
        };
        if let Some(there) = there {
            let is_same = there.size == file.size && is_same(original, to.store.open(&there.path).await?).await?;
            return Ok(if is_same { Outcome::Present } else { Outcome::Different(file.path) });
        }
        let bytes = original.read().await?;
        let (size, digest, md5) = (bytes.len() as u64, digest_of(&bytes), md5_of(&bytes));
        to.store.put_new(to.staging(), &file.path, bytes).await?;
        let copy = to.store.open(&file.path).await?;
        let is_same = copy.length() == size && (copy.md5() == Some(md5) || digest_of(&copy.read().await?) == digest);
        if !is_same {
            return Err(Error::internal(format!("the copy of {} differs from the original", file.path)));
        }
        Ok(Outcome::Copied(size))
    }
}

/// Compares two files of the same length. Only one of them is read if the other has its MD5 as ETag.
async fn is_same(original: OpenFile, copy: OpenFile) -> Result<bool> {
    let (one, other) = if copy.md5().is_some() { (original, copy) } else { (copy, original) };
    let (known, md5) = (one.md5(), other.md5());
    if known.is_some() && known == md5 {
        return Ok(true);
    }
    let bytes = one.read().await?;
    // Not every ETag that looks like an MD5 is one.
    Ok(md5 == Some(md5_of(&bytes)) || bytes == other.read().await?)
}

/// The MD5 of bytes in memory, in hexadecimal.
fn md5_of(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Md5::digest(bytes))
}

/// Syncs a folder and the folders in it to the disk.
fn sync_tree(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_tree(&entry.path())?;
        }
    }
    sync_folder(folder)
}
