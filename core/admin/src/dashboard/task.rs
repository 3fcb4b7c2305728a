//! The tasks that the dashboard lists.

use serde::Serialize;

/// A task on the dashboard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PendingTask {
    /// A sentence or phrase: "3 films without a poster".
    pub text: String,
    /// The page where it can be done.
    pub href: String,
    /// Whether it is shown first and highlighted.
    pub is_urgent: bool,
}

impl PendingTask {
    /// Creates a task with a count: "1 mail is on hold", "3 mails are on hold"; `None` if the count is 0.
    pub fn counted(count: i64, singular: &str, plural: &str, href: impl Into<String>) -> Option<Self> {
        let phrase = if count == 1 { singular } else { plural };
        (count > 0).then(|| Self { text: format!("{count} {phrase}"), href: href.into(), is_urgent: false })
    }

    /// Makes the task urgent.
    #[must_use]
    pub fn urgent(mut self) -> Self {
        self.is_urgent = true;
        self
    }
}
