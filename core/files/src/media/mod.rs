//! The media stores, in a folder or in a bucket. Public files are served under `/media/`, private ones only in the back
//! office.
//!
//! The key of a public file contains the hash of its content: identical files are stored once, and the content at an
//! address never changes.

mod gate;
mod identity;
mod private;
mod quota;
mod renditions;
mod slots;
mod staged;
mod store;
mod sweep;
mod transport;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

pub(crate) use gate::Gate;
pub use private::random_name;
pub(crate) use private::storage_error;
use renditions::Renditions;
pub use renditions::{Rendition, WIDTHS};
pub(crate) use slots::Slot;
pub use slots::SlotUse;
pub use staged::StagedFile;
pub(crate) use staged::StagedPath;
pub use store::{Content, Listed, OpenFile};
use store::{Disk, S3, Store};
pub use sweep::{SweepLimit, Swept, TRASH_DAYS, Trashed};
pub use transport::{Area, CopiedFile, CopyProgress, CopyReport};

use crate::budget::Cancellation;
use crate::checks::{AcceptedKinds, Picture, kind, picture_budget};
use crate::pdf_pages::PdfRenderer;
use festival_base::error::{Error, Result};
use festival_base::settings::{self, Uploads};
use festival_base::ttl_value::TtlValue;

/// The public and private file stores of a site.
pub struct Media {
    /// Where the files are.
    store: Store,
    /// The media folder of this machine: the store, if that is on its disk; staged files, renditions and the lock in any
    /// case.
    dir: PathBuf,
    gate: OnceLock<Gate>,
    renditions: Renditions,
    pdf_renderer: PdfRenderer,
    pictures: TtlValue<Arc<[String]>>,
    /// The lengths of the public files of a bucket that were opened, by key.
    lengths: Mutex<HashMap<String, u64>>,
    /// The lock on the stores, and whether no other server held one when it was taken.
    lock: OnceLock<(std::fs::File, bool)>,
    /// Whether the file with the site's id was seen.
    is_identified: AtomicBool,
    last_sweep: Mutex<Swept>,
}

/// The types of public files, detected by their first bytes: MIME type and extension.
const PUBLIC_TYPES: &[(&str, &str)] = &[
    ("image/jpeg", "jpg"),
    ("image/png", "png"),
    ("image/webp", "webp"),
    ("image/avif", "avif"),
    ("application/pdf", "pdf"),
    ("video/mp4", "mp4"),
];

/// The extensions of pictures.
const PICTURE_EXTENSIONS: [&str; 4] = ["jpg", "png", "webp", "avif"];

impl Media {
    /// Opens the stores in the folder `directory` and creates missing folders.
    ///
    /// # Errors
    /// If a folder cannot be created.
    pub fn open(directory: &Path) -> Result<Self> {
        Ok(Self::new(directory, Store::Disk(Disk::new(directory)?)))
    }

    /// Opens the stores in the bucket of the settings, if they name one, otherwise those in `directory`, which is used
    /// for staged files in any case. Does not connect to the bucket.
    ///
    /// # Errors
    /// If a folder cannot be created or the settings are not those of a bucket.
    pub fn open_configured(directory: &Path, settings: &settings::S3) -> Result<Self> {
        if !settings.is_enabled() {
            return Self::open(directory);
        }
        Ok(Self::new(directory, Store::S3(S3::open(settings, directory.join("staging"))?)))
    }

    fn new(directory: &Path, store: Store) -> Self {
        Self {
            store,
            dir: directory.to_owned(),
            gate: OnceLock::new(),
            renditions: Renditions::default(),
            pdf_renderer: PdfRenderer::default(),
            pictures: TtlValue::default(),
            lengths: Mutex::default(),
            lock: OnceLock::new(),
            is_identified: AtomicBool::new(false),
            last_sweep: Mutex::default(),
        }
    }

    /// Names the store for operators: its folder, or `s3://bucket/prefix`.
    pub fn location(&self) -> String {
        self.store.location()
    }

    /// Returns the media folder, if the store is on this machine's disk.
    pub fn folder(&self) -> Option<&Path> {
        match &self.store {
            Store::Disk(disk) => Some(disk.folder()),
            Store::S3(_) => None,
        }
    }

    /// Runs CPU work on an uploaded file on the worker threads; `None` if it panicked. If the returned future is
    /// dropped, queued work is skipped, and running work can see it from its [`Cancellation`].
    ///
    /// # Errors
    /// If no thread could be started.
    pub async fn work_on_file<T: Send + 'static>(
        &self,
        settings: &Uploads,
        work: impl FnOnce(&Cancellation) -> T + Send + 'static,
    ) -> Result<Option<T>> {
        self.gate(settings).workers.run(work).await
    }

    /// Returns what draws the pages of these stores' PDFs.
    pub fn pdf_renderer(&self) -> &PdfRenderer {
        &self.pdf_renderer
    }

    /// Returns how many upload slots are in use.
    pub fn upload_slots(&self, settings: &Uploads) -> SlotUse {
        self.gate(settings).slots.in_use()
    }

    /// Returns the concurrency limits of uploads to these stores.
    pub(crate) fn gate(&self, settings: &Uploads) -> &Gate {
        self.gate.get_or_init(|| Gate::new(settings))
    }

    /// Stores a public file and returns its key, `posters/<hash>.webp`. Identical content is stored once.
    ///
    /// # Errors
    /// [`Error::BadRequest`] if the type is not supported, otherwise if the store cannot be written.
    pub async fn put_public(&self, folder: &str, bytes: Vec<u8>) -> Result<String> {
        let extension = extension_of(&bytes)?;
        self.put_as(folder, extension, bytes).await
    }

    /// Checks a file as those that are uploaded, cleans it if it is a picture, and determines its key. Nothing is stored.
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
        let path = staged.path.get().map(Path::to_owned).unwrap_or_default();
        let bytes = tokio::fs::read(path).await.map_err(|error| storage_error(&error))?;
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
        let is_picture =
            |key: &str| PICTURE_EXTENSIONS.iter().any(|extension| key.rsplit('.').next() == Some(extension));
        let mut pictures: Vec<_> = self
            .store
            .list(PUBLIC)
            .await?
            .into_iter()
            .filter_map(|file| Some((file.modified, key_below(PUBLIC, &file.path)?.to_owned())))
            .filter(|(_, key)| is_picture(key))
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
        if !is_valid_key(key) || !PUBLIC_TYPES.iter().any(|(_, extension)| key.rsplit('.').next() == Some(extension)) {
            return Err(Error::NotFound("There is no such file.".into()));
        }
        let path = public_path(key);
        // A public file never changes, so a bucket is asked for its length only once.
        let known = self.lengths.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied();
        if let (Store::S3(s3), Some(length)) = (&self.store, known) {
            return Ok(OpenFile::in_bucket(s3, path, length));
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

    /// Returns the total size of all files in the store in bytes.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn total_bytes(&self) -> Result<u64> {
        match &self.store {
            Store::Disk(disk) => disk.total_bytes().await,
            Store::S3(_) => Ok(self.store.list("").await?.iter().map(|file| file.size).sum()),
        }
    }
}

/// The folders of the store.
const PUBLIC: &str = "public";
const PRIVATE: &str = "private";
const TRASH: &str = "trash";

/// The path of a public file in the store.
fn public_path(key: &str) -> String {
    format!("{PUBLIC}/{key}")
}

/// The path of a private file in the store.
fn private_path(key: &str) -> String {
    format!("{PRIVATE}/{key}")
}

/// The rest of `path` below `folder`.
fn key_below<'a>(folder: &str, path: &'a str) -> Option<&'a str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// Whether `key` is a valid key: no hidden files, no way out of the store.
fn is_valid_key(key: &str) -> bool {
    key.split('/').all(|part| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    })
}

/// The extension for the detected type of `bytes`; an error for unsupported types.
fn extension_of(bytes: &[u8]) -> Result<&'static str> {
    let detected = infer::get(bytes).map(|kind| kind.mime_type());
    PUBLIC_TYPES.iter().find(|(mime, _)| Some(*mime) == detected).map(|(_, extension)| *extension).ok_or_else(|| {
        Error::BadRequest(match detected {
            Some(mime) => format!("This is {mime}. Save it as JPEG, PNG, WebP, AVIF, PDF or MP4."),
            None => "This file's kind cannot be told. Save it as JPEG, PNG, WebP, AVIF, PDF or MP4.".into(),
        })
    })
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
