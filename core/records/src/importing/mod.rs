//! Imports of tables: plans what the rows of a file change in the rows of an entity, and writes it.
//!
//! A [`Reader`] interprets the cells. Core has one for every entity, which reads what the entity's list exports; a
//! module can register another one for its entity. From there on the command line and the back office use the same
//! functions: rows are checked with the rules of the entity and compared with the stored ones, then written with their
//! history in one short transaction or, a long list, in several ([`write`]), unless the caller only wants to know what
//! each line would do.

mod attach;
mod bundle;
mod cells;
mod columns;
mod date_words;
pub mod dates;
mod described;
pub mod duration;
mod exported;
mod header_names;
mod import;
pub mod likeness;
pub mod mapping;
mod matches;
mod matching;
mod names;
mod options;
mod outcome;
mod parse;
mod parsed;
mod past;
mod plan;
mod planner;
mod question;
mod reader;
mod row;
mod row_match;
mod saved_mapping;
pub mod terminal;
pub mod times;
mod write;

pub use attach::Attachments;
pub use bundle::{read_bundle, read_with_files};
pub use columns::{ColumnField, column_fields, leave_out_unread};
pub use header_names::HeaderNames;
pub use import::Import;
pub use mapping::Mapping;
pub use matches::{Matches, NewTarget};
pub use matching::match_by_title;
pub use options::{EmptyCells, ImportOptions};
pub use outcome::{Difference, Outcome, RowChange, RowOutcome};
pub use parsed::{CellError, Column, ParsedSheet, Refusal};
pub use past::{PastImport, Undo, past_import, past_imports, undo};
pub use question::{Candidate, Decision, Decisions, OnConflict, Question};
pub use reader::{MATCHED_BY_KEY, NameFiles, Reader, field_of, for_all, knows, reader};
pub use row::{ID, Row, RowPacker, RowValues};
pub use row_match::{MatchStatus, RowMatch, SharedValues};
pub use saved_mapping::{SavedMapping, delete_mapping, rename_mapping, save_mapping, saved_mapping, saved_mappings};
pub use write::{Imported, write};
