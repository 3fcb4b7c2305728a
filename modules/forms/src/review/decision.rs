//! Decisions about submissions: what they set, in one submission or in many, with history and audit log.

use std::collections::BTreeMap;

use festival_core::Result;
use festival_core::admin::audit::Entry;
use festival_core::db::{Datum, Write, update_each};
use serde_json::json;

use super::events::{self, NewEvent};
use super::fee::FeeReduction;
use super::payment_check::PaymentCheck;
use crate::amount::{Amount, Due};
use crate::decider::Decider;
use crate::description::Form;
use crate::fee_reduction;
use crate::payment_receipts;
use crate::submissions::{State, Submission, UNCLASSIFIED, label_of};

/// A decision about submissions.
pub(crate) enum Decision {
    Status(State),
    Award(&'static Form),
    /// What is taken off the fee.
    Fee(FeeReduction),
    /// What was found about each payment, by the id of its submission.
    Payment(BTreeMap<i64, PaymentCheck>),
    /// What was found about all payments: status, and why they are rejected.
    Payments {
        state: &'static str,
        reason: String,
    },
}

/// The value of a decision before or after it: as the audit log has it, and as the history shows it.
type Side = (String, String);

impl Decision {
    /// The name of what it sets in history and audit log, and the action in the audit log.
    const fn names(&self) -> (&'static str, &'static str) {
        match self {
            Self::Status(_) => ("status", "set status"),
            Self::Award(_) => ("award", "set award"),
            Self::Fee(_) => ("fee", "reduce fee"),
            Self::Payment(_) | Self::Payments { .. } => ("payment", "check payment"),
        }
    }

    /// What it changes in a submission; `None` if that has the value already.
    fn change(&self, submission: &Submission) -> Option<(Side, Side)> {
        let side = |key: &str, text: &str| (key.to_owned(), text.to_owned());
        let check = match self {
            Self::Status(state) => {
                let before = submission.text("status");
                let label = label_of(submission.kind.states, before);
                return (before != state.key).then(|| (side(before, &label), side(state.key, state.label)));
            }
            Self::Award(form) => {
                let before = submission.text("award_category");
                let label = match before {
                    UNCLASSIFIED => "Not known",
                    key => Form::find(key).map_or("", Form::award_name),
                };
                return (before != form.key).then(|| (side(before, label), side(form.key, form.award_name())));
            }
            Self::Fee(fee) => {
                let (reduction, reason) = fee.of(submission);
                let rupees = submission.number("fee_reduction_inr").unwrap_or_default();
                let stored = (submission.due(), submission.text("fee_reduction_reason"));
                let due = submission.due_less(reduction);
                let side = |due: Due, reason: &str| side(&due.text(), &fee_reduction::summary(due, reason));
                return ((rupees, stored.1) != (reduction.0, reason))
                    .then(|| (side(stored.0, stored.1), side(due, reason)));
            }
            Self::Payment(checks) => checks.get(&submission.id)?.clone(),
            Self::Payments { state, reason } => {
                PaymentCheck { state, reason: reason.clone(), ..PaymentCheck::stored(submission) }
            }
        };
        let before = PaymentCheck::stored(submission);
        let payment = |check: &PaymentCheck| side(check.state, &check.summary());
        (before != check).then(|| (payment(&before), payment(&check)))
    }

    /// The columns that it sets in a submission.
    fn values(&self, submission: &Submission) -> Vec<(&'static str, Datum)> {
        let text = |text: &str| Datum::Text(text.to_owned());
        match self {
            Self::Status(state) => vec![("status", text(state.key))],
            // "desk": the award was chosen by an organiser.
            Self::Award(form) => vec![("award_category", text(form.key)), ("category_source", text("desk"))],
            Self::Fee(fee) => {
                let ((rupees, dollars), reason) = fee.of(submission);
                let mut values = vec![
                    ("fee_reduction_inr", Datum::Integer(rupees)),
                    ("fee_reduction_reason", text(reason)),
                    ("payment", text(fee.payment_state(submission))),
                ];
                let has_dollars = submission.kind.own_columns.contains(&"fee_reduction_usd");
                values.extend(has_dollars.then_some(("fee_reduction_usd", Datum::Integer(dollars))));
                values
            }
            Self::Payments { state, reason } => vec![("payment", text(state)), ("payment_reason", text(reason))],
            Self::Payment(checks) => {
                let check = &checks[&submission.id];
                let amount = Amount::read(&check.amount);
                vec![
                    ("payment", text(check.state)),
                    ("payment_reason", text(&check.reason)),
                    ("payment_transaction", text(&check.transaction)),
                    ("payment_amount", text(&check.amount)),
                    ("payment_read", amount.map_or(Datum::Null, |amount| Datum::Integer(amount.hundredths))),
                    ("payment_currency", text(amount.map_or("", |amount| amount.currency.code()))),
                ]
            }
        }
    }

    /// Applies it to those of the submissions, which are locked and of one kind, that have another value; returns their
    /// number.
    pub(crate) async fn apply(&self, write: &mut Write, decider: &Decider, submissions: &[Submission]) -> Result<u64> {
        let Some(kind) = submissions.first().map(|first| first.kind) else { return Ok(0) };
        let (name, action) = self.names();
        let (mut rows, mut events, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        for submission in submissions {
            let Some(((before, before_text), (after, after_text))) = self.change(submission) else { continue };
            let id = submission.id;
            rows.push((id, self.values(submission)));
            events.push(NewEvent { id, kind: name, before: before_text, after: after_text });
            let entry = Entry::new(action, kind.entity.table).id(id);
            entries.push(entry.before(json!({ name: before })).after(json!({ name: after })));
        }
        update_each(write, kind.entity.table, &rows).await?;
        if name == "payment" {
            payment_receipts::number(write, kind, decider.now).await?;
        }
        events::add_all(write, decider, kind, events).await?;
        decider.audit_rows(write, &entries).await?;
        Ok(entries.len() as u64)
    }
}
