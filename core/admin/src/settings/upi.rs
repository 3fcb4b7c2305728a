//! The payment by UPI as the forms will ask for it.

use super::super::qr;
use festival_base::error::Result;
use festival_base::settings::Settings;
use festival_web::site::rupees;
use serde_json::{Value, json};

/// The QR code of an entry fee with these settings; null where they name no UPI ID.
pub(super) fn code(settings: &Settings) -> Result<Value> {
    let upi = &settings.payment.upi;
    if upi.id.is_empty() {
        return Ok(Value::Null);
    }
    let amount = settings.fees.film_submission_inr;
    let address = address(&upi.id, &upi.payee, amount, "Entry fee");
    Ok(json!({ "picture": qr::picture(&address)?, "id": upi.id, "payee": upi.payee, "amount": rupees(amount) }))
}

/// The address that UPI apps open: the same that the forms' QR codes hold.
fn address(id: &str, payee: &str, amount: i64, note: &str) -> String {
    let amount = amount.to_string();
    let parts = [("pa", id), ("pn", payee), ("am", &amount), ("cu", "INR"), ("tn", note)];
    let said = parts.iter().filter(|(_, value)| !value.is_empty());
    let pairs: Vec<String> = said.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    format!("upi://pay?{}", pairs.join("&"))
}

/// As browsers encode a part of an address, but for the @, which some apps look for as it is.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()@".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::address;

    proptest! {
        /// Whatever is written into the settings, an app pays this payee this amount and nobody else.
        #[test]
        fn properties_the_address_says_each_thing_once(id in ".*", payee in ".*", amount in 0..i64::MAX, note in ".*") {
            let address = address(&id, &payee, amount, &note);
            let query = address.strip_prefix("upi://pay?").expect("a UPI address");
            // A plus sign is a blank to readers of forms, and itself to UPI apps.
            prop_assert!(!query.contains('+'));
            let read: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            let amount = amount.to_string();
            let parts = [("pa", &id), ("pn", &payee), ("am", &amount), ("cu", &"INR".to_owned()), ("tn", &note)]
                .map(|(name, value)| (name.to_owned(), value.clone()));
            let written: Vec<_> = parts.into_iter().filter(|(_, value)| !value.is_empty()).collect();
            prop_assert_eq!(read, written);
        }
    }

    #[test]
    fn the_address_is_that_of_the_forms() {
        assert_eq!(
            address("lamp@bank", "Lamp & Light", 5000, "Entry fee, asian film"),
            "upi://pay?pa=lamp@bank&pn=Lamp%20%26%20Light&am=5000&cu=INR&tn=Entry%20fee%2C%20asian%20film"
        );
    }
}
