//! The lines of the dashboard about storage and mail.

use serde::Serialize;

/// A line of the section about storage and mail.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Fact {
    label: &'static str,
    value: String,
}

impl Fact {
    pub(super) fn new(label: &'static str, value: impl Into<String>) -> Self {
        Self { label, value: value.into() }
    }
}
