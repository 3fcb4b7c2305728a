//! MT940, the statement of SWIFT.

use jiff::civil::Date;

use super::statement::{BankLine, Statement, decimal};
use crate::amount::{Amount, Currency};

/// Length of a line of the field 86 that is cut inside a word, and of a subfield of it.
const FULL_LINE: usize = 65;
const FULL_SUBFIELD: usize = 27;

/// Whether a text is one: the first fields of a statement are the reference and the account.
pub(super) fn is_one(text: &str) -> bool {
    let has = |tag: &str| text.lines().any(|line| line.trim_start().starts_with(tag));
    has(":20:") && (has(":60F:") || has(":60M:")) && has(":61:")
}

/// Reads the lines of all statements of a file. The entry date is the day, without it the value date.
pub(super) fn read(text: &str) -> Statement {
    let mut statement = Statement::default();
    let mut currency = Ok(Currency::Rupees);
    let mut fields: Vec<(u64, &str, Vec<&str>)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_end();
        let tag = line
            .strip_prefix(':')
            .and_then(|rest| rest.split_once(':'))
            .filter(|(tag, _)| (2..=3).contains(&tag.len()));
        match tag {
            Some((tag, rest)) => fields.push((number, tag, vec![rest])),
            None if line.starts_with('-') || line.starts_with('{') => {}
            None => fields.iter_mut().last().into_iter().for_each(|(.., lines)| lines.push(line)),
        }
    }
    let mut last_is_line = false;
    for (line, tag, lines) in fields {
        match tag {
            "60F" | "60M" => {
                let balance = balance(lines[0]);
                currency = balance.as_ref().map_or(Ok(Currency::Rupees), |(code, _)| currency_of(code));
                if statement.lines.is_empty() {
                    statement.opening = balance.map(|(_, balance)| balance);
                }
            }
            "62F" | "62M" => statement.closing = balance(lines[0]).map(|(_, balance)| balance),
            "61" => {
                let read = currency.clone().and_then(|currency| transaction(line, &lines, currency));
                last_is_line = read.is_ok();
                match read {
                    Ok(found) => statement.lines.push(found),
                    Err(problem) => statement.problem(line, problem),
                }
            }
            "86" if last_is_line => {
                let text = narration(&lines);
                statement.lines.iter_mut().last().into_iter().for_each(|line| line.narration.clone_from(&text));
                last_is_line = false;
            }
            _ => {}
        }
    }
    statement.check_balances();
    statement
}

/// The currency of an account with this code.
pub(super) fn currency_of(code: &str) -> Result<Currency, String> {
    match code {
        "INR" => Ok(Currency::Rupees),
        "USD" => Ok(Currency::Dollars),
        _ => Err(format!("amounts in {code} are not supported; import the statement of the account in rupees")),
    }
}

/// Reads "C251026INR1000,00": the currency, and the amount with its sign.
fn balance(text: &str) -> Option<(&str, i64)> {
    let (mark, rest) = text.split_at_checked(1)?;
    let (code, amount) = (rest.get(6..9)?, decimal(rest.get(9..)?)?);
    Some((code, if mark == "D" { -amount } else { amount }))
}

/// Reads "2510261026C5000,00NTRFREFERENCE//BANKREFERENCE" and the line below it.
fn transaction(line: u64, lines: &[&str], currency: Currency) -> Result<BankLine, String> {
    let text = lines[0];
    let broken = || format!("“{text}” is no transaction of MT940; download the statement again");
    let two = |at: usize| text.get(at..at + 2).and_then(|digits| digits.parse::<i8>().ok());
    let (Some(year), Some(month), Some(day)) = (two(0), two(2), two(4)) else { return Err(broken()) };
    let value_day = Date::new(2000 + i16::from(year), month, day).map_err(|_| broken())?;
    let (booked, rest) = match (two(6), two(8)) {
        (Some(month), Some(day)) => {
            // Without a year: that of the value date, but the turn of a year may lie between them.
            let years = [value_day.year() - 1, value_day.year(), value_day.year() + 1];
            let days = years.into_iter().filter_map(|year| Date::new(year, month, day).ok());
            (days.min_by_key(|day| (*day - value_day).get_days().abs()), text.get(10..).unwrap_or_default())
        }
        _ => (None, text.get(6..).unwrap_or_default()),
    };
    let (is_reversal, rest) = rest.strip_prefix('R').map_or((false, rest), |rest| (true, rest));
    let rest = rest.strip_prefix('E').unwrap_or(rest);
    let (is_credit, rest) = match (rest.strip_prefix('C'), rest.strip_prefix('D')) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return Err(broken()),
    };
    // The third letter of the currency may stand in front of the amount.
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(rest.len());
    let hundredths = decimal(&rest[..end]).ok_or_else(broken)?;
    let (_, references) = rest[end..].split_at_checked(4).unwrap_or_default();
    let (own, of_bank) = references.split_once("//").unwrap_or((references, ""));
    let numbers = [own, of_bank].into_iter().chain(lines[1..].iter().copied());
    let number =
        numbers.map(str::trim).filter(|text| !text.is_empty() && *text != "NONREF").collect::<Vec<_>>().join(" ");
    Ok(BankLine {
        line,
        day: booked.unwrap_or(value_day),
        value_day: Some(value_day),
        narration: number.clone(),
        number,
        amount: Amount { hundredths: if is_credit == is_reversal { -hundredths } else { hundredths }, currency },
        balance: None,
    })
}

/// Joins the lines of the field 86, and its subfields ("?20"): a part that is full is cut inside a word.
fn narration(lines: &[&str]) -> String {
    let mut text = lines[0].to_owned();
    for pair in lines.windows(2) {
        if pair[0].chars().count() < FULL_LINE && !pair[1].starts_with('?') {
            text.push(' ');
        }
        text.push_str(pair[1]);
    }
    if !text.contains('?') {
        return super::statement::one_line(&text);
    }
    let mut joined = String::new();
    let mut is_full = false;
    for (index, part) in text.split('?').enumerate() {
        let digits = part.bytes().take(2).filter(u8::is_ascii_digit).count();
        let (code, words) = if index > 0 && digits == 2 { part.split_at(2) } else { ("", part) };
        // Purpose and name; other subfields are codes and accounts.
        let is_text = matches!(code, "32" | "33") || code.starts_with('2') || matches!(code, "60" | "61" | "62" | "63");
        if index == 0 || !(is_text || code.is_empty()) {
            continue;
        }
        if !is_full && !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(words);
        is_full = words.chars().count() == FULL_SUBFIELD;
    }
    super::statement::one_line(&joined)
}
