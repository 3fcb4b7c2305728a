//! Writing of files through a staging folder, so that files in a store are always complete.

use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;

use festival_base::durable::{self, Existing, create_folder, folder_of};
use festival_base::error::{Error, Result};

/// The folder that files are written to before they are moved to a store.
pub(super) struct Staging {
    pub(super) folder: PathBuf,
    /// The file with the site's id, once it was seen in the same folder.
    pub(super) site_id: Option<PathBuf>,
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

/// Writes `bytes` to `to` atomically, through `staging`, and syncs them to disk. An existing file is left unchanged.
pub(super) fn write_durably(staging: &Path, to: &Path, bytes: &[u8]) -> io::Result<()> {
    if to.exists() {
        return Ok(());
    }
    create_folder(staging)?;
    let mut file = tempfile::NamedTempFile::new_in(staging)?;
    file.write_all(bytes)?;
    create_folder(folder_of(to))?;
    durable::persist(file, to, Existing::Replace)
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
