//! A bank's statement as it was read.

use festival_core::text::single_spaced;
use jiff::civil::Date;

use crate::amount::Amount;

/// A line of a statement: money that came in, or went out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BankLine {
    /// Where it begins in the file: a line, a row, or the number of the entry, from 1.
    pub(super) line: u64,
    /// The day of the booking, as the bank writes it.
    pub(super) day: Date,
    pub(super) value_day: Option<Date>,
    /// The bank's words, on one line.
    pub(super) narration: String,
    /// Numbers from columns of their own: references, cheques.
    pub(super) number: String,
    /// Negative if it went out.
    pub(super) amount: Amount,
    /// The account's balance after it, in hundredths.
    pub(super) balance: Option<i64>,
}

/// What is wrong with a line: a sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) line: u64,
    pub(super) text: String,
}

/// A statement.
#[derive(Clone, Debug, Default)]
pub(super) struct Statement {
    pub(super) lines: Vec<BankLine>,
    pub(super) problems: Vec<Problem>,
    /// Remarks about lines that were left out.
    pub(super) notes: Vec<Problem>,
    /// The balances before the first and after the last line, in hundredths, where the statement names them.
    pub(super) opening: Option<i64>,
    pub(super) closing: Option<i64>,
    /// Number of lines of earlier accounts, whose balances were checked.
    pub(super) checked: usize,
}

impl Statement {
    pub(super) fn problem(&mut self, line: u64, text: impl Into<String>) {
        self.problems.push(Problem { line, text: text.into() });
    }

    pub(super) fn note(&mut self, line: u64, text: impl Into<String>) {
        self.notes.push(Problem { line, text: text.into() });
    }

    /// Adds a problem for each line of the last account whose balance does not follow from the one before, in either
    /// order of the lines, and for a closing balance that is not the sum. Lines that follow are of another account.
    pub(super) fn check_balances(&mut self) {
        let follows = |from: &BankLine, to: &BankLine| Some(from.balance? + to.amount.hundredths == to.balance?);
        let lines = &self.lines[self.checked..];
        let (mut ordered, mut oldest_first) = (lines.iter().collect::<Vec<_>>(), 0_i32);
        for pair in lines.windows(2) {
            oldest_first += i32::from(follows(&pair[0], &pair[1]) == Some(true));
            oldest_first -= i32::from(follows(&pair[1], &pair[0]) == Some(true));
        }
        let is_newest_first = lines.first().zip(lines.last()).is_some_and(|(first, last)| first.day > last.day);
        if oldest_first < 0 || oldest_first == 0 && is_newest_first {
            ordered.reverse();
        }
        let is_whole = self.problems.is_empty();
        // A balance, and the sum of the lines since: banks give some lines none, all but the last of a day.
        let mut known = self.opening.filter(|_| is_whole).map(|opening| (opening, 0));
        let mut problems = Vec::new();
        for (index, line) in ordered.iter().enumerate() {
            let before = ordered[index.saturating_sub(1)];
            // What an unreadable line would change is not known.
            let lines = before.line.min(line.line)..=before.line.max(line.line);
            known = known.filter(|_| !self.problems.iter().any(|problem| lines.contains(&problem.line)));
            known = known.map(|(balance, sum)| (balance, sum + line.amount.hundredths));
            let closing = self.closing.filter(|_| is_whole && index + 1 == ordered.len());
            for found in [line.balance, closing].into_iter().flatten() {
                if let Some((balance, sum)) = known.filter(|(balance, sum)| balance + sum != found) {
                    let text = |hundredths| Amount { hundredths, ..line.amount }.text();
                    let [found, sum, balance, is_due] = [found, sum, balance, balance + sum].map(text);
                    let text = format!(
                        "the balance is {found}, but {sum} after {balance} makes {is_due}; a line is missing or was \
                         changed: download the statement again"
                    );
                    problems.push(Problem { line: line.line, text });
                }
                known = Some((found, 0));
            }
        }
        self.problems.extend(problems);
        (self.opening, self.closing, self.checked) = (None, None, self.lines.len());
    }
}

/// Returns a text on one line, without the apostrophes by which spreadsheets and payment apps mark a text.
pub(super) fn one_line(text: &str) -> String {
    let text = single_spaced(text);
    text.strip_prefix('\'').map(|text| text.trim_end_matches('\'').to_owned()).unwrap_or(text)
}
