//! Writer of CSV: RFC 4180, UTF-8, with formulas escaped.

use std::borrow::Cow;
use std::io::Write;

use csv::{Terminator, Writer, WriterBuilder};

use super::{Cell, Column};
use festival_base::error::{Error, Result};

/// Writes CSV.
pub(super) struct Delimited<W: Write> {
    writer: Writer<W>,
}

impl<W: Write> Delimited<W> {
    /// Writes the header; `bom` puts a byte order mark in front, by which old programs recognise UTF-8.
    pub(super) fn new(mut out: W, columns: &[Column], bom: bool) -> Result<Self> {
        if bom {
            out.write_all("\u{feff}".as_bytes())?;
        }
        let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out);
        writer
            .write_record(columns.iter().map(|column| escape_formula(&column.title).into_owned()))
            .map_err(Error::internal)?;
        Ok(Self { writer })
    }

    pub(super) fn row(&mut self, cells: &[Cell]) -> Result<()> {
        for cell in cells {
            let field = match cell {
                Cell::Empty => self.writer.write_field(""),
                Cell::Text(text) => self.writer.write_field(escape_formula(text).as_bytes()),
                Cell::Number(number) => self.writer.write_field(number.to_string()),
                Cell::DateTime(time) => self.writer.write_field(time.strftime("%Y-%m-%d %H:%M:%S").to_string()),
            };
            field.map_err(Error::internal)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(Error::internal)
    }

    pub(super) fn finish(self) -> Result<W> {
        self.writer.into_inner().map_err(|error| Error::from(error.into_error()))
    }
}

/// Whether `text` begins like a formula, after whitespace and control characters that some programs skip.
fn begins_like_formula(text: &str) -> bool {
    for letter in text.chars() {
        match letter {
            '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '\t' | '\r' | '\0' => return true,
            blank if blank.is_whitespace() || blank.is_control() => {}
            _ => return false,
        }
    }
    false
}

/// Whether there is nothing to compute in `text`: a telephone number like `+91 98470 12345`, or an amount like `-1300.00`.
/// People dial it or add it up, so it stays as it is.
fn is_number(text: &str) -> bool {
    let (digits, between) = match text.strip_prefix('+') {
        Some(digits) => (digits, ' '),
        None => (text.strip_prefix('-').unwrap_or_default(), '.'),
    };
    digits.starts_with(|letter: char| letter.is_ascii_digit())
        && digits.chars().all(|letter| letter == between || letter.is_ascii_digit())
}

/// Returns `text` for a CSV file: with an apostrophe in front if it begins like a formula, or like one that has been
/// escaped, so that [`unescape_formula`] is the exact reverse.
pub fn escape_formula(text: &str) -> Cow<'_, str> {
    let is_escaped = begins_like_formula(text.trim_start_matches('\'')) && !is_number(text);
    if is_escaped { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Reverses [`escape_formula`]: removes the apostrophe in front of a formula. Other programs write `="0012"` so that a
/// spreadsheet takes it for a text.
pub fn unescape_formula(cell: &str) -> &str {
    let escaped = cell.strip_prefix('\'').filter(|text| begins_like_formula(text.trim_start_matches('\'')));
    let quoted = || cell.strip_prefix("=\"")?.strip_suffix('"').filter(|text| !text.contains('"'));
    escaped.or_else(quoted).unwrap_or(cell)
}
