//! An Excel workbook to a table: the first visible worksheet that has one.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Xlsx, XlsxError};

use super::weight::weigh;
use super::{CELL, Format, Limits, Sheet, SheetError, Table};
use crate::budget::{Budget, Metered};

impl From<XlsxError> for SheetError {
    fn from(error: XlsxError) -> Self {
        Self::Workbook { reason: error.to_string() }
    }
}

/// Reads a workbook.
pub(super) fn read(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<Sheet, SheetError> {
    budget.reserve(limits.memory_bytes)?;
    let largest = weigh(bytes, limits, budget)?;
    // A reader that gives up on a file by panicking has met a damaged one.
    let read = catch_unwind(AssertUnwindSafe(|| read_weighed(bytes, largest, limits, budget)));
    read.unwrap_or_else(|_| Err(SheetError::Workbook { reason: "it is damaged".into() }))
}

/// Reads a workbook whose largest part has so many bytes.
fn read_weighed(bytes: &[u8], largest: u64, limits: &Limits, budget: &Budget) -> Result<Sheet, SheetError> {
    let mut workbook: Xlsx<_> = Xlsx::new(Metered::new(Cursor::new(bytes), budget))?;
    let visible =
        |sheet: &&calamine::Sheet| sheet.visible == SheetVisible::Visible && sheet.typ == SheetType::WorkSheet;
    let names: Vec<String> =
        workbook.sheets_metadata().iter().filter(visible).map(|sheet| sheet.name.clone()).collect();
    // A worksheet of notes has one column; it counts only where no other worksheet has more.
    let mut notes = None;
    for name in names {
        // Which part it is, the reader does not say; several sheets may be the same one.
        budget.charge(largest)?;
        match worksheet(&mut workbook, &name, limits, budget)? {
            Some(sheet) if sheet.header.len() > 1 => return Ok(sheet),
            Some(sheet) => notes = notes.or(Some(sheet)),
            None => {}
        }
    }
    notes.ok_or(SheetError::NoWorksheet)
}

/// One worksheet cell by cell: its declared size may be a million empty rows.
fn worksheet(
    workbook: &mut Xlsx<Metered<'_, Cursor<&[u8]>>>,
    name: &str,
    limits: &Limits,
    budget: &Budget,
) -> Result<Option<Sheet>, SheetError> {
    let mut reader = workbook.worksheet_cells_reader(name)?;
    let mut table = Table::new(limits, budget);
    let mut line = 0;
    let mut cells: Vec<String> = Vec::new();
    while let Some(cell) = reader.next_cell()? {
        let (row, column) = cell.get_position();
        let row = u64::from(row) + 1;
        if row != line {
            table.push(line, std::mem::take(&mut cells))?;
            line = row;
        }
        let text = shown(cell.get_value());
        if text.trim().is_empty() {
            continue;
        }
        let column = column as usize;
        if column >= limits.columns {
            return Err(SheetError::TooManyColumns { line, columns: column + 1, limit: limits.columns });
        }
        if cells.len() <= column {
            cells.resize(column + 1, String::new());
        }
        cells[column] = text;
    }
    table.push(line, cells)?;
    level(table.rows, name, budget)
}

/// Finds the header and gives every row the same width. A heading above the table fills one cell only.
fn level(rows: Vec<super::Row>, name: &str, budget: &Budget) -> Result<Option<Sheet>, SheetError> {
    let filled = |row: &super::Row| row.cells.iter().filter(|cell| !cell.is_empty()).count();
    let Some(width) = rows.iter().map(|row| row.cells.len()).max() else { return Ok(None) };
    let empty: usize = rows.iter().map(|row| width.saturating_sub(row.cells.capacity())).sum();
    budget.hold(CELL * empty as u64)?;
    let start = rows.iter().position(|row| filled(row) > 1).unwrap_or(0);
    let mut rows = rows.into_iter().skip(start).map(|mut row| {
        row.cells.resize(width, String::new());
        row
    });
    let Some(header) = rows.next() else { return Ok(None) };
    Ok(Some(Sheet {
        format: Format::Xlsx,
        encoding: "UTF-8",
        delimiter: None,
        worksheet: Some(name.to_owned()),
        header_line: header.line,
        header: header.cells,
        rows: rows.collect(),
    }))
}

/// A cell as a person sees it: no `2025.0`, dates year first, times as hours and minutes.
fn shown(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::Int(number) => number.to_string(),
        // Display writes the shortest digits that mean the number: 2025, 92.5.
        DataRef::Float(number) => number.to_string(),
        DataRef::Bool(flag) => if *flag { "TRUE" } else { "FALSE" }.to_owned(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => line_breaks(text),
        DataRef::SharedString(text) => line_breaks(text),
        DataRef::DateTime(moment) => shown_moment(moment),
        DataRef::Error(error) => error.to_string(),
    }
}

fn line_breaks(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn shown_moment(moment: &ExcelDateTime) -> String {
    let days = moment.as_f64();
    if moment.is_duration() || (0.0..1.0).contains(&days) {
        #[expect(clippy::cast_possible_truncation, reason = "a saturating cast of a time is harmless")]
        let seconds = (days * 86_400.0).round() as i64;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        return if seconds == 0 {
            format!("{hours}:{minutes:02}")
        } else {
            format!("{hours}:{minutes:02}:{seconds:02}")
        };
    }
    let (year, month, day, hour, minute, ..) = moment.to_ymd_hms_milli();
    if hour == 0 && minute == 0 {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
    }
}
