//! Where mails are delivered to: the mail server or, on sites without one, a folder with .eml files, which every mail
//! program opens.

use std::fs;
use std::path::PathBuf;

use lettre::Message;

use super::failure::Failure;
use super::outbox::ClaimedMail;
use super::smtp::Smtp;
use festival_base::durable::{self, Existing, create_folder};
use festival_base::settings::Settings;

/// Delivers mails.
pub(super) enum Transport {
    /// To the mail server of the settings.
    Smtp(Box<Smtp>),
    /// Into the folder `mails` of the data directory, which is created with the first mail.
    Folder(PathBuf),
}

impl Transport {
    /// The transport that the settings ask for.
    pub(super) fn new(settings: &Settings) -> Self {
        if settings.mail.host.is_empty() {
            Self::Folder(settings.data_dir.join("mails"))
        } else {
            Self::Smtp(Box::new(Smtp::new(settings)))
        }
    }

    /// Delivers the mail. After `Ok` the mail server or the disk has it, and it cannot be lost any more.
    pub(super) async fn deliver(&mut self, mail: &ClaimedMail, message: &Message) -> Result<(), Failure> {
        let folder = match self {
            Self::Smtp(smtp) => return smtp.send(message).await,
            Self::Folder(folder) => folder.clone(),
        };
        let (path, bytes) = (folder.join(file_name(mail)), message.formatted());
        // Atomic: under its final name the file is always complete. A second attempt replaces the first.
        let write = move || create_folder(&folder).and_then(|()| durable::write(&path, &bytes, Existing::Replace));
        let written = tokio::task::spawn_blocking(write).await.unwrap_or_else(|error| Err(error.into()));
        let failure =
            |error| Failure::temporary(format!("the folder mails cannot be written: {error}")).affecting_all();
        written.map_err(failure)
    }

    /// Deletes the mail's file from the folder; a mail server keeps what it has.
    pub(super) fn discard(&self, mail: &ClaimedMail) {
        if let Self::Folder(folder) = self
            && let Err(error) = fs::remove_file(folder.join(file_name(mail)))
        {
            tracing::warn!(%error, mail = mail.id, "cannot delete the file of a mail that was erased");
        }
    }

    /// Closes the connection to the mail server; the next delivery opens another.
    pub(super) async fn disconnect(&mut self) {
        if let Self::Smtp(smtp) = self {
            smtp.quit().await;
        }
    }
}

/// `2025-10-26T06-30-00-film-receipt-17.eml`: sorts by time, and contains nobody's address. It depends on the row alone.
fn file_name(mail: &ClaimedMail) -> String {
    let created_at = mail.created_at.split('.').next().unwrap_or_default().replace(':', "-");
    let kind: String = mail.kind.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    format!("{created_at}-{kind}-{}.eml", mail.id)
}
