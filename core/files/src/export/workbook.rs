//! Writer of Excel workbooks: one worksheet with a bold, frozen header; text is never interpreted.
//!
//! Rows are buffered in an unnamed temporary file, which the system removes, and compressed from there at the end:
//! memory use does not depend on the number of rows.

use std::cell::Cell as Flag;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook as Book, Worksheet, XlsxError};

use super::{Cell, Column};
use festival_base::error::{Error, Result};

/// Maximum number of rows of a worksheet below the header.
const MAX_ROWS: u32 = 1_048_575;
/// Maximum length of a text, in UTF-16 code units.
const MAX_TEXT: usize = 32_767;
/// Largest integer that a spreadsheet represents exactly.
const MAX_EXACT: i64 = 1 << 53;
/// Maximum size of a cell in the worksheet's XML: of what surrounds it, and of each byte of its text when it is escaped.
const CELL_XML: usize = 100;
const ESCAPED_BYTE: usize = 7;

/// Writes a workbook.
pub(super) struct Workbook<W: Write + Send> {
    out: W,
    book: Book,
    date_time: Format,
    rows: u32,
    /// Upper bound of the size of the worksheet's XML, in bytes.
    xml_size: usize,
    /// Number of texts that were too long for a cell.
    pub(super) truncated: u64,
}

impl<W: Write + Send> Workbook<W> {
    /// Writes the header; rows are buffered in `folder`.
    pub(super) fn new(out: W, columns: &[Column], folder: &Path) -> Result<Self> {
        let mut book = Book::new();
        // The same table always gives the same file, whenever it is written.
        let epoch = guard(|| ExcelDateTime::from_ymd(2000, 1, 1))?;
        book.set_properties(&DocProperties::new().set_creation_datetime(&epoch));
        guard(|| {
            book.set_tempdir(folder)?;
            let sheet = book.add_worksheet_with_constant_memory()?;
            sheet.set_freeze_panes(1, 0)?;
            let bold = Format::new().set_bold();
            for (index, column) in (0..).zip(columns) {
                sheet.set_column_width(index, f64::from(column.width))?;
                sheet.write_string_with_format(0, index, column.title.as_str(), &bold)?;
            }
            Ok(())
        })?;
        let date_time = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
        Ok(Self { out, book, date_time, rows: 0, xml_size: 0, truncated: 0 })
    }

    pub(super) fn row(&mut self, cells: &[Cell]) -> Result<()> {
        if self.rows == MAX_ROWS {
            return Err(Error::BadRequest(format!(
                "a worksheet has room for {MAX_ROWS} rows only; choose CSV or JSON"
            )));
        }
        self.rows += 1;
        let text_size = |cell: &Cell| if let Cell::Text(text) = cell { text.len() } else { 0 };
        self.xml_size += cells.iter().map(|cell| CELL_XML + ESCAPED_BYTE * text_size(cell)).sum::<usize>();
        let (row, date_time) = (self.rows, &self.date_time);
        let sheet = guard(|| self.book.worksheet_from_index(0))?;
        self.truncated += guard(|| {
            let mut truncated = 0;
            for (column, cell) in (0..).zip(cells) {
                truncated += u64::from(write(sheet, row, column, cell, date_time)?);
            }
            Ok(truncated)
        })?;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<W> {
        // LibreOffice before 24.8 opens no file with ZIP64.
        self.book.use_zip_large_file(self.xml_size >= u32::MAX as usize);
        guard(|| self.book.save_to_writer(&mut self.out))?;
        Ok(self.out)
    }
}

/// Writes one cell and returns whether its text was truncated.
fn write(sheet: &mut Worksheet, row: u32, column: u16, cell: &Cell, date_time: &Format) -> Result<bool, XlsxError> {
    match cell {
        Cell::Empty => {}
        Cell::Text(text) => {
            let truncated = truncate(text);
            sheet.write_string(row, column, truncated)?;
            return Ok(truncated.len() < text.len());
        }
        #[expect(clippy::cast_precision_loss, reason = "the number is exact as a float")]
        Cell::Number(number) if number.abs() <= MAX_EXACT => {
            sheet.write_number(row, column, *number as f64)?;
        }
        Cell::Number(number) => {
            sheet.write_string(row, column, number.to_string())?;
        }
        Cell::DateTime(time) => {
            // Dates that a spreadsheet does not support are written as text.
            let year = u16::try_from(time.year()).ok().filter(|year| (1900..=9999).contains(year));
            let part = |part: i8| u8::try_from(part).unwrap_or_default();
            match year {
                Some(year) => {
                    let day = ExcelDateTime::from_ymd(year, part(time.month()), part(time.day()))?;
                    let whole = day.and_hms(u16::from(part(time.hour())), part(time.minute()), part(time.second()))?;
                    sheet.write_datetime_with_format(row, column, whole, date_time)?;
                }
                None => {
                    sheet.write_string(row, column, time.to_string())?;
                }
            }
        }
    }
    Ok(false)
}

/// The part of `text` that fits into a cell.
fn truncate(text: &str) -> &str {
    if text.len() <= MAX_TEXT {
        return text;
    }
    let mut units = 0;
    for (index, letter) in text.char_indices() {
        units += letter.len_utf16();
        if units > MAX_TEXT {
            return &text[..index];
        }
    }
    text
}

thread_local! {
    /// Whether this thread is inside [`guard`].
    static GUARDED: Flag<bool> = const { Flag::new(false) };
}

/// The library panics if the disk is full. This turns the panic into an error and keeps it out of the log.
fn guard<T>(work: impl FnOnce() -> Result<T, XlsxError>) -> Result<T> {
    static SET_HOOK: Once = Once::new();
    SET_HOOK.call_once(|| {
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                default_hook(info);
            }
        }));
    });
    GUARDED.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(false);
    match result {
        Ok(result) => result.map_err(Error::internal),
        Err(_) => Err(Error::from(io::Error::other("the workbook cannot be written; is the disk full?"))),
    }
}
