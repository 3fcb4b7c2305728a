//! What an organiser states about a payment after checking its proof, and the mail to the sender about it.

use festival_core::admin::AdminRequest;
use festival_core::admin::audit::Entry;
use festival_core::db::Write;
use festival_core::entity::trim;
use festival_core::{FieldError, Result, mail};
use serde_json::json;

use super::events::{self, NewEvent};
use crate::decider::Decider;
use crate::mails::{PaymentNotice, SubmissionMails};
use crate::submissions::{PAYMENTS, State, Submission, SubmissionReader, label_of};

/// Longest transaction number and amount, in characters.
const MAX_TEXT: usize = 100;
/// Longest reason, in characters.
pub(super) const MAX_REASON: usize = 500;

/// The names of its inputs.
pub(super) const INPUTS: [&str; 4] = ["payment", "payment_transaction", "payment_amount", "payment_reason"];

/// What an organiser states about a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PaymentCheck {
    /// Key of the status.
    pub(crate) state: &'static str,
    pub(crate) transaction: String,
    pub(crate) amount: String,
    pub(crate) reason: String,
}

impl PaymentCheck {
    /// Parses and validates the inputs; adds what is wrong to `errors`.
    pub(super) fn parse(request: &AdminRequest, errors: &mut Vec<FieldError>) -> Self {
        let text = |name: &str| trim(request.form.get(name)).to_owned();
        let state = find_state(request.form.get("payment"));
        if state.is_none() {
            errors.push(FieldError::new("payment", "Choose the status of the payment."));
        }
        let check = Self {
            state: state.map_or("", |state| state.key),
            transaction: text("payment_transaction"),
            amount: text("payment_amount"),
            reason: text("payment_reason"),
        };
        for (name, text, max) in
            [("payment_transaction", &check.transaction, MAX_TEXT), ("payment_amount", &check.amount, MAX_TEXT)]
        {
            check_text(name, text, max, errors);
        }
        check_reason(check.state, &check.reason, errors);
        check
    }

    /// Returns the check that is stored with a submission.
    pub(crate) fn stored(submission: &Submission) -> Self {
        let text = |name: &str| submission.text(name).to_owned();
        Self {
            state: find_state(submission.text("payment")).map_or("", |state| state.key),
            transaction: text("payment_transaction"),
            amount: text("payment_amount"),
            reason: text("payment_reason"),
        }
    }

    /// Returns it as a sentence for the history.
    pub(super) fn summary(&self) -> String {
        let mut parts = vec![label_of(PAYMENTS, self.state)];
        let texts = [("transaction", &self.transaction), ("amount", &self.amount), ("reason", &self.reason)];
        parts.extend(texts.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("{name} {text}")));
        parts.join(", ")
    }
}

/// Returns the status of a payment with this key.
pub(crate) fn find_state(key: &str) -> Option<&'static State> {
    PAYMENTS.iter().find(|state| state.key == key)
}

/// Adds an error if the payment is rejected without a reason, or the reason is too long.
pub(super) fn check_reason(state: &str, reason: &str, errors: &mut Vec<FieldError>) {
    check_text("payment_reason", reason, MAX_REASON, errors);
    if state == "rejected" && reason.is_empty() {
        errors.push(FieldError::new("payment_reason", "Write why the payment is rejected."));
    }
}

pub(super) fn check_text(name: &str, text: &str, max: usize, errors: &mut Vec<FieldError>) {
    if text.chars().count() > max || text.chars().any(char::is_control) {
        errors.push(FieldError::new(name, format!("Write at most {max} characters on one line.")));
    }
}

/// Puts a mail about the payment of each of these locked submissions, a batch of one kind and edition, into the outbox, with
/// history and audit log; returns how many of their senders have an address. `mails` are those of one of them. They are read
/// again, because decisions about them may have numbered receipts.
pub(crate) async fn tell(
    write: &mut Write,
    decider: &Decider,
    mails: &SubmissionMails<'_>,
    ids: &[i64],
    (notice, reason): (PaymentNotice, &str),
) -> Result<u64> {
    let (site, settings, kind) = (mails.site, mails.settings, mails.submission.kind);
    let decided = SubmissionReader::find_batch(&site.secrets, write, kind, ids).await?;
    let (mut messages, mut events, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    for submission in &decided {
        let edition = mails.edition.clone();
        let message = SubmissionMails { site, settings, edition, submission }.about_payment(notice, reason)?;
        if !message.to.address.is_empty() {
            events.push(NewEvent::new(submission.id, "mail", notice.label()));
            let entry = Entry::new("mail about payment", kind.entity.table).id(submission.id);
            entries.push(entry.after(json!({ "mail": message.kind })));
            messages.push(message);
        }
    }
    mail::enqueue_all(write, &messages).await?;
    events::add_all(write, decider, kind, events).await?;
    decider.audit_rows(write, &entries).await?;
    Ok(messages.len() as u64)
}
