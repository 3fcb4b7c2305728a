//! What an import understood, left out and found wrong.

use std::fmt;

use festival_core::importing::CellError;
use serde::Serialize;

use super::Field;

/// Everything there is to say about a list besides its films.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The character encoding that was found.
    pub encoding: &'static str,
    /// What stands between two cells; `None` in a workbook or with one column.
    pub delimiter: Option<char>,
    /// The worksheet that was read, in a workbook.
    pub worksheet: Option<String>,
    /// The line of the header; `None` where there is no header.
    pub header_line: Option<u64>,
    /// The columns that fill a field, in the order of the fields.
    pub understood: Vec<Understood>,
    /// The columns that were left out, in the order of the file.
    pub ignored: Vec<Ignored>,
    /// Wrong values; their rows are not among the films.
    pub errors: Vec<CellError>,
    /// What was done differently from what the file says.
    pub warnings: Vec<Warning>,
}

/// A column that fills a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Understood {
    /// The field.
    pub field: Field,
    /// The number of the column, from 1.
    pub column: usize,
    /// Its header.
    pub header: String,
}

/// A column that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ignored {
    /// The number of the column, from 1.
    pub column: usize,
    /// Its header.
    pub header: String,
    /// Why.
    pub reason: Reason,
}

/// Why a column was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It holds data of a person that a film does not need.
    Personal,
    /// No field of a film goes by its name.
    Unknown,
    /// Another column fills this field already.
    Taken(Field),
    /// A person said that this field has no column.
    Unwanted(Field),
}

impl Reason {
    /// Why, in words that name no option of the command.
    pub(super) fn plain(self) -> String {
        match self {
            Self::Unwanted(_) => "left out".to_owned(),
            Self::Taken(field) => format!("another column fills {}", field.name().replace('_', " ")),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Personal => formatter.write_str("personal data, not read"),
            Self::Unknown => formatter.write_str("no field of a film"),
            Self::Taken(field) => write!(formatter, "another column fills {field}"),
            Self::Unwanted(field) => write!(formatter, "left out, as --map {field}= says"),
        }
    }
}

/// Something that was done differently from what the file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// The line, where it concerns one.
    pub line: Option<u64>,
    /// What was done.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "line {line}: {}", self.text),
            None => formatter.write_str(&self.text),
        }
    }
}
