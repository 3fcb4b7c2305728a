//! What the server noted about single values of a submission, beside what was sent.

use serde::{Deserialize, Serialize};

/// A note about the value of one field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Finding {
    /// The field's name.
    pub(crate) field: String,
    /// The value as it was sent, where the column holds its reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sent: Option<String>,
    /// What it was read as, where the column holds the value as it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read: Option<String>,
    /// Why somebody should look at it: a sentence without its full stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

/// Findings as the column `findings` holds them.
pub(crate) fn to_json(findings: &[Finding]) -> String {
    serde_json::to_string(findings).unwrap_or_else(|_| "[]".to_owned())
}

/// The findings in the column `findings`.
pub(crate) fn from_json(text: &str) -> Vec<Finding> {
    serde_json::from_str(text).unwrap_or_default()
}
