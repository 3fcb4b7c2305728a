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
    use super::address;

    #[test]
    fn the_address_is_that_of_the_forms() {
        assert_eq!(
            address("lamp@bank", "Lamp & Light", 5000, "Entry fee, asian film"),
            "upi://pay?pa=lamp@bank&pn=Lamp%20%26%20Light&am=5000&cu=INR&tn=Entry%20fee%2C%20asian%20film"
        );
    }
}
