//! Actions on several submissions at once, and their labels.

use super::decide;
use super::decision::Decision;
use crate::mails::PaymentNotice;
use crate::submissions::{CONFIRMED, State, SubmissionKind};

/// An action on several submissions.
#[derive(Clone, Debug)]
pub(super) struct BulkAction {
    /// Its name in forms and in the audit log.
    pub(super) key: String,
    /// The status that it sets.
    status: Option<State>,
    /// Key of the status that payments get; "" if it is not about payments.
    pub(super) payment: &'static str,
    /// Whether it changes fees.
    pub(super) reduces: bool,
    /// The mail that can be sent to the senders.
    pub(super) notice: Option<PaymentNotice>,
    /// Label of the button that confirms it.
    pub(super) button: &'static str,
}

impl BulkAction {
    /// Returns the action with this key, if there is one for submissions of this kind.
    pub(super) fn parse(kind: &SubmissionKind, key: &str) -> Option<Self> {
        let status = |key: &str| decide::parse_status(kind, key).ok();
        let (status, payment, notice, button) = match key.split_once(':')? {
            ("status", CONFIRMED) => (Some(status(CONFIRMED)?), "", Some(PaymentNotice::Confirmed), "Set the status"),
            ("status", key) => (Some(status(key)?), "", None, "Set the status"),
            ("payment", _) if !kind.has_payment() => return None,
            ("payment", "verified") => (None, "verified", Some(PaymentNotice::Received), "Verify the payments"),
            ("payment", CONFIRMED) => {
                (Some(status(CONFIRMED)?), "verified", Some(PaymentNotice::Confirmed), "Verify and confirm")
            }
            ("payment", "rejected") => (None, "rejected", Some(PaymentNotice::Rejected), "Reject the payments"),
            ("fee", "reduce") if kind.has_payment() => (None, "", None, "Change the fees"),
            ("payment", "not-found") => (None, "unchecked", Some(PaymentNotice::NotFound), "Send the mails"),
            _ => return None,
        };
        Some(Self { key: key.to_owned(), status, payment, reduces: key == "fee:reduce", notice, button })
    }

    /// Whether it rejects payments, all for one reason.
    pub(super) fn rejects(&self) -> bool {
        self.payment == "rejected"
    }

    /// The decisions about each submission; `reason` says why payments are rejected.
    pub(super) fn decisions(&self, reason: &str) -> Vec<Decision> {
        let payment = Decision::Payments { state: self.payment, reason: reason.to_owned() };
        let payment = Some(payment).filter(|_| !self.payment.is_empty());
        payment.into_iter().chain(self.status.map(Decision::Status)).collect()
    }

    /// "Set 3 delegates to “Confirmed”?"
    pub(super) fn question(&self, count: usize, kind: &SubmissionKind) -> String {
        let payments = if count == 1 { "payment" } else { "payments" };
        match (self.payment, self.status) {
            _ if self.reduces => format!("Change what is due for {count} {}?", kind.noun(count as u64)),
            ("", Some(status)) => format!("Set {count} {} to “{}”?", kind.noun(count as u64), status.label),
            ("verified", None) => format!("Verify {count} {payments}?"),
            ("verified", Some(_)) => format!("Verify {count} {payments}, and confirm them?"),
            ("rejected", _) => format!("Reject {count} {payments}?"),
            _ => format!("Tell {count} that no payment was found?"),
        }
    }

    /// What follows from it, for its confirmation.
    pub(super) fn consequence(&self) -> &'static str {
        match self.notice {
            None => "The senders are not notified. Each submission gets an entry in its history.",
            Some(PaymentNotice::NotFound) => {
                "The payments stay unchecked. Each submission gets an entry in its history."
            }
            Some(_) => {
                "The senders are told by mail only if you tick that below. Each submission gets an entry in its history."
            }
        }
    }

    /// The message after it: how many submissions were changed, and how many senders are told.
    pub(super) fn done(&self, changed: u64, told: u64, kind: &SubmissionKind) -> String {
        let mails =
            if told == 1 { "1 mail is on its way.".to_owned() } else { format!("{told} mails are on their way.") };
        let payments = if changed == 1 { "payment" } else { "payments" };
        let done = match (self.payment, self.status) {
            _ if self.reduces => format!("What is due is changed for {changed} {}.", kind.noun(changed)),
            (_, Some(status)) => format!("{changed} {} set to “{}”.", kind.noun(changed), status.label),
            ("verified", _) => format!("{changed} {payments} verified."),
            ("rejected", _) => format!("{changed} {payments} rejected."),
            _ => return mails,
        };
        if told == 0 { done } else { format!("{done} {mails}") }
    }
}
