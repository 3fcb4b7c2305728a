//! Reading of delimited text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::arrange::{self, HEADER_ROWS, MIN_KNOWN};
use super::collector::Collector;
use super::records::{Record, Records};
use super::table::CELL_MEMORY;
use super::{Expected, Format, Limits, Sheet, SheetError, encoding};
use crate::budget::Budget;

/// Memory of a table as a multiple of its text, in the worst case of one letter per cell.
const MEMORY_FACTOR: u64 = 16;

/// Reads CSV, TSV and similar formats.
pub(super) fn read(
    bytes: &[u8],
    limits: &Limits,
    expected: &Expected<'_>,
    budget: &Budget,
) -> Result<Sheet, SheetError> {
    let rows = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
    let padding = CELL_MEMORY * rows.saturating_mul(limits.columns).min(limits.cells) as u64;
    budget.reserve(MEMORY_FACTOR * bytes.len() as u64 + padding)?;
    let (text, encoding) = encoding::decode(bytes)?;
    let (text, first_line, declared) = parse_separator_line(&text);
    let detect = |text: &str| declared.or_else(|| detect_delimiter(text, first_line, limits, expected));
    let (text, delimiter) = match (detect(text), unquoted_lines(text, limits)) {
        (None, Some(lines)) => match detect(&lines) {
            None => (Cow::Borrowed(text), None),
            delimiter => (Cow::Owned(lines), delimiter),
        },
        (delimiter, _) => (Cow::Borrowed(text), delimiter),
    };

    let mut table = Collector::new(limits, budget);
    for record in Records::new(&text, first_line, delimiter, limits) {
        let Record { line, cells, columns, is_empty } = record?;
        if columns > limits.columns && !is_empty {
            return Err(SheetError::TooManyColumns { line, columns, limit: limits.columns });
        }
        table.push(line, cells)?;
    }
    let arranged = arrange::arrange(table.rows, Format::Delimited, expected, limits, budget)?;
    let arranged = arranged.ok_or(SheetError::Empty)?;
    Ok(Sheet { encoding, delimiter: delimiter.map(char::from), ..arranged })
}

/// The lines without their quotation marks if each is a quoted cell: a list that was opened as a single column of a
/// spreadsheet, and saved again.
fn unquoted_lines(text: &str, limits: &Limits) -> Option<String> {
    let is_quoted = |line: &str| line.is_empty() || line.len() > 1 && line.starts_with('"') && line.ends_with('"');
    if !text.lines().all(is_quoted) {
        return None;
    }
    let lines: Result<Vec<String>, SheetError> =
        Records::new(text, 1, None, limits).map(|record| Ok(record?.cells[0].to_owned())).collect();
    lines.ok().map(|lines| lines.join("\n"))
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

const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Number of records that are examined.
const SAMPLE_SIZE: usize = 100;

/// Returns the delimiter that splits the first records most evenly, with quoting taken into account: a character that
/// is merely frequent splits them unevenly. `None` if there is one column.
fn detect_delimiter(text: &str, line: u64, limits: &Limits, expected: &Expected<'_>) -> Option<u8> {
    CANDIDATES
        .into_iter()
        .filter_map(|candidate| score(text, line, candidate, limits, expected).map(|score| (score, candidate)))
        .max_by(|(left, _), (right, _)| (left.0, left.1).cmp(&(right.0, right.1)).then(left.2.total_cmp(&right.2)))
        .map(|(_, candidate)| candidate)
}

/// Known headers in the row that has most of them; whether the header has the most common width; the share of rows with
/// that width, times the width.
type Score = (usize, bool, f64);

fn score(text: &str, line: u64, delimiter: u8, limits: &Limits, expected: &Expected<'_>) -> Option<Score> {
    let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut header, mut records, mut known) = (0, 0, 0);
    for record in Records::new(text, line, Some(delimiter), limits).take(SAMPLE_SIZE) {
        // Unbalanced quotes count against this delimiter.
        let Ok(record) = record else { break };
        if record.is_empty {
            continue;
        }
        records += 1;
        header = if records == 1 { record.columns } else { header };
        if records <= HEADER_ROWS {
            known = known.max(expected.known(record.cells.iter()));
        }
        *widths.entry(record.columns).or_default() += 1;
    }
    let (width, count) = widths.into_iter().max_by_key(|(width, count)| (*count, *width))?;
    let known = if known < MIN_KNOWN { 0 } else { known };
    // Commas in the texts of a single column are not delimiters: its header has none.
    if known == 0 && (width < 2 || (header < 2 && count * 10 < records * 8)) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a sample of a hundred records")]
    let share = count as f64 / records as f64 * width as f64;
    Some((known, header == width, share))
}
