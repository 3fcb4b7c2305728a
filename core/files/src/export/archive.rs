//! An archive of files: ZIP, of any size, written while it is read.

use std::io::{self, Read, Seek, Write};

use jiff::civil::DateTime;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use festival_base::error::{Error, Result};

/// Writes a ZIP archive.
pub struct Archive<W: Write + Seek> {
    zip: ZipWriter<W>,
}

impl<W: Write + Seek> Archive<W> {
    /// Begins an archive.
    pub fn new(out: W) -> Self {
        Self { zip: ZipWriter::new(out) }
    }

    /// Adds a file. `pack` is for what can be made smaller; pictures cannot.
    ///
    /// The outer error is the archive's, which is spoiled. The inner one is the source's: the file is not in the
    /// archive, and the rest can go on. Otherwise the file's size in bytes.
    pub fn add(
        &mut self,
        name: &str,
        modified: DateTime,
        pack: bool,
        source: &mut impl Read,
    ) -> Result<io::Result<u64>> {
        let method = if pack { CompressionMethod::Deflated } else { CompressionMethod::Stored };
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(zip_time(modified))
            .unix_permissions(0o600);
        self.zip.start_file(name, options).map_err(Error::internal)?;
        let mut buffer = [0; 64 * 1024];
        let mut size = 0;
        loop {
            let read = match source.read(&mut buffer) {
                Ok(0) => return Ok(Ok(size)),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.zip.abort_file().map_err(Error::internal)?;
                    return Ok(Err(error));
                }
            };
            self.zip.write_all(&buffer[..read])?;
            size += read as u64;
        }
    }

    /// Ends the archive and gives back what it was written to.
    pub fn finish(self) -> Result<W> {
        self.zip.finish().map_err(Error::internal)
    }
}

/// A moment as archives keep it; one before 1980 becomes their first.
fn zip_time(moment: DateTime) -> zip::DateTime {
    let part = |part: i8| u8::try_from(part).unwrap_or_default();
    zip::DateTime::from_date_and_time(
        u16::try_from(moment.year()).unwrap_or_default(),
        part(moment.month()),
        part(moment.day()),
        part(moment.hour()),
        part(moment.minute()),
        part(moment.second()),
    )
    .unwrap_or_default()
}
