//! Reads a statement in any of its formats.

use jiff::civil::Date;

use super::layout::{self, Assigned};
use super::statement::Statement;
use super::{camt, grid, mt940, ofx, table};

/// Reads a statement; its format is found by its content. `assigned` are columns whose headers nobody could guess.
///
/// # Errors
/// A sentence that says why it is no statement, and what to do. Problems of single lines are in the statement.
pub(super) fn read(bytes: &[u8], name: &str, assigned: &Assigned, today: Date) -> Result<Statement, String> {
    if bytes.len() > grid::MAX_BYTES {
        return Err(format!("the file is larger than {} MB; download a shorter period", grid::MAX_BYTES >> 20));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err("the file is empty; download the statement again".to_owned());
    }
    if bytes.starts_with(b"%PDF-") {
        return Err("a PDF cannot be read without guessing; download the statement as CSV or as a workbook".to_owned());
    }
    if !bytes.starts_with(b"PK") && !bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        let text = grid::decode(bytes)?;
        let statement = match &*text {
            text if camt::is_one(text) => Some(camt::read(text)?),
            text if ofx::is_one(text) => Some(ofx::read(text)),
            text if mt940::is_one(text) => Some(mt940::read(text)),
            _ => None,
        };
        if let Some(statement) = statement {
            let is_empty = statement.lines.is_empty() && statement.problems.is_empty();
            return if is_empty {
                Err("the statement has no transaction; choose another period".to_owned())
            } else {
                Ok(statement)
            };
        }
    }
    let known = |cells: &[String]| layout::known(cells);
    let rows = grid::read(bytes, name, &known)?;
    table::read(&rows, assigned, today)
}
