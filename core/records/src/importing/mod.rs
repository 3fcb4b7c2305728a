//! Imports of tables: plans what the rows of a file change in the rows of an entity, and writes it.
//!
//! A [`Reader`] interprets the cells. Core has one for every entity, which reads what the entity's list exports; a module
//! can register another one for its entity. From there on the command line and the back office use the same functions:
//! rows are checked with the rules of the entity and compared with the stored ones, then written with their history in one
//! short transaction or, a long list, in several ([`write`]), unless the caller only wants to know what each line would do.

mod attach;
mod bundle;
mod cells;
mod columns;
pub mod dates;
mod described;
pub mod duration;
mod exported;
mod header_names;
pub mod likeness;
pub mod mapping;
mod matching;
mod names;
mod parse;
mod past;
mod plan;
mod planner;
mod question;
mod row;
mod saved_mapping;
pub mod terminal;
mod write;

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use jiff::civil::Date;
use serde::Serialize;
use sqlx::AnyConnection;

pub use attach::Attachments;
pub use bundle::{read_bundle, read_with_files};
pub use columns::{ColumnField, column_fields, leave_out_unread};
pub use header_names::HeaderNames;
pub use mapping::Mapping;
pub use matching::match_by_title;
pub use past::{PastImport, Undo, past_import, past_imports, undo};
pub use plan::{Difference, Outcome, RowChange, RowOutcome};
pub use question::{Candidate, Decision, Decisions, OnConflict, Question};
pub use row::{Row, RowPacker, RowValues};
pub use saved_mapping::{SavedMapping, delete_mapping, rename_mapping, save_mapping, saved_mapping, saved_mappings};
pub use write::{Imported, write};

use crate::Records;
use crate::editing::Editor;
use crate::entity::{Entity, Kind, Values};
use festival_base::error::Result;
use festival_files::bundle::Bundle;
use festival_files::sheet::Sheet;

/// The column of exported lists with the id of the row.
pub const ID: &str = "id";

/// How to read a table where its headers do not tell.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The field of each column, "" for one that is left out; `None`: the headers decide.
    pub columns: Option<Vec<String>>,
    /// The columns of single fields, whatever `columns` or the headers say.
    pub mappings: Vec<Mapping>,
    /// Values for rows with an empty or missing cell, by field.
    pub for_all: BTreeMap<&'static str, String>,
    /// The first row is not a header.
    pub no_header: bool,
    /// A cell that cannot be used is left empty where it may be, instead of leaving out its line.
    pub blank_invalid: bool,
    /// What an empty cell does to a stored value; `None`: those of exported lists clear it, those of others keep it.
    pub empty_cells: Option<EmptyCells>,
    /// The names of files that come with the table by their keys, whether they are stored yet or not.
    pub files: BTreeMap<String, String>,
    /// Whether new rows are published where the table does not say; `None`: as their entity does by default.
    pub publish_new: Option<bool>,
    /// The day to which days without a year are near, such as the first of the edition; `None`: today.
    pub near: Option<Date>,
    /// Whether the outcome says what new rows will hold, not only their titles; not for long lists.
    pub describe_new: bool,
}

/// What an empty cell does to a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyCells {
    /// The value stays.
    Keep,
    /// The value is removed, unless the field must be filled.
    Clear,
}

impl EmptyCells {
    /// The one with this name: "keep" or "clear".
    pub fn of_name(name: &str) -> Option<Self> {
        match name {
            "keep" => Some(Self::Keep),
            "clear" => Some(Self::Clear),
            _ => None,
        }
    }
}

/// A column of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    /// Its header.
    pub header: String,
    /// The field that it fills; `None`: it is left out.
    pub field: Option<&'static str>,
    /// Why it is left out; empty if it is not.
    pub why: String,
}

/// A parsed table.
#[derive(Clone, Debug, Default)]
pub struct ParsedSheet {
    /// Its columns, in the order of the file.
    pub columns: Vec<Column>,
    /// The rows without errors.
    pub rows: Vec<Row>,
    /// Cells that cannot be used; their rows are left out.
    pub errors: Vec<CellError>,
    /// Cells that cannot be used and were left empty.
    pub blanked: Vec<CellError>,
    /// Where reading departed from the text of the file, for people.
    pub notes: Vec<String>,
}

/// A cell that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CellError {
    /// The line in the file where the row begins, from 1.
    pub line: u64,
    /// The header of the column, or the name of the field if it has no column.
    pub header: String,
    /// The value, shortened.
    pub value: String,
    /// What is expected instead.
    pub expected: String,
}

impl fmt::Display for CellError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, header, value, expected } = self;
        // A whole sentence of the entity's rules.
        let is_sentence = expected.starts_with(char::is_uppercase);
        let link = if is_sentence { ". " } else { ", expected " };
        write!(formatter, "line {line}, {header}: {}{link}{expected}", Quoted(value))
    }
}

/// Displays a text in quotation marks. Control characters are escaped, for terminals; the combining signs of scripts are
/// not, unlike with `{:?}`.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_char('"')?;
        for character in self.0.chars() {
            if character.is_control() || matches!(character, '"' | '\\') {
                write!(formatter, "{}", character.escape_default())?;
            } else {
                formatter.write_char(character)?;
            }
        }
        formatter.write_char('"')
    }
}

/// An import: into what, and by whom.
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
    /// How the table was read, and what its cells do.
    pub options: &'a ImportOptions,
    /// The answers to what only a person can decide.
    pub decisions: &'a Decisions,
    /// Called with a number of rows when they are planned, and again when those with changes are written.
    pub progress: &'a (dyn Fn(usize) + Sync),
}

/// The stored rows that the rows of a table describe.
#[derive(Debug, Default)]
pub struct Matches {
    /// One match for each row of the table, in its order.
    pub rows: Vec<RowMatch>,
    /// Rows of other entities that rows of the table refer to and that have to be created.
    pub new_targets: Vec<NewTarget>,
    /// What only a person can decide, with the answers that [`Import::decisions`] has.
    pub questions: Vec<Question>,
    /// Remarks for people.
    pub notes: Vec<String>,
}

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

/// Names files in the rows of a table when it is read.
pub type NameFiles = Box<dyn FnOnce(&mut ParsedSheet) + Send>;

/// How the lines of a table without a [`Reader`] are matched.
pub const MATCHED_BY_KEY: &str = "In a list without the column Id, a line is about the row that it would repeat, such as the \
    one of the same name, or adds one. Where it nearly repeats one, you are asked.";

/// Interprets the cells of a table.
#[async_trait::async_trait]
pub trait Reader: Send + Sync {
    /// The fields that a column can fill: name and label.
    fn fields(&self, entity: &'static Entity) -> Vec<(&'static str, &'static str)> {
        exported::ExportedLists.fields(entity)
    }

    /// Finds the field that a header means, besides the labels and names of the entity's fields.
    fn field_of(&self, entity: &'static Entity, header: &str) -> Option<&'static str> {
        exported::guess(entity, header)
    }

    /// How the lines of a table are matched with the stored rows, in a few sentences for people.
    fn matching(&self) -> &'static str {
        MATCHED_BY_KEY
    }

    /// Parses a table. Rows with a cell that cannot be read are reported as errors.
    ///
    /// # Errors
    /// A sentence that says why the whole table is refused, and what to do.
    fn read(
        &self,
        records: &Records,
        entity: &'static Entity,
        sheet: Sheet,
        options: &ImportOptions,
    ) -> Result<ParsedSheet, String> {
        exported::ExportedLists.read(records, entity, sheet, options)
    }

    /// Makes a table of the documents among files without a list; `None`: there are none that it can read. Cells of fields
    /// that are files, and pictures in texts, name other files by their paths.
    fn read_documents(&self, _entity: &'static Entity, _files: &Bundle) -> Option<Result<Sheet, String>> {
        None
    }

    /// Finds out which files belong to which rows of a table, besides those that cells name; `None`: no others do.
    fn name_files(&self, _files: &Bundle, _sheet: &Sheet) -> Option<NameFiles> {
        None
    }

    /// Finds the stored rows that the rows of the table describe; `None`: [`Row::id`] decides, or the entity's key if the
    /// table has no ids.
    async fn match_rows(
        &self,
        _import: &Import<'_>,
        _connection: &mut AnyConnection,
        _rows: &[Row],
    ) -> Result<Option<Matches>> {
        Ok(None)
    }
}

/// Returns the reader for a table with this header: core's for an exported list, else that of the module, if it has one.
pub fn reader<'a>(registered: Option<&'a dyn Reader>, entity: &Entity, header: &[String]) -> &'a dyn Reader {
    match registered {
        Some(reader) if !exported::is_export(entity, header) => reader,
        _ => &exported::ExportedLists,
    }
}

/// Finds the field that a header of a table of this entity means.
pub fn field_of(registered: Option<&dyn Reader>, entity: &'static Entity, header: &str) -> Option<&'static str> {
    let reader = registered.unwrap_or(&exported::ExportedLists);
    exported::field_of(entity, header).or_else(|| reader.field_of(entity, header))
}

/// Whether a text is a header of a table of this entity.
pub fn knows(registered: Option<&dyn Reader>, entity: &'static Entity, header: &str) -> bool {
    field_of(registered, entity, header).is_some()
}

/// The fields that may be given for all rows at once: required references to another row.
pub fn for_all(entity: &'static Entity) -> impl Iterator<Item = &'static crate::entity::Field> {
    entity.columns().filter(|field| field.required && matches!(field.kind, Kind::Reference(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_values_are_quoted_with_control_characters_escaped() {
        let error = |value: &str| {
            let value = value.to_owned();
            CellError { line: 2, header: "Year".into(), value, expected: "a year".into() }.to_string()
        };
        assert_eq!(error("க் മൂന്ന്"), "line 2, Year: \"க் മൂന്ന്\", expected a year");
        assert_eq!(error("\u{1b}[31m\"\n"), r#"line 2, Year: "\u{1b}[31m\"\n", expected a year"#);
    }
}
