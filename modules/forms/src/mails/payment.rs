//! Mails to a sender about a payment: that it is rejected, and why, or that it was not found.
//!
//! They are sent only on an organiser's request, about one submission or several.

use festival_core::Result;
use festival_core::edition::Edition;
use festival_core::mail::{Mailbox, Message, Template, Values};
use festival_core::settings::Settings;
use festival_core::site::Site;
use jiff::Timestamp;

use super::strangers::without_links;
use super::templates;
use super::values::{festival_values, labelled, lines};
use crate::amount::Due;
use crate::description::{Form, SENDER};
use crate::payment_settings::Payment;
use crate::settings::FormsSettings;
use crate::submissions::Submission;
use crate::{payment_code, timestamps};

/// The subject of a mail about a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaymentNotice {
    /// It is rejected.
    Rejected,
    /// It was not found, or not made.
    NotFound,
}

impl PaymentNotice {
    /// The mail.
    fn template(self) -> &'static Template {
        match self {
            Self::Rejected => &templates::PAYMENT_REJECTED,
            Self::NotFound => &templates::PAYMENT_NOT_FOUND,
        }
    }

    /// The label of the mail in the history.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Rejected => "Told by mail that the payment is rejected",
            Self::NotFound => "Told by mail that the payment was not found",
        }
    }
}

/// Composes the mail to the sender of a submission of `edition`. `reason` is why the payment is rejected.
///
/// # Errors
/// If a template is wrong.
pub(crate) fn compose(
    (site, settings): (&Site, &Settings),
    submission: &Submission,
    edition: &Edition,
    (notice, reason): (PaymentNotice, &str),
) -> Result<Message> {
    let kind = submission.kind;
    let values = values((site, settings), submission, edition, reason);
    let forms = FormsSettings::of(settings);
    let replies = forms.after_sending.corrections(settings);
    let to = Mailbox::new(without_links(submission.text(kind.name_of(SENDER))), submission.text(kind.email_of(SENDER)));
    let reply_to = (!replies.is_empty()).then(|| Mailbox::new(&settings.product.name, replies));
    notice.template().message((settings, &values), (to, reply_to), site.clock.now())
}

/// Returns the values of the variables of a mail about a payment.
pub(crate) fn values(
    (site, settings): (&Site, &Settings),
    submission: &Submission,
    edition: &Edition,
    reason: &str,
) -> Values {
    let kind = submission.kind;
    let due = submission.due();
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
    let received: Option<Timestamp> = submission.text("created_at").parse().ok();
    let code = submission.text("payment_code");
    let note = if payment_code::read(code).is_some() { code } else { submission.reference() };
    let mut values = festival_values(settings, edition);
    values.extend([
        ("sender", without_links(submission.text(kind.name_of(SENDER)))),
        ("reference", submission.reference().to_owned()),
        ("what", what),
        ("received", received.map_or(String::new(), |time| timestamps::with_zone_name(time, &site.time_zone))),
        ("note", note.to_owned()),
        ("reason", reason.to_owned()),
        (
            "due",
            match due.text() {
                text if text.is_empty() => text,
                text => format!("WHAT IS DUE\n{text} for {paid_for}"),
            },
        ),
        ("how_to_pay", how_to_pay(settings, due, note)),
    ]);
    values
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
