//! Lines of a statement from the rows of a table.

use festival_core::importing::dates::{Dates, Order};
use festival_core::sheet::Row;
use festival_core::text::is_missing;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::layout::{Assigned, Field, Layout};
use super::statement::{BankLine, Statement};
use super::vocabulary;
use crate::amount::Amount;

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
pub(super) fn read(rows: &[Row], assigned: &Assigned, today: Date) -> Result<Statement, String> {
    let layout = Layout::find(rows, assigned).ok_or(
        "no row has the headers of a statement: a date, a narration, and debit and credit or an amount; assign the columns \
         with --map \"HEADER=FIELD\"",
    )?;
    let (above, rows) = rows.split_at(layout.below);
    if are_exchanged(rows.iter().map(|row| layout.text(row, Field::Day))) {
        return Err(
            "a spreadsheet program has taken some days for months, and the others for texts; download the statement \
                    again, and import it before any program opens it"
                .to_owned(),
        );
    }
    // The day is first, unless a cell proves that it is not.
    let days: Vec<String> = rows.iter().map(|row| layout.text(row, Field::Day)).collect();
    let order = Order::of_column(days.iter().map(String::as_str), (Date::MIN, Date::MAX));
    let mut reader = TableReader {
        signs: Signs::find(rows, &layout),
        // A day without a year is one of the past.
        dates: Dates { near: today.saturating_sub(6.months()), order: order.unwrap_or(Order::DayFirst) },
        today,
        has_serials: false,
        layout,
        summaries: vocabulary::section("summaries"),
        footers: vocabulary::section("footers"),
        undone: vocabulary::section("undone"),
        currency: foreign_currency(above),
        statement: Statement::default(),
        account: None,
        is_open: true,
        is_summary: false,
    };
    reader.has_serials = !rows.iter().any(|row| reader.day(&reader.layout.text(row, Field::Day)).is_some());
    above.iter().for_each(|row| reader.account(&joined(row)));
    rows.iter().for_each(|row| reader.row(row));
    if reader.statement.lines.is_empty() && reader.statement.problems.is_empty() {
        return Err("the statement has no transaction below its header; choose a period with transactions".to_owned());
    }
    reader.statement.check_balances();
    Ok(reader.statement)
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
    fn find(rows: &[Row], layout: &Layout) -> Self {
        let amounts = |field| {
            let cells = rows.iter().map(move |row| layout.text(row, field));
            cells.filter_map(|cell| Amount::read_signed(&cell)).filter(|(amount, _)| amount.hundredths != 0)
        };
        let mut types = rows.iter().map(|row| layout.text(row, Field::Type)).filter(|cell| !cell.is_empty()).peekable();
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
    today: Date,
    /// Days are numbers, which is what a workbook's dates are without their format.
    has_serials: bool,
    layout: Layout,
    /// Beginnings of rows with sums, and of texts below the lines.
    summaries: Vec<&'static str>,
    footers: Vec<&'static str>,
    /// Beginnings of the states of payments that moved no money.
    undone: Vec<&'static str>,
    /// The foreign currency of the account, or "".
    currency: &'static str,
    statement: Statement,
    /// The account that the rows belong to, where the statement says it.
    account: Option<String>,
    /// The next row may continue the narration of the last.
    is_open: bool,
    /// Below a heading of sums.
    is_summary: bool,
}

impl TableReader {
    fn row(&mut self, row: &Row) {
        if self.layout.is_repeated(row) {
            self.is_open = true;
            return;
        }
        let text = |field| self.layout.text(row, field);
        let (day_text, narration) = (text(Field::Day), text(Field::Narration).to_lowercase());
        let has_money = [Field::Debit, Field::Credit, Field::Amount].into_iter().any(|field| !is_missing(&text(field)));
        let all = joined(row);
        let starts = |list: &[&str], text: &str| list.iter().any(|start| text.starts_with(start));
        let is_summary = starts(&self.summaries, &narration) || starts(&self.summaries, &all);
        let is_footer = !has_money && (starts(&self.footers, &all) || all.contains("computer generated"));
        let day = self.day(&day_text).filter(|_| !is_footer);
        let is_nothing_else = narration.contains(" bal") || self.summaries.contains(&&*narration);
        if is_summary && (day.is_none() || !has_money || is_nothing_else) {
            return self.summary(row, &all);
        }
        match day {
            Some(day) => self.transaction(row, day, has_money),
            None if is_footer => self.is_open = false,
            None if !has_money || !all.contains(|c: char| c.is_ascii_digit()) => {
                self.account(&all);
                self.continuation(row);
            }
            None if self.is_summary && !looks_like_day(&day_text) => {}
            None => {
                let is_empty = day_text.is_empty();
                let day = if is_empty { "no date".into() } else { format!("“{day_text}”, which is no date") };
                self.is_open = false;
                self.statement.problem(row.line, format!("an amount beside {day}; {REMEDY}"));
            }
        }
    }

    /// Reads a day. Banks write hours from 0 to 23 beside AM and PM, too, and more: "15/11/2026 00:10:12 AM", "10:12:11 IST",
    /// "15-Nov-26 (16-Nov-26)".
    fn day(&self, text: &str) -> Option<Date> {
        let without_rest = text.split('(').next().unwrap_or_default().trim_end_matches(|c: char| !c.is_ascii_digit());
        let moment = self.dates.moment(text).or_else(|| self.dates.moment(without_rest));
        // "Oct-25" may be a month.
        let may_be_month = text.starts_with(char::is_alphabetic) && numbers_in(text) == 1;
        let is_day = (self.has_serials || looks_like_day(text)) && !may_be_month;
        moment.map(|moment| moment.day).filter(|_| is_day)
    }

    /// Reads which account the next rows belong to: "Account No: 012345". Balances of two accounts do not follow. What a
    /// list has above its first header is not known, so that the first account below it may be another one.
    fn account(&mut self, row: &str) {
        let after = ["account no", "account number", "a/c no"].iter().find_map(|start| row.strip_prefix(start));
        let mut words = after.into_iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        let Some(number) = words.find(|word| word.contains(|c: char| c.is_ascii_digit())) else { return };
        let before = self.account.replace(number.to_owned());
        if before.as_deref() != Some(number) && !self.statement.lines.is_empty() {
            self.statement.check_balances();
        }
    }

    fn summary(&mut self, row: &Row, all: &str) {
        let balance = self.balance(row).ok().flatten();
        let is_opening = ["opening", "b/f", "brought"].iter().any(|word| all.contains(word));
        let is_first = is_opening && self.statement.lines.len() == self.statement.checked;
        (self.is_open, self.is_summary) = (false, self.is_summary || !is_first);
        if is_first {
            self.statement.opening = self.statement.opening.or(balance);
        } else if all.contains("closing") {
            self.statement.closing = balance;
        }
    }

    /// A row without day and amounts: more of the narration above it, or a text of the page.
    fn continuation(&mut self, row: &Row) {
        let columns = self.layout.columns.iter().copied().chain(std::iter::repeat(None));
        let is_more = |field| matches!(field, Some(Field::Narration | Field::Number));
        let is_text = row.cells.iter().zip(columns).all(|(cell, field)| cell.is_empty() || is_more(field));
        let [more, number] = [Field::Narration, Field::Number].map(|field| self.layout.text(row, field));
        match self.statement.lines.last_mut().filter(|_| self.is_open && is_text) {
            Some(line) => {
                line.narration = format!("{} {more}", line.narration).trim().to_owned();
                line.number = format!("{} {number}", line.number).trim().to_owned();
            }
            None => self.is_open = false,
        }
    }

    fn transaction(&mut self, row: &Row, day: Date, has_money: bool) {
        (self.is_open, self.is_summary) = (false, false);
        if !has_money {
            return self.statement.problem(row.line, format!("a date and no amount; {REMEDY}"));
        }
        // Nobody knows which cell a comma has divided.
        if row.cells.iter().skip(self.layout.width).any(|cell| Amount::read_signed(cell).is_some()) {
            return self.statement.problem(row.line, format!("more cells than the header has; {REMEDY}"));
        }
        if self.today.tomorrow().is_ok_and(|tomorrow| day > tomorrow) {
            return self.statement.problem(row.line, format!("{day} is still to come; {REMEDY}"));
        }
        let status = self.layout.text(row, Field::Status).to_lowercase();
        if self.undone.iter().any(|start| status.starts_with(start)) {
            return self.statement.note(row.line, format!("is “{status}” and was left out"));
        }
        let (amount, balance) = match (self.amount(row), self.balance(row)) {
            (Ok(amount), Ok(balance)) => (amount, balance),
            (Err(problem), _) | (_, Err(problem)) => return self.statement.problem(row.line, problem),
        };
        if amount.hundredths == 0 {
            return self.statement.note(row.line, "moves no money and was left out");
        }
        let [narration, mut number] = [Field::Narration, Field::Number].map(|field| self.layout.text(row, field));
        if let Some(rounded) = [&number, &narration].into_iter().find_map(|text| rounded(text)) {
            let text = format!(
                "the number {rounded} was rounded by a spreadsheet and is not used; download the statement again"
            );
            self.statement.note(row.line, text);
        }
        if rounded(&number).is_some() {
            number.clear();
        }
        self.is_open = true;
        self.statement.lines.push(BankLine {
            line: row.line,
            day,
            value_day: self.day(&self.layout.text(row, Field::ValueDay)),
            narration,
            number,
            amount,
            balance,
        });
    }

    /// Reads the cell of an amount; `None` without one.
    fn money(&self, row: &Row, field: Field) -> Result<Option<Money>, String> {
        let cell = self.layout.text(row, field);
        if is_missing(&cell) {
            return Ok(None);
        }
        let currency = Some(self.layout.text(row, Field::Currency)).filter(|currency| !currency.is_empty());
        let text = format!("{} {cell}", currency.as_deref().unwrap_or(self.currency));
        let (amount, is_signed) =
            Amount::read_signed(&text).ok_or_else(|| format!("“{}” is no amount; {REMEDY}", text.trim()))?;
        let has_word = is_signed && ["d", "cr"].iter().any(|word| cell.to_lowercase().contains(word));
        Ok(Some(Money { amount, is_signed, has_word }))
    }

    fn amount(&self, row: &Row) -> Result<Amount, String> {
        let contradiction = || format!("the signs of the amount contradict each other; {REMEDY}");
        let negative = |amount: Amount| Amount { hundredths: -amount.hundredths, ..amount };
        if self.layout.has(Field::Credit) && (self.layout.has(Field::Debit) || !self.layout.has(Field::Amount)) {
            let filled = |money: Option<Money>| money.filter(|money| money.amount.hundredths != 0);
            let debit = filled(self.money(row, Field::Debit)?);
            return match (debit, filled(self.money(row, Field::Credit)?)) {
                (Some(_), Some(_)) => Err(format!("both a debit and a credit; {REMEDY}")),
                (None, Some(credit)) if credit.has_word && credit.amount.hundredths < 0 => Err(contradiction()),
                (None, credit) => Ok(credit.map_or(Amount::rupees(0), |credit| credit.amount)),
                (Some(debit), None) if debit.has_word && debit.amount.hundredths > 0 => Err(contradiction()),
                (Some(debit), None) if debit.has_word || self.signs.negative_debits => Ok(debit.amount),
                // A negative debit among others is one that was taken back.
                (Some(debit), None) => Ok(negative(debit.amount)),
            };
        }
        let Some(money) = self.money(row, Field::Amount)? else { return Err(format!("no amount; {REMEDY}")) };
        let sign_text = self.layout.text(row, if self.signs.types { Field::Type } else { Field::Sign });
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
                     columns for debits and credits, or assign the column to the field credit if all of it came in"
                    .to_owned())
            }
        }
    }

    fn balance(&self, row: &Row) -> Result<Option<i64>, String> {
        let Some(money) = self.money(row, Field::Balance)? else { return Ok(None) };
        let is_debit = sign_of(&self.layout.text(row, Field::BalanceSign)) == Some(false);
        let hundredths = money.amount.hundredths;
        Ok(Some(if is_debit { -hundredths.abs() } else { hundredths }))
    }
}

/// The text of a row in lower case.
fn joined(row: &Row) -> String {
    row.cells.iter().collect::<Vec<_>>().join(" ").trim().to_lowercase()
}

/// The foreign currency that the header of a statement names, "Debit (USD)", or a line above it: "Currency: USD".
fn foreign_currency(above: &[Row]) -> &'static str {
    let codes = vocabulary::section("foreign currencies");
    let named = |(index, row): (usize, &Row)| {
        let text = joined(row);
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let may_name = (index == 0 || text.contains("currency")) && !words.contains(&"inr");
        codes.iter().copied().find(|code| may_name && words.contains(code))
    };
    above.iter().rev().enumerate().find_map(named).unwrap_or_default()
}

/// How many numbers are in a text.
fn numbers_in(text: &str) -> usize {
    text.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).count()
}

/// Whether a text has the parts of a date: an amount has not.
fn looks_like_day(text: &str) -> bool {
    let groups = numbers_in(text);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_grouped = text.contains(',') && text.contains('.');
    groups >= 3 && !is_grouped || groups == 2 && letters >= 3
}

/// Whether a program that reads 11/10/2026 as 10 November has opened the list: it made dates of all days up to the 12th,
/// and left the others as texts.
fn are_exchanged(days: impl Iterator<Item = String>) -> bool {
    let (mut dates, mut texts) = (Vec::new(), Vec::new());
    for text in days {
        let date = text.get(..10).and_then(|text| text.parse::<Date>().ok());
        let first = || text.split(['/', '-']).next().and_then(|first| first.parse::<i8>().ok());
        match date {
            Some(date) => dates.push(date.day()),
            None if looks_like_day(&text) => texts.extend(first()),
            None => {}
        }
    }
    !dates.is_empty() && !texts.is_empty() && dates.iter().all(|day| *day <= 12) && texts.iter().all(|day| *day > 12)
}

/// A long number that a spreadsheet has shown as 5.12346E+11.
fn rounded(text: &str) -> Option<&str> {
    let is_digit = |c: char| c.is_ascii_digit();
    text.split(|c: char| !c.is_ascii_alphanumeric() && !"+.".contains(c)).find(|word| {
        let word = word.to_ascii_lowercase();
        word.split_once("e+").is_some_and(|(digits, power)| digits.ends_with(is_digit) && power.starts_with(is_digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_without_a_year_are_of_the_months_before() {
        let rows = [["Date", "Narration", "Amount"], ["28 Dec", "a", "1 Cr"], ["2 Jan", "b", "1 Cr"]];
        let rows = rows.map(|cells| Row { line: 1, cells: cells.into_iter().collect() });
        let today = Date::constant(2026, 11, 30);
        let days =
            read(&rows, &Assigned::new(), today).map(|it| it.lines.iter().map(|line| line.day).collect::<Vec<_>>());
        assert_eq!(days, Ok(vec![Date::constant(2025, 12, 28), Date::constant(2026, 1, 2)]));
    }
}
