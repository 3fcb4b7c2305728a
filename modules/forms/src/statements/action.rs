//! What people can decide about lines.

/// A decision about lines.
#[derive(PartialEq, Eq)]
pub(super) struct Action {
    /// Its name in forms and in the audit log.
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    /// Whether it is about the submissions that a line names.
    pub(super) is_about_submissions: bool,
}

const fn action(key: &'static str, label: &'static str, is_about_submissions: bool) -> Action {
    Action { key, label, is_about_submissions }
}

/// The input by which senders are told by mail.
pub(super) const TELL: &str = "tell";

pub(super) const ACCEPT: Action = action("accept", "Verify the payment", true);
pub(super) const REJECT: Action = action("reject", "Reject the payment", true);
pub(super) const DISMISS: Action = action("dismiss", "It pays for no submission", false);
pub(super) const REOPEN: Action = action("reopen", "Decide again", false);
pub(super) const ACTIONS: [Action; 4] = [ACCEPT, REJECT, DISMISS, REOPEN];

impl Action {
    /// What follows from it, for its confirmation.
    pub(super) const fn consequence(&self) -> &'static str {
        match self.is_about_submissions {
            true => {
                "It applies to the submissions that the lines name. A line that names none, or one of \
                 several, stays as it is: decide about it on its page."
            }
            false => "What the lines have verified stays verified.",
        }
    }
}
