//! Mails as .eml files, for sites without a mail server. Every mail program opens them.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::carrier::Failure;
use super::compose::Composed;
use super::outbox::Letter;

/// The folder.
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Writes the mail. Its name comes from the row alone, so that a second attempt replaces the first.
    pub(super) async fn put(&self, letter: &Letter, mail: &Composed) -> Result<(), Failure> {
        let (folder, name, bytes) = (self.path.clone(), name(letter), mail.bytes.clone());
        match tokio::task::spawn_blocking(move || write(&folder, &name, &bytes)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Failure::passing(format!("the folder mails cannot be written: {error}")).general()),
            Err(error) => Err(Failure::passing(error.to_string()).general()),
        }
    }

    /// Removes a mail that was written.
    pub(super) fn remove(&self, letter: &Letter) {
        if let Err(error) = fs::remove_file(self.path.join(name(letter))) {
            tracing::warn!(%error, mail = letter.id, "a mail whose row is gone stays in the folder");
        }
    }
}

/// `2025-10-26T06-30-00-film-receipt-17.eml`: in the order of time, and nobody's address in it.
fn name(letter: &Letter) -> String {
    let moment = letter.created_at.split('.').next().unwrap_or_default().replace(':', "-");
    let kind: String = letter.kind.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    format!("{moment}-{kind}-{}.eml", letter.id)
}

/// Under its final name a file is always whole.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    make(folder)?;
    let unfinished = folder.join(format!(".{name}.unfinished"));
    let written = fill(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, folder.join(name)));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written?;
    File::open(folder)?.sync_all()
}

fn fill(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600); // People's names and addresses are in it.
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn make(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
