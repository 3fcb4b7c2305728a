//! The files of submissions as an archive: `ML-2025-0042 The Rain Road/film_poster.jpg`.

use std::fs::File;
use std::io::{self, Seek, Write};

use festival_core::blocking;
use festival_core::export::Archive;
use festival_core::site::Site;
use festival_core::{Error, Result};
use jiff::civil::DateTime;

use crate::submissions::Submission;

/// Fills an archive, and counts what is in it and what is not. Files are packed away from the threads of requests.
pub(crate) struct FileArchive<W: Write + Seek> {
    archive: Archive<W>,
    pub(crate) added: u64,
    pub(crate) missing: u64,
}

/// A file on its way into an archive.
struct Source {
    /// Its path in the archive.
    path: String,
    key: String,
    /// The bytes that it must have.
    size: i64,
    pack: bool,
    file: Option<File>,
}

impl<W: Write + Seek + Send + 'static> FileArchive<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { archive: Archive::new(out), added: 0, missing: 0 }
    }

    /// Adds the files of `submission`. Of each that is not there or not whole a sentence comes back; the rest goes on.
    pub(crate) async fn add(
        mut self,
        site: &Site,
        submission: &Submission<'_>,
        sent_at: DateTime,
    ) -> Result<(Self, Vec<String>)> {
        let mut sources = Vec::new();
        for file in submission.files() {
            let opened = match site.media.open_private(&file.key).await {
                Ok((opened, _)) => Some(opened.into_std().await),
                Err(_) => None,
            };
            sources.push(Source {
                path: file.path.clone(),
                key: file.key.clone(),
                size: file.size,
                // Pictures are packed already; packing them again takes time and wins nothing.
                pack: !file.mime.starts_with("image/"),
                file: opened,
            });
        }
        blocking(move || {
            let mut wrong = Vec::new();
            for source in sources {
                wrong.extend(self.add_file(source, sent_at)?);
            }
            Ok((self, wrong))
        })
        .await
    }

    /// Adds a file; a sentence says why it is not in the archive, or not whole.
    fn add_file(&mut self, source: Source, sent_at: DateTime) -> Result<Option<String>> {
        let Source { path, key, size, pack, file } = source;
        let added: Result<u64, String> = match file {
            None => Err(format!("the file is missing in the store ({key})")),
            Some(mut file) => self
                .archive
                .add(&path, sent_at, pack, &mut file)?
                .map_err(|error: io::Error| format!("the file cannot be read: {error} ({key})")),
        };
        self.added += u64::from(added.is_ok());
        let wrong = match added {
            Ok(found) if i64::try_from(found) == Ok(size) => return Ok(None),
            Ok(found) => format!("has {found} bytes instead of {size}; it is in the archive as it is"),
            Err(reason) => reason,
        };
        self.missing += 1;
        Ok(Some(format!("{path}: {wrong}")))
    }

    /// Adds a text of our own, and ends the archive.
    pub(crate) async fn finish_with(mut self, name: &'static str, written_at: DateTime, text: String) -> Result<W> {
        blocking(move || {
            if !text.is_empty() {
                self.archive.add(name, written_at, true, &mut text.as_bytes())?.map_err(Error::from)?;
            }
            self.archive.finish()
        })
        .await
    }

    /// Ends the archive.
    pub(crate) fn finish(self) -> Result<W> {
        self.archive.finish()
    }
}
