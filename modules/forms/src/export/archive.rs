//! Archives the files of submissions: `ML-2025-0042 The Rain Road/film_poster.jpg`.

use std::fs::File;
use std::io::{self, Seek, Write};

use festival_core::blocking;
use festival_core::export::Archive;
use festival_core::site::Site;
use festival_core::{Error, Result};
use jiff::civil::DateTime;

use super::layout::local_time;
use crate::submissions::Submission;

/// Writes an archive, and counts the files that are in it and those that are missing. Compresses on blocking threads.
pub(crate) struct FileArchive<W: Write + Seek> {
    archive: Archive<W>,
    pub(crate) added: u64,
    pub(crate) missing: u64,
}

/// A file to add to an archive.
struct Source {
    /// Path in the archive.
    path: String,
    key: String,
    /// Expected size in bytes.
    size: i64,
    compress: bool,
    /// `None` if the store does not have it.
    file: Option<File>,
}

impl<W: Write + Seek + Send + 'static> FileArchive<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { archive: Archive::new(out), added: 0, missing: 0 }
    }

    /// Adds the files of `submission`. Returns a message for each file that is missing or incomplete.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the store does not answer: an archive without these files would look complete.
    pub(crate) async fn add(mut self, site: &Site, submission: &Submission) -> Result<(Self, Vec<String>)> {
        let sent_at = local_time(submission.text("created_at"), &site.time_zone).unwrap_or_default();
        let mut sources = Vec::new();
        for file in submission.files() {
            let opened = match site.media.open_private(&file.key).await {
                Err(Error::NotFound(_)) => None,
                opened => Some(opened?.local().await?),
            };
            sources.push(Source {
                path: file.archive_path.clone(),
                key: file.key.clone(),
                size: file.size,
                // Pictures are compressed already.
                compress: !file.mime.starts_with("image/"),
                file: opened,
            });
        }
        blocking(move || {
            let mut problems = Vec::new();
            for source in sources {
                problems.extend(self.add_file(source, sent_at)?);
            }
            Ok((self, problems))
        })
        .await
    }

    /// Adds a file. Returns a message if it is missing or incomplete.
    fn add_file(&mut self, source: Source, sent_at: DateTime) -> Result<Option<String>> {
        let Source { path, key, size, compress, file } = source;
        let added: Result<u64, String> = match file {
            None => Err(format!("the file is missing in the store ({key})")),
            Some(mut file) => self
                .archive
                .add(&path, sent_at, compress, &mut file)?
                .map_err(|error: io::Error| format!("the file cannot be read: {error} ({key})")),
        };
        self.added += u64::from(added.is_ok());
        let problem = match added {
            Ok(length) if i64::try_from(length) == Ok(size) => return Ok(None),
            Ok(length) => format!("has {length} bytes instead of {size}; it is in the archive as it is"),
            Err(reason) => reason,
        };
        self.missing += 1;
        Ok(Some(format!("{path}: {problem}")))
    }

    /// Adds a text file unless `text` is empty, and finishes the archive.
    pub(crate) async fn finish_with(mut self, name: &'static str, written_at: DateTime, text: String) -> Result<W> {
        blocking(move || {
            if !text.is_empty() {
                self.archive.add(name, written_at, true, &mut text.as_bytes())?.map_err(Error::from)?;
            }
            self.archive.finish()
        })
        .await
    }

    /// Finishes the archive.
    pub(crate) fn finish(self) -> Result<W> {
        self.archive.finish()
    }
}
