//! Lines of statements as tables: the export of their list, the report of an import, and their sums.

use std::collections::BTreeMap;

use festival_core::Result;
use festival_core::export::{Cell, Column, Output};
use festival_core::settings::Settings;
use serde::Serialize;

use super::store::Report;
use super::stored::{Match, MatchState, StoredLine};
use crate::amount::Amount;
use crate::review::category_label;
use crate::submissions::{PAYMENTS, SubmissionKind, label_of};

/// The columns of a line: their names and headings.
const COLUMNS: [(&str, &str); 11] = [
    ("line", "Line"),
    ("day", "Day"),
    ("value_day", "Value date"),
    ("amount", "Amount"),
    ("narration", "Narration"),
    ("number", "Number"),
    ("balance", "Balance"),
    ("account", "Account"),
    ("queue", "Queue"),
    ("reason", "Reason"),
    ("submissions", "Submissions"),
];

/// The columns of what a line has paid, for treasurers.
const PAID: [(&str, &str); 3] = [("category", "Category"), ("payment", "Payment"), ("receipt", "Receipt")];

/// The columns of [`cells`].
fn columns() -> Vec<Column> {
    COLUMNS.into_iter().map(|(name, title)| Column::new(name, title).width(24)).collect()
}

/// The columns of [`cells_of_list`].
pub(super) fn columns_of_list() -> Vec<Column> {
    COLUMNS.into_iter().chain(PAID).map(|(name, title)| Column::new(name, title).width(24)).collect()
}

/// A stored line as a row of a table, with what it has paid: the submissions that it settles.
pub(super) fn cells_of_list(settings: &Settings, line: &StoredLine) -> Vec<Cell> {
    let settled = || line.matches.iter().filter(|found| found.state == MatchState::Settled);
    let joined = |text: &dyn Fn(&Match) -> String| Cell::text(settled().map(text).collect::<Vec<_>>().join(", "));
    let category = |found: &Match| {
        SubmissionKind::find(found.submission.0)
            .map_or(String::new(), |kind| category_label(settings, kind, &found.paid[0]))
    };
    let payment = |found: &Match| label_of(PAYMENTS, &found.paid[1]);
    let mut cells = cells(line);
    cells.extend([joined(&category), joined(&payment), joined(&|found| found.paid[2].clone())]);
    cells
}

/// A line as a row of a table; amounts are plain numbers, such as "-1300.00".
fn cells(line: &StoredLine) -> Vec<Cell> {
    let decimal = |hundredths: i64| {
        let sign = if hundredths < 0 { "-" } else { "" };
        format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
    };
    let bank = &line.line;
    vec![
        number(bank.line),
        Cell::text(bank.day.to_string()),
        bank.value_day.map(|day| day.to_string()).into(),
        Cell::text(decimal(bank.amount.hundredths)),
        Cell::text(&bank.narration),
        Cell::text(&bank.number),
        bank.balance.map(decimal).into(),
        Cell::text(&line.bank),
        Cell::text(line.queue.label),
        Cell::text(&line.reason),
        Cell::text(line.references()),
    ]
}

fn number(line: u64) -> Cell {
    Cell::Number(i64::try_from(line).unwrap_or_default())
}

/// Writes the report of an import, with a row for each line.
///
/// # Errors
/// If the file exists, or cannot be written.
pub(super) fn write(report: &Report, output: &Output) -> Result<()> {
    let mut table = output.open(&columns())?;
    let problems = report.problems.iter().map(|problem| ("error", problem));
    for (word, problem) in problems.chain(report.notes.iter().map(|note| ("note", note))) {
        let mut cells = vec![Cell::Empty; COLUMNS.len()];
        (cells[0], cells[8], cells[9]) = (number(problem.line), Cell::text(word), Cell::text(&problem.text));
        table.row(&cells)?;
    }
    report.lines.iter().try_for_each(|line| table.row(&cells(line)))?;
    let rows = report.lines.len() + report.problems.len() + report.notes.len();
    output.finish(table, rows as u64, ["line", "lines"])?;
    Ok(())
}

/// The number and the sum of some lines, which have something in common.
#[derive(Serialize)]
pub(super) struct Total {
    pub(super) label: String,
    pub(super) count: usize,
    pub(super) sum: String,
}

/// Returns the totals of lines by what they have in common, in ascending order of its first part; the second part is its label.
/// Together they are all lines.
pub(super) fn totals<'l, K: Ord>(
    lines: impl IntoIterator<Item = &'l StoredLine>,
    key: impl Fn(&StoredLine) -> (K, String),
) -> Vec<Total> {
    let mut groups: BTreeMap<(K, String), Vec<&StoredLine>> = BTreeMap::new();
    for line in lines {
        groups.entry(key(line)).or_default().push(line);
    }
    let total =
        |((_, label), lines): ((K, String), Vec<&StoredLine>)| Total { label, count: lines.len(), sum: sum(&lines) };
    groups.into_iter().map(total).collect()
}

/// The sum of amounts in rupees; dollars apart.
fn sum(lines: &[&StoredLine]) -> String {
    let mut sums: BTreeMap<&str, Amount> = BTreeMap::new();
    for amount in lines.iter().map(|line| line.line.amount) {
        let sum = sums.entry(amount.currency.code()).or_insert(Amount { hundredths: 0, ..amount });
        sum.hundredths += amount.hundredths;
    }
    sums.into_values().map(Amount::text).collect::<Vec<_>>().join(" and ")
}
