//! The mails of the forms: receipts and notes about new submissions, mails about payments, answers to messages.

pub(crate) mod answer;
mod latest;
pub(crate) mod payment;
pub(crate) mod receipt;
mod strangers;
pub(crate) mod templates;
mod values;

use festival_core::Registry;

use self::payment::PaymentNotice;
use self::templates::FormMails;
use crate::submissions::{contact, delegate, film};

/// Registers every mail of the forms.
pub(crate) fn register(registry: &mut Registry) {
    for kind in [film(), delegate(), contact()] {
        let mails = FormMails::of(kind);
        registry.mail_with_preview(&mails.receipt, move |context| latest::receipt(context, kind));
        registry.mail_with_preview(&mails.note, move |context| latest::note(context, kind));
    }
    registry
        .mail_with_preview(&templates::PAYMENT_REJECTED, |context| latest::payment(context, PaymentNotice::Rejected))
        .mail_with_preview(&templates::PAYMENT_NOT_FOUND, |context| latest::payment(context, PaymentNotice::NotFound))
        .mail_with_preview(&templates::ANSWER, latest::answer);
}
