//! A stored file that was opened, on the disk or in a bucket.

use std::io::{self, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::SystemTime;

use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};

use super::super::staging;
use super::content::{Content, unreadable};
use super::s3::S3;
use crate::transfer::{Digest, digest};
use festival_base::blocking;
use festival_base::durable::{create_folder, folder_of};
use festival_base::error::Result;

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

impl OpenFile {
    /// An object whose length is known, with its ETag; without one it never changes.
    pub(in super::super) fn in_bucket(
        s3: &S3,
        path: String,
        length: u64,
        modified: SystemTime,
        e_tag: Option<String>,
    ) -> Self {
        Self { length, modified, source: Source::S3(s3.clone(), path, e_tag) }
    }

    pub(in super::super) fn on_disk(file: File, metadata: &std::fs::Metadata) -> io::Result<Self> {
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
    pub(in super::super) fn md5(&self) -> Option<String> {
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
    /// [`Error::Unavailable`] if the store does not answer or fails midway.
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
    /// [`Error::Unavailable`] if the store does not answer or fails midway; [`Error::NoRoom`] if the disk is full.
    pub async fn local(self) -> Result<std::fs::File> {
        match self.source {
            Source::Disk(file) => Ok(file.into_std().await),
            Source::S3(s3, path, e_tag) => {
                let staging = s3.staging().to_owned();
                let file = staging::blocking(move || {
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
    /// If the file exists or cannot be written; [`Error::Unavailable`] if the store does not answer or fails midway.
    pub async fn copy_to(self, to: &Path) -> Result<Digest> {
        let (mut content, to) = (self.local().await?, to.to_owned());
        blocking(move || {
            create_folder(folder_of(&to))?;
            let mut copy = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
            let digest = digest(&mut content, |chunk| copy.write_all(chunk))?;
            copy.sync_all()?;
            Ok(digest)
        })
        .await
    }
}
