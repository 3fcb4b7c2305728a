//! The rows of a file with a table: CSV and its relatives, workbooks of today and of before 2007, and web pages that banks
//! call workbooks.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{Data, Reader as _, Xls};
use encoding_rs::{Encoding, UTF_8, UTF_16LE, WINDOWS_1252};
use festival_core::sheet::{self, Expected, Limits};

use super::html;
use super::statement::{GridRow, one_line};

/// Maximum size of a file, in bytes: a season of a busy account has two.
pub(crate) const MAX_BYTES: usize = 16 << 20;
/// Maximum number of rows and of cells per row.
const MAX_ROWS: usize = 100_000;
const MAX_CELLS: usize = 100;
/// Rows by which the delimiter is found.
const SAMPLE: usize = 200;

/// Reads the rows of a table; `known` says how many cells of a row are headers of statements.
///
/// # Errors
/// A sentence that says why it cannot be read, and what to do.
pub(super) fn read(bytes: &[u8], name: &str, known: &dyn Fn(&[String]) -> usize) -> Result<Vec<GridRow>, String> {
    let mut rows = if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        // The library may panic on damaged files.
        catch_unwind(AssertUnwindSafe(|| old_workbook(bytes)))
            .unwrap_or_else(|_| Err("the workbook is damaged; download it again".to_owned()))?
    } else if bytes.starts_with(b"PK") {
        workbook(bytes, name)?
    } else {
        let text = decode(bytes)?;
        if text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
            html::rows(&text)?
        } else {
            delimited(&text, known)
        }
    };
    for row in &mut rows {
        row.cells.truncate(MAX_CELLS);
        row.cells.iter_mut().for_each(|cell| *cell = one_line(cell));
    }
    rows.retain(|row| row.cells.iter().any(|cell| !cell.is_empty()));
    if rows.len() > MAX_ROWS {
        return Err(format!("the file has more than {MAX_ROWS} rows; download a shorter period"));
    }
    Ok(rows)
}

/// Reads the text of a file in UTF-8, UTF-16 or Windows' Latin letters.
///
/// # Errors
/// If it is no text.
pub(super) fn decode(bytes: &[u8]) -> Result<String, String> {
    let encoding = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding,
        None if bytes.iter().skip(1).step_by(2).filter(|byte| **byte == 0).count() * 3 > bytes.len() => UTF_16LE,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    let (text, _, _) = encoding.decode(bytes);
    match text.contains('\0') {
        true => Err("the file is no statement; download it as CSV or as a workbook".to_owned()),
        false => Ok(text.into_owned()),
    }
}

/// Reads text with the delimiter that makes most headers.
fn delimited(text: &str, known: &dyn Fn(&[String]) -> usize) -> Vec<GridRow> {
    let records = |delimiter: u8, maximum: usize| {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(Cursor::new(text.as_bytes()));
        // The library does not count the empty lines that it skips.
        let (mut at, mut line) = (0, 1);
        let row = |record: csv::StringRecord| {
            let start = record.position().and_then(|position| usize::try_from(position.byte()).ok()).unwrap_or(at);
            let skipped = text[start..].len() - text[start..].trim_start_matches(['\r', '\n']).len();
            line += text[at..start + skipped].matches('\n').count() as u64;
            at = start + skipped;
            GridRow { line, cells: record.iter().map(str::to_owned).collect() }
        };
        reader.records().take(maximum).filter_map(Result::ok).map(row).collect::<Vec<_>>()
    };
    let score = |delimiter: &u8| records(*delimiter, SAMPLE).iter().map(|row| known(&row.cells)).max().unwrap_or(0);
    let delimiter = b",\t;|~^".iter().rev().max_by_key(|delimiter| score(delimiter)).copied().unwrap_or(b',');
    records(delimiter, MAX_ROWS + 1)
}

/// Reads a workbook, or an OpenDocument table, within the limits of all lists.
fn workbook(bytes: &[u8], name: &str) -> Result<Vec<GridRow>, String> {
    let expected = Expected { has_header: false, ..Expected::default() };
    let sheet = sheet::read_expecting(bytes, name, &Limits::default(), &expected).map_err(|error| error.to_string())?;
    let row = |row: sheet::Row| GridRow { line: row.line, cells: row.cells.iter().map(str::to_owned).collect() };
    Ok(sheet.without_header().rows.into_iter().map(row).collect())
}

/// Reads the worksheet of an Excel workbook of before 2007 that has most rows.
fn old_workbook(bytes: &[u8]) -> Result<Vec<GridRow>, String> {
    let unreadable = |error: &dyn std::fmt::Display| {
        format!(
            "the workbook cannot be read ({error}); open it and save it as .xlsx without a password, or download it as CSV"
        )
    };
    let mut workbook = Xls::new(Cursor::new(bytes)).map_err(|error| unreadable(&error))?;
    let range = workbook.worksheets().into_iter().map(|(_, range)| range).max_by_key(|range| range.height());
    let range = range.ok_or_else(|| unreadable(&"it has no worksheet"))?;
    let first = range.start().map_or(0, |(row, _)| row);
    let rows = (u64::from(first) + 1..).zip(range.rows());
    Ok(rows.map(|(line, cells)| GridRow { line, cells: cells.iter().map(cell_text).collect() }).collect())
}

fn cell_text(cell: &Data) -> String {
    match cell {
        Data::Float(number) if number.fract() != 0.0 && number.to_string().len() > 15 => format!("{number:.2}"),
        Data::DateTime(moment) if !moment.is_duration() => {
            let (year, month, day, hour, minute, ..) = moment.to_ymd_hms_milli();
            let day = format!("{year:04}-{month:02}-{day:02}");
            if (hour, minute) == (0, 0) { day } else { format!("{day} {hour:02}:{minute:02}") }
        }
        cell => cell.to_string(),
    }
}
