//! Where the files of a site are: a folder on this machine's disk, or a bucket of an S3-compatible store.
//!
//! Both hold the same tree: `public/<folder>/<file>`, `private/<folder>/<file>`, `trash/<time>/<folder>/<file>` and a few
//! files at the top. A path is relative to it and consists of valid keys, so it never leads out of it.

mod disk;
mod http;
mod s3;

use std::io::{self, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tokio::fs::File;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};

pub(super) use disk::{Disk, entries};
pub(super) use s3::S3;

use super::private::{Staging, storage_error};
use crate::transfer::{Digest, Digester, digest_of};
use festival_base::blocking;
use festival_base::durable::{create_folder, folder_of};
use festival_base::error::{Error, Result};

/// The files of a site.
pub(super) enum Store {
    Disk(Disk),
    S3(S3),
}

/// A file in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its path in the store, `private/film/<name>`.
    pub path: String,
    /// Its length in bytes.
    pub size: u64,
    /// When its content was last written.
    pub modified: SystemTime,
    /// When it came to its path; `None` if that is not known. On a disk it may be later than `modified`.
    pub(super) stored_at: Option<SystemTime>,
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
    /// Returns whether the staged file is gone.
    pub(super) async fn put_staged(&self, from: PathBuf, path: &str) -> Result<bool> {
        match self {
            Self::Disk(disk) => disk.put_staged(from, path).await.map(|()| true),
            Self::S3(s3) => s3.put_new(path, read_file(from).await?).await.map(|()| false),
        }
    }

    /// Stores `bytes` durably at `path`, whole or not at all. An existing file is left unchanged.
    pub(super) async fn put_new(&self, staging: Staging, path: &str, bytes: Vec<u8>) -> Result<()> {
        match self {
            Self::Disk(disk) => disk.put_new(staging, path, bytes).await,
            Self::S3(s3) => match s3.head(path).await {
                // Content is part of the key, so it is the same; only what is new is sent.
                Ok(_) => Ok(()),
                Err(Error::NotFound(_)) => s3.put_new(path, bytes).await,
                Err(error) => Err(error),
            },
        }
    }

    /// Copies the file `from` durably to `path`, replacing what is there, and returns the digest of what was copied.
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
                let (length, modified) = (found.size, found.last_modified.into());
                Ok(OpenFile { length, modified, source: Source::S3(s3.clone(), path.to_owned(), found.e_tag) })
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

    /// Moves a file durably, and returns `false` if there is none. In a bucket it is for a moment at both paths.
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

/// A stored file that was found and can be read.
#[derive(Debug)]
pub struct OpenFile {
    length: u64,
    modified: SystemTime,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Disk(File),
    /// Path and ETag of the object.
    S3(S3, String, Option<String>),
}

/// The content of a stored file.
pub type Content = Box<dyn AsyncRead + Send + Unpin>;

impl OpenFile {
    /// An object whose length is known and that never changes.
    pub(super) fn in_bucket(s3: &S3, path: String, length: u64) -> Self {
        Self { length, modified: SystemTime::UNIX_EPOCH, source: Source::S3(s3.clone(), path, None) }
    }

    pub(super) fn on_disk(file: File, metadata: &std::fs::Metadata) -> io::Result<Self> {
        Ok(Self { length: metadata.len(), modified: metadata.modified()?, source: Source::Disk(file) })
    }

    /// Returns its length in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns when it was last written.
    pub fn modified(&self) -> SystemTime {
        self.modified
    }

    /// Returns the MD5 of an object if its ETag looks like one; encrypted objects and those sent in parts have others.
    pub(super) fn md5(&self) -> Option<String> {
        let Source::S3(_, _, Some(e_tag)) = &self.source else { return None };
        let e_tag = e_tag.trim_matches('"');
        (e_tag.len() == 32 && e_tag.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| e_tag.to_ascii_lowercase())
    }

    /// Returns the content, for reading it as it is sent.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the store does not answer.
    pub async fn content(self) -> Result<Content> {
        match self.source {
            Source::Disk(file) => Ok(Box::new(file)),
            Source::S3(s3, path, e_tag) => s3.read(&path, e_tag, 0..self.length).await,
        }
    }

    /// Returns the bytes from `first` to `last`, both included and within the length.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the store does not answer.
    pub async fn range(self, first: u64, last: u64) -> Result<Content> {
        match self.source {
            Source::Disk(mut file) => {
                file.seek(SeekFrom::Start(first)).await?;
                Ok(Box::new(file.take(last - first + 1)))
            }
            Source::S3(s3, path, e_tag) => s3.read(&path, e_tag, first..last + 1).await,
        }
    }

    /// Reads the whole content into memory.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the store does not answer, or breaks off.
    pub async fn read(self) -> Result<Vec<u8>> {
        let length = self.length;
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
        let is_disk = matches!(self.source, Source::Disk(_));
        let read = self.content().await?.read_to_end(&mut bytes).await;
        match read {
            Ok(_) => Ok(bytes),
            Err(error) if is_disk => Err(error.into()),
            Err(error) => Err(unreadable(&error)),
        }
    }

    /// Returns a file on this machine with the content, to be read by code that blocks: on a disk the file itself,
    /// otherwise a temporary one without a name.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the store does not answer, or breaks off; [`Error::NoRoom`] if the disk is full.
    pub async fn local(self) -> Result<std::fs::File> {
        match self.source {
            Source::Disk(file) => Ok(file.into_std().await),
            Source::S3(s3, path, e_tag) => {
                let staging = s3.staging().to_owned();
                let file = super::private::blocking(move || {
                    create_folder(&staging)?;
                    tempfile::tempfile_in(staging)
                });
                let mut file = File::from_std(file.await?);
                let mut content = s3.read(&path, e_tag, 0..self.length).await?;
                tokio::io::copy(&mut content, &mut file).await.map_err(|error| unreadable(&error))?;
                file.rewind().await?;
                Ok(file.into_std().await)
            }
        }
    }

    /// Copies the content durably to the new file `to`, readable by its owner only, and returns the digest of what was
    /// read.
    ///
    /// # Errors
    /// If the file exists or cannot be written; [`Error::Unavailable`] if the store does not answer, or breaks off.
    pub async fn copy_to(self, to: &Path) -> Result<Digest> {
        let target = to.to_owned();
        let file = blocking(move || {
            create_folder(folder_of(&target))?;
            let mut options = std::fs::OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            Ok(options.open(target)?)
        })
        .await?;
        let (mut file, mut content) = (File::from_std(file), self.content().await?);
        let (mut digester, mut buffer) = (Digester::default(), vec![0; 1 << 16]);
        loop {
            let length = content.read(&mut buffer).await.map_err(|error| unreadable(&error))?;
            if length == 0 {
                break;
            }
            digester.update(&buffer[..length]);
            file.write_all(&buffer[..length]).await?;
        }
        file.flush().await?;
        file.sync_all().await?;
        Ok(digester.finish())
    }
}

/// Converts an error that ended a download, and logs the cause.
fn unreadable(error: &io::Error) -> Error {
    tracing::warn!(%error, "the file store broke off");
    Error::Unavailable("Files cannot be read at the moment. Please try again.".into())
}

async fn read_file(path: PathBuf) -> Result<Vec<u8>> {
    tokio::fs::read(path).await.map_err(|error| storage_error(&error))
}
