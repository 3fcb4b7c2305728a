//! Statuses of submissions and of their payments.

/// A status of a submission or of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// The stored value.
    pub(crate) key: &'static str,
    /// The text that organisers read.
    pub(crate) label: &'static str,
    /// What it means for the sender, as the style of its badge: "good", "bad", or "" for neither.
    pub(crate) tone: &'static str,
}

const fn state(key: &'static str, label: &'static str, tone: &'static str) -> State {
    State { key, label, tone }
}

/// Status of every submission when it arrives.
const RECEIVED: State = state("new", "Received", "");
/// Status of a submission that was reviewed in quarantine and not released.
pub(crate) const KEPT_IN_QUARANTINE: State = state("apart", "Kept apart", "bad");
/// Status of a row whose person was erased and whose payment is kept for the accounts.
const ERASED: State = state("erased", "Erased, payment kept", "");

/// Statuses of a film.
pub(crate) const FILM_STATES: &[State] = &[
    RECEIVED,
    state("in-review", "In review", ""),
    state("shortlisted", "Shortlisted", ""),
    state("selected", "Selected", "good"),
    state("not-selected", "Not selected", "bad"),
    state("withdrawn", "Withdrawn", "bad"),
];

/// Statuses of a registration.
pub(crate) const DELEGATE_STATES: &[State] =
    &[RECEIVED, state("confirmed", "Confirmed", "good"), state("rejected", "Rejected", "bad")];

/// Statuses of a message.
pub(crate) const MESSAGE_STATES: &[State] =
    &[RECEIVED, state("answered", "Answered", "good"), state("closed", "Closed", "")];

/// Statuses of a payment.
pub(crate) const PAYMENTS: &[State] =
    &[state("unchecked", "Unchecked", ""), state("verified", "Verified", "good"), state("rejected", "Rejected", "bad")];

/// Returns the label of the status `key`, or the key itself if no status has it.
pub(crate) fn label_of(states: &[State], key: &str) -> String {
    let state = states.iter().chain([&KEPT_IN_QUARANTINE, &ERASED]).find(|state| state.key == key);
    state.map_or(key, |state| state.label).to_owned()
}

/// Returns the tone of the status `key`; "" if no status has it.
pub(crate) fn tone_of(states: &[State], key: &str) -> &'static str {
    states.iter().find(|state| state.key == key).map_or("", |state| state.tone)
}
