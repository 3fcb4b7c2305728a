//! Tables that come in: what the rows of a file would do to the rows of an entity, and doing it.
//!
//! A [`Reader`] says what the cells mean. Core has one for every entity, which reads what the entity's list exports;
//! a module that knows its subject's tables better gives its entity one of its own. From there on there is one way, for
//! the command line and the back office: rows are checked with the rules of the entity and compared with what is there
//! ([`rehearse`] ends here and says what each line would do), then written with their history in one short transaction
//! ([`write`]).

mod names;
mod own;
mod plan;
mod write;

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use serde::Serialize;
use sqlx::AnyConnection;

pub use plan::{Difference, Outcome, RowChange, RowOutcome};
pub use write::{Imported, rehearse, write};

use crate::Records;
use crate::editing::Editor;
use crate::entity::{Entity, Kind, Values};
use festival_base::error::Result;
use festival_files::sheet::Sheet;

/// The column of our own lists that tells which row a line is about.
pub const ID: &str = "id";

/// How a table is to be read where its headers do not say it.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The field of each column, "" for a column that is left out. `None`: the headers decide.
    pub columns: Option<Vec<String>>,
    /// What holds for all rows that say nothing, by field.
    pub for_all: BTreeMap<&'static str, String>,
    /// The first row is no header.
    pub no_header: bool,
}

/// A column of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    /// Its header.
    pub header: String,
    /// The field that it fills.
    pub field: Option<&'static str>,
    /// Why it is left out.
    pub why: String,
}

/// A row of a table, read.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Where it begins in the file, counted from 1.
    pub line: u64,
    /// The row of the entity that it is about; `None`: a new one.
    pub id: Option<i64>,
    /// What it says, by field. What is not among them stays as it is.
    pub values: Values,
}

/// A table, read.
#[derive(Clone, Debug, Default)]
pub struct ParsedSheet {
    /// Its columns, in their order.
    pub columns: Vec<Column>,
    /// The rows whose every cell could be read.
    pub rows: Vec<Row>,
    /// The cells that could not.
    pub errors: Vec<CellError>,
    /// What was done differently from what the file says.
    pub notes: Vec<String>,
}

/// A value that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CellError {
    /// Where the row begins in the file, counted from 1.
    pub line: u64,
    /// The header of the column, or the name of the field where it has no column.
    pub header: String,
    /// The value, shortened.
    pub value: String,
    /// What was expected.
    pub expected: String,
}

impl fmt::Display for CellError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, header, value, expected } = self;
        write!(formatter, "line {line}, {header}: {}, expected {expected}", Quoted(value))
    }
}

/// A text between quotation marks. What a terminal would obey is escaped; the signs of every script stay as they are,
/// which `{:?}` escapes where they combine.
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

/// What is imported, and by whom.
#[derive(Clone, Copy)]
pub struct Import<'a> {
    /// What rows stand on.
    pub records: &'a Records,
    /// What the rows are.
    pub entity: &'static Entity,
    /// The edition that they belong to, where they belong to one.
    pub edition: Option<i64>,
    /// Who imports them.
    pub editor: &'a Editor,
    /// Called with a number of rows once they are planned, and once those that change something are written.
    pub progress: &'a (dyn Fn(usize) + Sync),
}

/// Which rows of the entity the rows of a table mean.
#[derive(Debug, Default)]
pub struct Matches {
    /// One for each row of the table, in its order.
    pub rows: Vec<RowMatch>,
    /// Rows of other entities that rows of the table refer to and that are not there yet.
    pub new_targets: Vec<NewTarget>,
    /// What there is to say of it.
    pub notes: Vec<String>,
}

/// Which row of the entity a row of the table means.
#[derive(Debug, Default)]
pub struct RowMatch {
    /// Its id; `None`: none, it is another one even where the key is the same.
    pub id: Option<i64>,
    /// A field that refers to another row, and that row's key: what the table itself says in this field does not count.
    pub reference: Option<(&'static str, String)>,
    /// The id of a row that may be meant by a new one.
    pub similar: Option<i64>,
}

/// A row that is to be created because rows of the table refer to it.
#[derive(Debug)]
pub struct NewTarget {
    /// What it is.
    pub entity: &'static Entity,
    /// The value of the first field of the entity's key: what references name.
    pub key: String,
    /// What it holds.
    pub values: Values,
}

/// Says what the cells of a table mean.
#[async_trait::async_trait]
pub trait Reader: Send + Sync {
    /// The fields that a column can fill: name, words for people.
    fn fields(&self, entity: &'static Entity) -> Vec<(&'static str, &'static str)>;

    /// Reads a table. Rows with a cell that cannot be read are named among the errors.
    ///
    /// # Errors
    /// A sentence that says why the whole table is refused, and what to do.
    fn read(
        &self,
        records: &Records,
        entity: &'static Entity,
        sheet: Sheet,
        options: &ImportOptions,
    ) -> Result<ParsedSheet, String>;

    /// Finds the rows of the entity that the rows of the table mean; `None` where the table itself says it by id.
    async fn match_rows(
        &self,
        _import: &Import<'_>,
        _connection: &mut AnyConnection,
        _rows: &[Row],
    ) -> Result<Option<Matches>> {
        Ok(None)
    }
}

/// Who reads a table with this header: core, where it is a list of our own; else `own`, whoever the module has for it.
pub fn reader<'a>(own: Option<&'a dyn Reader>, entity: &Entity, header: &[String]) -> &'a dyn Reader {
    match own {
        Some(reader) if !own::is_own(entity, header) => reader,
        _ => &own::OwnLists,
    }
}

/// The fields that may be said for all rows at once: to which other row they belong.
pub fn for_all(entity: &'static Entity) -> impl Iterator<Item = &'static crate::entity::Field> {
    entity.columns().filter(|field| field.required && matches!(field.kind, Kind::Reference(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_is_shown_as_it_was_written() {
        let error = |value: &str| {
            let value = value.to_owned();
            CellError { line: 2, header: "Year".into(), value, expected: "a year".into() }.to_string()
        };
        assert_eq!(error("க் മൂന്ന്"), "line 2, Year: \"க் മൂന്ന്\", expected a year");
        assert_eq!(error("\u{1b}[31m\"\n"), r#"line 2, Year: "\u{1b}[31m\"\n", expected a year"#);
    }
}
