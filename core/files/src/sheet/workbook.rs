//! Reading of Excel workbooks: the visible worksheet that fits best.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{DataRef, Dimensions, ExcelDateTime, Reader, SheetType, SheetVisible, Xlsx, XlsxError};

use super::arrange::{arrange, choose};
use super::collector::Collector;
use super::memory::measure;
use super::{Expected, Limits, Sheet, SheetError};
use crate::budget::{Budget, Metered};

impl From<XlsxError> for SheetError {
    fn from(error: XlsxError) -> Self {
        Self::Workbook { reason: error.to_string() }
    }
}

/// Reads a workbook.
pub(super) fn read(
    bytes: &[u8],
    limits: &Limits,
    expected: &Expected<'_>,
    budget: &Budget,
) -> Result<Sheet, SheetError> {
    budget.reserve(limits.memory_bytes)?;
    let largest = measure(bytes, limits, budget)?;
    // The library may panic on damaged files.
    let result = catch_unwind(AssertUnwindSafe(|| read_measured(bytes, largest, limits, expected, budget)));
    result.unwrap_or_else(|_| Err(SheetError::Workbook { reason: "it is damaged".into() }))
}

/// Reads a workbook whose largest part has `largest` bytes.
fn read_measured(
    bytes: &[u8],
    largest: u64,
    limits: &Limits,
    expected: &Expected<'_>,
    budget: &Budget,
) -> Result<Sheet, SheetError> {
    let mut workbook: Xlsx<_> = Xlsx::new(Metered::new(Cursor::new(bytes), budget))?;
    let visible =
        |sheet: &&calamine::Sheet| sheet.visible == SheetVisible::Visible && sheet.typ == SheetType::WorkSheet;
    let names: Vec<String> =
        workbook.sheets_metadata().iter().filter(visible).map(|sheet| sheet.name.clone()).collect();
    let mut previews = Vec::new();
    for name in names {
        // The library does not say which part this is; several worksheets may be the same part.
        budget.charge(largest)?;
        let rows = worksheet(&mut workbook, &name, Collector::preview(limits, budget))?;
        previews.push((name, rows));
    }
    let chosen = choose(&previews, expected)?;
    budget.charge(largest)?;
    let rows = worksheet(&mut workbook, &previews[chosen].0, Collector::new(limits, budget))?;
    // The library reads them separately, from the end of the part.
    budget.charge(largest)?;
    let merged = workbook.merge_cells_by_sheet_name(&previews[chosen].0).unwrap_or_default();
    to_sheet((rows, merged), super::Format::Xlsx, chosen, previews, (limits, expected, budget))
}

/// Maximum length of a value that is repeated, in bytes: enough for a day, a section or a hall, but a file cannot grow
/// by a million long texts.
const REPEATED_BYTES: usize = 300;

/// Repeats the value of cells that are merged downwards in each row that they span.
fn repeat_merged(sheet: &mut Sheet, mut merged: Vec<Dimensions>) {
    merged.retain(|cells| cells.end.0 > cells.start.0);
    merged.sort_unstable_by_key(|cells| (cells.start.1, cells.start.0));
    let mut before = None;
    for Dimensions { start, end } in merged {
        let (column, first, last) = (start.1 as usize, u64::from(start.0) + 1, u64::from(end.0) + 1);
        // Those of a damaged file may overlap.
        if before.is_some_and(|before| (column, first) <= before) {
            continue;
        }
        before = Some((column, last));
        let index = sheet.rows.partition_point(|row| row.line < first);
        let begin = sheet.rows.get(index).filter(|row| row.line == first);
        let value = begin.and_then(|row| row.cells.get(column)).unwrap_or_default().to_owned();
        if value.trim().is_empty() || value.len() > REPEATED_BYTES {
            continue;
        }
        for row in sheet.rows[index..].iter_mut().take_while(|row| row.line <= last) {
            if row.cells.get(column).is_some_and(|cell| cell.trim().is_empty()) {
                let cells = row.cells.iter().enumerate();
                row.cells = cells.map(|(at, cell)| if at == column { &value } else { cell }).collect();
            }
        }
    }
}

/// Reads a worksheet cell by cell, because its declared size may be a million empty rows.
fn worksheet(
    workbook: &mut Xlsx<Metered<'_, Cursor<&[u8]>>>,
    name: &str,
    mut table: Collector<'_>,
) -> Result<Vec<super::Row>, SheetError> {
    let limits = table.limits;
    let mut reader = workbook.worksheet_cells_reader(name)?;
    let mut line = 0;
    let mut cells: Vec<String> = Vec::new();
    while let Some(cell) = reader.next_cell()? {
        let (row, column) = cell.get_position();
        let row = u64::from(row) + 1;
        if row != line {
            table.push(line, cells.iter().collect())?;
            cells.clear();
            line = row;
            if table.is_complete() {
                return Ok(table.rows);
            }
        }
        let text = cell_text(cell.get_value());
        if text.trim().is_empty() {
            continue;
        }
        let column = column as usize;
        if column >= limits.columns && table.is_preview {
            continue;
        }
        if column >= limits.columns {
            return Err(SheetError::TooManyColumns { line, columns: column + 1, limit: limits.columns });
        }
        if cells.len() <= column {
            cells.resize(column + 1, String::new());
        }
        cells[column] = text;
    }
    table.push(line, cells.iter().collect())?;
    Ok(table.rows)
}

/// Arranges the rows of the chosen worksheet. `previews` has the names of all.
pub(super) fn to_sheet(
    (rows, merged): (Vec<super::Row>, Vec<Dimensions>),
    format: super::Format,
    chosen: usize,
    previews: Vec<(String, Vec<super::Row>)>,
    (limits, expected, budget): (&Limits, &Expected<'_>, &Budget),
) -> Result<Sheet, SheetError> {
    let arranged = arrange(rows, format, expected, limits, budget)?.ok_or(SheetError::NoWorksheet)?;
    let mut other_worksheets: Vec<String> = previews.into_iter().map(|(name, _)| name).collect();
    let worksheet = other_worksheets.remove(chosen);
    let mut sheet = Sheet { worksheet: Some(worksheet), other_worksheets, ..arranged };
    repeat_merged(&mut sheet, merged);
    Ok(sheet)
}

/// A cell as text: integers without decimals, dates in ISO 8601, times as hours and minutes.
fn cell_text(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::Int(number) => number.to_string(),
        // `Display` writes the shortest exact representation: 2025, 92.5.
        DataRef::Float(number) => number.to_string(),
        DataRef::Bool(flag) => if *flag { "TRUE" } else { "FALSE" }.to_owned(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => normalize_line_breaks(text),
        DataRef::SharedString(text) => normalize_line_breaks(text),
        DataRef::DateTime(time) => date_time_text(time),
        DataRef::Error(error) => error.to_string(),
    }
}

pub(super) fn normalize_line_breaks(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn date_time_text(time: &ExcelDateTime) -> String {
    let days = time.as_f64();
    if time.is_duration() || (0.0..1.0).contains(&days) {
        #[expect(clippy::cast_possible_truncation, reason = "a saturating cast of a time is harmless")]
        let seconds = (days * 86_400.0).round() as i64;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        return if seconds == 0 {
            format!("{hours}:{minutes:02}")
        } else {
            format!("{hours}:{minutes:02}:{seconds:02}")
        };
    }
    let (year, month, day, hour, minute, ..) = time.to_ymd_hms_milli();
    if hour == 0 && minute == 0 {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
    }
}
