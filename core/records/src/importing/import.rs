//! An import: into what, and by whom.

use super::options::ImportOptions;
use super::question::Decisions;
use crate::Records;
use crate::editing::Editor;
use crate::entity::Entity;

/// An import into the rows of an entity.
#[derive(Clone, Copy)]
pub struct Import<'a> {
    /// Database, media store and clock.
    pub records: &'a Records,
    /// The entity of the rows.
    pub entity: &'static Entity,
    /// The edition of the rows; `None` for an entity without editions.
    pub edition: Option<i64>,
    /// Who is named in the history.
    pub editor: &'a Editor,
    /// The name of the file.
    pub source: &'a str,
    /// How the table was read, and how its cells are handled.
    pub options: &'a ImportOptions,
    /// The decisions that only a person can make.
    pub decisions: &'a Decisions,
    /// Called with a number of rows when they are planned, and again when those with changes are written.
    pub progress: &'a (dyn Fn(usize) + Sync),
}
