//! Files that survive a crash: under its name a file is always complete, and what was written is on the disk.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use tempfile::NamedTempFile;

/// Whether a file that exists is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is replaced.
    Replace,
    /// It stays.
    Keep,
}

/// Gives a temporary file of the same disk its name, and syncs both to the disk.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if there is a file that is to be kept; otherwise if the disk fails.
pub fn persist(file: NamedTempFile, to: &Path, existing: Existing) -> io::Result<()> {
    file.as_file().sync_all()?;
    match existing {
        Existing::Replace => file.persist(to),
        Existing::Keep => file.persist_noclobber(to),
    }?;
    sync_folder(folder_of(to))
}

/// Writes a file that only its owner can read, through a temporary one in the same folder.
///
/// # Errors
/// As [`persist`].
pub fn write(to: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
    let mut file = NamedTempFile::new_in(folder_of(to))?;
    file.write_all(bytes)?;
    persist(file, to, existing)
}

/// Creates `folder` if it is missing, accessible by its owner only.
///
/// # Errors
/// If it cannot be created.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Syncs `folder`: a new name is on the disk only after that.
///
/// # Errors
/// If the disk fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Returns the folder of `path`.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
