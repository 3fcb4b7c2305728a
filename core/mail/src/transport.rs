//! Where mails are delivered to: the mail server or, on sites without one, a folder.

use super::compose::ComposedMail;
use super::mail_folder::MailFolder;
use super::outbox::ClaimedMail;
use super::smtp::Smtp;
use festival_base::settings::Settings;

/// Why a mail could not be delivered.
#[derive(Debug)]
pub(super) struct Failure {
    /// For `last_error` and for people; may contain e-mail addresses.
    pub(super) message: String,
    /// Whether another attempt would fail in the same way until somebody corrects the mail or the settings.
    pub(super) is_permanent: bool,
    /// Whether the cause lies with the mail server or the folder, so that every other mail would fail as well.
    pub(super) affects_all: bool,
}

impl Failure {
    /// A failure of this mail that a later attempt may overcome.
    pub(super) fn temporary(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_permanent: false, affects_all: false }
    }

    /// A failure of this mail that no later attempt overcomes by itself.
    pub(super) fn permanent(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_permanent: true, affects_all: false }
    }

    /// The same failure, for every mail.
    pub(super) fn affecting_all(self) -> Self {
        Self { affects_all: true, ..self }
    }
}

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
