//! Why a mail could not be delivered.

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
