//! The section `[fees]`: the amounts that people pay.

use std::collections::BTreeSet;

use festival_core::edition;
use festival_core::settings::{Section, Settings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// Membership categories: key, label and fee in rupees. "{product}" stands for the festival's short name.
    pub(crate) memberships: Vec<Membership>,
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
