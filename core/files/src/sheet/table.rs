//! A table that was read: its header, its rows and remarks about it.

use std::fmt;

use festival_base::texts::Texts;

/// Memory of a cell in addition to its text, in bytes.
pub(super) const CELL_MEMORY: u64 = size_of::<u32>() as u64;
/// Memory of a row in addition to its cells, in bytes.
pub(super) const ROW_MEMORY: u64 = size_of::<Row>() as u64;
/// A table that was read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The file format.
    pub format: Format,
    /// Name of the detected character encoding; `UTF-8` for a workbook.
    pub encoding: &'static str,
    /// The delimiter of cells; `None` for a workbook, JSON and a single column.
    pub delimiter: Option<char>,
    /// Name of the worksheet, for a workbook.
    pub worksheet: Option<String>,
    /// Names of the other visible worksheets.
    pub other_worksheets: Vec<String>,
    /// Line of the header in the file, counted from 1.
    pub header_line: u64,
    /// The text of the row above the header, if it is a single cell: a day, or the title of the table.
    pub heading: Option<String>,
    /// The cells of the header.
    pub header: Vec<String>,
    /// The rows below the header, each with as many cells as the header.
    pub rows: Vec<Row>,
    /// Notes for people about anything unusual in the table.
    pub notes: Vec<Note>,
}

/// A remark about a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The line in the file, from 1; `None` if it concerns the whole table.
    pub line: Option<u64>,
    /// The remark.
    pub text: String,
}

impl Note {
    pub(super) fn at(line: u64, text: impl Into<String>) -> Self {
        Self { line: Some(line), text: text.into() }
    }

    pub(super) fn all(text: impl Into<String>) -> Self {
        Self { line: None, text: text.into() }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "line {line}: {}", self.text),
            None => formatter.write_str(&self.text),
        }
    }
}

/// The file formats of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text with delimiters.
    Delimited,
    /// Documents of a folder or an archive, each of which is a row.
    Documents,
    /// A list in JSON.
    Json,
    /// An OpenDocument spreadsheet (`.ods`).
    Ods,
    /// An Excel workbook (`.xlsx`, `.xlsm`).
    Xlsx,
}

/// One row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// First line of the row in a text file, or the row number in a worksheet, counted from 1. For JSON in a single
    /// line, the number of the record.
    pub line: u64,
    /// The cells as text, untrimmed, with line breaks.
    pub cells: Texts,
}

impl Row {
    /// The text of the row, if only one of its cells is filled.
    pub fn single_cell(&self) -> Option<&str> {
        let mut filled = self.cells.iter().filter(|cell| !cell.trim().is_empty());
        filled.next().filter(|_| filled.next().is_none())
    }
}

impl Sheet {
    /// A table of documents, with notes for people.
    pub fn of_documents(header: Vec<String>, rows: Vec<Row>, notes: Vec<Note>) -> Self {
        Self {
            format: Format::Documents,
            encoding: "UTF-8",
            delimiter: None,
            worksheet: None,
            other_worksheets: Vec::new(),
            header_line: 0,
            heading: None,
            header,
            rows,
            notes,
        }
    }

    /// Converts a table whose file has no header: the first row becomes data, and the columns are named `#1`, `#2`.
    #[must_use]
    pub fn without_header(mut self) -> Self {
        let numbers = (1..=self.header.len()).map(|number| format!("#{number}")).collect();
        let cells = std::mem::replace(&mut self.header, numbers);
        self.rows.insert(0, Row { line: self.header_line, cells: cells.iter().collect() });
        self
    }
}
