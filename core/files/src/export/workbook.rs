//! A table as an Excel workbook: one worksheet, text as text, the header bold and always in sight.
//!
//! Rows go to a file without a name in the folder of the final one, which the system removes by itself, and are
//! packed from there at the end: the memory does not grow with the table.

use std::cell::Cell as Flag;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use rust_xlsxwriter::{ExcelDateTime, Format, Workbook as Book, Worksheet, XlsxError};

use super::{Cell, Column};
use festival_base::error::{Error, Result};

/// The most rows below the header that a worksheet has.
const ROWS: u32 = 1_048_575;
/// The longest text of a cell, in units of UTF-16.
const TEXT: usize = 32_767;
/// Beyond this a spreadsheet's numbers are not exact.
const EXACT: i64 = 1 << 53;

/// Writes a workbook.
pub(super) struct Workbook<W: Write + Send> {
    out: W,
    book: Book,
    moment: Format,
    rows: u32,
    /// Texts that were too long for a cell.
    pub(super) shortened: u64,
}

impl<W: Write + Send> Workbook<W> {
    /// Begins with the header; `folder` is where rows wait until they are packed.
    pub(super) fn new(out: W, columns: &[Column], folder: &Path) -> Result<Self> {
        let mut book = Book::new();
        book.use_zip_large_file(true);
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
        let moment = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
        Ok(Self { out, book, moment, rows: 0, shortened: 0 })
    }

    pub(super) fn row(&mut self, cells: &[Cell]) -> Result<()> {
        if self.rows == ROWS {
            return Err(Error::BadRequest(format!("a worksheet has room for {ROWS} rows only; choose CSV or JSON")));
        }
        self.rows += 1;
        let (row, moment) = (self.rows, &self.moment);
        let sheet = guard(|| self.book.worksheet_from_index(0))?;
        self.shortened += guard(|| {
            let mut shortened = 0;
            for (column, cell) in (0..).zip(cells) {
                shortened += u64::from(write(sheet, row, column, cell, moment)?);
            }
            Ok(shortened)
        })?;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<W> {
        guard(|| self.book.save_to_writer(&mut self.out))?;
        Ok(self.out)
    }
}

/// Writes one cell, and says whether its text had to be cut.
fn write(sheet: &mut Worksheet, row: u32, column: u16, cell: &Cell, moment: &Format) -> Result<bool, XlsxError> {
    match cell {
        Cell::Empty => {}
        Cell::Text(text) => {
            let fitting = fitting(text);
            sheet.write_string(row, column, fitting)?;
            return Ok(fitting.len() < text.len());
        }
        #[expect(clippy::cast_precision_loss, reason = "such a number is exact as a floating one")]
        Cell::Number(number) if number.abs() <= EXACT => {
            sheet.write_number(row, column, *number as f64)?;
        }
        Cell::Number(number) => {
            sheet.write_string(row, column, number.to_string())?;
        }
        Cell::Moment(said) => {
            // Years that a spreadsheet cannot count are text.
            let year = u16::try_from(said.year()).ok().filter(|year| (1900..=9999).contains(year));
            let part = |part: i8| u8::try_from(part).unwrap_or_default();
            match year {
                Some(year) => {
                    let day = ExcelDateTime::from_ymd(year, part(said.month()), part(said.day()))?;
                    let whole = day.and_hms(u16::from(part(said.hour())), part(said.minute()), part(said.second()))?;
                    sheet.write_datetime_with_format(row, column, whole, moment)?;
                }
                None => {
                    sheet.write_string(row, column, said.to_string())?;
                }
            }
        }
    }
    Ok(false)
}

/// As much of `text` as a cell holds.
fn fitting(text: &str) -> &str {
    if text.len() <= TEXT {
        return text;
    }
    let mut units = 0;
    for (place, letter) in text.char_indices() {
        units += letter.len_utf16();
        if units > TEXT {
            return &text[..place];
        }
    }
    text
}

thread_local! {
    /// Whether this thread is inside [`guard`].
    static GUARDED: Flag<bool> = const { Flag::new(false) };
}

/// The packer stops the program where a disk is full; here that is an error like others, and nobody hears of it
/// otherwise.
fn guard<T>(work: impl FnOnce() -> Result<T, XlsxError>) -> Result<T> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |what| {
            if !GUARDED.get() {
                usual(what);
            }
        }));
    });
    GUARDED.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(false);
    match done {
        Ok(done) => done.map_err(Error::internal),
        Err(_) => Err(Error::from(io::Error::other("the workbook cannot be written; is the disk full?"))),
    }
}
