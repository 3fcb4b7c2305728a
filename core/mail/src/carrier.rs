//! Who takes a mail away: the mail server, or the folder for sites without one.

use super::compose::Composed;
use super::files::Folder;
use super::outbox::Letter;
use super::smtp::Smtp;
use festival_base::settings::Settings;

/// Why a mail was not taken.
#[derive(Debug)]
pub(super) struct Failure {
    /// For `last_error` and for people; may hold addresses.
    pub(super) words: String,
    /// Refused for good: waiting alone does not mend it.
    pub(super) is_refused: bool,
    /// It has nothing to do with this mail: the others would fare the same.
    pub(super) is_general: bool,
}

impl Failure {
    /// Waiting helps this mail.
    pub(super) fn passing(words: impl Into<String>) -> Self {
        Self { words: words.into(), is_refused: false, is_general: false }
    }

    /// Waiting alone does not help this mail.
    pub(super) fn refused(words: impl Into<String>) -> Self {
        Self { words: words.into(), is_refused: true, is_general: false }
    }

    /// The same holds for every mail.
    pub(super) fn general(self) -> Self {
        Self { is_general: true, ..self }
    }
}

/// Takes mails away.
pub(super) enum Carrier {
    /// To the mail server of the settings.
    Smtp(Box<Smtp>),
    /// Into the folder `mails`.
    Folder(Folder),
}

impl Carrier {
    /// The one that the settings ask for.
    pub(super) fn new(settings: &Settings) -> Self {
        if settings.mail.host.is_empty() {
            Self::Folder(Folder::new(settings.data_dir.join("mails")))
        } else {
            Self::Smtp(Box::new(Smtp::new(settings)))
        }
    }

    /// Takes the mail; `Ok` means that it will not be lost any more.
    pub(super) async fn take(&mut self, letter: &Letter, mail: &Composed) -> Result<(), Failure> {
        match self {
            Self::Smtp(smtp) => smtp.send(mail).await,
            Self::Folder(folder) => folder.put(letter, mail).await,
        }
    }

    /// Takes back what can be: a file in the folder.
    pub(super) fn take_back(&self, letter: &Letter) {
        if let Self::Folder(folder) = self {
            folder.remove(letter);
        }
    }

    /// Says good-bye until there is more.
    pub(super) async fn rest(&mut self) {
        if let Self::Smtp(smtp) = self {
            smtp.quit().await;
        }
    }
}
