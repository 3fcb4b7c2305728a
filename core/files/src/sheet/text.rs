//! Delimited text to a table.

use super::records::Records;
use super::{Format, Limits, RaggedRow, Sheet, SheetError, Table, delimiter, encoding};

/// How many ragged rows an error names.
const SHOWN: usize = 10;

/// Reads CSV, TSV and their relatives.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Sheet, SheetError> {
    let (text, encoding) = encoding::decode(bytes)?;
    let (text, first_line, declared) = declaration(&text);
    let delimiter = declared.or_else(|| delimiter::find(text, first_line, limits.cell_bytes));

    let mut table = Table::new(limits);
    for record in Records::new(text, first_line, delimiter, limits.cell_bytes) {
        let (line, cells) = record?;
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
