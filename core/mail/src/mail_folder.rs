//! Mails as .eml files, for sites without a mail server. Every mail program opens them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::compose::ComposedMail;
use super::failure::Failure;
use super::outbox::ClaimedMail;
use festival_base::durable::{self, Existing, create_folder};

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
    durable::write(&folder.join(name), bytes, Existing::Replace)
}
