//! The payment of a submission: what is expected, what the proof says, whether the same payment was named before.

use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Choice, Input, Reply};
use festival_core::entity::trim;
use festival_core::settings::Fees;
use festival_core::site::rupees;
use festival_core::{Error, FieldError, Result};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Row as _};

use super::{events, scope, show, view};
use crate::submissions::{Kind, PAYMENTS, Submission, label_of};

/// The field with the proof.
pub(super) const PROOF: &str = "screenshot";

/// The longest texts about a payment, in characters.
const LONGEST: usize = 100;
const LONGEST_REASON: usize = 500;
/// At most so many numbers of a text are looked for elsewhere.
const MOST_NUMBERS: usize = 4;

/// What the page says of the payment.
pub(super) async fn block(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    kind: &Kind,
    submission: &Submission<'_>,
) -> Result<Value> {
    let state = submission.text("payment");
    let proof = view::files(request, kind, submission).into_iter().find(|file| file["field"] == PROOF);
    let same = same_payment(request, connection, kind, submission).await?;
    Ok(json!({
        "state": label_of(PAYMENTS, state),
        "tone": show::tone(PAYMENTS, state),
        "reason": submission.text("payment_reason"),
        "expected": expected(&request.site.in_force_on(connection).await?.fees, submission),
        "said": submission.text("transaction_details"),
        "transaction": submission.text("payment_transaction"),
        "amount": submission.text("payment_amount"),
        "proof": proof,
        "same": same,
    }))
}

/// What was to be paid: the fee of that day, of a film what the settings say.
fn expected(fees: &Fees, submission: &Submission<'_>) -> String {
    if submission.number("fee_inr").is_some() && submission.text("category_key").is_empty() {
        return format!("not known: {} is no category", submission.text("category"));
    }
    if let Some(fee) = submission.number("fee_inr") {
        return format!("{} for {}", rupees(fee), submission.text("category"));
    }
    let fee = rupees(fees.film_submission_inr);
    if submission.text("award_category") == "asian" { format!("{fee} or ${}", fees.film_submission_usd) } else { fee }
}

/// The numbers in a text that look like those of a transaction: long, with many digits, and no days.
fn numbers(text: &str) -> Vec<String> {
    let looks_right =
        |word: &&str| word.len() >= 8 && word.bytes().filter(u8::is_ascii_digit).count() >= 5 && !is_day(word);
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut numbers: Vec<String> = words.filter(looks_right).map(str::to_ascii_lowercase).collect();
    numbers.sort_unstable_by_key(|number| std::cmp::Reverse(number.len()));
    numbers.dedup();
    numbers.truncate(MOST_NUMBERS);
    numbers
}

/// Whether eight letters and digits are a day: 20250912, 12092025.
fn is_day(word: &str) -> bool {
    let is_year = |digits: &str| digits.parse().is_ok_and(|year: u32| (1900..2100).contains(&year));
    word.len() == 8 && word.parse::<u32>().is_ok() && (is_year(&word[..4]) || is_year(&word[4..]))
}

/// Every other submission, of any kind and year, that names a number of this payment.
async fn same_payment(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    kind: &Kind,
    submission: &Submission<'_>,
) -> Result<Vec<Value>> {
    let scope = request.scope();
    let text = format!("{} {}", submission.text("transaction_details"), submission.text("payment_transaction"));
    let mut same: Vec<Value> = Vec::new();
    for number in numbers(&text) {
        let rows = sqlx::query(
            "SELECT 'delegate' AS found_in, id, reference FROM delegates WHERE is_quarantined = 0 \
             AND (lower(transaction_details) LIKE $1 OR lower(payment_transaction) LIKE $1) \
             UNION ALL SELECT 'film', id, reference FROM film_submissions WHERE is_quarantined = 0 \
             AND lower(payment_transaction) LIKE $1 LIMIT 20",
        )
        .bind(format!("%{number}%"))
        .fetch_all(&mut *connection)
        .await?;
        for row in rows {
            let (found_in, id, reference): (String, i64, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            let Some(other) = Kind::of_name(&found_in) else { continue };
            let href = format!("{}/{id}", other.home());
            let is_itself = (other.name, id) == (kind.name, submission.id);
            let is_new = !is_itself && !same.iter().any(|known| known["href"] == href);
            if is_new && scope::holds(connection, &scope, (other, id)).await? {
                same.push(json!({ "href": href, "reference": reference, "number": number.to_uppercase() }));
            }
        }
    }
    Ok(same)
}

/// The inputs of the form.
pub(super) fn inputs(request: &AdminRequest, submission: &Submission<'_>, mark: i64) -> Vec<Input> {
    let typed = |name: &'static str| show::typed(request, name, submission.text(name));
    let state = typed("payment");
    let states = PAYMENTS.iter().map(|known| Choice::new(known.key, known.label, &state)).collect();
    vec![
        Input::hidden("mark", mark.to_string()),
        Input::radio("payment", "Payment", states).value(&state).required(),
        Input::text("payment_transaction", "Transaction number on the proof")
            .hint("Copy it: this is how a payment that is used twice is found.")
            .value(typed("payment_transaction")),
        Input::text("payment_amount", "Amount on the proof").value(typed("payment_amount")),
        Input::text("payment_reason", "Why it is rejected").value(typed("payment_reason")),
    ]
}

/// What was typed about a payment.
struct Checked {
    state: &'static str,
    transaction: String,
    amount: String,
    reason: String,
}

impl Checked {
    fn read(request: &AdminRequest) -> Result<Self> {
        let text = |name: &str| trim(request.form.get(name)).to_owned();
        let mut wrong = Vec::new();
        let state = PAYMENTS.iter().find(|state| state.key == request.form.get("payment"));
        if state.is_none() {
            wrong.push(FieldError::new("payment", "Choose how it stands with the payment."));
        }
        let checked = Self {
            state: state.map_or("", |state| state.key),
            transaction: text("payment_transaction"),
            amount: text("payment_amount"),
            reason: text("payment_reason"),
        };
        for (name, text, longest) in [
            ("payment_transaction", &checked.transaction, LONGEST),
            ("payment_amount", &checked.amount, LONGEST),
            ("payment_reason", &checked.reason, LONGEST_REASON),
        ] {
            if text.chars().count() > longest || text.chars().any(char::is_control) {
                wrong.push(FieldError::new(name, format!("Write at most {longest} characters on one line.")));
            }
        }
        if checked.state == "rejected" && checked.reason.is_empty() {
            wrong.push(FieldError::new("payment_reason", "Write why the payment is rejected."));
        }
        if wrong.is_empty() { Ok(checked) } else { Err(Error::Invalid(wrong)) }
    }

    /// In words, for the history.
    fn words(&self) -> String {
        let mut words = vec![label_of(PAYMENTS, self.state)];
        let parts = [("transaction", &self.transaction), ("amount", &self.amount), ("reason", &self.reason)];
        words.extend(parts.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("{name} {text}")));
        words.join(", ")
    }
}

pub(super) async fn check(request: AdminRequest, kind: &'static Kind) -> Result<Reply> {
    let id = request.id()?;
    match save(&request, kind, id).await {
        Ok(reference) => {
            let words = format!("The payment of {reference} is saved.");
            Ok(Reply::redirect(show::onward(&request, kind, id).await?).done(words).into())
        }
        Err(error) => show::refused(&request, kind, id, error).await,
    }
}

async fn save(request: &AdminRequest, kind: &'static Kind, id: i64) -> Result<String> {
    let checked = Checked::read(request)?;
    let mut write = request.write_private().await?;
    events::lock_as_seen(&mut write, request, (kind, id), request.form.get("mark")).await?;
    let select = show::select(&mut write, &request.scope(), (kind, id)).await?;
    let submission = show::find(request, &mut write, kind, &select).await?;
    let reference = submission.text("reference").to_owned();
    let kept = |name: &str| submission.text(name).to_owned();
    let state = PAYMENTS.iter().find(|state| state.key == submission.text("payment"));
    let before = Checked {
        state: state.map_or("", |state| state.key),
        transaction: kept("payment_transaction"),
        amount: kept("payment_amount"),
        reason: kept("payment_reason"),
    };
    if before.words() == checked.words() {
        return Ok(reference);
    }
    let sql = match kind.name {
        "film" => {
            "UPDATE film_submissions SET payment = $1, payment_transaction = $2, payment_amount = $3, \
             payment_reason = $4 WHERE id = $5"
        }
        _ => {
            "UPDATE delegates SET payment = $1, payment_transaction = $2, payment_amount = $3, payment_reason = $4 \
             WHERE id = $5"
        }
    };
    sqlx::query(sql)
        .bind(checked.state)
        .bind(checked.transaction.clone())
        .bind(checked.amount.clone())
        .bind(checked.reason.clone())
        .bind(id)
        .execute(&mut *write)
        .await?;
    events::add(&mut write, request, (kind, id), "payment", (&before.words(), &checked.words())).await?;
    let entry = Entry::new("check payment", kind.entity.table).id(id);
    let entry = entry.before(json!({ "payment": before.state })).after(json!({ "payment": checked.state }));
    request.audit(&mut write, entry).await?;
    write.commit().await?;
    Ok(reference)
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn numbers_of_transactions_are_told_from_days_amounts_and_words() {
        assert_eq!(numbers("UTR 000111222333, SBI, 12/09/2025, Rs 5000"), ["000111222333"]);
        assert_eq!(numbers("ref: sbin0r52025 (20250912, 12092025)"), ["sbin0r52025"]);
        assert_eq!(numbers("paid by GPay yesterday"), Vec::<String>::new());
    }
}
