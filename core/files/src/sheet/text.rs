//! Reading of delimited text.

use super::records::{Record, Records};
use super::{Format, Limits, RaggedRow, Sheet, SheetError, Table, delimiter, encoding};
use crate::budget::Budget;

/// Memory of a table as a multiple of its text, in the worst case of one letter per cell.
const MEMORY_FACTOR: u64 = 16;
/// Maximum number of ragged rows that an error lists.
const MAX_LISTED: usize = 10;

/// Reads CSV, TSV and similar formats.
pub(super) fn read(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<Sheet, SheetError> {
    budget.reserve(MEMORY_FACTOR * bytes.len() as u64)?;
    let (text, encoding) = encoding::decode(bytes)?;
    let (text, first_line, declared) = parse_separator_line(&text);
    let delimiter = declared.or_else(|| delimiter::detect(text, first_line, limits));

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
        let rows = ragged.take(MAX_LISTED).map(|row| RaggedRow { line: row.line, cells: row.cells.len() }).collect();
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

/// Removes Excel's first line `sep=;` and returns the rest, the number of its first line, and the delimiter.
fn parse_separator_line(text: &str) -> (&str, u64, Option<u8>) {
    let Some(rest) = text.strip_prefix("sep=") else {
        return (text, 1, None);
    };
    match rest.as_bytes() {
        [delimiter @ (b',' | b';' | b'\t' | b'|'), b'\r', b'\n', ..] => (&rest[3..], 2, Some(*delimiter)),
        [delimiter @ (b',' | b';' | b'\t' | b'|'), b'\n', ..] => (&rest[2..], 2, Some(*delimiter)),
        _ => (text, 1, None),
    }
}
