//! Imports of tables: plans what the rows of a file change in the rows of an entity, and writes it.
//!
//! A [`Reader`] interprets the cells. Core has one for every entity, which reads what the entity's list exports; a
//! module can register another one for its entity. From there on the command line and the back office use the same
//! functions: rows are checked with the rules of the entity and compared with the stored ones, then written with their
//! history in one short transaction or, a long list, in several ([`write`]), unless the caller only wants to know what
//! each line would do.

mod answers;
mod attach;
mod bundle;
mod cells;
mod codes;
mod columns;
mod date_words;
pub mod dates;
mod described;
pub mod duration;
mod headers;
mod import;
pub mod likeness;
mod list_field;
pub mod mapping;
mod matches;
mod matching;
mod names;
mod outcome;
mod parse;
mod parsed;
mod past;
mod plan;
mod planner;
mod question;
mod reader;
mod row;
mod rows;
mod saved_mapping;
mod targets;
pub mod terminal;
pub mod times;
pub mod values;
mod write;

pub use attach::Attachments;
pub use bundle::{read_bundle, read_with_files};
pub use columns::{Columns, leave_out_unread};
pub use headers::{ListHeaders, Meaning, header_names, header_sections};
pub use import::{EmptyCells, Import, ImportOptions};
pub use list_field::ListField;
pub use mapping::Mapping;
pub use matches::{Matches, NewTarget};
pub use matching::match_by_title;
pub use outcome::{Difference, Outcome, RowChange, RowOutcome};
pub use parsed::{CellError, Column, ParsedSheet, Refusal};
pub use past::{PastImport, Undo, count_rows, past_import, past_imports, record_import, undo};
pub use question::{
    Candidate, Decision, Decisions, MatchStatus, OnConflict, Question, Questions, RowMatch, SharedValues,
};
pub use reader::{MATCHED_BY_KEY, NameFiles, Reader, field_of, for_all, knows, reader};
pub use row::{ID, Row, RowPacker, RowValues};
pub use rows::RowReader;
pub use saved_mapping::{SavedMapping, delete_mapping, rename_mapping, save_mapping, saved_mapping, saved_mappings};
pub use targets::{Target, Targets};
pub use write::{Imported, write};
