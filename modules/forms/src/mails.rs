//! The mails of the forms: receipts and notes about new submissions, mails about payments, answers to messages.

mod latest;
mod payment;
pub(crate) mod receipt;
mod strangers;
mod submission_mails;
pub(crate) mod templates;

use festival_core::Registry;
use festival_core::mail::{Template, Values};

pub(crate) use self::payment::PaymentNotice;
pub(crate) use self::submission_mails::{MAX_ANSWER, SubmissionMails};
use crate::submissions::{KINDS, SubmissionKind, contact, delegate, film};

/// The reason in a preview about a payment that was not rejected.
const SAMPLE_REASON: &str = "₹1,000 is missing";
/// The answer in a preview about a message.
const SAMPLE_ANSWER: &str = "thank you for your message.";

/// Registers every mail of the forms, each with the values of its latest real case.
pub(crate) fn register(registry: &mut Registry) {
    let mut mail = |template: &'static Template,
                    kinds: Vec<&'static SubmissionKind>,
                    values: fn(&SubmissionMails<'_>) -> Values| {
        registry.mail_with_preview(template, move |context| {
            let kinds = kinds.clone();
            async move { latest::case(context, &kinds, values).await }
        });
    };
    for kind in &KINDS {
        mail(kind.receipt, vec![kind], |mails| mails.receipt_values());
        mail(kind.note, vec![kind], |mails| mails.note_values());
    }
    mail(&templates::PAYMENT_REJECTED, vec![film(), delegate()], |mails| {
        mails.payment_values(match mails.submission.text("payment_reason") {
            "" => SAMPLE_REASON,
            reason => reason,
        })
    });
    mail(&templates::PAYMENT_NOT_FOUND, vec![film(), delegate()], |mails| mails.payment_values(""));
    mail(&templates::PAYMENT_RECEIVED, vec![film(), delegate()], |mails| mails.payment_values(""));
    mail(&templates::REGISTRATION_CONFIRMED, vec![delegate()], |mails| mails.payment_values(""));
    mail(&templates::ANSWER, vec![contact()], |mails| {
        let greeting = SubmissionMails::greeting(mails.submission);
        mails.answer_values(&format!("{greeting}\n\n{SAMPLE_ANSWER}"))
    });
}
