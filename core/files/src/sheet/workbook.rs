//! Reading of Excel workbooks: the visible worksheet that fits best.

use std::io::{Cursor, Read as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{DataRef, Dimensions, ExcelDateTime, Reader, SheetType, SheetVisible, Style, Xlsx, XlsxError};
use festival_base::text::shortened;
use jiff::Unit;
use jiff::civil::DateTime;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::arrange::{arrange, choose};
use super::collector::Collector;
use super::memory::{ERROR_CELL, Measured, measure, unreadable};
use super::{Expected, Limits, Note, Sheet, SheetError};
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
    let measured = measure(bytes, limits, budget)?;
    let repaired = if measured.to_repair.is_empty() { None } else { Some(repaired(bytes, &measured, budget)?) };
    let bytes = repaired.as_deref().unwrap_or(bytes);
    // The library may panic on damaged files.
    let result = catch_unwind(AssertUnwindSafe(|| read_measured(bytes, &measured, limits, expected, budget)));
    result.unwrap_or_else(|_| Err(SheetError::Workbook { reason: "it is damaged".into() }))
}

/// A workbook whose formatted texts say that the spaces at the ends of their runs count: "Bold" and " rest"; and whose
/// errors are texts, because the library reads no workbook with one that it does not know.
fn repaired(bytes: &[u8], measured: &Measured, budget: &Budget) -> Result<Vec<u8>, SheetError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
    budget.hold(bytes.len() as u64)?;
    let mut copy = ZipWriter::new(Cursor::new(Vec::with_capacity(bytes.len())));
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).map_err(unreadable)?;
        let name = part.name().map(|name| name.to_string()).unwrap_or_default();
        if !measured.to_repair.contains(&name) {
            copy.raw_copy_file(part).map_err(unreadable)?;
            continue;
        }
        // Text and copies, once for each part.
        budget.hold(4 * measured.largest)?;
        let mut text = String::new();
        part.read_to_string(&mut text).map_err(unreadable)?;
        copy.start_file(name, SimpleFileOptions::default()).map_err(unreadable)?;
        let text = text.replace("<t>", "<t xml:space=\"preserve\">").replace(ERROR_CELL, " t=\"str\"");
        copy.write_all(text.as_bytes()).map_err(unreadable)?;
    }
    Ok(copy.finish().map_err(unreadable)?.into_inner())
}

/// Reads a workbook that was measured.
fn read_measured(
    bytes: &[u8],
    measured: &Measured,
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
        budget.charge(measured.largest)?;
        let rows = worksheet(&mut workbook, &name, Collector::preview(limits, budget))?;
        previews.push((name, rows));
    }
    let chosen = choose(&previews, expected)?;
    budget.charge(measured.largest)?;
    let rows = worksheet(&mut workbook, &previews[chosen].0, Collector::new(limits, budget))?;
    // The library reads them separately, from the end of the part.
    budget.charge(measured.largest)?;
    let merged = workbook.merge_cells_by_sheet_name(&previews[chosen].0).unwrap_or_default();
    let mut notes = Vec::new();
    if measured.has_uncomputed {
        budget.charge(measured.largest)?;
        notes = uncomputed(&mut workbook, &previews[chosen].0)?;
    }
    let hidden = measured.hidden_in(&previews[chosen].0);
    let sheet = to_sheet((rows, merged), super::Format::Xlsx, chosen, previews, (limits, expected, budget));
    let mut sheet = sheet?;
    sheet.notes.extend(notes);
    sheet.notes.extend(hidden.and_then(|hidden| hidden.note(&sheet)));
    Ok(sheet)
}

/// Maximum number of formulas without values that have a note each.
const MAX_FORMULAS: usize = 10;

/// Notes about formulas whose values are not stored: programs that write workbooks without computing them leave them out.
fn uncomputed(workbook: &mut Xlsx<Metered<'_, Cursor<&[u8]>>>, name: &str) -> Result<Vec<Note>, SheetError> {
    let mut reader = workbook.worksheet_cells_reader(name)?;
    let mut cells = Vec::new();
    while let Some(cell) = reader.next_cell_with_formula()? {
        if let (DataRef::Empty, Some(formula)) = (cell.value, cell.formula) {
            cells.push((cell.pos, shortened(&formula)));
        }
    }
    let count = cells.len();
    let note = |((row, column), formula): ((u32, u32), String)| {
        let text = format!(
            "{}{} has the formula ={formula} without its value and counts as empty; open the workbook in a spreadsheet program \
             and save it again",
            column_letters(column),
            row + 1
        );
        Note::at(u64::from(row) + 1, text)
    };
    let more = count.checked_sub(MAX_FORMULAS).filter(|more| *more > 0);
    let more = more.map(|more| Note::all(format!("{more} more formulas have no value and count as empty")));
    Ok(cells.into_iter().take(MAX_FORMULAS).map(note).chain(more).collect())
}

/// The letters of a column, counted from 0: A, Z, AA.
fn column_letters(column: u32) -> String {
    let letter = char::from(b'A' + u8::try_from(column % 26).unwrap_or_default());
    let before = if column < 26 { String::new() } else { column_letters(column / 26 - 1) };
    format!("{before}{letter}")
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
    let formats: Vec<NumberFormat> = reader.styles().iter().map(NumberFormat::of_style).collect();
    let mut line = 0;
    let mut cells: Vec<String> = Vec::new();
    while let Some((cell, style)) = reader.next_cell_with_style_id()? {
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
        let format = formats.get(style).copied().unwrap_or_default();
        let text = cell_text(cell.get_value(), format);
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

/// What the number format of a cell says about its value.
#[derive(Clone, Copy, Default)]
struct NumberFormat {
    /// Digits before and after the decimal point, where it shows them even if they are zero: 2 and 2 of "00.00".
    digits: (usize, usize),
    /// It shows hours beyond 24, or seconds, so that a time has three parts.
    has_seconds: bool,
}

impl NumberFormat {
    fn of_style(style: &Style) -> Self {
        let code = style.number_format.as_ref().map_or("", |format| &*format.format_code).to_ascii_lowercase();
        let (whole, decimals) = code.split_once('.').unwrap_or((&code, ""));
        let is_number =
            !code.is_empty() && [whole, decimals].iter().all(|part| part.bytes().all(|digit| digit == b'0'));
        Self {
            digits: if is_number { (whole.len(), decimals.len()) } else { (0, 0) },
            has_seconds: code.contains(['s', '[']) && code.contains('h'),
        }
    }

    /// The digits of a number as the cell shows them, but none is cut.
    fn text(self, number: f64) -> String {
        let (whole, decimals) = self.digits;
        // `Display` writes the shortest exact representation: 2025, 92.5. A workbook counts 15 digits of 9.300000000000001.
        let exact = number.to_string();
        let rounded = || format!("{number:.14e}").parse().unwrap_or(number).to_string();
        let text = if exact.len() > 15 && exact.contains('.') { rounded() } else { exact };
        if self.digits == (0, 0) || number < 0.0 {
            return text;
        }
        let (before, after) = text.split_once('.').unwrap_or((&text, ""));
        if decimals.max(after.len()) == 0 {
            format!("{before:0>whole$}")
        } else {
            format!("{before:0>whole$}.{after:0<decimals$}")
        }
    }
}

/// A cell as text: integers without decimals, dates in ISO 8601, times as hours and minutes.
fn cell_text(value: &DataRef<'_>, format: NumberFormat) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::Int(number) => format.text(*number as f64),
        DataRef::Float(number) => format.text(*number),
        DataRef::Bool(flag) => if *flag { "TRUE" } else { "FALSE" }.to_owned(),
        DataRef::DateTimeIso(text) => iso_text(text),
        DataRef::String(text) | DataRef::DurationIso(text) => normalize_line_breaks(text),
        DataRef::SharedString(text) => normalize_line_breaks(text),
        DataRef::DateTime(time) => date_time_text(time, format),
        DataRef::Error(error) => error.to_string(),
    }
}

pub(super) fn normalize_line_breaks(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// A date cell of a program that writes texts instead of numbers. Its Z means no time zone: a worksheet has none.
fn iso_text(text: &str) -> String {
    let (day, time) = text.split_once('T').unwrap_or((text, ""));
    let end = time.find(['.', 'Z', '+', '-']).unwrap_or(time.len());
    day_text(day, time[..end].strip_suffix(":00").unwrap_or(&time[..end]))
}

/// A moment as text: without midnight, and without seconds that only come from digits which a program has cut, or from the
/// ten by which SheetJS is late in India.
pub(super) fn moment_text(moment: DateTime) -> String {
    let rounded = |unit| moment.round(unit).unwrap_or(moment);
    let (exact, minute) = (rounded(Unit::Second), rounded(Unit::Minute));
    let off = exact.duration_until(minute).as_secs().abs();
    // The last seconds of a day are not midnight.
    let is_cut = off <= 10 && (minute.date() == exact.date() || off == 10);
    let shown = if is_cut { minute } else { exact };
    day_text(&shown.date().to_string(), &shown.strftime(if is_cut { "%H:%M" } else { "%H:%M:%S" }).to_string())
}

/// A day with a time of day, unless that is midnight.
pub(super) fn day_text(day: &str, time: &str) -> String {
    if matches!(time, "" | "00:00" | "00:00:00") { day.to_owned() } else { format!("{day} {time}") }
}

/// The first serial number that is taken for a day: 18 March 1908. People type years and minutes in cells for dates.
pub(super) const FIRST_DAY: i32 = 3_000;

/// Hours, minutes and seconds as a cell shows them. Who types 92:30 for minutes and seconds gets a cell of 92 hours, which
/// stays as it was typed.
pub(super) fn clock_text([hours, minutes, seconds]: [i64; 3], has_seconds: bool) -> String {
    match seconds == 0 && (!has_seconds || hours > 15) {
        true => format!("{hours}:{minutes:02}"),
        false => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

fn date_time_text(time: &ExcelDateTime, format: NumberFormat) -> String {
    let days = time.as_f64();
    if (2.0..f64::from(FIRST_DAY)).contains(&days) && days.fract() == 0.0 && !time.is_duration() {
        return days.to_string();
    }
    if time.is_duration() || (0.0..1.0).contains(&days) {
        #[expect(clippy::cast_possible_truncation, reason = "a saturating cast of a time is harmless")]
        let seconds = (days * 86_400.0).round() as i64;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        return clock_text([hours, minutes, seconds], format.has_seconds || time.is_duration());
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let small = |number: u8| i8::try_from(number).unwrap_or_default();
    let [month, day, hour, minute, second] = [month, day, hour, minute, second].map(small);
    let nanos = i32::from(milli) * 1_000_000;
    let moment = DateTime::new(i16::try_from(year).unwrap_or_default(), month, day, hour, minute, second, nanos);
    moment.map_or_else(|_| days.to_string(), moment_text)
}
