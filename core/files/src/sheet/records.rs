//! Delimited text to records, with the line each begins on.
//!
//! Written by hand because two things matter to the reader of an error and common parsers leave them out:
//! the physical line of every record, and quotation marks that do not pair.

use super::SheetError;

/// One record: its first line, counted from 1, and its cells.
pub(super) type Record = (u64, Vec<String>);

/// Splits a text into records. `delimiter` `None` means that a record is one cell.
pub(super) struct Records<'a> {
    text: &'a str,
    at: usize,
    line: u64,
    delimiter: Option<u8>,
    cell_limit: usize,
}

impl<'a> Records<'a> {
    /// `delimiter` is an ASCII character; a cell above `cell_limit` bytes ends the reading.
    pub(super) fn new(text: &'a str, line: u64, delimiter: Option<u8>, cell_limit: usize) -> Self {
        Self { text, at: 0, line, delimiter, cell_limit }
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
        let line = self.line;
        let mut cells = Vec::new();
        loop {
            let cell = if self.peek() == Some(b'"') { self.quoted()? } else { self.plain() };
            if cell.len() > self.cell_limit {
                return Err(SheetError::CellTooLarge { line, column: cells.len() + 1, limit: self.cell_limit });
            }
            cells.push(cell);
            if self.peek().is_some() && self.peek() == self.delimiter {
                self.at += 1;
            } else if self.peek().is_none() || self.line_break() {
                return Ok((line, cells));
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
