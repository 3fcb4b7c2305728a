//! Hidden rows and columns of worksheets, such as those that a filter leaves out: they are read, and named.

use std::ops::RangeInclusive;

use quick_xml::events::BytesStart;

use super::xml::attribute;
use super::{Note, Sheet};

/// Maximum number of rows and columns that a note names.
const MAX_NAMED: usize = 10;

/// The rows and columns of a worksheet that are not shown, counted from 1.
#[derive(Default)]
pub(super) struct Hidden {
    rows: Vec<RangeInclusive<u64>>,
    columns: Vec<RangeInclusive<u64>>,
}

impl Hidden {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.columns.is_empty()
    }

    /// Adds the `row` or `col` of a workbook, if it is hidden, and returns the memory for it.
    pub(super) fn add_tag(&mut self, tag: &BytesStart<'_>) -> u64 {
        let number = |name| attribute(tag, name).and_then(|number| number.parse().ok());
        if !attribute(tag, "hidden").is_some_and(|hidden| matches!(&*hidden, "1" | "true")) {
            return 0;
        }
        match (number("r"), number("min"), number("max")) {
            (Some(row), ..) => self.add_rows(row, 1),
            (_, Some(first), Some(last)) => self.add_columns(first, last.saturating_sub(first).saturating_add(1)),
            _ => 0,
        }
    }

    /// Adds this many rows from `first` on, and returns the memory for them.
    pub(super) fn add_rows(&mut self, first: u64, count: u64) -> u64 {
        add(&mut self.rows, first, count)
    }

    /// Adds this many columns from `first` on, and returns the memory for them.
    pub(super) fn add_columns(&mut self, first: u64, count: u64) -> u64 {
        add(&mut self.columns, first, count)
    }

    /// A note that names the hidden rows and columns which have values in a table.
    pub(super) fn note(&self, sheet: &Sheet) -> Option<Note> {
        // In the order of the file, which is that of the numbers.
        let is_in = |ranges: &[RangeInclusive<u64>], number: u64| {
            let after = ranges.partition_point(|range| *range.start() <= number);
            after > 0 && ranges[after - 1].contains(&number)
        };
        let rows = sheet.rows.iter().map(|row| row.line).filter(|line| is_in(&self.rows, *line));
        let is_filled = |column: &usize| sheet.rows.iter().any(|row| !row.cells[*column].trim().is_empty());
        let columns =
            (0..sheet.header.len()).filter(|column| is_in(&self.columns, *column as u64 + 1)).filter(is_filled);
        let name = |column: usize| format!("\"{}\"", sheet.header[column].trim());
        let parts = [
            named("line", "lines", rows.map(|line| line.to_string())),
            named("the column", "the columns", columns.map(name)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| {
            let what = parts.join(" and ");
            Note::all(format!("{what}: hidden in the spreadsheet, but read; delete there what is not to be imported"))
        })
    }
}

fn add(ranges: &mut Vec<RangeInclusive<u64>>, first: u64, count: u64) -> u64 {
    let last = first.saturating_add(count).saturating_sub(1);
    match ranges.last_mut().filter(|range| range.end().checked_add(1) == Some(first)) {
        Some(range) => *range = *range.start()..=last,
        None => ranges.push(first..=last),
    }
    size_of::<RangeInclusive<u64>>() as u64
}

/// "lines 4, 7 and 3 more"; `None` if there are none.
fn named(one: &str, many: &str, names: impl Iterator<Item = String>) -> Option<String> {
    let names: Vec<String> = names.collect();
    let more = names.len().checked_sub(MAX_NAMED).filter(|more| *more > 0);
    let more = more.map_or_else(String::new, |more| format!(" and {more} more"));
    let noun = if names.len() == 1 { one } else { many };
    let listed = names.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| format!("{noun} {listed}{more}"))
}
