//! Why a file is refused, in sentences for the person who chose it.

use std::fmt::Write as _;

use crate::budget::Stop;

/// A row with another number of cells than the header has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaggedRow {
    /// Where the row begins in the file, counted from 1.
    pub line: u64,
    /// How many cells it has.
    pub cells: usize,
}

/// Why a table could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// The file has no content at all.
    #[error("the file is empty; choose a file with a header and rows")]
    Empty,
    /// The file is something else than a table.
    #[error("{file} is {kind}, not a table; {advice}")]
    NotATable {
        /// The name of the file, as it was given.
        file: String,
        /// What it is, with its article.
        kind: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// The file is larger than the limit.
    #[error("the file has {bytes} bytes, the limit is {limit}; split the list into several files")]
    FileTooLarge {
        /// Its size.
        bytes: usize,
        /// The largest size.
        limit: usize,
    },
    /// A workbook that grows beyond the limit when it is unpacked.
    #[error(
        "the workbook is larger than {limit} bytes when unpacked; copy the list alone into a new workbook, or save it as CSV UTF-8"
    )]
    UnpackedTooLarge {
        /// The largest size.
        limit: u64,
    },
    /// A table that takes more memory or work than it may.
    #[error("the table is larger than what can be read at once; split the list into several files")]
    TooMuch,
    /// More rows or cells than the limit.
    #[error("the table has more than {rows} rows or {cells} cells; split the list into several files")]
    TooManyRows {
        /// The most rows.
        rows: usize,
        /// The most cells in all rows together.
        cells: usize,
    },
    /// More columns than the limit.
    #[error("line {line} has {columns} columns, the limit is {limit}; delete the columns that are not needed")]
    TooManyColumns {
        /// Where the row begins.
        line: u64,
        /// How many columns it has.
        columns: usize,
        /// The most columns.
        limit: usize,
    },
    /// A cell larger than the limit.
    #[error(
        "line {line}, column {column}: the cell is larger than {limit} bytes; shorten it, or look for a quotation mark that is never closed"
    )]
    CellTooLarge {
        /// Where the row begins.
        line: u64,
        /// The number of the column, from 1.
        column: usize,
        /// The largest size.
        limit: usize,
    },
    /// Bytes that are no text in the encoding the rest of the file is in.
    #[error(
        "line {line} holds bytes that are no {encoding} text; open the list in the program it comes from and save it as CSV UTF-8"
    )]
    Undecodable {
        /// The first such line.
        line: u64,
        /// The encoding the file seems to be in.
        encoding: &'static str,
    },
    /// A quotation mark that opens a cell and is never closed.
    #[error(
        "line {line}: a quotation mark opens a cell and is never closed; close it, or write it twice where it belongs to the text"
    )]
    UnclosedQuote {
        /// Where the cell begins.
        line: u64,
    },
    /// Text between a closing quotation mark and the next delimiter.
    #[error(
        "line {line}: text follows a closing quotation mark; write a quotation mark twice where it belongs to the text"
    )]
    TextAfterQuote {
        /// The line of the quotation mark.
        line: u64,
    },
    /// Rows that have more or fewer cells than the header.
    #[error("{}", ragged_sentence(*expected, rows, *total))]
    Ragged {
        /// How many cells the header has.
        expected: usize,
        /// The first such rows.
        rows: Vec<RaggedRow>,
        /// How many such rows there are.
        total: usize,
    },
    /// A workbook that cannot be opened.
    #[error(
        "the workbook cannot be read ({reason}); open it, save it as a new .xlsx without a password, or save it as CSV UTF-8"
    )]
    Workbook {
        /// What the reader said.
        reason: String,
    },
    /// A workbook without a filled cell.
    #[error("no visible worksheet of the workbook has a table; put the header in the first row and save again")]
    NoWorksheet,
}

impl From<Stop> for SheetError {
    fn from(_: Stop) -> Self {
        Self::TooMuch
    }
}

fn ragged_sentence(expected: usize, rows: &[RaggedRow], total: usize) -> String {
    let plural = if expected == 1 { "" } else { "s" };
    let mut sentence = format!("the header has {expected} cell{plural}, but ");
    for (index, row) in rows.iter().enumerate() {
        let lead = if index == 0 { "" } else { ", " };
        // Writing to a String cannot fail.
        let _ = write!(sentence, "{lead}line {} has {}", row.line, row.cells);
    }
    if total > rows.len() {
        let _ = write!(sentence, " and {} more rows do not fit either", total - rows.len());
    }
    sentence + "; put quotation marks around cells that contain the delimiter, or save the list as .xlsx"
}
