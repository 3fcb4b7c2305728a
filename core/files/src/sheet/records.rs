//! Parser of delimited text.
//!
//! Hand-written because error messages need two things that common parsers do not report: the physical line of every
//! record, and unbalanced quotes.

use festival_base::texts::{Texts, TextsBuilder};

use super::{Limits, SheetError};

/// A record.
pub(super) struct Record {
    /// First line in the file, counted from 1.
    pub(super) line: u64,
    /// The cells, up to the maximum number of columns.
    pub(super) cells: Texts,
    /// Total number of cells.
    pub(super) columns: usize,
    /// Whether all cells are blank.
    pub(super) is_empty: bool,
}

/// An iterator over the records of a text, which ends after the first error.
pub(super) struct Records<'a> {
    text: &'a str,
    at: usize,
    line: u64,
    delimiter: Option<u8>,
    limits: &'a Limits,
}

impl<'a> Records<'a> {
    /// `line` is the number of the first line. `delimiter` is an ASCII character; without one, a record is one cell.
    pub(super) fn new(text: &'a str, line: u64, delimiter: Option<u8>, limits: &'a Limits) -> Self {
        Self { text, at: 0, line, delimiter, limits }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips a line break (LF, CRLF or CR) at the current position and returns whether there was one.
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
        let mut record = Record { line: self.line, cells: Texts::default(), columns: 0, is_empty: true };
        let mut cells = TextsBuilder::default();
        loop {
            let (start, line) = (self.at, self.line);
            let quoted = if self.peek() == Some(b'"') { self.quoted(&mut cells) } else { Ok(()) };
            if self.at == start || self.is_literal(&quoted, cells.current()) {
                (self.at, self.line) = (start, line);
                cells.discard();
                cells.write(self.plain());
            } else {
                quoted?;
            }
            record.columns += 1;
            if cells.current().len() > self.limits.cell_bytes {
                let (line, column, limit) = (record.line, record.columns, self.limits.cell_bytes);
                return Err(SheetError::CellTooLarge { line, column, limit });
            }
            record.is_empty &= cells.current().trim().is_empty();
            // Further cells are only counted: a line of delimiters may be as long as the file.
            if record.columns <= self.limits.columns {
                cells.end();
            } else {
                cells.discard();
            }
            if self.peek().is_some() && self.peek() == self.delimiter {
                self.at += 1;
            } else if self.peek().is_none() || self.line_break() {
                record.cells = cells.build();
                return Ok(record);
            } else {
                return Err(SheetError::TextAfterQuote { line: self.line });
            }
        }
    }

    /// Whether the quotation mark at the beginning of a cell belongs to its text. Programs that separate cells by tabs
    /// rarely quote them: the mark then has no partner at the end of a cell, or one that is cells and lines away.
    fn is_literal(&self, quoted: &Result<(), SheetError>, cell: &str) -> bool {
        let ends = matches!(self.peek(), None | Some(b'\t' | b'\r' | b'\n'));
        self.delimiter == Some(b'\t') && (quoted.is_err() || !ends || cell.contains('\t') && cell.contains('\n'))
    }

    fn plain(&mut self) -> &'a str {
        let start = self.at;
        let ends = |byte: &u8| matches!(byte, b'\r' | b'\n') || Some(*byte) == self.delimiter;
        let rest = &self.text.as_bytes()[start..];
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
        &self.text[start..self.at]
    }

    fn quoted(&mut self, cell: &mut TextsBuilder) -> Result<(), SheetError> {
        let start_line = self.line;
        self.at += 1;
        loop {
            let start = self.at;
            let rest = &self.text.as_bytes()[start..];
            self.at += rest.iter().position(|byte| matches!(byte, b'"' | b'\r' | b'\n')).unwrap_or(rest.len());
            cell.write(&self.text[start..self.at]);
            if self.line_break() {
                cell.write("\n");
            } else if self.peek().is_none() {
                return Err(SheetError::UnclosedQuote { line: start_line });
            } else {
                self.at += 1;
                if self.peek() != Some(b'"') {
                    return Ok(());
                }
                cell.write("\"");
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
