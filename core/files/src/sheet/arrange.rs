//! Finds the header in the rows of a table, and the worksheet that fits best.
//!
//! Lists that people maintain have title rows above the header, headers in two lines, the header again on every printed
//! page, and rows whose last cells are missing.

use festival_base::texts::Texts;
use smart_default::SmartDefault;

use super::table::CELL_MEMORY;
use super::{Format, Limits, Note, RaggedRow, Row, Sheet, SheetError};
use crate::budget::Budget;

/// Rows that are searched for the header.
pub(super) const HEADER_ROWS: usize = 30;
/// Minimum number of known headers for a row to be the header, and of such cells for another row to look like one.
pub(super) const MIN_KNOWN: usize = 2;
/// Maximum length of a header; a longer text is not looked up.
const MAX_HEADER_BYTES: usize = 200;
/// Maximum number of rows that a message lists.
const MAX_LISTED: usize = 10;

/// What the caller knows about a table.
#[derive(Clone, Copy, SmartDefault)]
pub struct Expected<'a> {
    /// Whether a text is a header that the reader knows.
    #[default(&|_| false)]
    pub known: &'a dyn Fn(&str) -> bool,
    /// The name of the worksheet; `None`: the one whose header fits best.
    pub worksheet: Option<&'a str>,
    /// Whether there is a header. Without one, the first row is treated as one; see [`super::Sheet::without_header`].
    #[default = true]
    pub has_header: bool,
    /// Whether rows of a text may have any number of cells, as below the address of a bank statement.
    pub is_uneven: bool,
}

impl Expected<'_> {
    /// Number of cells that are known headers.
    pub(super) fn known(&self, cells: impl IntoIterator<Item: AsRef<str>>) -> usize {
        cells.into_iter().filter(|cell| self.is_known(cell.as_ref())).count()
    }

    fn is_known(&self, cell: &str) -> bool {
        let cell = cell.trim();
        !cell.is_empty() && cell.len() <= MAX_HEADER_BYTES && (self.known)(cell)
    }
}

/// A header and its position.
struct Header {
    start: usize,
    /// Number of rows that it occupies: 1 or 2.
    rows: usize,
    cells: Vec<String>,
    known: usize,
}

/// Returns the index of the worksheet to read: the named one, or the one whose header fits best. Each has its name and
/// first rows.
pub(super) fn choose(sheets: &[(String, Vec<Row>)], expected: &Expected<'_>) -> Result<usize, SheetError> {
    if let Some(wanted) = expected.worksheet {
        let exact = sheets.iter().position(|(name, _)| name == wanted);
        let folded = |name: &str| name.trim().to_lowercase();
        return exact.or_else(|| sheets.iter().position(|(name, _)| folded(name) == folded(wanted))).ok_or_else(|| {
            let names = sheets.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
            SheetError::NoSuchWorksheet { name: wanted.to_owned(), names }
        });
    }
    let fit = |rows: &[Row]| {
        let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        (find_header(rows, expected, false).map_or(0, |header| header.known), width.min(2))
    };
    // Of equals the first; a worksheet with one column may be notes.
    let best = (0..sheets.len()).rev().max_by_key(|index| fit(&sheets[*index].1));
    best.ok_or(SheetError::NoWorksheet)
}

/// Finds the header: the row with most known headers, two rows together where that makes more of them known. A table
/// without known headers begins with its header; in a worksheet, which is no text, rows with a single cell above it are
/// headings.
fn find_header(rows: &[Row], expected: &Expected<'_>, is_text: bool) -> Option<Header> {
    let single = |start: usize| {
        let cells: Vec<String> = rows[start].cells.iter().map(str::to_owned).collect();
        Header { start, rows: 1, known: expected.known(&cells), cells }
    };
    let filled = |row: &Row| row.cells.iter().filter(|cell| !cell.trim().is_empty()).count();
    // Above the header of a bank are the account and its currency.
    let first =
        if is_text || expected.is_uneven { 0 } else { rows.iter().position(|row| filled(row) > 1).unwrap_or(0) };
    if rows.is_empty() || !expected.has_header {
        return rows.first().map(|_| single(first));
    }
    let mut best = single(first);
    for start in 0..rows.len().min(HEADER_ROWS) {
        let pair = rows.get(start + 1).map(|below| {
            let cells = joined(&rows[start].cells, &below.cells);
            Header { start, rows: 2, known: expected.known(&cells), cells }
        });
        for header in std::iter::once(single(start)).chain(pair) {
            if header.known > best.known.max(MIN_KNOWN - 1) {
                best = header;
            }
        }
    }
    Some(best)
}

/// Joins the two lines of a header. A cell above several others is joined to the first of them.
fn joined(above: &Texts, below: &Texts) -> Vec<String> {
    let cell = |cells: &Texts, column: usize| cells.get(column).map_or("", str::trim).to_owned();
    let mut group = String::new();
    let join = |column: usize| {
        let (upper, lower) = (cell(above, column), cell(below, column));
        if !upper.is_empty() {
            group.clone_from(&upper);
        }
        match (group.is_empty(), lower.is_empty()) {
            (_, true) => upper,
            (true, false) => lower,
            (false, false) => format!("{group} {lower}"),
        }
    };
    (0..above.len().max(below.len())).map(join).collect()
}

/// Separates the header from the rows, each with as many cells as the header; `None` if there are no rows.
///
/// # Errors
/// [`SheetError::Ragged`] if a row of a text has more cells than the header, or seems to be half a row.
pub(super) fn arrange(
    rows: Vec<Row>,
    format: Format,
    expected: &Expected<'_>,
    limits: &Limits,
    budget: &Budget,
) -> Result<Option<Sheet>, SheetError> {
    // In a text, a row with more cells than the header is an error.
    let is_text = format == Format::Delimited && !expected.is_uneven;
    let Some(mut header) = find_header(&rows, expected, is_text) else { return Ok(None) };
    let header_line = rows[header.start].line;
    let mut notes = Vec::new();
    let widest = rows.iter().skip(header.start).map(|row| row.cells.len()).max().unwrap_or(0);
    let width = if is_text { header.cells.len() } else { widest };
    header.cells.resize(width, String::new());
    if header.start > 0 && header.known >= MIN_KNOWN && expected.has_header {
        let above = plural(header.start, "row above it was", "rows above it were");
        notes.push(Note::all(format!("the header is in line {header_line}; {above} left out")));
    }
    if header.rows > 1 {
        notes.push(Note::at(header_line, "the header has two lines"));
    }
    let heading = header.start.checked_sub(1).and_then(|above| rows[above].single_cell()).map(str::to_owned);
    let mut rows = rows.into_iter().skip(header.start);
    let header_rows: Vec<Texts> = rows.by_ref().take(header.rows).map(|row| row.cells).collect();
    let mut below: Vec<Row> = rows.collect();
    if is_text {
        check_widths(&mut below, width, &mut notes)?;
    }
    let missing: usize = below.iter().map(|row| width.saturating_sub(row.cells.len())).sum();
    if is_text && width.saturating_mul(below.len()) > limits.cells {
        return Err(SheetError::TooManyRows { rows: limits.rows, cells: limits.cells });
    }
    budget.hold(CELL_MEMORY * missing as u64)?;
    below.iter_mut().for_each(|row| row.cells.resize(width));
    if expected.has_header {
        let header_cells: Texts = header.cells.iter().collect();
        let mut second = None;
        below.retain(|row| {
            let repeats = header_rows.iter().chain([&header_cells]).any(|cells| same(cells, &row.cells));
            if repeats || looks_like_header(&row.cells, expected) {
                if !repeats && has_other_order(&header_cells, &row.cells) {
                    second.get_or_insert(row.line);
                }
                notes.push(Note::at(row.line, "repeats the header and was left out"));
                return false;
            }
            true
        });
        if let Some(line) = second {
            return Err(SheetError::SecondHeader { line });
        }
        notes.extend(repeat_dittos(&mut below, budget)?);
    }
    Ok(Some(Sheet { format, header_line, heading, ..Sheet::of_documents(header.cells, below, notes) }))
}

/// Refuses rows whose values may be in the wrong column. Rows whose last cells are missing are short on purpose.
fn check_widths(rows: &mut [Row], width: usize, notes: &mut Vec<Note>) -> Result<(), SheetError> {
    for row in rows.iter_mut().filter(|row| row.cells.len() > width) {
        let trailing = row.cells.iter().rev().take_while(|cell| cell.trim().is_empty()).count();
        row.cells.resize(width.max(row.cells.len() - trailing));
    }
    let ragged = || rows.iter().filter(|row| row.cells.len() != width);
    let short = ragged().count();
    if short == 0 {
        return Ok(());
    }
    // A row that a line break cuts in two: unless most rows are short, two such halves are hardly a coincidence.
    let halves = |pair: &[Row]| {
        let [first, second] = [pair[0].cells.len(), pair[1].cells.len()];
        first < width && second < width && first + second == width + 1
    };
    let is_cut = short * 2 <= rows.len() && rows.windows(2).any(halves);
    if is_cut || rows.iter().any(|row| row.cells.len() > width) {
        let listed = ragged().take(MAX_LISTED).map(|row| RaggedRow { line: row.line, cells: row.cells.len() });
        return Err(SheetError::Ragged { expected: width, rows: listed.collect(), total: short });
    }
    let lines: Vec<String> = ragged().take(MAX_LISTED).map(|row| row.line.to_string()).collect();
    let more = if short > lines.len() { format!(" and {} more", short - lines.len()) } else { String::new() };
    let rows = plural(short, "row has", "rows have");
    let text =
        format!("{rows} fewer cells than the header (line {}{more}); the last ones count as empty", lines.join(", "));
    notes.push(Note::all(text));
    Ok(())
}

/// Whether a row has the same cells as the header.
fn same(header: &Texts, cells: &Texts) -> bool {
    let columns = 0..header.len().max(cells.len());
    header.iter().any(|cell| !cell.trim().is_empty())
        && columns
            .into_iter()
            .all(|column| header.get(column).map_or("", str::trim) == cells.get(column).map_or("", str::trim))
}

/// Whether a row is another version of the header, such as one in another language: all of its cells are known ones.
fn looks_like_header(cells: &Texts, expected: &Expected<'_>) -> bool {
    let filled = || cells.iter().filter(|cell| !cell.trim().is_empty());
    // No header is a number, and most rows have one; most others are recognised by their first cell.
    if filled().any(|cell| cell.trim().bytes().all(|byte| byte.is_ascii_digit())) {
        return false;
    }
    let count = if filled().all(|cell| expected.is_known(cell)) { filled().count() } else { 0 };
    count > MIN_KNOWN && count * 2 >= cells.len()
}

/// Replaces ditto marks by the values above them, and returns a note about them.
fn repeat_dittos(rows: &mut [Row], budget: &Budget) -> Result<Option<Note>, SheetError> {
    // "-do-", "–do–", "..do..", a quotation mark.
    let is_ditto = |cell: &str| {
        let (text, strokes) = (cell.trim(), ['-', '–', '—', '.', '_']);
        let mark = text.trim_matches(strokes).trim();
        let has_strokes = text.starts_with(strokes) && text.ends_with(strokes);
        matches!(mark, "〃" | "\"" | "”" | "″" | "''") || mark.eq_ignore_ascii_case("do") && has_strokes
    };
    let mut lines = Vec::new();
    for index in 1..rows.len() {
        let (above, row) = (&rows[index - 1].cells, &rows[index]);
        if !row.cells.iter().any(|cell| cell.len() < 16 && is_ditto(cell)) {
            continue;
        }
        budget.hold(above.iter().map(|cell| cell.len() as u64).sum())?;
        let cells = row.cells.iter().zip(above.iter());
        let cells = cells.map(|(cell, above)| if is_ditto(cell) { above } else { cell }).collect();
        lines.push(row.line);
        rows[index].cells = cells;
    }
    let more = if lines.len() > 1 { format!(", and {} more like it", lines.len() - 1) } else { String::new() };
    Ok(lines.first().map(|line| Note::at(*line, format!("has ditto marks, read as the values above them{more}"))))
}

/// Whether another header has its columns in another order: a cell is that of another column.
fn has_other_order(header: &Texts, cells: &Texts) -> bool {
    let moved = |(column, cell): (usize, &str)| {
        let is_same = |known: &str| !cell.trim().is_empty() && known.trim() == cell.trim();
        !header.get(column).is_some_and(is_same) && header.iter().any(is_same)
    };
    cells.iter().enumerate().any(moved)
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
