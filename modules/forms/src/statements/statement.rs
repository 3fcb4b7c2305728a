//! A bank's statement as it was read.

use jiff::civil::Date;

use crate::amount::Amount;

/// A row with at least one cell that is not empty.
pub(super) struct GridRow {
    /// Line or row in the file, from 1.
    pub(super) line: u64,
    pub(super) cells: Vec<String>,
}

/// A line of a statement: money that came in, or went out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BankLine {
    /// Where it begins in the file: a line, a row, or the number of the entry, from 1.
    pub(crate) line: u64,
    /// The day of the booking, as the bank writes it.
    pub(crate) day: Date,
    pub(crate) value_day: Option<Date>,
    /// The bank's words, on one line.
    pub(crate) narration: String,
    /// Numbers from columns of their own: references, cheques.
    pub(crate) number: String,
    /// Negative if it went out.
    pub(crate) amount: Amount,
    /// The account's balance after it, in hundredths.
    pub(crate) balance: Option<i64>,
}

/// What is wrong with a line: a sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) line: u64,
    pub(crate) text: String,
}

/// A statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statement {
    pub(crate) lines: Vec<BankLine>,
    pub(crate) problems: Vec<Problem>,
    /// Remarks about lines that were left out.
    pub(crate) notes: Vec<Problem>,
    /// The balances before the first and after the last line, in hundredths, where the statement names them.
    pub(crate) opening: Option<i64>,
    pub(crate) closing: Option<i64>,
}

impl Statement {
    pub(super) fn problem(&mut self, line: u64, text: impl Into<String>) {
        self.problems.push(Problem { line, text: text.into() });
    }

    pub(super) fn note(&mut self, line: u64, text: impl Into<String>) {
        self.notes.push(Problem { line, text: text.into() });
    }

    /// Adds a problem for each line whose balance does not follow from its neighbour, in either order of the lines, and
    /// for a closing balance that is not the sum.
    pub(super) fn check_balances(&mut self) {
        let after = |from: &BankLine, to: &BankLine| Some(from.balance? + to.amount.hundredths == to.balance?);
        let fits = |pair: &[BankLine]| after(&pair[0], &pair[1]) == Some(true);
        let fits_back = |pair: &[BankLine]| after(&pair[1], &pair[0]) == Some(true);
        let count = |test: &dyn Fn(&[BankLine]) -> bool| self.lines.windows(2).filter(|pair| test(pair)).count();
        let is_newest_first = count(&fits_back) > count(&fits);
        let (mut problems, mut ordered) = (Vec::new(), self.lines.iter().collect::<Vec<_>>());
        if is_newest_first {
            ordered.reverse();
        }
        // What an unreadable line would change is not known.
        let is_broken = |one: &BankLine, two: &BankLine| {
            let lines = one.line.min(two.line)..=one.line.max(two.line);
            self.problems.iter().any(|problem| lines.contains(&problem.line))
        };
        let is_whole = self.problems.is_empty();
        let mut check = |line: u64, before: i64, amount: Amount, balance: i64| {
            let text = |hundredths| Amount { hundredths, ..amount }.text();
            if before + amount.hundredths != balance {
                let (expected, found, amount) = (text(before + amount.hundredths), text(balance), amount.text());
                problems.push(Problem {
                    line,
                    text: format!(
                        "the balance is {found}, but {amount} after {} makes {expected}; a line is missing or was changed: download \
                         the statement again",
                        text(before)
                    ),
                });
            }
        };
        if let (Some(opening), Some(first), true) = (self.opening, ordered.first(), is_whole)
            && let Some(balance) = first.balance
        {
            check(first.line, opening, first.amount, balance);
        }
        for pair in ordered.windows(2) {
            if let (Some(before), Some(balance)) = (pair[0].balance, pair[1].balance)
                && !is_broken(pair[0], pair[1])
            {
                check(pair[1].line, before, pair[1].amount, balance);
            }
        }
        if let (Some(opening), Some(closing), Some(last), true) = (self.opening, self.closing, ordered.last(), is_whole)
        {
            let others: i64 = ordered.iter().rev().skip(1).map(|line| line.amount.hundredths).sum();
            check(last.line, opening + others, last.amount, closing);
        }
        self.problems.extend(problems);
    }
}

/// Returns a text on one line, without the apostrophe by which spreadsheets mark a text.
pub(super) fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.strip_prefix('\'').map_or_else(|| text.clone(), str::to_owned)
}

/// Reads an amount of a format that has decimals after a comma or a point and no grouping, in hundredths.
pub(super) fn decimal(text: &str) -> Option<i64> {
    let (sign, digits) = match text.trim().strip_prefix(['-', '+']) {
        Some(rest) if text.trim().starts_with('-') => (-1, rest),
        Some(rest) => (1, rest),
        None => (1, text.trim()),
    };
    let (whole, decimals) = digits.split_once([',', '.']).unwrap_or((digits, ""));
    let is_number = |part: &str| part.len() <= 15 && part.bytes().all(|digit| digit.is_ascii_digit());
    let decimals = if decimals.len() > 2 { decimals.trim_end_matches('0') } else { decimals };
    if whole.is_empty() || !is_number(whole) || !is_number(decimals) || decimals.len() > 2 {
        return None;
    }
    let hundredths = format!("{decimals:0<2}").parse::<i64>().ok()?;
    Some(sign * (whole.parse::<i64>().ok()? * 100 + hundredths))
}
