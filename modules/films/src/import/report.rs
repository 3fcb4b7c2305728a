//! What reading a list reports: columns, errors and warnings.

use std::fmt;

use festival_core::importing::CellError;
use serde::Serialize;

/// What reading a list reports besides its films.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Report {
    /// The character encoding of the file.
    pub(super) encoding: &'static str,
    /// The delimiter of cells; `None` in a workbook or with one column.
    pub(super) delimiter: Option<char>,
    /// The worksheet that was read; `None` for a text file.
    pub(super) worksheet: Option<String>,
    /// The other visible worksheets of the workbook.
    pub(super) other_worksheets: Vec<String>,
    /// The line of the header, from 1; `None` without a header.
    pub(super) header_line: Option<u64>,
    /// The columns that fill a field, in the order of the fields.
    pub(super) understood: Vec<Understood>,
    /// The columns that were left out, in the order of the file.
    pub(super) ignored: Vec<Ignored>,
    /// Wrong values; their rows are left out.
    pub(super) errors: Vec<CellError>,
    /// Wrong values that count as missing.
    pub(super) blanked: Vec<CellError>,
    /// Where reading departed from the text of the file.
    pub(super) warnings: Vec<Warning>,
}

/// A column that fills a field.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Understood {
    pub(super) field: &'static str,
    /// The number of the column, from 1.
    pub(super) column: usize,
    pub(super) header: String,
}

/// A column that was left out.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Ignored {
    /// The number of the column, from 1.
    pub(super) column: usize,
    pub(super) header: String,
    pub(super) reason: Reason,
}

/// Why a column was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reason {
    /// It holds personal data, which a film does not need.
    Personal,
    /// Its header means no field of a film.
    Unknown,
    /// Another column fills this field.
    Taken(&'static str),
    /// A mapping says that this field has no column.
    Unwanted(&'static str),
}

impl Reason {
    /// The reason without options of the command line: for the back office.
    pub(super) fn plain(self) -> String {
        match self {
            Self::Unwanted(_) => "left out".to_owned(),
            Self::Taken(field) => format!("another column fills {}", field.replace('_', " ")),
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

/// A place where reading departed from the text of the file.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Warning {
    /// The line; `None` if it concerns the whole file.
    pub(super) line: Option<u64>,
    pub(super) text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "line {line}: {}", self.text),
            None => formatter.write_str(&self.text),
        }
    }
}
