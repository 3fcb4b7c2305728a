//! Errors of reading tables, with messages for the person who uploaded the file.

use std::fmt::Write as _;

use crate::budget::BudgetError;
use festival_base::size_text::size;

/// A row whose number of cells differs from the header's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaggedRow {
    /// First line of the row in the file, counted from 1.
    pub line: u64,
    /// Number of cells.
    pub cells: usize,
}

/// Why a table could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// The file has no content at all.
    #[error("the file is empty; choose a file with a header and rows")]
    Empty,
    /// The file is not a table.
    #[error("{file} is {kind}, not a table; {advice}")]
    NotATable {
        /// The file's name.
        file: String,
        /// What it is, with its article.
        kind: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// The file is larger than the limit.
    #[error("the file has {}, the limit is {}; split the list into several files", size(*.bytes as u64), size(*.limit as u64))]
    FileTooLarge {
        /// Its size in bytes.
        bytes: usize,
        /// Maximum size in bytes.
        limit: usize,
    },
    /// The decompressed workbook exceeds the limit.
    #[error(
        "the workbook is larger than {} when unpacked; copy the list alone into a new workbook, or save it as CSV UTF-8",
        size(*.limit)
    )]
    UnpackedTooLarge {
        /// Maximum size in bytes.
        limit: u64,
    },
    /// Reading the table exceeds the limit of memory or work.
    #[error("the table is larger than what can be read at once; split the list into several files")]
    BudgetExceeded,
    /// More rows or cells than the limit.
    #[error("the table has more than {rows} rows or {cells} cells; split the list into several files")]
    TooManyRows {
        /// Maximum number of rows.
        rows: usize,
        /// Maximum number of cells in all rows together.
        cells: usize,
    },
    /// More columns than the limit.
    #[error("line {line} has {columns} columns, the limit is {limit}; delete the columns that are not needed")]
    TooManyColumns {
        /// First line of the row.
        line: u64,
        /// Number of columns of the row.
        columns: usize,
        /// Maximum number of columns.
        limit: usize,
    },
    /// A cell larger than the limit.
    #[error(
        "line {line}, column {column}: the cell is larger than {}; shorten it, or look for a quotation mark that is never closed",
        size(*.limit as u64)
    )]
    CellTooLarge {
        /// First line of the row.
        line: u64,
        /// The number of the column, from 1.
        column: usize,
        /// Maximum size in bytes.
        limit: usize,
    },
    /// Bytes that are invalid in the detected encoding.
    #[error(
        "line {line} holds bytes that are no {encoding} text; open the list in the program it comes from and save it as CSV UTF-8"
    )]
    Undecodable {
        /// The first such line.
        line: u64,
        /// The detected encoding.
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
        "line {line}: text follows a closing quotation mark; put the whole cell into quotation marks, and write those that belong to \
         its text twice"
    )]
    TextAfterQuote {
        /// The line of the quotation mark.
        line: u64,
    },
    /// Rows that have more or fewer cells than the header.
    #[error("{}", ragged_message(*expected, rows, *total))]
    Ragged {
        /// Number of cells of the header.
        expected: usize,
        /// The first such rows.
        rows: Vec<RaggedRow>,
        /// Number of such rows.
        total: usize,
    },
    /// A second table, whose columns have another order than those of the first.
    #[error("line {line} is a header whose columns have another order; put the table below it into a list of its own")]
    SecondHeader {
        /// The line of the header.
        line: u64,
    },
    /// A file that begins like JSON and is not.
    #[error("line {line}: the file is not valid JSON ({reason}); export the list again, or save it as .xlsx")]
    Json {
        /// The line in the file.
        line: u64,
        /// The parser's message.
        reason: String,
    },
    /// JSON without a list.
    #[error("the JSON file contains no list of objects; export the list again, one object for each row")]
    NoJsonList,
    /// A workbook that cannot be opened.
    #[error(
        "the workbook cannot be read ({reason}); open it, save it as a new .xlsx without a password, or save it as CSV UTF-8"
    )]
    Workbook {
        /// The parser's message.
        reason: String,
    },
    /// No visible worksheet has this name.
    #[error("there is no worksheet \"{name}\"; the worksheets are {names}")]
    NoSuchWorksheet {
        /// The name as it was given.
        name: String,
        /// All names.
        names: String,
    },
    /// A worksheet was named, but the file has none.
    #[error("the file has no worksheets; read it without the name of a worksheet ({name})")]
    NoWorksheets {
        /// The name as it was given.
        name: String,
    },
    /// No visible worksheet has a table.
    #[error("no visible worksheet of the workbook has a table; put the header in the first row and save again")]
    NoWorksheet,
}

impl From<BudgetError> for SheetError {
    fn from(_: BudgetError) -> Self {
        Self::BudgetExceeded
    }
}

fn ragged_message(expected: usize, rows: &[RaggedRow], total: usize) -> String {
    let plural = if expected == 1 { "" } else { "s" };
    let mut message = format!("the header has {expected} cell{plural}, but ");
    for (index, row) in rows.iter().enumerate() {
        let lead = if index == 0 { "" } else { ", " };
        // Writing to a String cannot fail.
        let _ = write!(message, "{lead}line {} has {}", row.line, row.cells);
    }
    if total == rows.len() {
        return message + "; put quotation marks around cells that contain the delimiter, or save the list as .xlsx";
    }
    // By hand that is too much work, and a spreadsheet would divide the cells in the same way.
    let _ = write!(
        message,
        " and {} more rows do not fit either; their cells contain the delimiter without quotation marks, so export the list \
         again from the program that it comes from, as .xlsx or with a delimiter that no cell contains, such as a semicolon",
        total - rows.len()
    );
    message
}
