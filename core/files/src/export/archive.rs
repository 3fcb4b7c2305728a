//! Streaming writer of ZIP archives of any size.

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
    /// Starts an archive.
    pub fn new(out: W) -> Self {
        Self { zip: ZipWriter::new(out) }
    }

    /// Adds a file and returns its size in bytes. `compress` is of no use for pictures, which are compressed already.
    ///
    /// # Errors
    /// The outer error is the archive's, which is unusable then. The inner error is the source's: the file is left out,
    /// and others can still be added.
    pub fn add(
        &mut self,
        name: &str,
        modified: DateTime,
        compress: bool,
        source: &mut impl Read,
    ) -> Result<io::Result<u64>> {
        let method = if compress { CompressionMethod::Deflated } else { CompressionMethod::Stored };
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

    /// Finishes the archive and returns the underlying writer.
    pub fn finish(self) -> Result<W> {
        self.zip.finish().map_err(Error::internal)
    }
}

/// The time in ZIP's format, which begins in 1980; earlier times become its first.
fn zip_time(time: DateTime) -> zip::DateTime {
    let part = |part: i8| u8::try_from(part).unwrap_or_default();
    zip::DateTime::from_date_and_time(
        u16::try_from(time.year()).unwrap_or_default(),
        part(time.month()),
        part(time.day()),
        part(time.hour()),
        part(time.minute()),
        part(time.second()),
    )
    .unwrap_or_default()
}
