//! The sections `[fees]` and `[payment]` of the settings: what people pay and where to, on which pages organisers change it,
//! and what is said of it on the site, on the dashboard and by `festival check`.

mod advice;
mod facts;
mod groups;
mod upi;

use std::collections::BTreeSet;

use festival_core::Registry;
use festival_core::admin::Action;
use festival_core::admin::Permission::To;
use festival_core::admin::role::SETTINGS;
use festival_core::settings::{Section, Settings};
use festival_core::site::AddedFacts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mails::templates::PAYMENT_CHANGED;

/// Registers the sections, and everything that follows from them.
pub(crate) fn register(registry: &mut Registry) {
    registry
        .top_level_section::<Fees>(Fees::NAME)
        .top_level_section::<Payment>(Payment::NAME)
        .site_facts(AddedFacts::new(facts::FormsFacts::of))
        .settings_group(&groups::FEES)
        .settings_group(&groups::PAYMENT)
        .mail(&PAYMENT_CHANGED)
        .pending_task(To(&SETTINGS, Action::View), advice::pending_tasks)
        .deploy_check(advice::deploy_problems);
}

/// Fees, in rupees unless stated otherwise.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Fees {
    /// Entry fee of a film, in rupees.
    pub film_submission_inr: i64,
    /// Entry fee of a film in the Asian form, in dollars.
    pub film_submission_usd: i64,
    /// Public registration of the science film festival, in rupees.
    pub science_public: i64,
    /// Membership categories: key, label and fee in rupees. "{product}" stands for the festival's short name.
    pub memberships: Vec<Membership>,
}

/// A membership category with its fee.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Membership {
    /// Stable key.
    pub key: String,
    /// The text.
    pub label: String,
    /// The fee in rupees.
    pub amount: i64,
}

/// Payment details. Empty: the site says that payment details will be announced.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Payment {
    /// Bank transfer.
    pub bank: Bank,
    /// UPI.
    pub upi: Upi,
}

/// Bank transfer.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Bank {
    /// The account's name.
    pub account_name: String,
    /// The account's number.
    pub account_number: String,
    /// The bank and its branch.
    pub bank: String,
    /// The branch.
    pub branch: String,
    /// The branch's IFSC.
    pub ifsc: String,
}

/// UPI.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Upi {
    /// The payee's UPI ID.
    pub id: String,
    /// The payee's name that apps show.
    pub payee: String,
}

impl Default for Fees {
    fn default() -> Self {
        let membership = |key: &str, label: &str, amount| Membership { key: key.into(), label: label.into(), amount };
        Self {
            film_submission_inr: 5000,
            film_submission_usd: 60,
            science_public: 200,
            memberships: vec![
                membership("membership", "Membership", 2000),
                membership("delegate", "20th {product} Delegate", 1300),
                membership("student", "Student Delegate", 500),
                membership("institutional", "Institutional Member", 25_000),
                membership("life", "Life Membership", 10_000),
            ],
        }
    }
}

impl Section for Fees {
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let single_fees = [
            ("film_submission_inr", self.film_submission_inr),
            ("film_submission_usd", self.film_submission_usd),
            ("science_public", self.science_public),
        ];
        for (key, amount) in single_fees.into_iter().filter(|(_, amount)| *amount < 0) {
            problems.push(format!("{key}: {amount} must not be below 0"));
        }
        let mut keys = BTreeSet::new();
        let mut labels = BTreeSet::new();
        for membership in &self.memberships {
            let label = &membership.label;
            if membership.amount < 0 {
                problems.push(format!("memberships: {} of \"{label}\" must not be below 0", membership.amount));
            }
            if label.trim().is_empty() || membership.key.is_empty() {
                problems.push("memberships: each needs a key and a label".to_owned());
            }
            // The form sends the label and the row stores the key, so both have to be unique.
            if !keys.insert(&membership.key) || !labels.insert(label.trim().to_lowercase()) {
                problems.push(format!("memberships: \"{label}\" is listed twice"));
            }
        }
        problems
    }
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

impl Fees {
    /// Name of the section.
    pub(crate) const NAME: &str = "fees";

    /// Returns the fees of `settings`.
    pub(crate) fn of(settings: &Settings) -> Self {
        settings.section_at(Self::NAME)
    }

    /// Returns the membership category with this key.
    pub(crate) fn membership(&self, key: &str) -> Option<&Membership> {
        self.memberships.iter().find(|membership| membership.key == key)
    }
}

impl Membership {
    /// Returns the label with the festival's short name in it.
    pub(crate) fn label_in(&self, settings: &Settings) -> String {
        self.label.replace("{product}", &settings.product.name)
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
fn is_ifsc(text: &str) -> bool {
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
