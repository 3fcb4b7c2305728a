//! Archives of private files: those of submissions, and of what is kept about a person.

use std::fs::File;
use std::io::{Seek, Write};

use jiff::civil::DateTime;

use festival_base::blocking;
use festival_base::error::{Error, Result};
use festival_files::export::Archive;
use festival_web::site::Site;

/// Writes an archive of private files, and notes which are missing or incomplete. Compresses on blocking threads.
pub struct PrivateArchive<W: Write + Seek> {
    archive: Archive<W>,
    /// Whether it is written to the disk of the site, which must not get full.
    is_on_site: bool,
    /// Number of files in it.
    pub added: u64,
    /// A sentence for each file that is missing or incomplete.
    pub problems: Vec<String>,
}

/// A file to add to an archive.
pub struct ArchivedFile<'a> {
    /// Path in the archive.
    pub path: &'a str,
    /// Key in the private store.
    pub key: &'a str,
    /// Expected size in bytes, if it is known.
    pub size: Option<i64>,
    /// Whether compressing is of use. Pictures are compressed already.
    pub compress: bool,
    /// When it was sent.
    pub at: DateTime,
}

impl PrivateArchive<File> {
    /// Starts an archive to download, in a file without a name.
    ///
    /// # Errors
    /// [`Error::NoSpace`] if the disk is full.
    pub async fn to_download(site: &Site) -> Result<Self> {
        site.has_room(0).await?;
        Ok(Self { is_on_site: true, ..Self::new(site.scratch()?) })
    }
}

impl<W: Write + Seek + Send + 'static> PrivateArchive<W> {
    /// Starts an archive.
    pub fn new(out: W) -> Self {
        Self { archive: Archive::new(out), is_on_site: false, added: 0, problems: Vec::new() }
    }

    /// Adds a file.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the store does not answer: an archive without this file would look complete.
    pub async fn add(mut self, site: &Site, file: ArchivedFile<'_>) -> Result<Self> {
        let ArchivedFile { key, size, compress, at, .. } = file;
        let path = file.path.to_owned();
        let opened = match site.media.open_private(key).await {
            Err(Error::NotFound(_)) => {
                self.problems.push(format!("{path}: the file is missing in the store ({key})"));
                return Ok(self);
            }
            opened => opened?,
        };
        if self.is_on_site {
            // Checked for each file, because other requests use space meanwhile.
            site.has_room(opened.length()).await?;
        }
        let (mut source, key) = (opened.local().await?, key.to_owned());
        blocking(move || {
            match self.archive.add(&path, at, compress, &mut source)? {
                Ok(length) => {
                    self.added += 1;
                    let expected = size.filter(|size| i64::try_from(length) != Ok(*size));
                    self.problems.extend(expected.map(|size| {
                        format!("{path}: has {length} bytes instead of {size}; it is in the archive as it is")
                    }));
                }
                Err(error) => self.problems.push(format!("{path}: the file cannot be read: {error} ({key})")),
            }
            Ok(self)
        })
        .await
    }

    /// Adds a text unless it is empty.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub async fn add_text(mut self, name: &'static str, at: DateTime, text: String) -> Result<Self> {
        blocking(move || {
            if !text.is_empty() {
                self.archive.add(name, at, true, &mut text.as_bytes())?.map_err(Error::from)?;
            }
            Ok(self)
        })
        .await
    }

    /// Adds `missing.txt` with the problems, if there are any, and finishes the archive.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub async fn finish_with_problems(self, at: DateTime) -> Result<W> {
        let problems = self.problems.iter().map(|problem| format!("{problem}\n")).collect();
        self.add_text("missing.txt", at, problems).await?.finish()
    }

    /// Finishes the archive.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub fn finish(self) -> Result<W> {
        self.archive.finish()
    }
}
