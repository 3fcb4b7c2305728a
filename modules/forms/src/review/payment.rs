//! The payment of a submission: the expected amount, what the proof says, and other submissions with the same payment.

use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Choice, Input, Reply};
use festival_core::entity::trim;
use festival_core::settings::Fees;
use festival_core::site::rupees;
use festival_core::{Error, FieldError, Result};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Row as _};

use super::{events, scope, show, view};
use crate::submissions::{PAYMENTS, Submission, SubmissionKind, label_of, tone_of};

/// Field with the proof of the payment.
pub(super) const PROOF: &str = "screenshot";

/// Longest transaction number and amount, in characters.
const MAX_TEXT: usize = 100;
/// Longest reason, in characters.
const MAX_REASON: usize = 500;
/// How many transaction numbers of a text are searched for in other submissions.
const MAX_NUMBERS: usize = 4;

/// Returns the data of the payment for the page of a submission.
pub(super) async fn summary(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    submission: &Submission,
) -> Result<Value> {
    let state = submission.text("payment");
    let proof = view::files(request, submission).into_iter().find(|file| file["field"] == PROOF);
    let same = list_same_payment(request, connection, submission).await?;
    Ok(json!({
        "state": label_of(PAYMENTS, state),
        "tone": tone_of(PAYMENTS, state),
        "reason": submission.text("payment_reason"),
        "expected": expected(&request.site.in_force_on(connection).await?.fees, submission),
        "said": submission.text("transaction_details"),
        "transaction": submission.text("payment_transaction"),
        "amount": submission.text("payment_amount"),
        "proof": proof,
        "same": same,
    }))
}

/// Returns the expected amount: for a registration the fee of its day, for a film the fee in the settings.
fn expected(fees: &Fees, submission: &Submission) -> String {
    if submission.number("fee_inr").is_some() && submission.text("category_key").is_empty() {
        return format!("not known: {} is no category", submission.text("category"));
    }
    if let Some(fee) = submission.number("fee_inr") {
        return format!("{} for {}", rupees(fee), submission.text("category"));
    }
    let fee = rupees(fees.film_submission_inr);
    if submission.text("award_category") == "asian" { format!("{fee} or ${}", fees.film_submission_usd) } else { fee }
}

/// Returns the words of a text that look like transaction numbers: long, with many digits, and no dates.
fn transaction_numbers(text: &str) -> Vec<String> {
    let is_number =
        |word: &&str| word.len() >= 8 && word.bytes().filter(u8::is_ascii_digit).count() >= 5 && !is_date(word);
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut numbers: Vec<String> = words.filter(is_number).map(str::to_ascii_lowercase).collect();
    numbers.sort_unstable_by_key(|number| std::cmp::Reverse(number.len()));
    numbers.dedup();
    numbers.truncate(MAX_NUMBERS);
    numbers
}

/// Whether a word is a date: 20250912, 12092025.
fn is_date(word: &str) -> bool {
    let is_year = |digits: &str| digits.parse().is_ok_and(|year: u32| (1900..2100).contains(&year));
    word.len() == 8 && word.parse::<u32>().is_ok() && (is_year(&word[..4]) || is_year(&word[4..]))
}

/// Returns the other submissions, of any kind and year, that name a transaction number of this one.
async fn list_same_payment(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    submission: &Submission,
) -> Result<Vec<Value>> {
    let scope = request.scope();
    let text = format!("{} {}", submission.text("transaction_details"), submission.text("payment_transaction"));
    let mut same: Vec<Value> = Vec::new();
    for number in transaction_numbers(&text) {
        let rows = sqlx::query(
            "SELECT 'delegate' AS kind, id, reference FROM delegates WHERE is_quarantined = 0 \
             AND (lower(transaction_details) LIKE $1 OR lower(payment_transaction) LIKE $1) \
             UNION ALL SELECT 'film', id, reference FROM film_submissions WHERE is_quarantined = 0 \
             AND lower(payment_transaction) LIKE $1 LIMIT 20",
        )
        .bind(format!("%{number}%"))
        .fetch_all(&mut *connection)
        .await?;
        for row in rows {
            let (kind, id, reference): (String, i64, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            let Some(kind) = SubmissionKind::find(&kind) else { continue };
            let href = format!("{}/{id}", kind.list_path());
            let is_itself = (kind.name, id) == (submission.kind.name, submission.id);
            let is_new = !is_itself && !same.iter().any(|known| known["href"] == href);
            if is_new && scope::contains(connection, &scope, (kind, id)).await? {
                same.push(json!({ "href": href, "reference": reference, "number": number.to_uppercase() }));
            }
        }
    }
    Ok(same)
}

/// Returns the inputs of the form with the payment, for the `version` of the submission.
pub(super) fn inputs(request: &AdminRequest, submission: &Submission, version: i64) -> Vec<Input> {
    let value = |name: &'static str| show::input_or_stored(request, submission, name);
    let state = value("payment");
    let states = PAYMENTS.iter().map(|known| Choice::new(known.key, known.label, &state)).collect();
    vec![
        Input::hidden("mark", version.to_string()),
        Input::radio("payment", "Payment", states).value(&state).required(),
        Input::text("payment_transaction", "Transaction number on the proof")
            .hint("Copy it: this is how a payment that is used twice is found.")
            .value(value("payment_transaction")),
        Input::text("payment_amount", "Amount on the proof").value(value("payment_amount")),
        Input::text("payment_reason", "Why it is rejected").value(value("payment_reason")),
    ]
}

/// What organisers state about a payment.
struct PaymentCheck {
    state: &'static str,
    transaction: String,
    amount: String,
    reason: String,
}

impl PaymentCheck {
    /// Parses and validates the form.
    fn parse(request: &AdminRequest) -> Result<Self> {
        let text = |name: &str| trim(request.form.get(name)).to_owned();
        let mut errors = Vec::new();
        let state = PAYMENTS.iter().find(|state| state.key == request.form.get("payment"));
        if state.is_none() {
            errors.push(FieldError::new("payment", "Choose the status of the payment."));
        }
        let check = Self {
            state: state.map_or("", |state| state.key),
            transaction: text("payment_transaction"),
            amount: text("payment_amount"),
            reason: text("payment_reason"),
        };
        for (name, text, max) in [
            ("payment_transaction", &check.transaction, MAX_TEXT),
            ("payment_amount", &check.amount, MAX_TEXT),
            ("payment_reason", &check.reason, MAX_REASON),
        ] {
            if text.chars().count() > max || text.chars().any(char::is_control) {
                errors.push(FieldError::new(name, format!("Write at most {max} characters on one line.")));
            }
        }
        if check.state == "rejected" && check.reason.is_empty() {
            errors.push(FieldError::new("payment_reason", "Write why the payment is rejected."));
        }
        if errors.is_empty() { Ok(check) } else { Err(Error::Invalid(errors)) }
    }

    /// Returns the stored values of a submission.
    fn stored(submission: &Submission) -> Self {
        let text = |name: &str| submission.text(name).to_owned();
        let state = PAYMENTS.iter().find(|state| state.key == submission.text("payment"));
        Self {
            state: state.map_or("", |state| state.key),
            transaction: text("payment_transaction"),
            amount: text("payment_amount"),
            reason: text("payment_reason"),
        }
    }

    /// Returns it as a sentence for the history.
    fn summary(&self) -> String {
        let mut parts = vec![label_of(PAYMENTS, self.state)];
        let texts = [("transaction", &self.transaction), ("amount", &self.amount), ("reason", &self.reason)];
        parts.extend(texts.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("{name} {text}")));
        parts.join(", ")
    }
}

/// Handles `POST {id}/payment`.
pub(super) async fn save(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let id = request.id()?;
    let saved = update(&request, kind, id).await.map(|reference| format!("The payment of {reference} is saved."));
    show::after_saving(&request, kind, id, saved).await
}

async fn update(request: &AdminRequest, kind: &'static SubmissionKind, id: i64) -> Result<String> {
    let check = PaymentCheck::parse(request)?;
    let mut write = request.write_private().await?;
    let submission = events::lock_version(&mut write, request, (kind, id), request.form.get("mark")).await?;
    let reference = submission.reference().to_owned();
    let before = PaymentCheck::stored(&submission);
    if before.summary() == check.summary() {
        return Ok(reference);
    }
    sqlx::query(kind.statements.set_payment)
        .bind(check.state)
        .bind(check.transaction.clone())
        .bind(check.amount.clone())
        .bind(check.reason.clone())
        .bind(id)
        .execute(&mut *write)
        .await?;
    events::add(&mut write, request, &submission, "payment", (&before.summary(), &check.summary())).await?;
    let entry = Entry::new("check payment", kind.entity.table).id(id);
    let entry = entry.before(json!({ "payment": before.state })).after(json!({ "payment": check.state }));
    request.audit(&mut write, entry).await?;
    write.commit().await?;
    Ok(reference)
}

#[cfg(test)]
mod tests {
    use super::transaction_numbers;

    #[test]
    fn transaction_numbers_are_told_from_dates_amounts_and_words() {
        assert_eq!(transaction_numbers("UTR 000111222333, SBI, 12/09/2025, Rs 5000"), ["000111222333"]);
        assert_eq!(transaction_numbers("ref: sbin0r52025 (20250912, 12092025)"), ["sbin0r52025"]);
        assert_eq!(transaction_numbers("paid by GPay yesterday"), Vec::<String>::new());
    }
}
