//! Reading of tables: CSV, TSV and similar formats in all common encodings, JSON, XLSX and ODS.
//!
//! Nothing here knows what the columns mean. Ambiguous files, whose values could end up in the wrong column, are
//! refused with the line and advice.

mod arrange;
mod delimiter;
mod double_encoding;
mod encoding;
mod error;
mod json;
mod kind;
mod ods;
mod records;
mod text;
mod weight;
mod workbook;

#[cfg(test)]
mod tests;

pub use arrange::Expected;
pub use error::{RaggedRow, SheetError};
pub(crate) use weight::count_parts;

use std::fmt;

use festival_base::texts::Texts;

use crate::budget::{Budget, Cancellation};

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
    /// The cells of the header.
    pub header: Vec<String>,
    /// The rows below the header, each with as many cells as the header.
    pub rows: Vec<Row>,
    /// Where the table differs from a header with rows below it, for people.
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
    fn at(line: u64, text: impl Into<String>) -> Self {
        Self { line: Some(line), text: text.into() }
    }

    fn all(text: impl Into<String>) -> Self {
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
    /// Documents of a folder or an archive, of which each is a row.
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
    /// First line of the row in a text file, or the row number in a worksheet, counted from 1. Of JSON in a single line, the
    /// number of the record.
    pub line: u64,
    /// The cells as text, untrimmed, with line breaks.
    pub cells: Texts,
}

/// Limits of the size of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of the file, in bytes. Default: 64 MiB.
    pub file_bytes: usize,
    /// Maximum size of a decompressed workbook, in bytes. Default: 128 MiB.
    pub unpacked_bytes: u64,
    /// Maximum number of rows below the header. Default: 100,000.
    pub rows: usize,
    /// Maximum number of columns. Default: 200.
    pub columns: usize,
    /// Maximum number of cells in all rows together. Default: 2,000,000.
    pub cells: usize,
    /// Maximum size of a cell, in bytes of UTF-8. Default: 64 KiB.
    pub cell_bytes: usize,
    /// Maximum memory of the table and for reading it, in bytes. Default: 320 MiB.
    pub memory_bytes: u64,
}

/// Memory of a cell in addition to its text, in bytes.
const CELL_MEMORY: u64 = size_of::<u32>() as u64;
/// Memory of a row in addition to its cells, in bytes.
const ROW_MEMORY: u64 = size_of::<Row>() as u64;
/// Maximum work of reading, as a multiple of the maximum decompressed size. A workbook is read twice, and several
/// worksheets may have to be read.
const WORK_FACTOR: u64 = 16;

impl Limits {
    /// Returns the budget for reading one table.
    pub fn budget(&self, cancellation: &Cancellation) -> Budget {
        Budget::new(WORK_FACTOR * self.unpacked_bytes.max(self.file_bytes as u64), self.memory_bytes, cancellation)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 64 << 20,
            unpacked_bytes: 128 << 20,
            rows: 100_000,
            columns: 200,
            cells: 2_000_000,
            cell_bytes: 64 << 10,
            memory_bytes: 320 << 20,
        }
    }
}

/// Reads a table. Its kind is detected by content; `file_name` is only used in messages.
///
/// # Errors
/// A [`SheetError`] that says what is wrong, where, and what to do.
pub fn read(bytes: &[u8], file_name: &str, limits: &Limits) -> Result<Sheet, SheetError> {
    read_expecting(bytes, file_name, limits, &Expected::default())
}

/// Like [`read`], with what the caller knows of the table.
///
/// # Errors
/// Those of [`read`].
pub fn read_expecting(
    bytes: &[u8],
    file_name: &str,
    limits: &Limits,
    expected: &Expected<'_>,
) -> Result<Sheet, SheetError> {
    read_within(bytes, file_name, limits, expected, &limits.budget(&Cancellation::default()))
}

/// Like [`read_expecting`], within a budget that can be cancelled.
///
/// # Errors
/// Those of [`read`], and [`SheetError::BudgetExceeded`] if the budget is exhausted or cancelled.
pub fn read_within(
    bytes: &[u8],
    file_name: &str,
    limits: &Limits,
    expected: &Expected<'_>,
    budget: &Budget,
) -> Result<Sheet, SheetError> {
    if bytes.len() > limits.file_bytes {
        return Err(SheetError::FileTooLarge { bytes: bytes.len(), limit: limits.file_bytes });
    }
    if bytes.starts_with(b"PK") {
        weight::count_parts(bytes, budget)?;
    }
    let kind = kind::detect(bytes, file_name)?;
    if let (Some(name), kind::TableKind::Text | kind::TableKind::Json) = (expected.worksheet, kind) {
        return Err(SheetError::NoWorksheets { name: name.to_owned() });
    }
    let mut sheet = match kind {
        kind::TableKind::Workbook => workbook::read(bytes, limits, expected, budget),
        kind::TableKind::Text => text::read(bytes, limits, expected, budget),
        kind::TableKind::Json => json::read(bytes, limits, budget),
        kind::TableKind::OpenDocument => ods::read(bytes, limits, expected, budget),
    }?;
    double_encoding::mend(&mut sheet);
    Ok(sheet)
}

impl Sheet {
    /// A table of documents, with what people should know of it.
    pub fn of_documents(header: Vec<String>, rows: Vec<Row>, notes: Vec<Note>) -> Self {
        Self {
            format: Format::Documents,
            encoding: "UTF-8",
            delimiter: None,
            worksheet: None,
            other_worksheets: Vec::new(),
            header_line: 0,
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

/// Collects rows and enforces the limits, for all readers.
struct Table<'a> {
    limits: &'a Limits,
    budget: &'a Budget,
    rows: Vec<Row>,
    cells: usize,
    /// Only the first rows are wanted, to find out what the table is; further ones and wrong ones are left out.
    is_preview: bool,
}

impl<'a> Table<'a> {
    fn new(limits: &'a Limits, budget: &'a Budget) -> Self {
        Self { limits, budget, rows: Vec::new(), cells: 0, is_preview: false }
    }

    fn preview(limits: &'a Limits, budget: &'a Budget) -> Self {
        Self { is_preview: true, ..Self::new(limits, budget) }
    }

    /// Whether no further rows are wanted.
    fn is_complete(&self) -> bool {
        self.is_preview && self.rows.len() > arrange::HEADER_ROWS
    }

    /// Adds a row, unless it is empty.
    fn push(&mut self, line: u64, cells: Texts) -> Result<(), SheetError> {
        if cells.iter().all(|cell| cell.trim().is_empty()) || self.is_complete() {
            return Ok(());
        }
        let limits = self.limits;
        let too_large = cells.len() > limits.columns || cells.iter().any(|cell| cell.len() > limits.cell_bytes);
        if self.is_preview && too_large {
            return Ok(());
        }
        if cells.len() > limits.columns {
            return Err(SheetError::TooManyColumns { line, columns: cells.len(), limit: limits.columns });
        }
        if let Some(column) = cells.iter().position(|cell| cell.len() > limits.cell_bytes) {
            return Err(SheetError::CellTooLarge { line, column: column + 1, limit: limits.cell_bytes });
        }
        self.cells += cells.len();
        let texts: usize = cells.iter().map(str::len).sum();
        self.budget.charge(ROW_MEMORY + texts as u64)?;
        self.budget.hold(ROW_MEMORY + CELL_MEMORY * cells.len() as u64 + texts as u64)?;
        // The header counts as a row here.
        if self.rows.len() > limits.rows || self.cells > limits.cells {
            return Err(SheetError::TooManyRows { rows: limits.rows, cells: limits.cells });
        }
        self.rows.push(Row { line, cells });
        Ok(())
    }
}
