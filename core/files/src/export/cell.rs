//! What a table is made of.

use std::path::Path;

use jiff::civil::DateTime;

/// One cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing was said.
    Empty,
    /// Text. It stays text in every program, whatever it looks like.
    Text(String),
    /// A whole number.
    Number(i64),
    /// A moment on the festival's own clocks, to the second.
    Moment(DateTime),
}

impl Cell {
    /// Text; an empty one where there is none.
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
    /// The name for programs: the key in JSON.
    pub name: String,
    /// The words for people: the header of a CSV file or a workbook.
    pub title: String,
    /// How wide a workbook shows it, in characters.
    pub width: u16,
}

impl Column {
    /// A column, shown about twenty characters wide.
    pub fn new(name: impl Into<String>, title: impl Into<String>) -> Self {
        Self { name: name.into(), title: title.into(), width: 20 }
    }

    /// The same column, shown so many characters wide.
    #[must_use]
    pub fn width(mut self, characters: u16) -> Self {
        self.width = characters;
        self
    }
}

/// The kinds of file that a table becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text with commas (RFC 4180), in UTF-8.
    Csv,
    /// An Excel workbook.
    Xlsx,
    /// A list of objects.
    Json,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Xlsx, Self::Json];

    /// Its name, and the ending of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Json => "json",
        }
    }

    /// The format called `name`.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// The format that the ending of a file's name says.
    pub fn of_file(path: &Path) -> Option<Self> {
        Self::of_name(path.extension()?.to_str()?)
    }
}
