//! Where an export goes: standard output, or a file that is there when it is whole.

use std::io::{self, BufWriter, Seek, SeekFrom, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use festival_base::error::{Error, Result};

/// A file that is being written under another name beside its final one, for its owner alone.
///
/// Dropped without [`Unfinished::keep`], nothing of it stays.
pub struct Unfinished {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
    overwrite: bool,
}

impl Unfinished {
    /// Begins the file that will stand at `path`. One that stands there is refused unless `overwrite` says so.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self> {
        if path.is_dir() {
            return Err(Error::BadRequest(format!("{} is a folder; name a file in it", path.display())));
        }
        if !folder_of(path).is_dir() {
            return Err(Error::BadRequest(format!("there is no folder {}", folder_of(path).display())));
        }
        if !overwrite && path.symlink_metadata().is_ok() {
            return Err(taken(path));
        }
        let file =
            tempfile::Builder::new().prefix(".export-").suffix(".unfinished").tempfile_in(folder_of(path)).map_err(
                |error| Error::BadRequest(format!("{} cannot be written: {}", path.display(), error.kind())),
            )?;
        Ok(Self { file: BufWriter::new(file), path: path.to_owned(), overwrite })
    }

    /// Puts the file at its final name. When this returns, it survives a power cut.
    pub fn keep(self) -> Result<()> {
        let Self { file, path, overwrite } = self;
        let file = file.into_inner().map_err(|error| Error::from(error.into_error()))?;
        file.as_file().sync_all()?;
        let kept = if overwrite { file.persist(&path) } else { file.persist_noclobber(&path) };
        kept.map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => taken(&path),
            _ => Error::from(error.error),
        })?;
        if cfg!(unix) {
            std::fs::File::open(folder_of(&path))?.sync_all()?;
        }
        Ok(())
    }
}

fn taken(path: &Path) -> Error {
    Error::Conflict(format!("{} is there already; choose another name, or replace it with --force", path.display()))
}

/// The folder that `path` stands in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Unfinished {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.file.seek(place)
    }
}

/// Where a table goes.
pub enum Target {
    /// Standard output.
    Stdout(BufWriter<Stdout>),
    /// A file.
    File(Unfinished),
}

impl Target {
    /// Standard output.
    pub fn stdout() -> Self {
        Self::Stdout(BufWriter::new(io::stdout()))
    }

    /// Says that all of it is written.
    pub fn keep(self) -> Result<()> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::File(file) => file.keep(),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::File(file) => file.flush(),
        }
    }
}
