//! Statuses of submissions and of their payments.

use festival_core::admin::collections;

use super::State;

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

/// Status of a registration that the desk has confirmed.
pub(crate) const CONFIRMED: &str = "confirmed";

/// Statuses of a registration.
pub(crate) const DELEGATE_STATES: &[State] =
    &[RECEIVED, state(CONFIRMED, "Confirmed", "good"), state("rejected", "Rejected", "bad")];

/// Statuses of a message.
pub(crate) const MESSAGE_STATES: &[State] =
    &[RECEIVED, state("answered", "Answered", "good"), state("closed", "Closed", "")];

/// Statuses of a payment.
pub(crate) const PAYMENTS: &[State] =
    &[state("unchecked", "Unchecked", ""), state("verified", "Verified", "good"), state("rejected", "Rejected", "bad")];

/// Returns the label of the status `key`, or the key itself if no status has it.
pub(crate) fn label_of(states: &[State], key: &str) -> String {
    let apart = [KEPT_IN_QUARANTINE, ERASED];
    collections::label_of(if apart.iter().any(|state| state.key == key) { &apart } else { states }, key)
}
