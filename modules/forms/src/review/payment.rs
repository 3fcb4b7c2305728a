//! The payment of a submission: what is due, what the proof says, and other submissions with the same payment.

use festival_core::Result;
use festival_core::admin::{AdminRequest, Choice, Input};
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::{fee, view};
use crate::amount::{Amount, Difference};
use crate::description::extra_fields::FEE_CODE;
use crate::fee_reduction;
use crate::scope;
use crate::submissions::{PAYMENTS, Submission, SubmissionKind, WAIVED, label_of, tone_of};
use crate::{payment_code, transaction_numbers};

/// Field with the proof of the payment.
pub(super) const PROOF: &str = "screenshot";

/// Maximum number of submissions with the same payment that a page lists.
const MAX_SAME: usize = 20;

/// Returns the data of the payment for the page of a submission.
pub(super) async fn summary(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    submission: &Submission,
) -> Result<Value> {
    let (state, amount) = (submission.text("payment"), submission.text("payment_amount"));
    let (due, category) = (submission.due().text(), submission.text("category"));
    let due_for = match (submission.kind.has_award(), due.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!("{category} is no category"),
        (false, false) => format!("for {category}"),
    };
    let code = submission.text("payment_code");
    let utr = submission.text("payment_utr");
    let (fee_code, reason) = (submission.text(FEE_CODE), submission.text("fee_reduction_reason"));
    let fee_code_problem = submission.findings().into_iter().find(|finding| finding.field == FEE_CODE);
    let proof = view::files(request, submission).into_iter().find(|file| file["field"] == PROOF);
    let same = list_same_payment(request, connection, submission).await?;
    Ok(json!({
        "state": label_of(PAYMENTS, state),
        "tone": tone_of(PAYMENTS, state),
        "reason": submission.text("payment_reason"),
        "due": if due.is_empty() { "not known" } else { &due },
        "due_for": due_for,
        "whole_fee": (!reason.is_empty()).then(|| fee_reduction::summary(submission.due_less((0, 0)), reason)),
        "fee_code": fee_code,
        "fee_code_problem": fee_code_problem.and_then(|finding| finding.reason),
        "said": submission.text("transaction_details"),
        "utr": utr,
        "utr_problem": (!utr.is_empty() && !transaction_numbers::is_utr(utr)).then_some(transaction_numbers::UNUSUAL_UTR),
        "code": code,
        "code_problem": (!code.is_empty() && payment_code::read(code).is_none()).then_some(payment_code::INVALID),
        "transaction": submission.text("payment_transaction"),
        "receipt": submission.text("payment_receipt"),
        "amount": amount,
        // Not if the text is the same already.
        "read": Amount::read(amount).map(Amount::text).filter(|read| read != amount),
        "difference": submission.amount_difference().map(Difference::text),
        "proof": proof,
        "same": same,
    }))
}

/// Returns the other submissions, of any kind and year, that name a transaction number of this one.
async fn list_same_payment(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    submission: &Submission,
) -> Result<Vec<Value>> {
    let scope = request.scope();
    let names = ["transaction_details", "payment_utr", "payment_transaction"];
    let text = names.map(|name| submission.text(name)).join(" | ");
    let mut same: Vec<Value> = Vec::new();
    for number in transaction_numbers::longest(&text) {
        // The database compares letters and digits of ASCII; texts with others are compared here.
        let rows: Vec<(String, i64, String, String)> = sqlx::query_as(
            "SELECT kind, id, reference, numbers FROM (SELECT 'delegate' AS kind, id, reference, \
             transaction_details || ' | ' || payment_utr || ' | ' || payment_transaction AS numbers \
             FROM delegates WHERE is_quarantined = 0 UNION ALL SELECT 'film', id, reference, \
             payment_utr || ' | ' || payment_transaction FROM film_submissions WHERE is_quarantined = 0) AS payments \
             WHERE replace(replace(lower(numbers), ' ', ''), '-', '') LIKE $1 OR octet_length(numbers) <> length(numbers)",
        )
        .bind(format!("%{}%", transaction_numbers::comparable(&number)))
        .fetch_all(&mut *connection)
        .await?;
        for (kind, id, reference, numbers) in rows {
            let Some(kind) = SubmissionKind::find(&kind) else { continue };
            let href = format!("{}/{id}", kind.list_path());
            let is_itself = (kind.name, id) == (submission.kind.name, submission.id);
            let is_new = !is_itself && !same.iter().any(|known| known["href"] == href);
            let is_same = is_new && transaction_numbers::names(&numbers, &number);
            if is_same && scope::contains(connection, &scope, (kind, id)).await? {
                same.push(json!({ "href": href, "reference": reference, "number": number.to_uppercase() }));
            }
            if same.len() == MAX_SAME {
                return Ok(same);
            }
        }
    }
    Ok(same)
}

/// Returns the inputs of the payment.
pub(super) fn inputs(request: &AdminRequest, submission: &Submission) -> Vec<Input> {
    let value = |name: &'static str| view::input_or_stored(request, submission, name);
    let state = value("payment");
    // A fee is waived by its reduction.
    let offered = PAYMENTS.iter().filter(|known| known.key != WAIVED || state == WAIVED);
    let states = offered.map(|known| Choice::new(known.key, known.label, &state)).collect();
    let due = submission.due().text();
    let amount = Input::text("payment_amount", "Amount on the proof").value(value("payment_amount"));
    let mut inputs: Vec<Input> = fee::inputs(request, Some(submission)).into();
    inputs.extend([
        Input::radio("payment", "Payment", states).value(&state).required(),
        if due.is_empty() { amount } else { amount.hint(format!("{due} is due.")) },
        Input::text("payment_transaction", "Transaction number on the proof")
            .hint("Copy it: this is how a payment that is used twice is found.")
            .value(value("payment_transaction")),
        Input::text("payment_reason", "Why it is rejected").value(value("payment_reason")).conditional(),
        Input::new("flag", "tell", "Tell the sender by mail")
            .hint("That it is verified, with the number of the receipt; rejected, and why; or, while it is unchecked, not found.")
            .value(request.form.get("tell")),
    ]);
    inputs
}
