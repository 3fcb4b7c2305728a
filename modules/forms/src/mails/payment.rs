//! Mails to a sender about a payment: that it is rejected, and why, that it was not found, that it was received, or that the
//! registration is confirmed with it.
//!
//! They are sent only on an organiser's request, about one submission or several.

use festival_core::Result;
use festival_core::mail::{Message, Template, Values};
use festival_core::settings::Settings;

use super::strangers::without_links;
use super::submission_mails::{SubmissionMails, labelled, lines};
use super::templates;
use crate::amount::Due;
use crate::description::Form;
use crate::payment_code;
use crate::payment_settings::Payment;
use crate::settings::FormsSettings;

/// The subject of a mail about a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaymentNotice {
    /// It is rejected.
    Rejected,
    /// It was not found, or not made.
    NotFound,
    /// It was received.
    Received,
    /// It was received, and the registration is confirmed.
    Confirmed,
}

impl PaymentNotice {
    /// The mail about a payment with this status.
    pub(crate) fn about(state: &str) -> Self {
        match state {
            "rejected" => Self::Rejected,
            "verified" => Self::Received,
            _ => Self::NotFound,
        }
    }

    /// The mail.
    fn template(self) -> &'static Template {
        match self {
            Self::Rejected => &templates::PAYMENT_REJECTED,
            Self::NotFound => &templates::PAYMENT_NOT_FOUND,
            Self::Received => &templates::PAYMENT_RECEIVED,
            Self::Confirmed => &templates::REGISTRATION_CONFIRMED,
        }
    }

    /// The label of the mail in the history.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Rejected => "Told by mail that the payment is rejected",
            Self::NotFound => "Told by mail that the payment was not found",
            Self::Received => "Told by mail that the payment was received",
            Self::Confirmed => "Told by mail that the registration is confirmed",
        }
    }
}

impl SubmissionMails<'_> {
    /// Composes the mail about a payment. `reason` is why it is rejected.
    ///
    /// # Errors
    /// If a template is wrong.
    pub(crate) fn about_payment(&self, notice: PaymentNotice, reason: &str) -> Result<Message> {
        self.compose(notice.template(), &self.payment_values(reason))
    }

    pub(super) fn payment_values(&self, reason: &str) -> Values {
        let (submission, kind) = (self.submission, self.submission.kind);
        let what = match submission.title() {
            title if kind.has_award() && !title.is_empty() => format!("your film {}", without_links(title)),
            _ if kind.has_award() => "your film".to_owned(),
            _ => "your registration".to_owned(),
        };
        let paid_for = match Form::find(submission.text("award_category")) {
            Some(form) => format!("the entry of a film, {}", form.award_name()),
            None if kind.has_award() => "the entry of a film".to_owned(),
            None => without_links(submission.text("category")),
        };
        let due = match submission.due().text() {
            text if text.is_empty() => text,
            text => format!("WHAT IS DUE\n{text} for {paid_for}"),
        };
        let code = submission.text("payment_code");
        let note = if payment_code::read(code).is_some() { code } else { submission.reference() };
        let receipt = submission.payment_receipt().map_or(String::new(), |receipt| {
            lines([labelled("Receipt", &receipt.number), labelled("Amount", &receipt.amount)])
        });
        let mut values = self.values();
        values.extend([
            ("what", what),
            ("receipt", receipt),
            ("note", note.to_owned()),
            ("reason", reason.to_owned()),
            ("category", without_links(submission.text("category"))),
            ("due", due),
            ("how_to_pay", how_to_pay(self.settings, submission.due(), note)),
        ]);
        values
    }
}

/// Returns every way to pay, with its heading; "" if none is set.
fn how_to_pay(settings: &Settings, due: Due, note: &str) -> String {
    let forms = FormsSettings::of(settings);
    let Payment { bank, upi } = Payment::of(settings);
    let dollars = match (due.takes_dollars(), forms.dollar_payment.as_str()) {
        (true, "") => "Write to us for payment in dollars.",
        (true, text) => text,
        (false, _) => "",
    };
    let payee = if upi.payee.is_empty() { String::new() } else { format!(" ({})", upi.payee) };
    let upi = if upi.id.is_empty() { String::new() } else { format!("UPI ID: {}{payee}", upi.id) };
    let branch = if bank.branch.is_empty() { String::new() } else { format!(", {}", bank.branch) };
    let transfer = match bank.account_number.as_str() {
        "" => String::new(),
        number => format!(
            "Bank transfer: {}, account number {number}, {}{branch}, IFSC {}",
            bank.account_name, bank.bank, bank.ifsc
        ),
    };
    let ways = lines([upi, transfer, labelled("In dollars", dollars)]);
    match ways.as_str() {
        "" => ways,
        _ => format!("HOW TO PAY\n{ways}\nWrite {note} into the note of the payment."),
    }
}
