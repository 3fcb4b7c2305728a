//! What an organiser takes off the fee of a submission, and why.

use festival_core::FieldError;
use festival_core::admin::{AdminRequest, Input};
use festival_core::entity::trim;

use super::payment_check::{MAX_REASON, check_text};
use crate::fee_reduction::Reduction;
use crate::submissions::{Submission, WAIVED};

const REDUCTION: &str = "fee_reduction";
const REASON: &str = "fee_reduction_reason";

/// The names of its inputs.
pub(super) const INPUTS: [&str; 2] = [REDUCTION, REASON];

/// A reduction of a fee with its reason.
pub(crate) struct FeeReduction {
    pub(crate) reduction: Reduction,
    pub(crate) reason: String,
}

impl FeeReduction {
    /// Parses and validates the inputs; adds what is wrong to `errors`.
    pub(super) fn parse(request: &AdminRequest, errors: &mut Vec<FieldError>) -> Self {
        let reason = trim(request.form.get(REASON)).to_owned();
        let reduction = Reduction::read(trim(request.form.get(REDUCTION)));
        match reduction {
            None => errors.push(FieldError::new(REDUCTION, "Write a share such as 50%, or an amount in whole rupees.")),
            Some(reduction) if !reduction.is_nothing() && reason.is_empty() => {
                errors.push(FieldError::new(REASON, "Write why the fee is reduced."));
            }
            Some(_) => check_text(REASON, &reason, MAX_REASON, errors),
        }
        Self { reduction: reduction.unwrap_or(Reduction::Rupees(0)), reason }
    }

    /// What it takes off the fee of a submission, in rupees and dollars, and why.
    pub(super) fn of(&self, submission: &Submission) -> ((i64, i64), &str) {
        let reduction = submission.reduced_by(self.reduction);
        (reduction, if reduction.0 == 0 { "" } else { &self.reason })
    }

    /// The status of the payment with it: waived if nothing is due, unless somebody decided about the payment.
    pub(super) fn payment_state<'s>(&self, submission: &'s Submission) -> &'s str {
        let (rupees, _) = submission.reduced_by(self.reduction);
        let is_waived = rupees > 0 && submission.number("fee_inr") == Some(rupees);
        match submission.text("payment") {
            "unchecked" if is_waived => WAIVED,
            WAIVED if !is_waived => "unchecked",
            state => state,
        }
    }
}

/// The inputs, with what was entered or else what is stored with a submission.
pub(super) fn inputs(request: &AdminRequest, submission: Option<&Submission>) -> [Input; 2] {
    let stored = submission.and_then(|it| it.number("fee_reduction_inr")).filter(|rupees| *rupees > 0);
    let reason = submission.map(|it| it.text(REASON).to_owned());
    let value = |name: &str, stored: Option<String>| match request.form.has(name) {
        true => request.form.get(name).to_owned(),
        false => stored.unwrap_or_default(),
    };
    let hint = "Such as 50%, or 500 for so many rupees. 100% waives the fee. Empty: the whole fee is due.";
    [
        Input::text(REDUCTION, "Taken off the fee")
            .hint(hint)
            .value(value(REDUCTION, stored.map(|rupees| rupees.to_string()))),
        Input::text(REASON, "Why it is reduced").value(value(REASON, reason)).conditional(),
    ]
}
