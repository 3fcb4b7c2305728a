//! Statements that are no tables as rows of one, so that amounts, days and balances are read and checked in one place.

use festival_core::sheet::Row;
use jiff::civil::Date;

/// The header of the rows: [`row`] has their cells.
pub(super) fn header() -> Row {
    row(0, ["Date", "Value date", "Narration", "Reference", "Amount", "Balance"])
}

/// A row that says which account the rows below it belong to.
pub(super) fn account(number: &str) -> Row {
    let number: String = number.chars().filter(|letter| letter.is_alphanumeric()).collect();
    row(0, ["", "", &format!("Account no {number}"), "", "", ""])
}

/// A row with day, value day, narration, number, amount with its sign, and balance.
pub(super) fn row(line: u64, cells: [&str; 6]) -> Row {
    Row { line, cells: cells.into_iter().collect() }
}

/// An amount of a format that has decimals after a comma or a point, and no grouping.
pub(super) fn with_point(amount: &str) -> String {
    let amount = amount.trim().replace(',', ".");
    if amount.contains('.') { amount.trim_end_matches('0').to_owned() } else { amount }
}

/// The day of "20251026" as text; the digits if they are none.
pub(super) fn day(digits: &str) -> String {
    Date::strptime("%Y%m%d", digits).map_or_else(|_| digits.to_owned(), |day| day.to_string())
}
