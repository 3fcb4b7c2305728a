//! The private side: what people sent. Only the admin area serves it.
//!
//! A file is staged first (`<media>/staging`), then moved to `<media>/private/<folder>/<128 random bits>.<extension>`,
//! both on one file system. Folders are made when they are needed, so that a store that went away works again
//! without a restart once it is back.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use tokio::fs::File;

use super::identity::SITE_ID;
use super::{Media, StagedFile, StagedPath, is_plain};
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;

impl Media {
    /// Makes a new empty file in the staging folder, readable by us alone.
    pub(crate) async fn stage(&self) -> Result<(StagedPath, File)> {
        let staging = self.staging();
        let path = self.staging_dir().join(random_name()?);
        let (place, file) = blocking(move || {
            staging.make()?;
            let mut options = fs::OpenOptions::new();
            options.read(true).write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(&path)?;
            // Owned from here on: the client may hang up before this is waited for.
            Ok((StagedPath::new(path), file))
        })
        .await?;
        Ok((place, File::from_std(file)))
    }

    /// Keeps `staged` for good under `folder` and answers its key, `film/<random>.jpg`. When this returns, the
    /// file survives a power cut. A row must name the key; if none will, say [`Media::delete_private`].
    pub async fn commit_private(&self, folder: &str, staged: &mut StagedFile) -> Result<String> {
        let key = format!("{folder}/{}.{}", random_name()?, staged.extension);
        let from = staged.place.path().map(Path::to_owned);
        let from = from.ok_or_else(|| Error::internal("a staged file was kept twice"))?;
        if !is_plain(&key) {
            return Err(Error::internal(format!("{folder} is no folder for private files")));
        }
        let folder = self.private_dir().join(folder);
        let to = self.private_dir().join(&key);
        blocking(move || {
            make_folder(&folder)?;
            fs::File::open(&from)?.sync_all()?;
            fs::rename(&from, &to)?;
            sync_folder(&folder).inspect_err(|_| drop(fs::remove_file(&to)))
        })
        .await?;
        staged.place.forget();
        Ok(key)
    }

    /// Opens a private file for reading, with its length in bytes. What is no key of ours is not found.
    pub async fn open_private(&self, key: &str) -> Result<(File, u64)> {
        let missing = || Error::NotFound("There is no such file.".into());
        if !is_plain(key) {
            return Err(missing());
        }
        let file = File::open(self.private_dir().join(key)).await.map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => missing(),
            _ => storage_error(&error),
        })?;
        let metadata = file.metadata().await.map_err(|error| storage_error(&error))?;
        if metadata.is_file() { Ok((file, metadata.len())) } else { Err(missing()) }
    }

    /// Deletes a private file. One that is gone already is no error.
    pub async fn delete_private(&self, key: &str) -> Result<()> {
        if !is_plain(key) {
            return Err(Error::NotFound("There is no such file.".into()));
        }
        let path = self.private_dir().join(key);
        blocking(move || match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
        .await
    }

    /// Gives a private file another key; `false` where there is none under this one. Of several who try, one does. It is
    /// a matter of the folder alone, and so does not wait for the disk.
    ///
    /// # Errors
    /// [`Error::NoRoom`] or [`Error::Unavailable`] where the store cannot be written.
    pub fn rename_private(&self, key: &str, other: &str) -> Result<bool> {
        match fs::rename(self.private_dir().join(key), self.private_dir().join(other)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(storage_error(&error)),
        }
    }

    /// Keeps a private file without its content.
    ///
    /// # Errors
    /// As those of [`Media::rename_private`].
    pub fn empty_private(&self, key: &str) -> Result<()> {
        let file = fs::OpenOptions::new().write(true).truncate(true).open(self.private_dir().join(key));
        file.map(drop).map_err(|error| storage_error(&error))
    }

    /// The room on the disk of the media folder, in bytes.
    ///
    /// # Errors
    /// If the folder cannot be made or asked.
    pub async fn free_bytes(&self) -> Result<u64> {
        let staging = self.staging();
        blocking(move || fs4::available_space(staging.make()?)).await
    }

    /// Writes a file and leaves none.
    ///
    /// # Errors
    /// [`Error::NoRoom`] or [`Error::Unavailable`] where nothing can be written.
    pub async fn check_writable(&self) -> Result<()> {
        let staging = self.staging();
        blocking(move || {
            let mut file = tempfile::tempfile_in(staging.make()?)?;
            file.write_all(b"x")?;
            file.sync_all()
        })
        .await
    }

    /// Makes sure that files can be written wherever they are kept, and leaves none.
    ///
    /// # Errors
    /// [`Error::NoRoom`] or [`Error::Unavailable`] where they cannot.
    pub async fn can_write(&self) -> Result<()> {
        let folders = [self.staging_dir(), self.private_dir(), self.public_dir.clone()];
        blocking(move || {
            for folder in folders {
                make_folder(&folder)?;
                tempfile::tempfile_in(folder)?;
            }
            Ok(())
        })
        .await
    }

    /// Refuses to write so many bytes where less than `uploads.keep_free_mib` would be left.
    ///
    /// # Errors
    /// [`Error::NoRoom`] where it is so.
    pub async fn has_room(&self, settings: &Uploads, bytes: u64) -> Result<()> {
        if self.free_bytes().await?.saturating_sub(bytes) >> 20 < settings.keep_free_mib {
            return Err(Error::no_room("There is no room for files at the moment. Please try again later."));
        }
        Ok(())
    }

    /// The staging folder, to be made before something is written.
    pub(super) fn staging(&self) -> Staging {
        let site_id = self.is_identified.load(Ordering::Relaxed).then(|| self.dir.join(SITE_ID));
        Staging { folder: self.staging_dir(), site_id }
    }

    pub(super) fn staging_dir(&self) -> PathBuf {
        self.dir.join("staging")
    }

    pub(super) fn private_dir(&self) -> PathBuf {
        self.dir.join("private")
    }
}

/// The folder in which files are written before they are kept.
pub(super) struct Staging {
    folder: PathBuf,
    /// The file that says whose files are here, once it was seen.
    site_id: Option<PathBuf>,
}

impl Staging {
    /// Makes the folder where it is missing, but not where the files of the site are gone, as when their disk is not mounted:
    /// what was kept there would be hidden once they are back.
    pub(super) fn make(&self) -> io::Result<&Path> {
        if self.site_id.as_ref().is_some_and(|path| !path.exists()) {
            return Err(io::Error::new(ErrorKind::NotFound, "the files of this site are not in their folder"));
        }
        make_folder(&self.folder)?;
        Ok(&self.folder)
    }
}

/// Writes `bytes` to `to` by way of `staging`, whole or not at all; when this returns, they survive a power cut. A file
/// that is there stays as it is.
pub(super) fn write_durably(staging: &Path, to: &Path, bytes: &[u8]) -> io::Result<()> {
    if to.exists() {
        return Ok(());
    }
    make_folder(staging)?;
    let mut file = tempfile::NamedTempFile::new_in(staging)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let folder = to.parent().unwrap_or(staging);
    make_folder(folder)?;
    file.persist(to).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Makes `folder` where it is missing, for us alone.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A rename is on disk only when its folder is.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

/// 128 random bits in hexadecimal.
///
/// # Errors
/// If the system has none to give.
pub fn random_name() -> Result<String> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|error| Error::internal(error.to_string()))?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Does blocking work on the store away from the request threads.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?.map_err(|error| storage_error(&error))
}

/// What a trouble of the store is for the person who sends a file. The cause is logged here: it is the
/// operator's, not a fault of the request.
pub(crate) fn storage_error(error: &io::Error) -> Error {
    tracing::warn!(%error, "the store of private files failed");
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            Error::no_room("There is no room for files at the moment. Nothing was stored. Please try again later.")
        }
        _ => Error::Unavailable("Files cannot be stored at the moment. Nothing was stored. Please try again.".into()),
    }
}
