//! Detection of the delimiter of a text table.

use std::collections::BTreeMap;

use super::arrange::{HEADER_ROWS, MIN_KNOWN};
use super::records::Records;
use super::{Expected, Limits};

const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Number of records that are examined.
const SAMPLE_SIZE: usize = 100;

/// Returns the delimiter that splits the first records most evenly, with quoting taken into account: a character that
/// is merely frequent splits them unevenly. `None` if there is one column.
pub(super) fn detect(text: &str, line: u64, limits: &Limits, expected: &Expected<'_>) -> Option<u8> {
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
