//! Reading of OpenDocument spreadsheets: the visible table that fits best.
//!
//! The workbook library would build every table in memory, as wide and as long as a few bytes claim, so the document is
//! read as a stream.

use std::collections::HashSet;
use std::io::{BufReader, Cursor};

use calamine::Dimensions;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use zip::ZipArchive;

use super::arrange::choose;
use super::collector::Collector;
use super::hidden::Hidden;
use super::memory::{Part, unreadable};
use super::workbook::{FIRST_DAY, clock_text, moment_text, normalize_line_breaks, to_sheet};
use super::xml::attribute;
use super::{Expected, Format, Limits, Row, Sheet, SheetError};
use crate::budget::{Budget, Metered};

/// The part that contains all tables.
const CONTENT: &str = "content.xml";

/// Reads a spreadsheet.
pub(super) fn read(
    bytes: &[u8],
    limits: &Limits,
    expected: &Expected<'_>,
    budget: &Budget,
) -> Result<Sheet, SheetError> {
    budget.reserve(limits.memory_bytes)?;
    let previews = read_tables(bytes, Document::new(limits, budget, None))?.tables;
    let chosen = choose(&previews, expected)?;
    let Document { mut tables, merged, hidden, .. } = read_tables(bytes, Document::new(limits, budget, Some(chosen)))?;
    let rows = tables.pop().map(|(_, rows)| rows).unwrap_or_default();
    let mut sheet = to_sheet((rows, merged), Format::Ods, chosen, previews, (limits, expected, budget))?;
    sheet.notes.extend(hidden.note(&sheet));
    Ok(sheet)
}

impl Sheet {
    /// The table with the moments of an OpenDocument spreadsheet that its program wrote in UTC, as SheetJS does, in this
    /// zone: to the east of Greenwich, midnight has the day before.
    #[must_use]
    pub fn in_zone(mut self, zone: &TimeZone) -> Self {
        let local = |cell: &str| {
            let at: Timestamp = cell.strip_suffix('Z').and_then(|_| cell.parse().ok())?;
            Some(moment_text(at.to_zoned(zone.clone()).datetime()))
        };
        for row in self.rows.iter_mut().filter(|_| self.format == Format::Ods) {
            if row.cells.iter().any(|cell| local(cell).is_some()) {
                row.cells = row.cells.iter().map(|cell| local(cell).unwrap_or_else(|| cell.to_owned())).collect();
            }
        }
        self
    }
}

/// Reads the tables that the document wants.
fn read_tables<'a>(bytes: &[u8], mut document: Document<'a>) -> Result<Document<'a>, SheetError> {
    let (limits, budget) = (document.limits, document.budget);
    let mut archive = ZipArchive::new(Metered::new(Cursor::new(bytes), budget)).map_err(unreadable)?;
    let part = archive.by_name(CONTENT).map_err(unreadable)?;
    let mut reader = Reader::from_reader(BufReader::new(Part::new(part, limits.unpacked_bytes, budget)));
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        if reader.get_ref().get_ref().is_too_large() {
            return Err(SheetError::UnpackedTooLarge { limit: limits.unpacked_bytes });
        }
        match event.map_err(unreadable)? {
            Event::Start(tag) => document.start(&tag)?,
            Event::Empty(tag) => {
                document.start(&tag)?;
                document.end(tag.name().local_name().as_ref())?;
            }
            Event::End(tag) => document.end(tag.name().local_name().as_ref())?,
            Event::Text(text) => document.text(&text.xml_content(XmlVersion::Implicit1_0)),
            Event::CData(text) => document.text(&text.xml_content(XmlVersion::Implicit1_0)),
            Event::GeneralRef(reference) => document.text(&resolve(&reference)?),
            Event::Eof => return Ok(document),
            _ => {}
        }
        reader.get_mut().get_mut().end_token();
    }
}

/// Returns the character of `&amp;` or `&#233;`.
fn resolve(reference: &BytesRef<'_>) -> Result<String, SheetError> {
    if let Some(letter) = reference.resolve_char_ref().map_err(unreadable)? {
        return Ok(letter.to_string());
    }
    Ok(resolve_predefined_entity(reference).unwrap_or_default().to_owned())
}

/// The state of reading a document.
struct Document<'a> {
    limits: &'a Limits,
    budget: &'a Budget,
    /// The style that is being read.
    style: String,
    /// Styles of hidden tables.
    hidden_styles: HashSet<String>,
    /// The table that is being read, with its name; `None` outside of visible tables.
    table: Option<(String, Collector<'a>)>,
    /// Number of the current row, from 1.
    line: u64,
    /// How often the current row is repeated.
    row_repeats: u64,
    cells: Vec<String>,
    /// Empty cells before the next one that is not.
    empty_cells: usize,
    cell: Cell,
    /// Depth inside of a comment, whose text is not the cell's.
    comment: usize,
    /// Number of the visible table that is read, from 0; `None`: the first rows of all.
    wanted: Option<usize>,
    /// Number of visible tables that have begun.
    visible: usize,
    /// The tables that were read, each with its name.
    tables: Vec<(String, Vec<Row>)>,
    /// Cells of the wanted table that are merged downwards.
    merged: Vec<Dimensions>,
    /// Columns of the current table that have begun.
    columns: u64,
    /// Hidden rows and columns of the wanted table.
    hidden: Hidden,
}

/// The cell that is being read.
#[derive(Default)]
struct Cell {
    /// Whether an element of a cell is open.
    is_open: bool,
    repeats: usize,
    /// How many rows it spans.
    rows: u32,
    /// The value of a number, a date or a time, which its text may show rounded.
    value: Option<Value>,
    paragraphs: Vec<String>,
}

impl<'a> Document<'a> {
    fn new(limits: &'a Limits, budget: &'a Budget, wanted: Option<usize>) -> Self {
        Self {
            limits,
            budget,
            style: String::new(),
            hidden_styles: HashSet::new(),
            table: None,
            line: 0,
            row_repeats: 1,
            cells: Vec::new(),
            empty_cells: 0,
            cell: Cell::default(),
            comment: 0,
            wanted,
            visible: 0,
            tables: Vec::new(),
            merged: Vec::new(),
            columns: 0,
            hidden: Hidden::default(),
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), SheetError> {
        let repeats_of = |name| attribute(tag, name).and_then(|number| number.parse().ok()).unwrap_or(1_u64);
        let is_read = self.wanted.is_some() && self.table.is_some();
        let is_hidden = || is_read && attribute(tag, "visibility").is_some_and(|visibility| visibility != "visible");
        match tag.name().local_name().as_ref() {
            "style" => self.style = attribute(tag, "name").unwrap_or_default(),
            "table-properties" if attribute(tag, "display").as_deref() == Some("false") => {
                self.budget.hold(self.style.len() as u64)?;
                self.hidden_styles.insert(std::mem::take(&mut self.style));
            }
            "table" => {
                let is_hidden = attribute(tag, "style-name").is_some_and(|style| self.hidden_styles.contains(&style));
                let name = attribute(tag, "name").unwrap_or_default();
                let number = self.visible;
                self.visible += usize::from(!is_hidden);
                self.table = match self.wanted {
                    _ if is_hidden => None,
                    None => Some((name, Collector::preview(self.limits, self.budget))),
                    Some(wanted) => (wanted == number).then(|| (name, Collector::new(self.limits, self.budget))),
                };
                (self.line, self.columns) = (0, 0);
            }
            "table-column" => {
                let count = repeats_of("number-columns-repeated");
                if is_hidden() {
                    self.budget.hold(self.hidden.add_columns(self.columns + 1, count))?;
                }
                self.columns = self.columns.saturating_add(count);
            }
            "table-row" => {
                self.line += 1;
                self.row_repeats = repeats_of("number-rows-repeated");
                if is_hidden() {
                    self.budget.hold(self.hidden.add_rows(self.line, self.row_repeats))?;
                }
                self.empty_cells = 0;
                self.cells.clear();
            }
            "table-cell" | "covered-table-cell" => {
                let repeats = usize::try_from(repeats_of("number-columns-repeated")).unwrap_or(usize::MAX);
                let rows = u32::try_from(repeats_of("number-rows-spanned")).unwrap_or(u32::MAX);
                self.cell = Cell { is_open: true, repeats, rows, value: value(tag), paragraphs: Vec::new() };
            }
            "annotation" => self.comment += 1,
            "p" | "h" if self.comment == 0 => self.cell.paragraphs.push(String::new()),
            "s" => {
                let spaces = attribute(tag, "c").and_then(|number| number.parse().ok()).unwrap_or(1);
                self.text(&" ".repeat(spaces.min(self.limits.cell_bytes)));
            }
            "tab" => self.text("\t"),
            "line-break" => self.text("\n"),
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if self.comment > 0 || !self.cell.is_open {
            return;
        }
        if let Some(paragraph) = self.cell.paragraphs.last_mut() {
            paragraph.push_str(text);
        }
    }

    fn end(&mut self, name: &str) -> Result<(), SheetError> {
        match name {
            "annotation" => self.comment = self.comment.saturating_sub(1),
            "table-cell" | "covered-table-cell" => self.end_cell()?,
            "table-row" => {
                let cells = std::mem::take(&mut self.cells);
                if let Some((_, table)) = self.table.as_mut().filter(|_| !cells.is_empty()) {
                    for repeat in 0..self.row_repeats {
                        if table.is_complete() {
                            break;
                        }
                        table.push(self.line + repeat, cells.iter().collect())?;
                    }
                }
                self.line = self.line.saturating_add(self.row_repeats.saturating_sub(1));
            }
            "table" => {
                if let Some((name, table)) = self.table.take() {
                    self.budget.hold(name.len() as u64)?;
                    self.tables.push((name, table.rows));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end_cell(&mut self) -> Result<(), SheetError> {
        let Cell { repeats, rows, value, paragraphs, .. } = std::mem::take(&mut self.cell);
        let shown = normalize_line_breaks(&paragraphs.join("\n"));
        let text = value.map_or_else(|| shown.clone(), |value| value.text(&shown));
        if text.trim().is_empty() {
            self.empty_cells = self.empty_cells.saturating_add(repeats);
            return Ok(());
        }
        let columns = self.cells.len().saturating_add(self.empty_cells).saturating_add(repeats);
        let Some((_, table)) = self.table.as_ref().filter(|(_, table)| !table.is_complete()) else { return Ok(()) };
        if columns > self.limits.columns && table.is_preview {
            return Ok(());
        }
        if columns > self.limits.columns {
            return Err(SheetError::TooManyColumns { line: self.line, columns, limit: self.limits.columns });
        }
        if rows > 1 && self.wanted.is_some() {
            self.budget.hold(size_of::<Dimensions>() as u64)?;
            let column = u32::try_from(columns - repeats).unwrap_or(u32::MAX);
            let line = u32::try_from(self.line.saturating_sub(1)).unwrap_or(u32::MAX);
            self.merged.push(Dimensions { start: (line, column), end: (line.saturating_add(rows - 1), column) });
        }
        self.cells.resize(columns - repeats, String::new());
        self.cells.resize(columns, text);
        self.empty_cells = 0;
        Ok(())
    }
}

/// The value of a cell that is no text.
enum Value {
    Number(String),
    Date(String),
    Time([i64; 3]),
    Other(String),
}

impl Value {
    /// The value as a workbook's cell shows it; `shown` is the text of the cell, which may be rounded.
    fn text(self, shown: &str) -> String {
        match self {
            // 9.30 instead of 9.3, 007 instead of 7.
            Self::Number(value) => {
                let plain = shown.trim().replace(',', ".");
                let is_same = plain.bytes().all(|digit| digit.is_ascii_digit() || digit == b'.')
                    && plain.parse::<f64>().is_ok_and(|number| value.parse() == Ok(number));
                if is_same { plain } else { value }
            }
            Self::Date(date) => {
                let (day, time) = date.split_once('T').unwrap_or((&date, ""));
                let serial = |day: Date| (day - Date::constant(1899, 12, 30)).get_days();
                match day.parse().map(serial) {
                    // A year or minutes in a cell for dates.
                    Ok(days) if (1..FIRST_DAY).contains(&days) && matches!(time, "" | "00:00:00") => days.to_string(),
                    _ => date.parse().map_or_else(|_| date.clone(), moment_text),
                }
            }
            Self::Time(parts) => clock_text(parts, shown.matches(':').count() > 1),
            Self::Other(text) => text,
        }
    }
}

/// Returns a number, date, time or truth value; `None` for text.
fn value(tag: &BytesStart<'_>) -> Option<Value> {
    match attribute(tag, "value-type")?.as_str() {
        "float" | "percentage" | "currency" => attribute(tag, "value").map(Value::Number),
        "boolean" => attribute(tag, "boolean-value").map(|flag| Value::Other(flag.to_uppercase())),
        "date" => attribute(tag, "date-value").map(Value::Date),
        "time" => duration(&attribute(tag, "time-value")?).map(Value::Time),
        _ => None,
    }
}

/// Reads hours, minutes and seconds of an ISO 8601 duration, `PT01H32M00S`.
fn duration(text: &str) -> Option<[i64; 3]> {
    let span: Span = text.parse().ok()?;
    Some([span.get_hours().into(), span.get_minutes(), span.get_seconds()])
}
