//! Cells, columns and formats of an exported table.

use std::path::Path;

use jiff::civil::DateTime;

/// One cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// No value.
    Empty,
    /// Text, never interpreted as a number or formula.
    Text(String),
    /// An integer.
    Number(i64),
    /// A local date and time in the festival's time zone, to the second.
    DateTime(DateTime),
}

impl Cell {
    /// Creates a text cell.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

impl From<Option<String>> for Cell {
    fn from(text: Option<String>) -> Self {
        text.map_or(Self::Empty, Self::Text)
    }
}

impl From<Option<i64>> for Cell {
    fn from(number: Option<i64>) -> Self {
        number.map_or(Self::Empty, Self::Number)
    }
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Machine-readable name: the key in JSON.
    pub name: String,
    /// Heading in CSV files and workbooks.
    pub title: String,
    /// Width in a workbook, in characters.
    pub width: u16,
}

impl Column {
    /// Creates a column that is 20 characters wide.
    pub fn new(name: impl Into<String>, title: impl Into<String>) -> Self {
        Self { name: name.into(), title: title.into(), width: 20 }
    }

    /// Sets the width in characters.
    #[must_use]
    pub fn width(mut self, characters: u16) -> Self {
        self.width = characters;
        self
    }
}

/// The file formats of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values (RFC 4180), in UTF-8.
    Csv,
    /// An Excel workbook.
    Xlsx,
    /// An OpenDocument spreadsheet.
    Ods,
    /// A JSON array of objects.
    Json,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Xlsx, Self::Ods, Self::Json];

    /// Returns its name, which is also the file extension.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Ods => "ods",
            Self::Json => "json",
        }
    }

    /// Whether its files are archives, which cannot be written to standard output.
    pub const fn is_archive(self) -> bool {
        matches!(self, Self::Xlsx | Self::Ods)
    }

    /// Returns the format with this name, ignoring case.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Returns the format for the extension of `path`.
    pub fn of_file(path: &Path) -> Option<Self> {
        Self::of_name(path.extension()?.to_str()?)
    }
}
