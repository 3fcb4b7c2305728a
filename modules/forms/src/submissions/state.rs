//! Where a submission stands on its way, and its payment.

/// One of the places that something can stand at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// What is kept.
    pub(crate) key: &'static str,
    /// The words for people.
    pub(crate) label: &'static str,
    /// How it is for the sender: "good", "bad", or neither.
    pub(crate) tone: &'static str,
}

const fn state(key: &'static str, label: &'static str, tone: &'static str) -> State {
    State { key, label, tone }
}

/// What every submission is when it arrives.
const RECEIVED: State = state("new", "Received", "");
/// What somebody looked at in quarantine and left there.
const APART: State = state("apart", "Kept apart", "bad");

/// What stays of a payment that was received, without whoever paid.
const ERASED: State = state("erased", "Erased, payment kept", "");

/// The way of a film.
pub(crate) const FILM_STATES: &[State] = &[
    RECEIVED,
    state("in-review", "In review", ""),
    state("shortlisted", "Shortlisted", ""),
    state("selected", "Selected", "good"),
    state("not-selected", "Not selected", "bad"),
    state("withdrawn", "Withdrawn", "bad"),
];

/// The way of a registration.
pub(crate) const DELEGATE_STATES: &[State] =
    &[RECEIVED, state("confirmed", "Confirmed", "good"), state("rejected", "Rejected", "bad")];

/// The way of a message.
pub(crate) const MESSAGE_STATES: &[State] =
    &[RECEIVED, state("answered", "Answered", "good"), state("closed", "Closed", "")];

/// The way of a payment.
pub(crate) const PAYMENTS: &[State] =
    &[state("unchecked", "Unchecked", ""), state("verified", "Verified", "good"), state("rejected", "Rejected", "bad")];

/// The state of `states` that `key` means; what was kept apart or erased has a state of its own.
fn of(states: &[State], key: &str) -> Option<State> {
    states.iter().chain([&APART, &ERASED]).find(|state| state.key == key).copied()
}

/// What people read for `key`; a word that no state has is shown as it is.
pub(crate) fn label_of(states: &[State], key: &str) -> String {
    of(states, key).map_or_else(|| key.to_owned(), |state| state.label.to_owned())
}
