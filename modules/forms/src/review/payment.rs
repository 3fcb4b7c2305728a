//! The payment of a submission: what is due, what the proof says, and other submissions with the same payment.

use festival_core::Result;
use festival_core::admin::{AdminRequest, Choice, Input};
use festival_core::text::with_ascii_digits;
use serde_json::{Value, json};
use sqlx::{AnyConnection, Row as _};

use super::view;
use crate::amount::{Amount, Difference};
use crate::scope;
use crate::submissions::{PAYMENTS, Submission, SubmissionKind, label_of, tone_of};
use crate::{payment_code, utr};

/// Field with the proof of the payment.
pub(super) const PROOF: &str = "screenshot";

/// Maximum number of transaction numbers in a text that are searched for in other submissions.
const MAX_NUMBERS: usize = 4;

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
    let proof = view::files(request, submission).into_iter().find(|file| file["field"] == PROOF);
    let same = list_same_payment(request, connection, submission).await?;
    Ok(json!({
        "state": label_of(PAYMENTS, state),
        "tone": tone_of(PAYMENTS, state),
        "reason": submission.text("payment_reason"),
        "due": if due.is_empty() { "not known" } else { &due },
        "due_for": due_for,
        "said": submission.text("transaction_details"),
        "utr": utr,
        "utr_problem": (!utr.is_empty() && !utr::is_utr(utr)).then_some(utr::UNUSUAL),
        "code": code,
        "code_problem": (!code.is_empty() && payment_code::read(code).is_none()).then_some(payment_code::INVALID),
        "transaction": submission.text("payment_transaction"),
        "amount": amount,
        // Not if the text is the same already.
        "read": Amount::read(amount).map(Amount::text).filter(|read| read != amount),
        "difference": submission.amount_difference().map(Difference::text),
        "proof": proof,
        "same": same,
    }))
}

/// Characters that people write between the digits of a transaction number.
const SEPARATORS: [char; 3] = [' ', '-', '\u{a0}'];

/// Returns the words of a text that look like transaction numbers: long, with many digits, and not dates. Groups of digits
/// are one number, "5123 4567 8901", and what stands before a long one does not count: "UTR512345678901".
fn transaction_numbers(text: &str) -> Vec<String> {
    let is_number =
        |word: &String| word.len() >= 8 && word.bytes().filter(u8::is_ascii_digit).count() >= 5 && !is_date(word);
    let text = with_ascii_digits(text);
    let is_group = |word: &str| (3..=8).contains(&word.len()) && word.bytes().all(|digit| digit.is_ascii_digit());
    let mut words: Vec<String> = Vec::new();
    for part in text.split(|c: char| !c.is_ascii_alphanumeric() && !SEPARATORS.contains(&c)) {
        let parts: Vec<&str> = part.split(SEPARATORS).filter(|word| !word.is_empty()).collect();
        for groups in parts.chunk_by(|left, right| is_group(left) && is_group(right)) {
            let length: usize = groups.iter().map(|group| group.len()).sum();
            match (10..=22).contains(&length) {
                true => words.push(groups.concat()),
                false => words.extend(groups.iter().map(|group| (*group).to_owned())),
            }
        }
    }
    let plain = |word: String| {
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let is_long = digits.len() >= 10 && digits.bytes().all(|digit| digit.is_ascii_digit());
        if is_long { digits.to_owned() } else { word.to_ascii_lowercase() }
    };
    let mut numbers: Vec<String> = words.into_iter().filter(is_number).map(plain).collect();
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
    let names = ["transaction_details", "payment_utr", "payment_transaction"];
    let text = names.map(|name| submission.text(name)).join(" ");
    let mut same: Vec<Value> = Vec::new();
    for number in transaction_numbers(&text) {
        let rows = sqlx::query(
            "SELECT 'delegate' AS kind, id, reference FROM delegates WHERE is_quarantined = 0 AND \
             replace(replace(lower(transaction_details || '|' || payment_utr || '|' || payment_transaction), ' ', ''), '-', '') LIKE $1 \
             UNION ALL SELECT 'film', id, reference FROM film_submissions WHERE is_quarantined = 0 AND \
             replace(replace(lower(payment_utr || '|' || payment_transaction), ' ', ''), '-', '') LIKE $1 LIMIT 20",
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

/// Returns the inputs of the payment.
pub(super) fn inputs(request: &AdminRequest, submission: &Submission) -> Vec<Input> {
    let value = |name: &'static str| view::input_or_stored(request, submission, name);
    let state = value("payment");
    let states = PAYMENTS.iter().map(|known| Choice::new(known.key, known.label, &state)).collect();
    let due = submission.due().text();
    let amount = Input::text("payment_amount", "Amount on the proof").value(value("payment_amount"));
    vec![
        Input::radio("payment", "Payment", states).value(&state).required(),
        if due.is_empty() { amount } else { amount.hint(format!("{due} is due.")) },
        Input::text("payment_transaction", "Transaction number on the proof")
            .hint("Copy it: this is how a payment that is used twice is found.")
            .value(value("payment_transaction")),
        Input::text("payment_reason", "Why it is rejected").value(value("payment_reason")).conditional(),
        Input::new("flag", "tell", "Tell the sender by mail")
            .hint("That it is rejected and why, or, while it is unchecked, that no payment was found.")
            .value(request.form.get("tell")),
    ]
}

#[cfg(test)]
mod tests {
    use super::transaction_numbers;

    #[test]
    fn transaction_number_is_the_same_however_it_is_grouped() {
        for text in [
            "UTR 512345678901",
            "5123 4567 8901",
            "UTR-5123-4567-8901",
            "utr512345678901",
            "512-345-678-901",
            "५१२३ ४५६७ ८९०१",
            "UPI/512345678901/Asha",
        ] {
            assert_eq!(transaction_numbers(text), ["512345678901"], "{text}");
        }
        assert_eq!(transaction_numbers("SBIN525123456789"), ["525123456789"]);
        assert_eq!(transaction_numbers("Rs 5000 on 12 09 2025"), Vec::<String>::new());
    }

    #[test]
    fn transaction_numbers_are_distinguished_from_dates_amounts_and_words() {
        assert_eq!(transaction_numbers("UTR 000111222333, SBI, 12/09/2025, Rs 5000"), ["000111222333"]);
        assert_eq!(transaction_numbers("ref: sbin0r52025 (20250912, 12092025)"), ["sbin0r52025"]);
        assert_eq!(transaction_numbers("paid by GPay yesterday"), Vec::<String>::new());
    }
}
