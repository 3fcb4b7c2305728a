//! Notes that the server makes about single values of a submission, stored as JSON in the column `findings`.

use serde::{Deserialize, Serialize};

/// A note about the value of one field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Finding {
    /// Name of the field.
    pub(crate) field: String,
    /// The value as it was sent, if the column stores the parsed value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sent: Option<String>,
    /// The parsed value, if the column stores the value as it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read: Option<String>,
    /// Why an organiser should look at the value: a sentence without its full stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

impl Finding {
    /// Returns a note that says why an organiser should look at the value of a field.
    pub(crate) fn new(field: &str, reason: impl Into<String>) -> Self {
        Self { field: field.to_owned(), reason: Some(reason.into()), ..Self::default() }
    }
}

pub(crate) fn to_json(findings: &[Finding]) -> String {
    serde_json::to_string(findings).unwrap_or_else(|_| "[]".to_owned())
}

/// Parses the column `findings`; invalid JSON yields no findings.
pub(crate) fn from_json(text: &str) -> Vec<Finding> {
    serde_json::from_str(text).unwrap_or_default()
}
