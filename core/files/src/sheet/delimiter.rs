//! Which character stands between the cells.

use std::collections::BTreeMap;

use super::Limits;
use super::records::Records;

const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];
/// How many records are looked at.
const SAMPLE: usize = 100;

/// Finds the delimiter by how evenly it cuts the first records, quotation marks respected. A character that is
/// merely frequent cuts unevenly. `None`: there is one column.
pub(super) fn find(text: &str, line: u64, limits: &Limits) -> Option<u8> {
    CANDIDATES
        .into_iter()
        .filter_map(|candidate| score(text, line, candidate, limits).map(|score| (score, candidate)))
        .max_by(|(left, _), (right, _)| left.0.cmp(&right.0).then(left.1.total_cmp(&right.1)))
        .map(|(_, candidate)| candidate)
}

/// (Does the header have the most common width?, share of rows with that width times the width.)
type Score = (bool, f64);

fn score(text: &str, line: u64, delimiter: u8, limits: &Limits) -> Option<Score> {
    let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut header, mut records) = (0, 0);
    for record in Records::new(text, line, Some(delimiter), limits).take(SAMPLE) {
        // Quotation marks that do not pair under this character speak against it.
        let Ok(record) = record else { break };
        if record.is_empty {
            continue;
        }
        records += 1;
        header = if records == 1 { record.columns } else { header };
        *widths.entry(record.columns).or_default() += 1;
    }
    let (width, count) = widths.into_iter().max_by_key(|(width, count)| (*count, *width))?;
    // Commas in the sentences of a list with one column are no delimiter: its header has none.
    if width < 2 || (header < 2 && count * 10 < records * 8) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a sample of a hundred records")]
    let share = count as f64 / records as f64 * width as f64;
    Some((header == width, share))
}
