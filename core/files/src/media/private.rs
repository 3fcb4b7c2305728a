//! The private store, for submitted files, which only the back office serves.
//!
//! A file is written to `<media>/staging` and then moved to `<media>/private/<folder>/<128 random bits>.<extension>` on
//! the same file system. Folders are created on demand, so that a store that was unmounted works again without a
//! restart.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use data_encoding::HEXLOWER;
use tokio::fs::File;

use super::identity::SITE_ID;
use super::{Media, StagedFile, StagedPath, is_valid_key};
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;

impl Media {
    /// Creates an empty file in the staging folder, readable by its owner only.
    pub(crate) async fn stage(&self) -> Result<(StagedPath, File)> {
        let staging = self.staging();
        let path = self.staging_dir().join(random_name()?);
        let (path, file) = blocking(move || {
            staging.create()?;
            let mut options = fs::OpenOptions::new();
            options.read(true).write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(&path)?;
            // Deleted on drop from here on: the request may be cancelled before this result is awaited.
            Ok((StagedPath::new(path), file))
        })
        .await?;
        Ok((path, File::from_std(file)))
    }

    /// Moves `staged` to `folder`, synced to disk, and returns its key, `film/<random>.jpg`. The caller stores the key
    /// in a row; if that fails, it calls [`Media::delete_private`].
    ///
    /// # Errors
    /// [`Error::NoRoom`] or [`Error::Unavailable`] if the store cannot be written.
    pub async fn commit_private(&self, folder: &str, staged: &mut StagedFile) -> Result<String> {
        let key = format!("{folder}/{}.{}", random_name()?, staged.extension);
        let from = staged.path.get().map(Path::to_owned);
        let from = from.ok_or_else(|| Error::internal("a staged file was committed twice"))?;
        if !is_valid_key(&key) {
            return Err(Error::internal(format!("{folder} is not a valid folder for private files")));
        }
        let folder = self.private_dir().join(folder);
        let to = self.private_dir().join(&key);
        blocking(move || {
            create_folder(&folder)?;
            fs::File::open(&from)?.sync_all()?;
            fs::rename(&from, &to)?;
            sync_folder(&folder).inspect_err(|_| drop(fs::remove_file(&to)))
        })
        .await?;
        staged.path.release();
        Ok(key)
    }

    /// Opens a private file for reading and returns it with its length in bytes.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such file or `key` is not a valid key.
    pub async fn open_private(&self, key: &str) -> Result<(File, u64)> {
        let missing = || Error::NotFound("There is no such file.".into());
        if !is_valid_key(key) {
            return Err(missing());
        }
        let file = File::open(self.private_dir().join(key)).await.map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => missing(),
            _ => storage_error(&error),
        })?;
        let metadata = file.metadata().await.map_err(|error| storage_error(&error))?;
        if metadata.is_file() { Ok((file, metadata.len())) } else { Err(missing()) }
    }

    /// Deletes a private file, if it exists.
    pub async fn delete_private(&self, key: &str) -> Result<()> {
        if !is_valid_key(key) {
            return Err(Error::NotFound("There is no such file.".into()));
        }
        let path = self.private_dir().join(key);
        blocking(move || match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
        .await
    }

    /// Renames a private file and returns `false` if it does not exist. Of several concurrent callers one succeeds. It
    /// does not wait for the disk, and so need not run on a blocking thread.
    ///
    /// # Errors
    /// [`Error::NoRoom`] or [`Error::Unavailable`] if the store cannot be written.
    pub fn rename_private(&self, key: &str, new_key: &str) -> Result<bool> {
        match fs::rename(self.private_dir().join(key), self.private_dir().join(new_key)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(storage_error(&error)),
        }
    }

    /// Truncates a private file to zero bytes.
    ///
    /// # Errors
    /// Those of [`Media::rename_private`].
    pub fn truncate_private(&self, key: &str) -> Result<()> {
        let file = fs::OpenOptions::new().write(true).truncate(true).open(self.private_dir().join(key));
        file.map(drop).map_err(|error| storage_error(&error))
    }

    /// Returns the free space on the disk of the media folder, in bytes.
    ///
    /// # Errors
    /// If it cannot be determined.
    pub async fn free_bytes(&self) -> Result<u64> {
        let staging = self.staging();
        blocking(move || fs4::available_space(staging.create()?)).await
    }

    /// Checks that a file can be written and synced in the staging folder.
    ///
    /// # Errors
    /// [`Error::NoRoom`] or [`Error::Unavailable`] if not.
    pub async fn check_writable(&self) -> Result<()> {
        let staging = self.staging();
        blocking(move || {
            let mut file = tempfile::tempfile_in(staging.create()?)?;
            file.write_all(b"x")?;
            file.sync_all()
        })
        .await
    }

    /// Checks that files can be created in all folders of the stores.
    ///
    /// # Errors
    /// [`Error::NoRoom`] or [`Error::Unavailable`] if not.
    pub async fn check_folders(&self) -> Result<()> {
        let folders = [self.staging_dir(), self.private_dir(), self.public_dir.clone()];
        blocking(move || {
            for folder in folders {
                create_folder(&folder)?;
                tempfile::tempfile_in(folder)?;
            }
            Ok(())
        })
        .await
    }

    /// Checks that `uploads.keep_free_mib` remain free after writing `bytes`.
    ///
    /// # Errors
    /// [`Error::NoRoom`] if not.
    pub async fn check_free_space(&self, settings: &Uploads, bytes: u64) -> Result<()> {
        if self.free_bytes().await?.saturating_sub(bytes) >> 20 < settings.keep_free_mib {
            return Err(Error::no_room("There is no room for files at the moment. Please try again later."));
        }
        Ok(())
    }

    /// Returns the staging folder, which has to be created before it is used.
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

/// The folder that files are written to before they are moved to a store.
pub(super) struct Staging {
    folder: PathBuf,
    /// The file with the site's id, once it was seen.
    site_id: Option<PathBuf>,
}

impl Staging {
    /// Creates the folder if it is missing, except if the site's files are gone, for instance because their disk is not
    /// mounted: files stored in their place would be hidden once it is mounted again.
    pub(super) fn create(&self) -> io::Result<&Path> {
        if self.site_id.as_ref().is_some_and(|path| !path.exists()) {
            return Err(io::Error::new(ErrorKind::NotFound, "the files of this site are not in their folder"));
        }
        create_folder(&self.folder)?;
        Ok(&self.folder)
    }
}

/// Writes `bytes` to `to` atomically, by way of `staging`, and syncs them to disk. An existing file is left unchanged.
pub(super) fn write_durably(staging: &Path, to: &Path, bytes: &[u8]) -> io::Result<()> {
    if to.exists() {
        return Ok(());
    }
    create_folder(staging)?;
    let mut file = tempfile::NamedTempFile::new_in(staging)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let folder = to.parent().unwrap_or(staging);
    create_folder(folder)?;
    file.persist(to).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Creates `folder` if it is missing, accessible by its owner only.
pub(super) fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Syncs `folder`: a rename is durable only after that.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Returns 128 random bits in hexadecimal.
///
/// # Errors
/// If the system provides no random bytes.
pub fn random_name() -> Result<String> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|error| Error::internal(error.to_string()))?;
    Ok(HEXLOWER.encode(&bits))
}

/// Runs blocking work on the store on a thread that serves no requests.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?.map_err(|error| storage_error(&error))
}

/// Converts an error of the store to an error for the sender, and logs the cause for the operator.
pub(crate) fn storage_error(error: &io::Error) -> Error {
    tracing::warn!(%error, "the file store failed");
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            Error::no_room("There is no room for files at the moment. Nothing was stored. Please try again later.")
        }
        _ => Error::Unavailable("Files cannot be stored at the moment. Nothing was stored. Please try again.".into()),
    }
}
