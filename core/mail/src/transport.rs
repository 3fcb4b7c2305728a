//! Where mails are delivered to: the mail server or, on sites without one, a folder.

use super::compose::ComposedMail;
use super::failure::Failure;
use super::mail_folder::MailFolder;
use super::outbox::ClaimedMail;
use super::smtp::Smtp;
use festival_base::settings::Settings;

/// Delivers mails.
pub(super) enum Transport {
    /// To the mail server of the settings.
    Smtp(Box<Smtp>),
    /// Into the folder `mails` of the data directory.
    Folder(MailFolder),
}

impl Transport {
    /// The transport that the settings ask for.
    pub(super) fn new(settings: &Settings) -> Self {
        if settings.mail.host.is_empty() {
            Self::Folder(MailFolder::new(settings.data_dir.join("mails")))
        } else {
            Self::Smtp(Box::new(Smtp::new(settings)))
        }
    }

    /// Delivers the mail. After `Ok` the mail server or the disk has it, and it cannot be lost any more.
    pub(super) async fn deliver(&mut self, mail: &ClaimedMail, composed: &ComposedMail) -> Result<(), Failure> {
        match self {
            Self::Smtp(smtp) => smtp.send(composed).await,
            Self::Folder(folder) => folder.store(mail, composed).await,
        }
    }

    /// Deletes the mail's file from the folder; a mail server keeps what it has.
    pub(super) fn discard(&self, mail: &ClaimedMail) {
        if let Self::Folder(folder) = self {
            folder.delete(mail);
        }
    }

    /// Closes the connection to the mail server; the next delivery opens another.
    pub(super) async fn disconnect(&mut self) {
        if let Self::Smtp(smtp) = self {
            smtp.quit().await;
        }
    }
}
