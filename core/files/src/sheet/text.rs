//! Delimited text to a table.

use super::records::{Record, Records};
use super::{Format, Limits, RaggedRow, Sheet, SheetError, Table, delimiter, encoding};
use crate::budget::Budget;

/// The memory that a text takes as a table: so many times its length, where each cell is one letter.
const MEMORY: u64 = 16;
/// How many ragged rows an error names.
const SHOWN: usize = 10;

/// Reads CSV, TSV and their relatives.
pub(super) fn read(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<Sheet, SheetError> {
    budget.reserve(MEMORY * bytes.len() as u64)?;
    let (text, encoding) = encoding::decode(bytes)?;
    let (text, first_line, declared) = declaration(&text);
    let delimiter = declared.or_else(|| delimiter::find(text, first_line, limits));

    let mut table = Table::new(limits, budget);
    for record in Records::new(text, first_line, delimiter, limits) {
        let Record { line, cells, columns, is_empty } = record?;
        if columns > limits.columns && !is_empty {
            return Err(SheetError::TooManyColumns { line, columns, limit: limits.columns });
        }
        table.push(line, cells)?;
    }
    let mut rows = table.rows.into_iter();
    let header = rows.next().ok_or(SheetError::Empty)?;
    let rows: Vec<_> = rows.collect();

    let expected = header.cells.len();
    let mut ragged = rows.iter().filter(|row| row.cells.len() != expected).peekable();
    if ragged.peek().is_some() {
        let total = ragged.clone().count();
        let rows = ragged.take(SHOWN).map(|row| RaggedRow { line: row.line, cells: row.cells.len() }).collect();
        return Err(SheetError::Ragged { expected, rows, total });
    }
    Ok(Sheet {
        format: Format::Delimited,
        encoding,
        delimiter: delimiter.map(char::from),
        worksheet: None,
        header_line: header.line,
        header: header.cells,
        rows,
    })
}

/// Excel's own first line `sep=;`: it names the delimiter and is no row.
fn declaration(text: &str) -> (&str, u64, Option<u8>) {
    let Some(rest) = text.strip_prefix("sep=") else {
        return (text, 1, None);
    };
    match rest.as_bytes() {
        [mark @ (b',' | b';' | b'\t' | b'|'), b'\r', b'\n', ..] => (&rest[3..], 2, Some(*mark)),
        [mark @ (b',' | b';' | b'\t' | b'|'), b'\n', ..] => (&rest[2..], 2, Some(*mark)),
        _ => (text, 1, None),
    }
}
