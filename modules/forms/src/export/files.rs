//! The files of submissions as an archive: `ML-2025-0042 The Rain Road/film_poster.jpg`.

use std::io::{self, Seek, Write};

use festival_core::export::Archive;
use festival_core::{App, Result};
use jiff::civil::DateTime;

use crate::kept::{SentFile, Submission};

/// Fills an archive, and counts what is in it and what is not.
pub(crate) struct FileArchive<W: Write + Seek> {
    archive: Archive<W>,
    pub(crate) added: u64,
    pub(crate) missing: u64,
}

impl<W: Write + Seek> FileArchive<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { archive: Archive::new(out), added: 0, missing: 0 }
    }

    /// Adds the files of `submission`. Of one that cannot be read, `say` is told, and the rest goes on.
    pub(crate) async fn add(
        &mut self,
        app: &App,
        submission: &Submission<'_>,
        sent_at: DateTime,
        mut say: impl FnMut(&str),
    ) -> Result<()> {
        for file in submission.files() {
            match self.add_file(app, file, sent_at).await? {
                Ok(size) if i64::try_from(size) == Ok(file.size) => self.added += 1,
                Ok(size) => {
                    self.added += 1;
                    self.missing += 1;
                    let sentence = format!("has {size} bytes instead of {}; it is in the archive as it is", file.size);
                    say(&format!("{}: {sentence}", file.path));
                }
                Err(reason) => {
                    self.missing += 1;
                    say(&format!("{}: {reason}", file.path));
                }
            }
        }
        Ok(())
    }

    /// Adds a file and answers its size in bytes, or why it is not in the archive.
    async fn add_file(&mut self, app: &App, file: &SentFile, sent_at: DateTime) -> Result<Result<u64, String>> {
        let mut source = match app.media.open_private(&file.key).await {
            Ok((source, _)) => source.into_std().await,
            Err(_) => return Ok(Err(format!("the file is missing in the store ({})", file.key))),
        };
        // Pictures are packed already; packing them again takes time and wins nothing.
        let pack = !file.mime.starts_with("image/");
        let added = self.archive.add(&file.path, sent_at, pack, &mut source)?;
        Ok(added.map_err(|error: io::Error| format!("the file cannot be read: {error} ({})", file.key)))
    }

    /// Adds a text of our own.
    pub(crate) fn add_text(&mut self, name: &str, written_at: DateTime, text: &str) -> Result<()> {
        self.archive.add(name, written_at, true, &mut text.as_bytes()).map(|_| ())
    }

    /// Ends the archive.
    pub(crate) fn finish(self) -> Result<W> {
        self.archive.finish()
    }
}
