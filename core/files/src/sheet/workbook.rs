//! An Excel workbook to a table: the first visible worksheet that has one.

use std::io::{Cursor, Read};

use calamine::{DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Xlsx, XlsxError};

use super::{Format, Limits, Sheet, SheetError, Table};

impl From<XlsxError> for SheetError {
    fn from(error: XlsxError) -> Self {
        Self::Workbook { reason: error.to_string() }
    }
}

/// Reads a workbook.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Sheet, SheetError> {
    refuse_bomb(bytes, limits.unpacked_bytes)?;
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes))?;
    let visible =
        |sheet: &&calamine::Sheet| sheet.visible == SheetVisible::Visible && sheet.typ == SheetType::WorkSheet;
    let names: Vec<String> =
        workbook.sheets_metadata().iter().filter(visible).map(|sheet| sheet.name.clone()).collect();
    // A worksheet of notes has one column; it counts only where no other worksheet has more.
    let mut notes = None;
    for name in names {
        match worksheet(&mut workbook, &name, limits)? {
            Some(sheet) if sheet.header.len() > 1 => return Ok(sheet),
            Some(sheet) => notes = notes.or(Some(sheet)),
            None => {}
        }
    }
    notes.ok_or(SheetError::NoWorksheet)
}

/// Unpacks every part once and counts: what an archive declares about its sizes need not be true.
fn refuse_bomb(bytes: &[u8], limit: u64) -> Result<(), SheetError> {
    let unreadable = |error: &dyn std::fmt::Display| SheetError::Workbook { reason: error.to_string() };
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| unreadable(&error))?;
    let mut left = limit;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|error| unreadable(&error))?;
        let size = std::io::copy(&mut part.take(left + 1), &mut std::io::sink()).map_err(|error| unreadable(&error))?;
        left = left.checked_sub(size).ok_or(SheetError::UnpackedTooLarge { limit })?;
    }
    Ok(())
}

/// One worksheet cell by cell: its declared size may be a million empty rows.
fn worksheet(workbook: &mut Xlsx<Cursor<&[u8]>>, name: &str, limits: &Limits) -> Result<Option<Sheet>, SheetError> {
    let mut reader = workbook.worksheet_cells_reader(name)?;
    let mut table = Table::new(limits);
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
    Ok(level(table.rows, name))
}

/// Finds the header and gives every row the same width. A heading above the table fills one cell only.
fn level(rows: Vec<super::Row>, name: &str) -> Option<Sheet> {
    let filled = |row: &super::Row| row.cells.iter().filter(|cell| !cell.is_empty()).count();
    let width = rows.iter().map(|row| row.cells.len()).max()?;
    let start = rows.iter().position(|row| filled(row) > 1).unwrap_or(0);
    let mut rows = rows.into_iter().skip(start).map(|mut row| {
        row.cells.resize(width, String::new());
        row
    });
    let header = rows.next()?;
    Some(Sheet {
        format: Format::Xlsx,
        encoding: "UTF-8",
        delimiter: None,
        worksheet: Some(name.to_owned()),
        header_line: header.line,
        header: header.cells,
        rows: rows.collect(),
    })
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
