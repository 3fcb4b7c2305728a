//! Actions on several submissions at once, and their labels.

use super::decide;
use super::decision::Decision;
use crate::mails::PaymentNotice;
use crate::submissions::{CONFIRMED, State, SubmissionKind};

/// An action on several submissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BulkAction {
    /// Sets the status.
    Status(State),
    /// States that the payments are verified.
    Verify,
    /// States that the payments are verified, and sets this status, [`CONFIRMED`].
    Confirm(State),
    /// Rejects the payments, all for one reason.
    Reject,
    /// Informs the senders by mail that no payment was found.
    NotFound,
}

impl BulkAction {
    pub(super) fn parse(kind: &SubmissionKind, text: &str) -> Option<Self> {
        match text.split_once(':')? {
            ("status", key) => decide::parse_status(kind, key).ok().map(Self::Status),
            ("payment", _) if !kind.has_payment() => None,
            ("payment", "verified") => Some(Self::Verify),
            ("payment", CONFIRMED) => decide::parse_status(kind, CONFIRMED).ok().map(Self::Confirm),
            ("payment", "rejected") => Some(Self::Reject),
            ("payment", "not-found") => Some(Self::NotFound),
            _ => None,
        }
    }

    pub(super) fn key(self) -> String {
        match self {
            Self::Status(status) => format!("status:{}", status.key),
            Self::Verify => "payment:verified".to_owned(),
            Self::Confirm(status) => format!("payment:{}", status.key),
            Self::Reject => "payment:rejected".to_owned(),
            Self::NotFound => "payment:not-found".to_owned(),
        }
    }

    /// Key of the status that payments get; "" if it is not about payments.
    pub(super) const fn payment(self) -> &'static str {
        match self {
            Self::Status(_) => "",
            Self::Verify | Self::Confirm(_) => "verified",
            Self::Reject => "rejected",
            Self::NotFound => "unchecked",
        }
    }

    /// The decisions about each submission; `reason` says why payments are rejected.
    pub(super) fn decisions(self, reason: &str) -> Vec<Decision> {
        let payment = || Decision::Payments { state: self.payment(), reason: reason.to_owned() };
        match self {
            Self::Status(status) => vec![Decision::Status(status)],
            Self::Confirm(status) => vec![payment(), Decision::Status(status)],
            Self::Verify | Self::Reject | Self::NotFound => vec![payment()],
        }
    }

    /// The mail that can be sent to the senders.
    pub(super) fn notice(self) -> Option<PaymentNotice> {
        match self {
            Self::Status(status) if status.key == CONFIRMED => Some(PaymentNotice::Confirmed),
            Self::Confirm(_) => Some(PaymentNotice::Confirmed),
            Self::Status(_) | Self::Verify => None,
            Self::Reject => Some(PaymentNotice::Rejected),
            Self::NotFound => Some(PaymentNotice::NotFound),
        }
    }

    /// "Set 3 delegates to “Confirmed”?"
    pub(super) fn question(self, count: usize, kind: &SubmissionKind) -> String {
        let payments = if count == 1 { "payment" } else { "payments" };
        match self {
            Self::Status(status) => format!("Set {count} {} to “{}”?", kind.noun(count as u64), status.label),
            Self::Verify => format!("Verify {count} {payments}?"),
            Self::Confirm(_) => format!("Verify {count} {payments}, and confirm them?"),
            Self::Reject => format!("Reject {count} {payments}?"),
            Self::NotFound => format!("Tell {count} that no payment was found?"),
        }
    }

    pub(super) fn consequence(self) -> &'static str {
        match self {
            Self::Status(status) if status.key == CONFIRMED => {
                "The senders are told by mail only if you tick that below. Each submission gets an entry in its history."
            }
            Self::Status(_) | Self::Verify => {
                "The senders are not notified. Each submission gets an entry in its history."
            }
            Self::Confirm(_) | Self::Reject => {
                "The senders are told by mail only if you tick that below. Each submission gets an entry in its history."
            }
            Self::NotFound => "The payments stay unchecked. Each submission gets an entry in its history.",
        }
    }

    pub(super) const fn button(self) -> &'static str {
        match self {
            Self::Status(_) => "Set the status",
            Self::Verify => "Verify the payments",
            Self::Confirm(_) => "Verify and confirm",
            Self::Reject => "Reject the payments",
            Self::NotFound => "Send the mails",
        }
    }

    pub(super) fn done(self, changed: u64, told: u64, kind: &SubmissionKind) -> String {
        let mails =
            if told == 1 { "1 mail is on its way.".to_owned() } else { format!("{told} mails are on their way.") };
        let payments = if changed == 1 { "payment" } else { "payments" };
        match self {
            Self::Status(status) | Self::Confirm(status) => {
                let mails = if told == 0 { String::new() } else { format!(" {mails}") };
                format!("{changed} {} set to “{}”.{mails}", kind.noun(changed), status.label)
            }
            Self::Verify => format!("{changed} {payments} verified."),
            Self::Reject if told == 0 => format!("{changed} {payments} rejected."),
            Self::Reject => format!("{changed} {payments} rejected. {mails}"),
            Self::NotFound => mails,
        }
    }
}
