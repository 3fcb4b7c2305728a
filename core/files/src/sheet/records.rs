//! Delimited text to records, with the line each begins on.
//!
//! Written by hand because two things matter to the reader of an error and common parsers leave them out:
//! the physical line of every record, and quotation marks that do not pair.

use super::{Limits, SheetError};

/// One record.
pub(super) struct Record {
    /// Its first line, counted from 1.
    pub(super) line: u64,
    /// Its cells, as many of them as a table may have columns.
    pub(super) cells: Vec<String>,
    /// How many cells it has.
    pub(super) columns: usize,
    /// Nothing is in any of them.
    pub(super) is_empty: bool,
}

/// Splits a text into records. `delimiter` `None` means that a record is one cell.
pub(super) struct Records<'a> {
    text: &'a str,
    at: usize,
    line: u64,
    delimiter: Option<u8>,
    limits: &'a Limits,
}

impl<'a> Records<'a> {
    /// `delimiter` is an ASCII character; a cell above the limit ends the reading.
    pub(super) fn new(text: &'a str, line: u64, delimiter: Option<u8>, limits: &'a Limits) -> Self {
        Self { text, at: 0, line, delimiter, limits }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Steps over a line break of any system, if there is one here.
    fn line_break(&mut self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let length = match rest {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => return false,
        };
        self.at += length;
        self.line += 1;
        true
    }

    fn record(&mut self) -> Result<Record, SheetError> {
        let mut record = Record { line: self.line, cells: Vec::new(), columns: 0, is_empty: true };
        loop {
            let cell = if self.peek() == Some(b'"') { self.quoted()? } else { self.plain() };
            record.columns += 1;
            if cell.len() > self.limits.cell_bytes {
                let (line, column, limit) = (record.line, record.columns, self.limits.cell_bytes);
                return Err(SheetError::CellTooLarge { line, column, limit });
            }
            record.is_empty &= cell.trim().is_empty();
            // The others are counted: a line of nothing but delimiters is as long as its file.
            if record.columns <= self.limits.columns {
                record.cells.push(cell);
            }
            if self.peek().is_some() && self.peek() == self.delimiter {
                self.at += 1;
            } else if self.peek().is_none() || self.line_break() {
                return Ok(record);
            } else {
                return Err(SheetError::TextAfterQuote { line: self.line });
            }
        }
    }

    fn plain(&mut self) -> String {
        let start = self.at;
        let ends = |byte: &u8| matches!(byte, b'\r' | b'\n') || Some(*byte) == self.delimiter;
        let rest = &self.text.as_bytes()[start..];
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
        self.text[start..self.at].to_owned()
    }

    fn quoted(&mut self) -> Result<String, SheetError> {
        let opened = self.line;
        let mut cell = String::new();
        self.at += 1;
        loop {
            let start = self.at;
            let rest = &self.text.as_bytes()[start..];
            self.at += rest.iter().position(|byte| matches!(byte, b'"' | b'\r' | b'\n')).unwrap_or(rest.len());
            cell.push_str(&self.text[start..self.at]);
            if self.line_break() {
                cell.push('\n');
            } else if self.peek().is_none() {
                return Err(SheetError::UnclosedQuote { line: opened });
            } else {
                self.at += 1;
                if self.peek() != Some(b'"') {
                    return Ok(cell);
                }
                cell.push('"');
                self.at += 1;
            }
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, SheetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.peek()?;
        let record = self.record();
        if record.is_err() {
            self.at = self.text.len();
        }
        Some(record)
    }
}
