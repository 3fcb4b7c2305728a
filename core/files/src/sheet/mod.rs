//! Any table file to rows of text: CSV, TSV and their relatives in every usual encoding, and XLSX.
//!
//! What the columns mean is not known here; imports give them a meaning.
//! Nothing is guessed that could put a value in the wrong column: a file that does not fit is refused
//! with the line and with what to do.

mod delimiter;
mod encoding;
mod error;
mod kind;
mod records;
mod text;
mod weight;
mod workbook;

#[cfg(test)]
mod tests;

pub use error::{RaggedRow, SheetError};

use crate::budget::{Asker, Budget};

/// A table as it was found in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Which kind of file it was.
    pub format: Format,
    /// The character encoding that was found, by its usual name; `UTF-8` for a workbook.
    pub encoding: &'static str,
    /// What stands between two cells; `None` in a workbook and where there is only one column.
    pub delimiter: Option<char>,
    /// The name of the worksheet, in a workbook.
    pub worksheet: Option<String>,
    /// The line of the header in the file, counted from 1.
    pub header_line: u64,
    /// The cells of the header.
    pub header: Vec<String>,
    /// The rows below the header, each with as many cells as the header.
    pub rows: Vec<Row>,
}

/// The kinds of file that hold a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text with a delimiter between cells.
    Delimited,
    /// An Excel workbook (`.xlsx`, `.xlsm`).
    Xlsx,
}

/// One row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Where the row begins in the file, counted from 1: the line of a text, the row number of a worksheet.
    pub line: u64,
    /// The cells as text, untrimmed; a line break inside a cell is kept.
    pub cells: Vec<String>,
}

/// How large a table may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The size of the file, in bytes.
    pub file_bytes: usize,
    /// The size of a workbook once it is unpacked, in bytes.
    pub unpacked_bytes: u64,
    /// The number of rows below the header.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The number of cells in all rows together; it bounds the memory a wide and long table takes.
    pub cells: usize,
    /// The size of one cell, in bytes of UTF-8.
    pub cell_bytes: usize,
    /// The memory of the table, with what has to be kept while it is read, in bytes.
    pub memory_bytes: u64,
}

/// What a cell, and a row, take beside their texts.
const CELL: u64 = size_of::<String>() as u64;
const ROW: u64 = size_of::<Row>() as u64;
/// The work of reading: so many times the largest workbook, unpacked. It is read twice; sheets of notes come before the list.
const WORK: u64 = 16;

impl Limits {
    /// What reading one table may cost.
    pub fn budget(&self, asker: &Asker) -> Budget {
        Budget::new(WORK * self.unpacked_bytes.max(self.file_bytes as u64), self.memory_bytes, asker)
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

/// Reads a table. The bytes decide what the file is; `file_name` only stands in the sentences.
///
/// # Errors
/// Every [`SheetError`] says what is wrong, where, and what to do about it.
pub fn read(bytes: &[u8], file_name: &str, limits: &Limits) -> Result<Sheet, SheetError> {
    read_within(bytes, file_name, limits, &limits.budget(&Asker::default()))
}

/// [`read`] for somebody who may not wait for it to the end.
///
/// # Errors
/// As those of [`read`]; where nobody waits any more, or all of `budget` is spent, a sentence that nobody reads.
pub fn read_within(bytes: &[u8], file_name: &str, limits: &Limits, budget: &Budget) -> Result<Sheet, SheetError> {
    if bytes.len() > limits.file_bytes {
        return Err(SheetError::FileTooLarge { bytes: bytes.len(), limit: limits.file_bytes });
    }
    if bytes.starts_with(b"PK") {
        weight::count_parts(bytes, budget)?;
    }
    match kind::of(bytes, file_name)? {
        kind::Kind::Workbook => workbook::read(bytes, limits, budget),
        kind::Kind::Text => text::read(bytes, limits, budget),
    }
}

impl Sheet {
    /// The same table where the file has no header: its first row becomes a row, columns are named `#1`, `#2`.
    #[must_use]
    pub fn without_header(mut self) -> Self {
        let numbers = (1..=self.header.len()).map(|number| format!("#{number}")).collect();
        let cells = std::mem::replace(&mut self.header, numbers);
        self.rows.insert(0, Row { line: self.header_line, cells });
        self
    }
}

/// Gathers rows and keeps the limits; both readers end here.
struct Table<'a> {
    limits: &'a Limits,
    budget: &'a Budget,
    rows: Vec<Row>,
    cells: usize,
}

impl<'a> Table<'a> {
    fn new(limits: &'a Limits, budget: &'a Budget) -> Self {
        Self { limits, budget, rows: Vec::new(), cells: 0 }
    }

    /// Takes one row, unless it is empty.
    fn push(&mut self, line: u64, cells: Vec<String>) -> Result<(), SheetError> {
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            return Ok(());
        }
        let limits = self.limits;
        if cells.len() > limits.columns {
            return Err(SheetError::TooManyColumns { line, columns: cells.len(), limit: limits.columns });
        }
        if let Some(column) = cells.iter().position(|cell| cell.len() > limits.cell_bytes) {
            return Err(SheetError::CellTooLarge { line, column: column + 1, limit: limits.cell_bytes });
        }
        self.cells += cells.len();
        let texts: usize = cells.iter().map(String::capacity).sum();
        self.budget.charge(ROW + texts as u64)?;
        self.budget.hold(ROW + CELL * cells.capacity() as u64 + texts as u64)?;
        // The header is a row here, too.
        if self.rows.len() > limits.rows || self.cells > limits.cells {
            return Err(SheetError::TooManyRows { rows: limits.rows, cells: limits.cells });
        }
        self.rows.push(Row { line, cells });
        Ok(())
    }
}
