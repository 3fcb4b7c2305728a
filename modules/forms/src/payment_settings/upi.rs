//! The UPI payment link and its QR code, as the forms show them.

use festival_core::Result;
use festival_core::admin::qr;
use festival_core::browser_settings::Illustration;
use festival_core::money_text::rupees;
use festival_core::settings::Settings;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::fees::Fees;
use super::payment::Payment;

/// Returns the QR code of an entry fee; none if `settings` have no UPI ID.
pub(super) fn illustration(settings: &Settings) -> Result<Option<Illustration>> {
    let upi = Payment::of(settings).upi;
    if upi.id.is_empty() {
        return Ok(None);
    }
    let fee = Fees::of(settings).film_submission_inr;
    let (link, amount) = (payment_link(&upi.id, &upi.payee, fee, "Entry fee"), rupees(fee));
    Ok(Some(Illustration {
        picture: qr::data_url(&link)?,
        alt: format!("QR code for {amount} to {}", upi.id),
        caption: "Scan the code with a UPI app and check what it shows:",
        facts: [upi.payee, upi.id, amount].into_iter().filter(|text| !text.is_empty()).collect(),
        note: "(the entry fee of a film). Do not pay.",
    }))
}

/// Longest note that every app accepts, in characters.
const MAX_NOTE: usize = 50;

/// Returns the link that UPI apps open, equal to that in the QR codes of the forms (`frontend/src/features/forms/model/upi.ts`):
/// both are tested with `tests/fixtures/upi-links.json`.
fn payment_link(id: &str, payee: &str, amount: i64, note: &str) -> String {
    let amount = amount.to_string();
    let note: String = note.chars().take(MAX_NOTE).collect();
    let parts = [("pa", id), ("pn", payee), ("am", &amount), ("cu", "INR"), ("tn", &note)];
    let filled = parts.iter().filter(|(_, value)| !value.is_empty());
    let pairs: Vec<String> =
        filled.map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, ENCODED))).collect();
    format!("upi://pay?{}", pairs.join("&"))
}

/// Characters that are encoded in a query value: those of `encodeURIComponent`, except for `@`, which some apps expect
/// literally.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'@');

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::payment_link;

    proptest! {
        /// No value in the settings can make an app see another payee or amount.
        #[test]
        fn properties_payment_link_holds_each_parameter_once(id in ".*", payee in ".*", amount in 0..i64::MAX, note in ".{0,50}") {
            let link = payment_link(&id, &payee, amount, &note);
            let query = link.strip_prefix("upi://pay?").expect("a UPI address");
            // A plus sign means a blank in forms, but itself in UPI apps.
            prop_assert!(!query.contains('+'));
            let read: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            let amount = amount.to_string();
            let parts = [("pa", &id), ("pn", &payee), ("am", &amount), ("cu", &"INR".to_owned()), ("tn", &note)]
                .map(|(name, value)| (name.to_owned(), value.clone()));
            let written: Vec<_> = parts.into_iter().filter(|(_, value)| !value.is_empty()).collect();
            prop_assert_eq!(read, written);
        }
    }

    #[derive(serde::Deserialize)]
    struct Example {
        id: String,
        payee: String,
        amount: i64,
        note: String,
        link: String,
    }

    #[test]
    fn payment_link_equals_that_of_the_forms() {
        let examples = include_str!("../../../../tests/fixtures/upi-links.json");
        let examples: Vec<Example> = serde_json::from_str(examples).expect("a list of examples");
        assert_eq!(examples.len(), 5);
        for Example { id, payee, amount, note, link } in examples {
            assert_eq!(payment_link(&id, &payee, amount, &note), link);
        }
    }
}
