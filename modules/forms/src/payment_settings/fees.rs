//! The section `[fees]`: the amounts that people pay.

use std::collections::BTreeSet;

use festival_core::edition;
use festival_core::settings::{Section, Settings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fee_reduction::Reduction;

/// Minimum length of a code: shorter ones are guessed.
const MIN_CODE: usize = 5;

/// Fees, in rupees unless stated otherwise.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Fees {
    /// Entry fee of a film, in rupees.
    pub(crate) film_submission_inr: i64,
    /// Entry fee of a film in the Asian form, in dollars.
    pub(crate) film_submission_usd: i64,
    /// Public registration of the science film festival, in rupees.
    pub(crate) science_public: i64,
    /// Codes that reduce a fee: the code, what it takes off (a share such as "50%", or rupees), and why.
    pub(crate) codes: Vec<FeeCode>,
    /// Membership categories: key, label and fee in rupees. "{product}" stands for the festival's short name.
    pub(crate) memberships: Vec<Membership>,
}

/// A code that reduces a fee.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeeCode {
    /// The code, as senders write it in any case and spacing.
    pub(crate) code: String,
    /// What it takes off: "100%", "50%", or an amount in rupees.
    pub(crate) reduction: String,
    /// Why, for the history.
    pub(crate) reason: String,
}

/// A membership category with its fee.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Membership {
    /// Stable key.
    pub(crate) key: String,
    /// The text.
    pub(crate) label: String,
    /// The fee in rupees.
    pub(crate) amount: i64,
}

impl Default for Fees {
    fn default() -> Self {
        let membership = |key: &str, label: &str, amount| Membership { key: key.into(), label: label.into(), amount };
        Self {
            film_submission_inr: 5000,
            film_submission_usd: 60,
            science_public: 200,
            codes: Vec::new(),
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

impl Fees {
    /// The section of a new site, whose first edition has this number: the default memberships are those of a 20th.
    pub(super) fn first(number: i64) -> Option<String> {
        if number == 20 {
            return None;
        }
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let lines = Self::default().memberships.into_iter().map(|Membership { key, label, amount }| {
            let label = label.replace("20th", &edition::ordinal_text(number));
            format!("    {{ key = {}, label = {}, amount = {amount} }},\n", quoted(&key), quoted(&label))
        });
        Some(format!("[fees]\nmemberships = [\n{}]\n", lines.collect::<String>()))
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
        let mut codes = BTreeSet::new();
        for FeeCode { code, reduction, reason } in &self.codes {
            if folded_code(code).len() < MIN_CODE || reason.trim().is_empty() {
                problems.push(format!("codes: \"{code}\" needs {MIN_CODE} letters and digits or more, and a reason"));
            }
            if Reduction::read(reduction.trim()).is_none_or(Reduction::is_nothing) {
                problems.push(format!("codes: \"{reduction}\" is no share such as 50% and no amount in whole rupees"));
            }
            if !codes.insert(folded_code(code)) {
                problems.push(format!("codes: \"{code}\" is listed twice"));
            }
        }
        problems
    }
}

/// Returns the letters and digits of a code in capitals.
fn folded_code(code: &str) -> String {
    code.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect()
}

impl Fees {
    /// Name of the section.
    pub(crate) const NAME: &str = "fees";

    /// Returns the fees of `settings`.
    pub(crate) fn of(settings: &Settings) -> Self {
        settings.section_at(Self::NAME)
    }

    /// Returns what a code takes off a fee, and why; `None` if there is no such code.
    pub(crate) fn reduction(&self, code: &str) -> Option<(Reduction, String)> {
        let known = self.codes.iter().find(|known| folded_code(&known.code) == folded_code(code))?;
        let reduction = Reduction::read(known.reduction.trim())?;
        Some((reduction, format!("{} (code {})", known.reason, known.code)))
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
