//! Lines of a statement from the rows of a table.

use festival_core::importing::dates::{Dates, Order};
use festival_core::text::is_missing;
use jiff::civil::Date;

use super::layout::{Assigned, Field, Layout};
use super::statement::{BankLine, GridRow, Statement};
use crate::amount::Amount;

/// Beginnings of rows with sums and balances, which are no transactions.
const SUMMARIES: &[&str] = &[
    "opening bal",
    "closing bal",
    "brought forward",
    "carried forward",
    "balance b/f",
    "balance c/f",
    "b/f",
    "c/f",
    "total",
    "grand total",
    "page total",
    "sub total",
    "subtotal",
    "statement summary",
    "transaction total",
    "balance brought",
    "balance carried",
];
/// Words of page footers.
const FOOTERS: &[&str] = &[
    "page ",
    "***",
    "end of statement",
    "computer generated",
    "computer-generated",
    "this is a",
    "generated on",
    "legend",
    "disclaimer",
    "note:",
    "unless ",
    "statement of account",
    "registered office",
    "continued",
];
/// What to do about a cell that cannot be read.
const REMEDY: &str = "download the statement again, or correct the cell and import the file once more";

/// A cell with an amount.
#[derive(Clone, Copy)]
struct Money {
    amount: Amount,
    /// It has a sign of its own.
    is_signed: bool,
    /// Its sign is a word.
    has_word: bool,
}

/// Reads the lines below the header.
///
/// # Errors
/// A sentence that says why the table is no statement, and what to do.
pub(super) fn read(rows: &[GridRow], assigned: &Assigned, today: Date) -> Result<Statement, String> {
    let layout = Layout::find(rows, assigned).ok_or(
        "no row has the headers of a statement: a date, a narration, and debit and credit or an amount; assign the columns \
         with --map \"HEADER=FIELD\"",
    )?;
    let rows = &rows[layout.below..];
    let mut reader = TableReader {
        signs: Signs::find(rows, &layout),
        dates: Dates { near: today, order: Order::DayFirst },
        layout,
        statement: Statement::default(),
        is_open: true,
        is_summary: false,
    };
    rows.iter().for_each(|row| reader.row(row));
    let mut statement = reader.statement;
    if statement.lines.is_empty() && statement.problems.is_empty() {
        return Err("the statement has no transaction below its header; choose a period with transactions".to_owned());
    }
    statement.check_balances();
    Ok(statement)
}

/// What the signs of a whole column mean.
struct Signs {
    /// Debits are written as negative amounts, all of them.
    negative_debits: bool,
    /// Some amounts of a single column have a sign, so that those without are credits.
    some_amounts: bool,
    /// The column "Type" holds signs.
    types: bool,
}

impl Signs {
    fn find(rows: &[GridRow], layout: &Layout) -> Self {
        let amounts = |field| {
            let cells = rows.iter().map(move |row| layout.text(&row.cells, field));
            cells.filter_map(|cell| Amount::read_signed(&cell)).filter(|(amount, _)| amount.hundredths != 0)
        };
        let mut types =
            rows.iter().map(|row| layout.text(&row.cells, Field::Type)).filter(|cell| !cell.is_empty()).peekable();
        Self {
            negative_debits: amounts(Field::Debit).all(|(amount, _)| amount.hundredths < 0),
            some_amounts: amounts(Field::Amount).any(|(_, is_signed)| is_signed),
            types: types.peek().is_some() && types.all(|cell| sign_of(&cell).is_some()),
        }
    }
}

/// Reads `Cr` and `Dr`: whether it is a credit.
fn sign_of(text: &str) -> Option<bool> {
    match text.trim_matches(|c: char| !c.is_alphanumeric() && c != '+' && c != '-').to_lowercase().as_str() {
        "cr" | "c" | "credit" | "deposit" | "+" => Some(true),
        "dr" | "d" | "debit" | "withdrawal" | "-" => Some(false),
        _ => None,
    }
}

struct TableReader {
    signs: Signs,
    dates: Dates,
    layout: Layout,
    statement: Statement,
    /// The next row may continue the narration of the last.
    is_open: bool,
    /// Below a heading of sums.
    is_summary: bool,
}

impl TableReader {
    fn row(&mut self, row: &GridRow) {
        if self.layout.is_repeated(&row.cells) {
            self.is_open = true;
            return;
        }
        let text = |field| self.layout.text(&row.cells, field);
        let (day_text, narration) = (text(Field::Day), text(Field::Narration));
        let money = [Field::Debit, Field::Credit, Field::Amount].map(text);
        let has_money = money.iter().any(|cell| !is_missing(cell));
        let all = row.cells.join(" ").trim().to_lowercase();
        let starts = |list: &[&str], text: &str| list.iter().any(|start| text.starts_with(start));
        let is_summary = starts(SUMMARIES, &narration.to_lowercase()) || starts(SUMMARIES, &all);
        let is_footer = !has_money && (starts(FOOTERS, &all) || all.contains("computer generated"));
        let day = self.day(&day_text).filter(|_| !is_footer);
        if is_summary && (day.is_none() || !has_money || narration.to_lowercase().contains(" bal")) {
            return self.summary(row, &all);
        }
        match day {
            Some(day) => self.transaction(row, day, has_money),
            None if is_footer => self.is_open = false,
            None if !has_money => self.continuation(row),
            None if self.is_summary && !looks_like_day(&day_text) => {}
            None => {
                let shown = if day_text.is_empty() {
                    "no date".to_owned()
                } else {
                    format!("“{day_text}”, which is no date")
                };
                self.is_open = false;
                self.statement.problem(row.line, format!("an amount beside {shown}; {REMEDY}"));
            }
        }
    }

    fn day(&self, text: &str) -> Option<Date> {
        self.dates.moment(text).map(|moment| moment.day).filter(|_| looks_like_day(text))
    }

    fn summary(&mut self, row: &GridRow, all: &str) {
        (self.is_open, self.is_summary) = (false, true);
        let balance = self.balance(row).ok().flatten();
        if (all.contains("opening") || all.contains("b/f") || all.contains("brought"))
            && self.statement.lines.is_empty()
        {
            self.statement.opening = self.statement.opening.or(balance);
        } else if all.contains("closing") {
            self.statement.closing = balance;
        }
    }

    /// A row without day and amounts: more of the narration above it, or a text of the page.
    fn continuation(&mut self, row: &GridRow) {
        let is_narration = |(cell, field): (&String, &Option<Field>)| {
            cell.is_empty() || matches!(field, Some(Field::Narration | Field::Number))
        };
        let mut columns = self.layout.columns.clone();
        columns.resize(row.cells.len().max(columns.len()), None);
        let is_text = row.cells.iter().zip(&columns).all(is_narration);
        let (more, number) =
            (self.layout.text(&row.cells, Field::Narration), self.layout.text(&row.cells, Field::Number));
        match self.statement.lines.last_mut().filter(|_| self.is_open && is_text) {
            Some(line) => {
                line.narration = format!("{} {more}", line.narration).trim().to_owned();
                line.number = format!("{} {number}", line.number).trim().to_owned();
            }
            None => self.is_open = false,
        }
    }

    fn transaction(&mut self, row: &GridRow, day: Date, has_money: bool) {
        (self.is_open, self.is_summary) = (false, false);
        if !has_money {
            return self.statement.problem(row.line, format!("a date and no amount; {REMEDY}"));
        }
        let (amount, balance) = match (self.amount(row), self.balance(row)) {
            (Ok(amount), Ok(balance)) => (amount, balance),
            (Err(problem), _) | (_, Err(problem)) => return self.statement.problem(row.line, problem),
        };
        if amount.hundredths == 0 {
            return self.statement.note(row.line, "moves no money and was left out");
        }
        let mut number = self.layout.text(&row.cells, Field::Number);
        if is_rounded(&number) {
            let text = format!(
                "the number {number} was rounded by a spreadsheet and is not used; download the statement again"
            );
            self.statement.note(row.line, text);
            number.clear();
        }
        self.is_open = true;
        self.statement.lines.push(BankLine {
            line: row.line,
            day,
            value_day: self.day(&self.layout.text(&row.cells, Field::ValueDay)),
            narration: self.layout.text(&row.cells, Field::Narration),
            number,
            amount,
            balance,
        });
    }

    /// Reads the cell of an amount; `None` without one.
    fn money(&self, row: &GridRow, field: Field) -> Result<Option<Money>, String> {
        let cell = self.layout.text(&row.cells, field);
        if is_missing(&cell) {
            return Ok(None);
        }
        let (amount, is_signed) =
            Amount::read_signed(&cell).ok_or_else(|| format!("“{cell}” is no amount; {REMEDY}"))?;
        let has_word = cell.chars().any(|letter| matches!(letter, 'd' | 'D')) || cell.to_lowercase().contains("cr");
        Ok(Some(Money { amount, is_signed, has_word: is_signed && has_word }))
    }

    fn amount(&self, row: &GridRow) -> Result<Amount, String> {
        let contradiction = || format!("the signs of the amount contradict each other; {REMEDY}");
        let negative = |amount: Amount| Amount { hundredths: -amount.hundredths, ..amount };
        if self.layout.has(Field::Debit) && self.layout.has(Field::Credit) {
            let filled = |money: Option<Money>| money.filter(|money| money.amount.hundredths != 0);
            let debit = filled(self.money(row, Field::Debit)?);
            return match (debit, filled(self.money(row, Field::Credit)?)) {
                (Some(_), Some(_)) => Err(format!("both a debit and a credit; {REMEDY}")),
                (None, credit) => Ok(credit.map_or(Amount::rupees(0), |credit| credit.amount)),
                (Some(debit), None) if debit.has_word && debit.amount.hundredths > 0 => Err(contradiction()),
                (Some(debit), None) if debit.has_word || self.signs.negative_debits => Ok(debit.amount),
                // A negative debit among others is one that was taken back.
                (Some(debit), None) => Ok(negative(debit.amount)),
            };
        }
        let Some(money) = self.money(row, Field::Amount)? else { return Err(format!("no amount; {REMEDY}")) };
        let sign_text = self.layout.text(&row.cells, if self.signs.types { Field::Type } else { Field::Sign });
        let has_column = self.signs.types || self.layout.has(Field::Sign);
        match (has_column, sign_of(&sign_text)) {
            (true, None) => Err(format!("“{sign_text}” is neither Cr nor Dr; {REMEDY}")),
            (true, Some(true)) if money.is_signed && money.amount.hundredths < 0 => Err(contradiction()),
            (true, Some(false)) if money.has_word && money.amount.hundredths > 0 => Err(contradiction()),
            (true, Some(true)) => Ok(money.amount),
            (true, Some(false)) => Ok(Amount { hundredths: -money.amount.hundredths.abs(), ..money.amount }),
            (false, _) if money.is_signed || self.signs.some_amounts => Ok(money.amount),
            (false, _) => {
                Err("the statement does not say which amounts are credits; download it with a column Dr/Cr, or with \
                               columns for debits and credits"
                    .to_owned())
            }
        }
    }

    fn balance(&self, row: &GridRow) -> Result<Option<i64>, String> {
        let Some(money) = self.money(row, Field::Balance)? else { return Ok(None) };
        let is_debit = sign_of(&self.layout.text(&row.cells, Field::BalanceSign)) == Some(false);
        let hundredths = money.amount.hundredths;
        Ok(Some(if is_debit { -hundredths.abs() } else { hundredths }))
    }
}

/// Whether a text has the parts of a date: an amount has not.
fn looks_like_day(text: &str) -> bool {
    let groups = text.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_grouped = text.contains(',') && text.contains('.');
    groups >= 3 && !is_grouped || groups == 2 && letters >= 3
}

/// Whether a spreadsheet has shown a long number as 5.12346E+11.
fn is_rounded(text: &str) -> bool {
    let text = text.to_lowercase();
    text.split_once("e+").is_some_and(|(digits, power)| {
        digits.ends_with(|c: char| c.is_ascii_digit()) && power.starts_with(|c: char| c.is_ascii_digit())
    })
}
