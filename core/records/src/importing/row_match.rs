//! The stored row that a row of a table describes.

use std::sync::Arc;

use crate::entity::{Entity, Values};

/// Values with their fields; rows with the same ones share them.
pub type SharedValues = Arc<[(&'static str, String)]>;

/// The stored row that a row of the table describes.
#[derive(Debug, Default)]
pub struct RowMatch {
    /// Its id; `None`: a new row, even if a stored one has the same key.
    pub id: Option<i64>,
    /// Values with their fields that replace those in the table. References are keys.
    pub values: SharedValues,
    /// The id of a stored row that a new one resembles, or that an undecided one may be.
    pub similar: Option<i64>,
    /// Whether the line is written.
    pub status: MatchStatus,
    /// Rows of other entities to create with a new row, each with the field that refers to it and its other values.
    pub further: Vec<(&'static Entity, &'static str, Values)>,
}

impl RowMatch {
    /// The value that replaces that of a field.
    pub fn value(&self, field: &str) -> Option<&str> {
        self.values.iter().find(|(name, _)| *name == field).map(|(_, value)| value.as_str())
    }
}

/// Whether a line of a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchStatus {
    /// It is.
    #[default]
    Decided,
    /// It waits for the answer to a question.
    Open,
    /// It is left out, as the answer to a question says.
    Skipped,
}
