//! Reads a statement in any of its formats.

use std::borrow::Cow;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{Data, Reader as _, Xls};
use encoding_rs::{UTF_8, WINDOWS_1252};
use festival_core::sheet::{self, Expected, Limits, Row};
use jiff::Zoned;
use jiff::tz::TimeZone;

use super::layout::{self, Assigned};
use super::statement::{Problem, Statement, one_line};
use super::{camt, html, mt940, ofx, table};

/// Maximum size of a file, in bytes: a season of a busy account has two.
pub(super) const MAX_BYTES: usize = 16 << 20;

/// Reads a statement; its format is found by its content. `assigned` are columns whose headers nobody could guess.
///
/// # Errors
/// A sentence that says why it is no statement, and what to do. Problems of single lines are in the statement.
pub(super) fn read(bytes: &[u8], name: &str, assigned: &Assigned, now: &Zoned) -> Result<Statement, String> {
    if bytes.len() > MAX_BYTES {
        return Err(format!("the file is larger than {} MB; download a shorter period", MAX_BYTES >> 20));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err("the file is empty; download the statement again".to_owned());
    }
    if bytes.starts_with(b"%PDF-") {
        return Err("a PDF cannot be read without guessing; download the statement as CSV or as a workbook".to_owned());
    }
    let mut notes = Vec::new();
    let rows = if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        // The library may panic on damaged files.
        catch_unwind(AssertUnwindSafe(|| old_workbook(bytes, &mut notes)))
            .unwrap_or_else(|_| Err("the workbook is damaged; download it again".to_owned()))?
    } else if bytes.starts_with(b"PK") {
        list(bytes, name, now.time_zone(), &mut notes)?
    } else {
        let text = text_of(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        match text {
            text if camt::is_one(text) => camt::rows(text)?,
            text if ofx::is_one(text) => ofx::rows(text),
            text if mt940::is_one(text) => mt940::rows(text),
            text if text.starts_with('<') => html::rows(text)?,
            _ => list(bytes, name, now.time_zone(), &mut notes)?,
        }
    };
    let mut statement = table::read(&cleaned(rows), assigned, now.date())?;
    statement.notes.splice(0..0, notes);
    Ok(statement)
}

/// A note about the worksheets that are not read.
fn other_worksheets(read: &str, others: &[String]) -> Option<Problem> {
    let text = format!("only the worksheet “{read}” was read; save the others as files: {}", others.join(", "));
    (!others.is_empty()).then_some(Problem { line: 1, text })
}

/// Reads text in UTF-8, UTF-16 or Windows' Latin letters.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match UTF_8.decode(bytes) {
        (text, _, false) => text,
        _ => WINDOWS_1252.decode(bytes).0,
    }
}

/// The rows with each cell on one line, without empty ones and those that banks draw: "********".
fn cleaned(mut rows: Vec<Row>) -> Vec<Row> {
    rows.iter_mut().for_each(|row| row.cells = row.cells.iter().map(one_line).collect());
    rows.retain(|row| row.cells.iter().any(|cell| cell.contains(char::is_alphanumeric)));
    rows
}

/// Reads the rows of a list as people make them: delimited text, a workbook, an OpenDocument table.
fn list(bytes: &[u8], name: &str, zone: &TimeZone, notes: &mut Vec<Problem>) -> Result<Vec<Row>, String> {
    let known = |cell: &str| layout::field_of(cell).is_some();
    let expected = Expected { known: &known, has_header: false, is_uneven: true, ..Expected::default() };
    let sheet = sheet::read_expecting(bytes, name, &Limits::default(), &expected).map_err(|error| error.to_string())?;
    notes.extend(other_worksheets(sheet.worksheet.as_deref().unwrap_or_default(), &sheet.other_worksheets));
    notes.extend(sheet.notes.iter().map(|note| Problem { line: note.line.unwrap_or(1), text: note.text.clone() }));
    Ok(sheet.in_zone(zone).without_header().rows)
}

/// Reads the worksheet of an Excel workbook of before 2007 that has most rows.
fn old_workbook(bytes: &[u8], notes: &mut Vec<Problem>) -> Result<Vec<Row>, String> {
    let unreadable = |error: &dyn std::fmt::Display| {
        format!(
            "the workbook cannot be read ({error}); open it and save it as .xlsx without a password, or download it as CSV"
        )
    };
    let mut workbook = Xls::new(Cursor::new(bytes)).map_err(|error| unreadable(&error))?;
    let mut sheets = workbook.worksheets();
    sheets.retain(|(_, range)| !range.is_empty());
    sheets.sort_by_key(|(_, range)| range.height());
    let (name, range) = sheets.pop().ok_or_else(|| unreadable(&"it has no worksheet"))?;
    notes.extend(other_worksheets(&name, &sheets.into_iter().map(|(name, _)| name).collect::<Vec<_>>()));
    let first = range.start().map_or(0, |(row, _)| row);
    let rows = (u64::from(first) + 1..).zip(range.rows());
    Ok(rows.map(|(line, cells)| Row { line, cells: cells.iter().map(cell_text).collect() }).collect())
}

fn cell_text(cell: &Data) -> String {
    match cell {
        Data::Float(number) if number.fract() != 0.0 && number.to_string().len() > 15 => format!("{number:.2}"),
        Data::DateTime(moment) if !moment.is_duration() => {
            let (year, month, day, ..) = moment.to_ymd_hms_milli();
            format!("{year:04}-{month:02}-{day:02}")
        }
        cell => cell.to_string(),
    }
}
