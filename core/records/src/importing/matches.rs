//! The stored rows that the rows of a table describe.

use super::question::{Question, RowMatch};
use crate::entity::{Entity, Field, Kind, Values};

/// The stored rows that the rows of a table describe.
#[derive(Debug, Default)]
pub struct Matches {
    /// One match for each row of the table, in its order.
    pub rows: Vec<RowMatch>,
    /// Rows of other entities that rows of the table refer to and that have to be created.
    pub new_targets: Vec<NewTarget>,
    /// The questions that only a person can decide, with the answers that
    /// [`Import::decisions`](super::Import::decisions) has.
    pub questions: Vec<Question>,
    /// Remarks for people.
    pub notes: Vec<String>,
    /// A new row must have a key of its own.
    pub checks_keys: bool,
}

/// A row to create because rows of the table refer to it.
#[derive(Debug)]
pub struct NewTarget {
    /// Its entity.
    pub entity: &'static Entity,
    /// The value of the first field of the entity's key, which references use.
    pub key: String,
    /// Its values by field.
    pub values: Values,
}

impl NewTarget {
    /// Its title.
    pub(super) fn title(&self) -> &str {
        self.values.get(self.entity.title().name).map_or(&self.key, String::as_str)
    }

    /// Whether a field refers to rows of its kind.
    pub(super) fn is_target_of(&self, field: &Field) -> bool {
        matches!(field.kind, Kind::Reference(target) if target.table == self.entity.table)
    }
}
