//! The section `[payment]`: the account that people pay to.

use festival_core::settings::{Section, Settings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Payment details. Empty: the site says that payment details will be announced.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Payment {
    /// Bank transfer.
    pub(crate) bank: Bank,
    /// UPI.
    pub(crate) upi: Upi,
}

/// Bank transfer.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Bank {
    /// The account's name.
    pub(crate) account_name: String,
    /// The account's number.
    pub(crate) account_number: String,
    /// The bank and its branch.
    pub(crate) bank: String,
    /// The branch.
    pub(crate) branch: String,
    /// The branch's IFSC.
    pub(crate) ifsc: String,
}

/// UPI.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Upi {
    /// The payee's UPI ID.
    pub(crate) id: String,
    /// The payee's name that apps show.
    pub(crate) payee: String,
}

impl Section for Payment {
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let bank = &self.bank;
        let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ' || c == '-');
        if !plain(&bank.account_number) {
            problems.push(format!(
                "bank.account_number: \"{}\" may contain digits, letters, spaces and hyphens only",
                bank.account_number
            ));
        }
        if !(bank.ifsc.is_empty() || is_ifsc(&bank.ifsc)) {
            problems.push(format!("bank.ifsc: \"{}\" is not an IFSC; write one like ABCD0123456", bank.ifsc));
        }
        let upi = &self.upi.id;
        if !(upi.is_empty() || is_upi_id(upi)) {
            problems.push(format!("upi.id: \"{upi}\" is not a UPI ID; write one like festival@bank"));
        }
        problems
    }
}

impl Payment {
    /// Name of the section.
    pub(crate) const NAME: &str = "payment";

    /// Returns the payment details of `settings`.
    pub(crate) fn of(settings: &Settings) -> Self {
        settings.section_at(Self::NAME)
    }
}

/// Whether `text` is an IFSC: four letters, a zero, six letters or digits.
pub(crate) fn is_ifsc(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 11
        && bytes[..4].iter().all(u8::is_ascii_alphabetic)
        && bytes[4] == b'0'
        && bytes[5..].iter().all(u8::is_ascii_alphanumeric)
}

/// Whether `text` is a UPI ID: a name, one @, the handle of a bank or an app.
fn is_upi_id(text: &str) -> bool {
    let Some((name, bank)) = text.split_once('@') else { return false };
    let is_valid = |part: &str, punctuation: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || punctuation.contains(c))
    };
    is_valid(name, ".-_") && is_valid(bank, ".-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ifsc_and_upi_ids_are_validated() {
        assert!(is_ifsc("EXMP0000001") && !is_ifsc("EXMP1000001") && !is_ifsc("EXMP000001") && !is_ifsc("ex"));
        assert!(is_upi_id("lamp@examplebank") && is_upi_id("l.a-m_p9@ok.bank"));
        assert!(!is_upi_id("lamp") && !is_upi_id("@bank") && !is_upi_id("a@b@c") && !is_upi_id("a b@bank"));
    }
}
