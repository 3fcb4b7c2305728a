//! The statuses of rows.

/// A status of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The stored value.
    pub key: &'static str,
    /// The text that organisers read.
    pub label: &'static str,
    /// What it means, as the style of its badge: "good", "bad", or "" for neither.
    pub tone: &'static str,
}

/// The label of the status `key`, or the key itself if no status has it.
pub fn label_of(states: &[State], key: &str) -> String {
    states.iter().find(|state| state.key == key).map_or(key, |state| state.label).to_owned()
}

/// The tone of the status `key`; "" if no status has it.
pub fn tone_of(states: &[State], key: &str) -> &'static str {
    states.iter().find(|state| state.key == key).map_or("", |state| state.tone)
}
