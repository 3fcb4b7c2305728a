//! The destination of an export: standard output, or a file that appears only when it is complete.

use std::io::{self, BufWriter, Seek, SeekFrom, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use festival_base::durable::{self, Existing, folder_of};
use festival_base::error::{Error, Result};

/// A file that is written under a temporary name in its final folder, readable by its owner only.
///
/// It is deleted if it is dropped without [`PendingFile::commit`].
pub struct PendingFile {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
    overwrite: bool,
}

impl PendingFile {
    /// Creates a temporary file that will become `path`.
    ///
    /// # Errors
    /// [`Error::Conflict`] if `path` exists and `overwrite` is not set, [`Error::BadRequest`] if it cannot be written.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self> {
        if path.is_dir() {
            return Err(Error::BadRequest(format!("{} is a folder; name a file in it", path.display())));
        }
        if !folder_of(path).is_dir() {
            return Err(Error::BadRequest(format!("there is no folder {}", folder_of(path).display())));
        }
        if !overwrite && path.symlink_metadata().is_ok() {
            return Err(already_exists(path));
        }
        // A link stays one, and the file that it leads to is replaced.
        let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        let path = &if is_link { path.canonicalize() } else { Ok(path.to_owned()) }
            .map_err(|_| Error::BadRequest(format!("{} is a link to a file that is not there", path.display())))?;
        let file =
            tempfile::Builder::new().prefix(".export-").suffix(".unfinished").tempfile_in(folder_of(path)).map_err(
                |error| Error::BadRequest(format!("{} cannot be written: {}", path.display(), error.kind())),
            )?;
        Ok(Self { file: BufWriter::new(file), path: path.to_owned(), overwrite })
    }

    /// Syncs the file to disk and moves it to its final name.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the name was taken in the meantime and `overwrite` is not set.
    pub fn commit(self) -> Result<()> {
        let Self { file, path, overwrite } = self;
        let file = file.into_inner().map_err(|error| Error::from(error.into_error()))?;
        let existing = if overwrite { Existing::Replace } else { Existing::Keep };
        durable::persist(file, &path, existing).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => already_exists(&path),
            _ => Error::from(error),
        })
    }
}

fn already_exists(path: &Path) -> Error {
    Error::Conflict(format!("{} is there already; choose another name, or replace it with --force", path.display()))
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for PendingFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

/// The destination of a table.
pub enum Target {
    /// Standard output.
    Stdout(BufWriter<Stdout>),
    /// A file.
    File(PendingFile),
}

impl Target {
    /// Returns standard output as a target.
    pub fn stdout() -> Self {
        Self::Stdout(BufWriter::new(io::stdout()))
    }

    /// Flushes standard output, or commits the file.
    ///
    /// # Errors
    /// Those of [`PendingFile::commit`].
    pub fn commit(self) -> Result<()> {
        match self {
            Self::Stdout(mut out) => Ok(unless_closed(out.flush(), ())?),
            Self::File(file) => file.commit(),
        }
    }
}

/// The result of writing to standard output. Its reader may stop before the end, as `head` does.
fn unless_closed<T>(result: io::Result<T>, whole: T) -> io::Result<T> {
    result.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(whole) } else { Err(error) })
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => unless_closed(out.write(bytes), bytes.len()),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => unless_closed(out.flush(), ()),
            Self::File(file) => file.flush(),
        }
    }
}
