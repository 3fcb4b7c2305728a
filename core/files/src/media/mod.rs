//! Pictures and documents. Public ones are served under `/media/`; private ones only by the admin area.
//!
//! Keys of public files hold the hash of their content: the same picture twice is one file, and an address
//! never changes its content.

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
pub use sweep::{Swept, TRASH_DAYS, Take, Trashed};

use crate::budget::Asker;
use festival_base::blocking;
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;
use festival_base::ttl_value::TtlValue;

/// The media stores.
pub struct Media {
    public_dir: PathBuf,
    /// The media folder, for what is beside the public files.
    dir: PathBuf,
    gate: OnceLock<Gate>,
    renditions: Renditions,
    pictures: TtlValue<Arc<[String]>>,
    /// The lock that says that a server uses these stores, while it does, and whether it was alone when it took it.
    lock: OnceLock<(std::fs::File, bool)>,
    /// Whether the file was seen that says whose files these are.
    is_identified: AtomicBool,
    last_sweep: Mutex<Swept>,
}

/// What public pictures and documents may be, judged by their first bytes: MIME type, extension.
const KNOWN: &[(&str, &str)] = &[
    ("image/jpeg", "jpg"),
    ("image/png", "png"),
    ("image/webp", "webp"),
    ("image/avif", "avif"),
    ("application/pdf", "pdf"),
    ("video/mp4", "mp4"),
];

/// The extensions of what is a picture.
const PICTURES: [&str; 4] = ["jpg", "png", "webp", "avif"];

impl Media {
    /// Opens the stores under `directory` and makes the folders that are missing.
    pub fn open(directory: &Path) -> Result<Self> {
        let public_dir = directory.join("public");
        std::fs::create_dir_all(&public_dir)
            .map_err(|e| Error::internal(format!("{} cannot be made: {e}", public_dir.display())))?;
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

    /// The media folder.
    pub fn folder(&self) -> &Path {
        &self.dir
    }

    /// Works on a file that was sent, on the threads for that; `None`: the work panicked. Where nobody waits for the answer
    /// any more, the work is not begun, or learns it from its [`Asker`].
    ///
    /// # Errors
    /// If there is no thread.
    pub async fn work_on_file<T: Send + 'static>(
        &self,
        settings: &Uploads,
        work: impl FnOnce(&Asker) -> T + Send + 'static,
    ) -> Result<Option<T>> {
        self.gate(settings).workers.run(work).await
    }

    /// How many forms with files arrive now, and how many may.
    pub fn upload_slots(&self, settings: &Uploads) -> SlotUse {
        self.gate(settings).slots.in_use()
    }

    /// The gate of everything that is sent to these stores.
    pub(crate) fn gate(&self, settings: &Uploads) -> &Gate {
        self.gate.get_or_init(|| Gate::new(settings))
    }

    /// Keeps a public file and answers its key, `posters/<hash>.webp`. The same content twice is kept once.
    pub async fn put_public(&self, folder: &str, bytes: Vec<u8>) -> Result<String> {
        let extension = extension_of(&bytes)?;
        self.put_as(folder, extension, bytes).await
    }

    /// Keeps a public file of a kind that is known.
    async fn put_as(&self, folder: &str, extension: &str, bytes: Vec<u8>) -> Result<String> {
        let hash: String = Sha256::digest(&bytes)[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        let key = format!("{folder}/{hash}.{extension}");
        if !is_plain(&key) {
            return Err(Error::internal(format!("{folder} is no folder for public files")));
        }
        let (staging, to) = (self.staging(), self.public_dir.join(&key));
        private::blocking(move || private::write_durably(staging.make()?, &to, &bytes)).await?;
        self.pictures.invalidate().await;
        Ok(key)
    }

    /// Keeps a file that was received, checked and cleaned where everybody may see it, and answers its key.
    pub async fn keep_public(&self, folder: &str, staged: StagedFile) -> Result<String> {
        let path = staged.place.path().map(Path::to_owned).unwrap_or_default();
        let bytes = tokio::fs::read(path).await.map_err(|error| storage_error(&error))?;
        self.put_as(folder, staged.extension, bytes).await
    }

    /// The keys of all public pictures, the latest first; those that another process kept, within a minute.
    ///
    /// # Errors
    /// If the folder of public files cannot be read.
    pub async fn public_pictures(&self, now: Timestamp) -> Result<Arc<[String]>> {
        self.pictures.get(now, || self.find_pictures()).await
    }

    async fn find_pictures(&self) -> Result<Arc<[String]>> {
        let folder = self.public_dir.clone();
        blocking(move || {
            let mut found: Vec<(SystemTime, String)> = Vec::new();
            for folder in std::fs::read_dir(folder)?.flatten().filter(|entry| entry.path().is_dir()) {
                for file in std::fs::read_dir(folder.path())?.flatten() {
                    let name = file.file_name().to_string_lossy().into_owned();
                    if PICTURES.iter().any(|extension| name.rsplit('.').next() == Some(extension)) {
                        let key = format!("{}/{name}", folder.file_name().to_string_lossy());
                        found.push((file.metadata()?.modified()?, key));
                    }
                }
            }
            found.sort_unstable_by(|a, b| b.cmp(a));
            Ok(found.into_iter().map(|(_, key)| key).collect())
        })
        .await
    }

    /// Opens a public file for reading, with its length in bytes. What is no key of ours is not found.
    pub async fn open_public(&self, key: &str) -> Result<(File, u64)> {
        let missing = || Error::NotFound("There is no such file.".into());
        if !is_plain(key) || !KNOWN.iter().any(|(_, extension)| key.rsplit('.').next() == Some(extension)) {
            return Err(missing());
        }
        let file = File::open(self.public_dir.join(key)).await.map_err(|_| missing())?;
        let metadata = file.metadata().await?;
        if metadata.is_file() { Ok((file, metadata.len())) } else { Err(missing()) }
    }
}

/// Whether `key` looks like a key of ours: no way out of the store, nothing hidden.
fn is_plain(key: &str) -> bool {
    key.split('/').all(|part| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    })
}

/// The extension that these bytes deserve; other kinds are refused with a sentence.
fn extension_of(bytes: &[u8]) -> Result<&'static str> {
    let found = infer::get(bytes).map(|kind| kind.mime_type());
    KNOWN.iter().find(|(mime, _)| Some(*mime) == found).map(|(_, extension)| *extension).ok_or_else(|| {
        Error::BadRequest(match found {
            Some(mime) => format!("This is {mime}. Save it as JPEG, PNG, WebP, AVIF, PDF or MP4."),
            None => "This file's kind cannot be told. Save it as JPEG, PNG, WebP, AVIF, PDF or MP4.".into(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_key_that_climbs_out_is_not_found() -> Result<()> {
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
