//! Mails that tell a sender about a payment: that it is rejected, and why, or that it was not found.
//!
//! They are sent only where an organiser says so, about one submission or several.

use festival_core::Result;
use festival_core::edition::Edition;
use festival_core::mail::{self, Mailbox, Message};
use festival_core::settings::Settings;
use festival_core::site::Site;
use jiff::Timestamp;
use serde::Serialize;

use crate::amount::Due;
use crate::description::Form;
use crate::settings::FormsSettings;
use crate::submissions::Submission;
use crate::{MODULE, payment_code, timestamps};

/// What a mail tells about a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaymentNotice {
    /// It is rejected.
    Rejected,
    /// It was not found, or not made.
    NotFound,
}

impl PaymentNotice {
    /// The kind of the mail in the outbox.
    const fn kind(self) -> &'static str {
        match self {
            Self::Rejected => "payment-rejected",
            Self::NotFound => "payment-not-found",
        }
    }

    /// What the history says about the mail.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Rejected => "Told by mail that the payment is rejected",
            Self::NotFound => "Told by mail that the payment was not found",
        }
    }
}

/// Data of the templates `payment-*.hbs` in `modules/forms/templates/`.
#[derive(Serialize)]
struct PaymentMail<'a> {
    festival: &'a str,
    sender: &'a str,
    reference: &'a str,
    /// What was sent: "your film A Light", "your registration".
    what: String,
    received: String,
    /// What to write into the note of the payment: the payment code, or the reference.
    note: &'a str,
    /// Why the payment is rejected; "" in the other mail.
    reason: &'a str,
    /// What is due, with what it is for; "" if that is not known.
    due: String,
    upi: &'a str,
    payee: &'a str,
    account_name: &'a str,
    account_number: &'a str,
    bank: &'a str,
    branch: &'a str,
    ifsc: &'a str,
    /// Whether any way to pay is set.
    can_pay: bool,
    /// How dollars are paid; "" where they are not taken.
    dollars: &'a str,
    signature: String,
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
    let forms = settings.section::<FormsSettings>(MODULE);
    let (bank, upi) = (&settings.payment.bank, &settings.payment.upi);
    let due = Due::of(submission);
    let what = match submission.title() {
        title if kind.has_award() && !title.is_empty() => format!("your film {title}"),
        _ if kind.has_award() => "your film".to_owned(),
        _ => "your registration".to_owned(),
    };
    let paid_for = match Form::find(submission.text("award_category")) {
        Some(form) => format!("the entry of a film, {}", form.award_name()),
        None if kind.has_award() => "the entry of a film".to_owned(),
        None => submission.text("category").to_owned(),
    };
    let received: Option<Timestamp> = submission.text("created_at").parse().ok();
    let code = submission.text("payment_code");
    let contact = &settings.contact;
    let dollars = match (due.takes_dollars(), forms.dollar_payment.as_str()) {
        (true, "") => "Write to us for payment in dollars.",
        (true, text) => text,
        (false, _) => "",
    };
    let context = PaymentMail {
        festival: &edition.name,
        sender: submission.text(kind.sender_name),
        reference: submission.reference(),
        what,
        received: received.map_or(String::new(), |time| timestamps::with_zone_name(time, &site.time_zone)),
        note: if payment_code::read(code).is_some() { code } else { submission.reference() },
        reason,
        due: if due.text().is_empty() { String::new() } else { format!("{} for {paid_for}", due.text()) },
        upi: &upi.id,
        payee: &upi.payee,
        account_name: &bank.account_name,
        account_number: &bank.account_number,
        bank: &bank.bank,
        branch: &bank.branch,
        ifsc: &bank.ifsc,
        can_pay: [&upi.id, &bank.account_number, dollars].iter().any(|way| !way.is_empty()),
        dollars,
        signature: [settings.product.full_name.as_str(), &contact.email, &contact.phone]
            .into_iter()
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n"),
    };
    let (template, subject) = match notice {
        PaymentNotice::Rejected => {
            (include_str!("../templates/payment-rejected.hbs"), "your payment could not be accepted")
        }
        PaymentNotice::NotFound => {
            (include_str!("../templates/payment-not-found.hbs"), "we have not found your payment")
        }
    };
    let replies = forms.after_sending.corrections(settings);
    Ok(Message {
        kind: notice.kind(),
        to: Mailbox::new(submission.text(kind.sender_name), submission.text(kind.sender_email)),
        reply_to: (!replies.is_empty()).then(|| Mailbox::new(&settings.product.name, replies)),
        subject: format!("{} {}: {subject} ({})", settings.product.name, edition.year, submission.reference()),
        body: mail::render(template, &context)?,
        created_at: site.clock.now(),
    })
}
