//! The public store, whose files are served under `/media/`.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};
use std::time::UNIX_EPOCH;

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use super::keys::{PUBLIC, is_valid_key, key_below, public_path};
use super::staging::storage_error;
use super::store::{OpenFile, Store};
use super::{Media, StagedFile};
use crate::budget::Cancellation;
use crate::checks::kind::{self, Kind};
use crate::checks::{AcceptedKinds, Picture, picture_budget};
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;

impl Media {
    /// Stores a public file and returns its key, `posters/<hash>.webp`. Identical content is stored once.
    ///
    /// # Errors
    /// [`Error::BadRequest`] if the type is not supported, otherwise if the store cannot be written.
    pub async fn put_public(&self, folder: &str, bytes: Vec<u8>) -> Result<String> {
        let kind = kind::detect_public(&bytes).map_err(Error::BadRequest)?;
        self.put_as(folder, kind.extension(), bytes).await
    }

    /// Checks a file like an uploaded one, cleans it if it is a picture, and determines its key. Nothing is stored.
    ///
    /// # Errors
    /// [`Error::BadRequest`] with a sentence for people if it is of another kind, or damaged.
    pub async fn prepare_public(
        &self,
        settings: &Uploads,
        accepted: AcceptedKinds,
        folder: &str,
        bytes: Vec<u8>,
    ) -> Result<PreparedFile> {
        let clean = move |asker: &Cancellation| {
            let kind = kind::detect(&bytes, accepted)?;
            let bytes = match accepted {
                AcceptedKinds::Picture => Picture::read_header(kind, bytes)?.clean(&picture_budget(asker))?.bytes,
                _ => bytes,
            };
            Ok((kind, bytes))
        };
        let cleaned: Option<Result<_, String>> = self.work_on_file(settings, clean).await?;
        let cleaned = cleaned.ok_or_else(|| Error::internal("a file could not be read"))?;
        let (kind, bytes) = cleaned.map_err(Error::BadRequest)?;
        Ok(PreparedFile { key: public_key(folder, kind.extension(), &bytes)?, bytes })
    }

    /// Stores a file publicly and returns its key. Identical content is stored once.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn store_public(&self, file: PreparedFile) -> Result<String> {
        let PreparedFile { key, bytes } = file;
        self.store.put_new(self.staging(), &public_path(&key), bytes).await?;
        self.pictures.invalidate().await;
        Ok(key)
    }

    /// Stores a public file with this extension.
    async fn put_as(&self, folder: &str, extension: &str, bytes: Vec<u8>) -> Result<String> {
        self.store_public(PreparedFile { key: public_key(folder, extension, &bytes)?, bytes }).await
    }

    /// Stores a staged file publicly and returns its key.
    ///
    /// # Errors
    /// If the stores cannot be read or written.
    pub async fn commit_public(&self, folder: &str, staged: StagedFile) -> Result<String> {
        let path = staged.path.ok_or_else(|| Error::internal("a staged file was committed twice"))?;
        let bytes = tokio::fs::read(&path).await.map_err(|error| storage_error(&error))?;
        self.put_as(folder, staged.extension, bytes).await
    }

    /// Returns the keys of all public pictures, newest first. Pictures stored by other processes appear within a
    /// minute.
    ///
    /// # Errors
    /// If the folder of public files cannot be read.
    pub async fn public_pictures(&self, now: Timestamp) -> Result<Arc<[String]>> {
        self.pictures.get(now, || self.list_pictures()).await
    }

    async fn list_pictures(&self) -> Result<Arc<[String]>> {
        let mut pictures: Vec<_> = self
            .store
            .list(PUBLIC)
            .await?
            .into_iter()
            .filter_map(|file| Some((file.modified, key_below(PUBLIC, &file.path)?.to_owned())))
            .filter(|(_, key)| Kind::of_key(key).is_some_and(Kind::is_picture))
            .collect();
        pictures.sort_unstable_by(|a, b| b.cmp(a));
        Ok(pictures.into_iter().map(|(_, key)| key).collect())
    }

    /// Opens a public file for reading.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such file or `key` is not a valid key, [`Error::Unavailable`] if the store
    /// does not answer.
    pub async fn open_public(&self, key: &str) -> Result<OpenFile> {
        if !is_valid_key(key) || Kind::of_key(key).is_none() {
            return Err(Error::NotFound("There is no such file.".into()));
        }
        let path = public_path(key);
        // A public file never changes, so a bucket is asked for its length only once.
        let known = self.lengths.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied();
        if let (Store::S3(s3), Some(length)) = (&self.store, known) {
            return Ok(OpenFile::in_bucket(s3, path, length, UNIX_EPOCH, None));
        }
        let file = self.store.open(&path).await?;
        if matches!(self.store, Store::S3(_)) {
            self.lengths.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), file.length());
        }
        Ok(file)
    }

    /// Returns whether there is a public file with this key.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the store does not answer.
    pub async fn has_public(&self, key: &str) -> Result<bool> {
        match self.open_public(key).await {
            Ok(_) => Ok(true),
            Err(Error::NotFound(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns the keys of all public files.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn public_keys(&self) -> Result<BTreeSet<String>> {
        let files = self.store.list(PUBLIC).await?;
        Ok(files.iter().filter_map(|file| key_below(PUBLIC, &file.path).map(str::to_owned)).collect())
    }

    /// Returns the length of a public file in bytes.
    ///
    /// # Errors
    /// Those of [`Media::open_public`].
    pub async fn public_length(&self, key: &str) -> Result<u64> {
        Ok(self.open_public(key).await?.length())
    }
}

/// A file that can be stored publicly.
#[derive(Debug)]
pub struct PreparedFile {
    /// Its key.
    pub key: String,
    bytes: Vec<u8>,
}

/// The key of a public file.
fn public_key(folder: &str, extension: &str, bytes: &[u8]) -> Result<String> {
    let hash = HEXLOWER.encode(&Sha256::digest(bytes)[..16]);
    let key = format!("{folder}/{hash}.{extension}");
    if is_valid_key(&key) {
        Ok(key)
    } else {
        Err(Error::internal(format!("{folder} is not a valid folder for public files")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn path_traversal_in_keys_is_not_found() -> Result<()> {
        let directory = tempfile::tempdir()?;
        std::fs::write(directory.path().join("secret.png"), b"x")?;
        let media = Media::open(directory.path())?;
        for key in ["../secret.png", "a/../../secret.png", ".hidden", "", "a//b", "/etc/passwd", "a\\b"] {
            assert!(media.open_public(key).await.is_err(), "{key}");
        }
        let key = media.put_public("posters", b"\x89PNG\r\n\x1a\n0000".to_vec()).await?;
        assert!(key.starts_with("posters/") && key.ends_with(".png"), "{key}");
        assert_eq!(media.open_public(&key).await?.length(), 12);
        assert!(media.put_public("posters", b"<svg onload=alert(1)>".to_vec()).await.is_err());
        Ok(())
    }
}
