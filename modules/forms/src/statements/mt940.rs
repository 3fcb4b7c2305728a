//! MT940, the statement of SWIFT.

use std::sync::LazyLock;

use festival_core::sheet::Row;
use jiff::civil::Date;
use regex::Regex;

use super::grid;

/// Length of a line of the field 86 that is cut inside a word, and of a subfield of it.
const FULL_LINE: usize = 65;
const FULL_SUBFIELD: usize = 27;

/// A tag at the beginning of a line, such as ":60F:".
static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^:(\w{2,3}):(.*)$").ok());
/// "C251026INR1000,00".
static BALANCE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^([CD])\d{6}([A-Z]{3})([\d,]+)").ok());
/// "2510261026C5000,00NTRFREFERENCE//BANKREFERENCE": days, reversal and direction, perhaps the third letter of the
/// currency, amount, kind, references.
static ENTRY: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(\d{6})(\d{4})?(R?)E?([CD])[A-Za-z]*([\d,]+)(?:\D.{3})?(.*)$").ok());

/// The groups of a text that matches.
fn groups<'t, const N: usize>(pattern: &Option<Regex>, text: &'t str) -> Option<[&'t str; N]> {
    let captures = pattern.as_ref()?.captures(text)?;
    Some(std::array::from_fn(|index| captures.get(index + 1).map_or("", |group| group.as_str())))
}

/// Whether a text is one: the first fields of a statement are the reference and the account.
pub(super) fn is_one(text: &str) -> bool {
    let has = |tag: &str| text.lines().any(|line| line.trim_start().starts_with(tag));
    has(":20:") && (has(":60F:") || has(":60M:")) && has(":61:")
}

/// Returns the lines of all statements of a file as rows of a table. The entry date is the day, without it the value date.
pub(super) fn rows(text: &str) -> Vec<Row> {
    let mut fields: Vec<(u64, &str, Vec<&str>)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_end();
        match groups(&TAG, line) {
            Some([tag, rest]) => fields.push((number, tag, vec![rest])),
            None if line.starts_with('-') || line.starts_with('{') => {}
            None => fields.iter_mut().last().into_iter().for_each(|(.., lines)| lines.push(line)),
        }
    }
    let mut rows = vec![grid::header()];
    let mut currency = "INR";
    for (index, (line, tag, lines)) in fields.iter().enumerate() {
        let text = fields.get(index + 1).filter(|(_, tag, _)| *tag == "86").map(|(.., lines)| narration(lines));
        let label = if tag.starts_with("60") { "Opening balance" } else { "Closing balance" };
        match (*tag, groups(&BALANCE, lines[0])) {
            ("60F" | "60M" | "62F" | "62M", Some([mark, code, amount])) => {
                currency = code;
                let balance = format!("{code} {} {mark}r", grid::with_point(amount));
                rows.push(grid::row(*line, ["", "", label, "", "", &balance]));
            }
            ("25" | "25P", _) => rows.push(grid::account(lines[0])),
            ("61", _) => rows.push(entry_row(*line, lines, currency, text)),
            _ => {}
        }
    }
    rows
}

/// Reads an entry and the line below it; `narration` is that of the field behind it.
fn entry_row(line: u64, lines: &[&str], currency: &str, narration: Option<String>) -> Row {
    let Some([value_day, booked, reversal, mark, amount, references]) = groups(&ENTRY, lines[0]) else {
        return grid::row(line, ["", "", "", "", lines[0], ""]); // An amount beside no date.
    };
    let value_day = grid::day(&format!("20{value_day}"));
    let near: Option<Date> = value_day.parse().ok();
    // Without a year: that of the value date, but the turn of a year may lie between them.
    let years = near.into_iter().flat_map(|near| near.year() - 1..=near.year() + 1);
    let days = years.filter_map(|year| grid::day(&format!("{year}{booked}")).parse::<Date>().ok());
    let booked = days.min_by_key(|day| near.map(|near| (*day - near).get_days().abs())).map(|day| day.to_string());
    let direction = if (mark == "C") == reversal.is_empty() { "Cr" } else { "Dr" };
    let (own, of_bank) = references.split_once("//").unwrap_or((references, ""));
    let numbers = [own, of_bank].into_iter().chain(lines[1..].iter().copied()).map(str::trim);
    let number = numbers.filter(|text| !text.is_empty() && *text != "NONREF").collect::<Vec<_>>().join(" ");
    let amount = format!("{currency} {} {direction}", grid::with_point(amount));
    let (day, narration) = (booked.as_ref().unwrap_or(&value_day), narration.as_ref().unwrap_or(&number));
    grid::row(line, [day, &value_day, narration, &number, &amount, ""])
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
        return text;
    }
    let mut joined = String::new();
    let mut is_full = true;
    for part in text.split('?').skip(1) {
        let digits = part.bytes().take(2).filter(u8::is_ascii_digit).count();
        let (code, words) = if digits == 2 { part.split_at(2) } else { ("", part) };
        // Purpose and name; other subfields are codes and accounts.
        if !(code.is_empty() || code.starts_with('2') || matches!(code, "32" | "33" | "60" | "61" | "62" | "63")) {
            continue;
        }
        if !is_full {
            joined.push(' ');
        }
        joined.push_str(words);
        is_full = words.chars().count() == FULL_SUBFIELD;
    }
    joined
}
