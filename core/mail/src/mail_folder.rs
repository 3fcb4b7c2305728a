//! Mails as .eml files, for sites without a mail server. Every mail program opens them.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::compose::ComposedMail;
use super::outbox::ClaimedMail;
use super::transport::Failure;

/// The folder that mails are written to. It is created with the first mail.
pub(super) struct MailFolder {
    path: PathBuf,
}

impl MailFolder {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Writes the mail. The file name depends on the row alone, so a second attempt replaces the first.
    pub(super) async fn store(&self, mail: &ClaimedMail, composed: &ComposedMail) -> Result<(), Failure> {
        let (folder, name, bytes) = (self.path.clone(), file_name(mail), composed.bytes.clone());
        match tokio::task::spawn_blocking(move || write(&folder, &name, &bytes)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                Err(Failure::temporary(format!("the folder mails cannot be written: {error}")).affecting_all())
            }
            Err(error) => Err(Failure::temporary(error.to_string()).affecting_all()),
        }
    }

    /// Deletes a mail that was written.
    pub(super) fn delete(&self, mail: &ClaimedMail) {
        if let Err(error) = fs::remove_file(self.path.join(file_name(mail))) {
            tracing::warn!(%error, mail = mail.id, "cannot delete the file of a mail that was erased");
        }
    }
}

/// `2025-10-26T06-30-00-film-receipt-17.eml`: sorts by time, and contains nobody's address.
fn file_name(mail: &ClaimedMail) -> String {
    let created_at = mail.created_at.split('.').next().unwrap_or_default().replace(':', "-");
    let kind: String = mail.kind.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    format!("{created_at}-{kind}-{}.eml", mail.id)
}

/// Writes the file atomically: under its final name it is always complete.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    create_folder(folder)?;
    let unfinished = folder.join(format!(".{name}.unfinished"));
    let written = write_and_sync(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, folder.join(name)));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written?;
    File::open(folder)?.sync_all()
}

fn write_and_sync(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600); // People's names and addresses are in it.
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
