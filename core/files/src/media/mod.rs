//! The media stores. Public files are served under `/media/`, private ones only in the back office.
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
mod sweep;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use tokio::fs::File;

pub(crate) use gate::Gate;
pub use identity::restoring_marker;
pub use private::random_name;
pub(crate) use private::storage_error;
use renditions::Renditions;
pub use renditions::{Rendition, WIDTHS};
pub(crate) use slots::Slot;
pub use slots::SlotUse;
pub use staged::StagedFile;
pub(crate) use staged::StagedPath;
pub use sweep::{SweepLimit, Swept, TRASH_DAYS, Trashed};

use crate::budget::Cancellation;
use festival_base::blocking;
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;
use festival_base::ttl_value::TtlValue;

/// The public and private file stores of a site.
pub struct Media {
    public_dir: PathBuf,
    /// The media folder.
    dir: PathBuf,
    gate: OnceLock<Gate>,
    renditions: Renditions,
    pictures: TtlValue<Arc<[String]>>,
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
    /// Opens the stores under `directory` and creates missing folders.
    ///
    /// # Errors
    /// If a folder cannot be created.
    pub fn open(directory: &Path) -> Result<Self> {
        let public_dir = directory.join("public");
        std::fs::create_dir_all(&public_dir)
            .map_err(|e| Error::internal(format!("{} cannot be created: {e}", public_dir.display())))?;
        Ok(Self {
            public_dir,
            dir: directory.to_owned(),
            gate: OnceLock::new(),
            renditions: Renditions::default(),
            pictures: TtlValue::default(),
            lock: OnceLock::new(),
            is_identified: AtomicBool::new(false),
            last_sweep: Mutex::default(),
        })
    }

    /// Returns the path of the media folder.
    pub fn folder(&self) -> &Path {
        &self.dir
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

    /// Stores a public file with this extension.
    async fn put_as(&self, folder: &str, extension: &str, bytes: Vec<u8>) -> Result<String> {
        let hash = HEXLOWER.encode(&Sha256::digest(&bytes)[..16]);
        let key = format!("{folder}/{hash}.{extension}");
        if !is_valid_key(&key) {
            return Err(Error::internal(format!("{folder} is not a valid folder for public files")));
        }
        let (staging, to) = (self.staging(), self.public_dir.join(&key));
        private::blocking(move || private::write_durably(staging.create()?, &to, &bytes)).await?;
        self.pictures.invalidate().await;
        Ok(key)
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
        let folder = self.public_dir.clone();
        blocking(move || {
            let mut pictures: Vec<(SystemTime, String)> = Vec::new();
            for folder in std::fs::read_dir(folder)?.flatten().filter(|entry| entry.path().is_dir()) {
                for file in std::fs::read_dir(folder.path())?.flatten() {
                    let name = file.file_name().to_string_lossy().into_owned();
                    if PICTURE_EXTENSIONS.iter().any(|extension| name.rsplit('.').next() == Some(extension)) {
                        let key = format!("{}/{name}", folder.file_name().to_string_lossy());
                        pictures.push((file.metadata()?.modified()?, key));
                    }
                }
            }
            pictures.sort_unstable_by(|a, b| b.cmp(a));
            Ok(pictures.into_iter().map(|(_, key)| key).collect())
        })
        .await
    }

    /// Opens a public file for reading and returns it with its length in bytes.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such file or `key` is not a valid key.
    pub async fn open_public(&self, key: &str) -> Result<(File, u64)> {
        let missing = || Error::NotFound("There is no such file.".into());
        if !is_valid_key(key) || !PUBLIC_TYPES.iter().any(|(_, extension)| key.rsplit('.').next() == Some(extension)) {
            return Err(missing());
        }
        let file = File::open(self.public_dir.join(key)).await.map_err(|_| missing())?;
        let metadata = file.metadata().await?;
        if metadata.is_file() { Ok((file, metadata.len())) } else { Err(missing()) }
    }
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
        assert_eq!(media.open_public(&key).await?.1, 12);
        assert!(media.put_public("posters", b"<svg onload=alert(1)>".to_vec()).await.is_err());
        Ok(())
    }
}
