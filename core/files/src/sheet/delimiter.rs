//! Detection of the delimiter of a text table.

use std::collections::BTreeMap;

use super::Limits;
use super::records::Records;

const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Number of records that are examined.
const SAMPLE_SIZE: usize = 100;

/// Returns the delimiter that splits the first records most evenly, with quoting taken into account: a character that
/// is merely frequent splits them unevenly. `None` if there is one column.
pub(super) fn detect(text: &str, line: u64, limits: &Limits) -> Option<u8> {
    CANDIDATES
        .into_iter()
        .filter_map(|candidate| score(text, line, candidate, limits).map(|score| (score, candidate)))
        .max_by(|(left, _), (right, _)| left.0.cmp(&right.0).then(left.1.total_cmp(&right.1)))
        .map(|(_, candidate)| candidate)
}

/// Whether the header has the most common width; the share of rows with that width, times the width.
type Score = (bool, f64);

fn score(text: &str, line: u64, delimiter: u8, limits: &Limits) -> Option<Score> {
    let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut header, mut records) = (0, 0);
    for record in Records::new(text, line, Some(delimiter), limits).take(SAMPLE_SIZE) {
        // Unbalanced quotes count against this delimiter.
        let Ok(record) = record else { break };
        if record.is_empty {
            continue;
        }
        records += 1;
        header = if records == 1 { record.columns } else { header };
        *widths.entry(record.columns).or_default() += 1;
    }
    let (width, count) = widths.into_iter().max_by_key(|(width, count)| (*count, *width))?;
    // Commas in the texts of a single column are not delimiters: its header has none.
    if width < 2 || (header < 2 && count * 10 < records * 8) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a sample of a hundred records")]
    let share = count as f64 / records as f64 * width as f64;
    Some((header == width, share))
}
