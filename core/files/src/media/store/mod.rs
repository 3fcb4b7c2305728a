//! Where the files of a site are: a folder on this machine's disk, or a bucket of an S3-compatible store.
//!
//! Both hold the same tree: `public/<folder>/<file>`, `private/<folder>/<file>`, `trash/<time>/<folder>/<file>` and a
//! few files at the top. A path is relative to it and consists of valid keys, so it never leads out of it.

mod content;
mod disk;
mod http;
mod open_file;
mod s3;

use std::path::{Path, PathBuf};

pub use content::{Content, Listed};
pub(super) use disk::{Disk, entries};
pub use open_file::OpenFile;
pub(super) use s3::S3;

use super::staging::{Staging, storage_error};
use crate::transfer::{Digest, digest_of};
use festival_base::error::{Error, Result};

/// The files of a site.
pub(super) enum Store {
    Disk(Disk),
    S3(S3),
}

impl Store {
    /// Names the store for operators: the folder, or the bucket.
    pub(super) fn location(&self) -> String {
        match self {
            Self::Disk(disk) => disk.folder().display().to_string(),
            Self::S3(s3) => s3.location(),
        }
    }

    /// Stores the staged file `from` durably at `path`, which must be new. The disk moves it; a bucket gets a copy.
    pub(super) async fn put_staged(&self, from: PathBuf, path: &str) -> Result<()> {
        match self {
            Self::Disk(disk) => disk.put_staged(from, path).await,
            Self::S3(s3) => s3.put_new(path, read_file(from).await?).await,
        }
    }

    /// Stores `bytes` durably at `path`, whole or not at all. An existing file is left unchanged.
    pub(super) async fn put_new(&self, staging: Staging, path: &str, bytes: Vec<u8>) -> Result<()> {
        match self {
            Self::Disk(disk) => disk.put_new(staging, path, bytes).await,
            Self::S3(s3) => match s3.head(path).await {
                // The key contains a hash of the content, so the existing file is the same. Only new files are sent.
                Ok(_) => Ok(()),
                Err(Error::NotFound(_)) => s3.put_new(path, bytes).await,
                Err(error) => Err(error),
            },
        }
    }

    /// Copies the file `from` durably to `path`, replacing an existing file, and returns the digest of the copy.
    pub(super) async fn copy_in(&self, from: &Path, path: &str) -> Result<Digest> {
        match self {
            Self::Disk(disk) => disk.copy_in(from.to_owned(), path).await,
            Self::S3(s3) => {
                let bytes = read_file(from.to_owned()).await?;
                let digest = digest_of(&bytes);
                s3.put(path, bytes).await?;
                Ok(digest)
            }
        }
    }

    /// Opens a file; [`Error::NotFound`] if there is none.
    pub(super) async fn open(&self, path: &str) -> Result<OpenFile> {
        match self {
            Self::Disk(disk) => disk.open(path).await,
            Self::S3(s3) => {
                let found = s3.head(path).await?;
                let modified = found.last_modified.into();
                Ok(OpenFile::in_bucket(s3, path.to_owned(), found.size, modified, found.e_tag))
            }
        }
    }

    /// Returns whether there is a file at `path`.
    pub(super) async fn exists(&self, path: &str) -> Result<bool> {
        match self.open(path).await {
            Ok(_) => Ok(true),
            Err(Error::NotFound(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns the files below `folder`, however deep; none if there is no such folder.
    pub(super) async fn list(&self, folder: &str) -> Result<Vec<Listed>> {
        match self {
            Self::Disk(disk) => disk.list(folder).await,
            Self::S3(s3) => s3.list(folder).await,
        }
    }

    /// Returns the names of the folders in `folder`.
    pub(super) async fn folders(&self, folder: &str) -> Result<Vec<String>> {
        match self {
            Self::Disk(disk) => disk.folders(folder).await,
            Self::S3(s3) => s3.folders(folder).await,
        }
    }

    /// Moves a file durably, and returns `false` if there is none. In a bucket it exists at both paths for a moment.
    pub(super) async fn rename(&self, from: &str, to: &str) -> Result<bool> {
        match self {
            Self::Disk(disk) => disk.rename(from, to).await,
            Self::S3(s3) => s3.rename(from, to).await,
        }
    }

    /// Deletes a file, and returns `false` if there is none.
    pub(super) async fn delete(&self, path: &str) -> Result<bool> {
        match self {
            Self::Disk(disk) => disk.delete(path).await,
            Self::S3(s3) => s3.delete(path).await,
        }
    }

    /// Deletes a folder with everything in it.
    pub(super) async fn delete_folder(&self, folder: &str) -> Result<()> {
        match self {
            Self::Disk(disk) => disk.delete_folder(folder).await,
            Self::S3(s3) => {
                for file in s3.list(folder).await? {
                    s3.delete(&file.path).await?;
                }
                Ok(())
            }
        }
    }
}

async fn read_file(path: PathBuf) -> Result<Vec<u8>> {
    tokio::fs::read(path).await.map_err(|error| storage_error(&error))
}
