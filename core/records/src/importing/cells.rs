//! Converts the cells of people's lists to the form that fields parse.

use std::borrow::Cow;

use jiff::Timestamp;

use super::dates::Dates;
use super::likeness::header_words;
use super::times::Times;
use crate::entity::{Field, Kind};
use crate::html;
use festival_base::text::{Cleaning, clean, is_missing, trim, with_ascii_digits};

/// The text of a cell in the form that `field` parses: an Indian day as an ISO one, "₹ 1,00,000/-" as digits. A cell
/// that is not understood stays unchanged, so that the message about it quotes it. `dates` reads its days.
pub(super) fn canonical<'a>(field: &Field, cell: &'a str, dates: &Dates) -> Cow<'a, str> {
    let text = &*with_ascii_digits(trim(cell));
    let is_text = matches!(
        field.kind,
        Kind::Text { .. } | Kind::Lines { .. } | Kind::Html | Kind::AlternativeText | Kind::Reference(_) | Kind::Slug
    );
    if is_text || text.is_empty() {
        return cell.into();
    }
    if is_missing(text) {
        return "".into();
    }
    let read = match field.kind {
        Kind::Integer { .. } => whole_number(text),
        Kind::Flag => flag(text).map(str::to_owned),
        Kind::Choice(choices) => choice(text, choices).map(str::to_owned).or_else(|| time_choice(text, choices)),
        Kind::Date => dates.day(text).map(|day| day.to_string()),
        // A time with an offset is unambiguous and needs no interpretation.
        Kind::DateTime | Kind::LocalDateTime if text.parse::<Timestamp>().is_err() => {
            dates.date_time(text, field.ends).map(|time| time.to_string())
        }
        _ => None,
    };
    let read = read.or_else(|| (text != trim(cell)).then(|| text.to_owned()));
    read.map_or(cell.into(), Cow::Owned)
}

/// The valid values of `field`, as they are written in a spreadsheet, for messages.
pub(super) fn expectation(field: &Field) -> String {
    match field.kind {
        Kind::Date => "a day like 24/10/2025".to_owned(),
        Kind::DateTime | Kind::LocalDateTime => "a date and time like 24/10/2025 18:00".to_owned(),
        Kind::Choice(choices) => {
            let labels: Vec<&str> = choices.iter().map(|(_, label)| *label).collect();
            format!("one of: {}", labels.join(", "))
        }
        _ => field.expectation(),
    }
}

/// A cell without invisible characters, and without the markup that lists from web pages have: "Salt &amp; Wind".
pub(super) fn cleaned(cell: &str) -> String {
    let text = clean(cell, true, Cleaning::Compact).unwrap_or_default();
    let follows = |mark: &str, end: char, is_name: fn(&str) -> bool| {
        text.split(mark).skip(1).any(|rest| rest.split_once(end).is_some_and(|(name, _)| is_name(name)))
    };
    let names_letter = follows("&", ';', |name| {
        (2..10).contains(&name.len()) && name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'#')
    });
    // The heart of "Love </3" is no tag.
    let has_tag = || follows("</", '>', |name| name.starts_with(|letter: char| letter.is_ascii_alphabetic()));
    if !names_letter && !has_tag() {
        return text;
    }
    let text = html::plain_text(&text.replace("</p>", "</p>\n").replace("<br", "\n<br"), "");
    clean(&text, true, Cleaning::Compact).unwrap_or_default()
}

/// Whether a word is an e-mail address, perhaps in brackets.
pub(super) fn is_address(word: &str) -> bool {
    word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
}

/// Whether a character is neither visible nor expected: a control character or a direction mark.
pub(super) fn is_control(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')
        || matches!(letter, '\u{fffe}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text without the numbers of notes behind its words, as pages of encyclopedias have them: "Uma Rao[4]".
pub(super) fn without_references(text: &str) -> String {
    let mut parts = text.split('[');
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_number = |text: &str| (1..4).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
        match part.split_once(']').filter(|(number, _)| is_number(number)) {
            Some((_, after)) if rest.ends_with(char::is_alphanumeric) => rest.push_str(after),
            _ => rest.extend(["[", part]),
        }
    }
    rest
}

/// The digits of an amount with its currency and separators: ₹ 1,00,000/-, Rs. 5000.00, 12 500, Rs. 1.5 lakh.
pub(super) fn whole_number(text: &str) -> Option<String> {
    const LARGE: [(&str, f64); 4] = [("lakhs", 1e5), ("lakh", 1e5), ("crores", 1e7), ("crore", 1e7)];
    let lower = text.to_lowercase();
    let text = ["₹", "rs.", "rs", "inr"].iter().find_map(|sign| lower.strip_prefix(sign)).unwrap_or(&lower);
    let text = text.trim().trim_end_matches("/-").trim_end();
    if let Some((number, factor)) = LARGE.iter().find_map(|(name, factor)| Some((text.strip_suffix(name)?, factor))) {
        let amount = number.trim_end().parse::<f64>().ok()? * factor;
        return (amount >= 0.0 && (amount - amount.round()).abs() < 1e-3).then(|| amount.round().to_string());
    }
    let text = text.strip_suffix(".00").or_else(|| text.strip_suffix(".0")).unwrap_or(text);
    let groups: Vec<&str> = text.split([',', ' ', '\u{a0}', '\u{202f}', '\'']).collect();
    let (first, rest) = groups.split_first()?;
    let are_digits = groups.iter().all(|group| !group.is_empty() && group.chars().all(|c| c.is_ascii_digit()));
    let are_groups = match rest.split_last() {
        Some((last, between)) => {
            first.len() <= 3 && last.len() == 3 && between.iter().all(|group| matches!(group.len(), 2 | 3))
        }
        None => true,
    };
    (are_digits && are_groups).then(|| groups.concat())
}

/// The key of the only choice that matches in another spelling, in the singular or the plural: "Festival director".
fn choice(text: &str, choices: &[(&'static str, &str)]) -> Option<&'static str> {
    let words = header_words(text);
    let is_meant = |(key, label): &&(&str, &str)| words == header_words(key) || words == header_words(label);
    let mut fitting = choices.iter().filter(is_meant);
    let (key, _) = fitting.next()?;
    fitting.next().is_none().then_some(*key)
}

/// The time of day among the choices that a text names: 0:30:00 is 00:30.
fn time_choice(text: &str, choices: &[(&'static str, &str)]) -> Option<String> {
    let time = Times::default().time(text)?.strftime("%H:%M").to_string();
    choices.iter().any(|(key, _)| *key == time).then_some(time)
}

/// Reads marks for yes and no.
pub(super) fn flag(text: &str) -> Option<&'static str> {
    match text.to_lowercase().as_str() {
        "y" | "x" | "✓" | "✔" | "☑" => Some("yes"),
        "n" | "✗" | "✘" | "☐" => Some("no"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::super::dates::Order;
    use super::*;

    #[test]
    fn cells_are_read_as_people_write_them() {
        let number = Field::new("seats", "Seats", Kind::Integer { min: 0, max: 1_000_000 });
        let day = Field::new("day", "Day", Kind::Date);
        let from = Field::new("from", "From", Kind::DateTime);
        let until = from.until();
        let flag = Field::new("open", "Open", Kind::Flag);
        let text = Field::text("name", "Name");
        let roles = &[
            ("chairman", "Chairman"),
            ("festival-directors", "Festival Directors"),
            ("juror", "Juror"),
            ("jurors", "Jurors"),
        ];
        let closing_times = &[("23:00", "23:00"), ("00:00", "Midnight"), ("00:30", "00:30")];
        let role = Field::new("role", "Role", Kind::Choice(roles));
        let closing = Field::new("closing_time", "Closing time", Kind::Choice(closing_times));
        let expected = [
            (number, "₹ 1,00,000/-", "100000"),
            (number, "Rs. 5000.00", "5000"),
            (number, "12 500", "12500"),
            (number, "₹3,00,000 /-", "300000"),
            (number, "Rs. 1.5 lakh", "150000"),
            (number, "2 crores", "20000000"),
            (number, "1.234567 lakh", "1.234567 lakh"),
            (number, "300.0", "300"),
            (number, "൧൨൦", "120"),
            (number, "1,5", "1,5"),
            (number, "1.5", "1.5"),
            (number, "300 seats", "300 seats"),
            (number, " n/a ", ""),
            (day, "22/01/2027", "2027-01-22"),
            (day, "२२/०१/२०२७", "2027-01-22"),
            (day, "TBA", ""),
            (day, "soon", "soon"),
            (day, "12-13 December", "12-13 December"),
            (day, "22/01/2570", "22/01/2570"),
            (from, "22-01-2027", "2027-01-22T00:00:00"),
            (until, "22-01-2027", "2027-01-22T23:59:00"),
            (until, "22 Jan 6 pm", "2027-01-22T18:00:00"),
            (until, "22 Jan 24:00", "2027-01-23T00:00:00"),
            (from, "2027-01-22T18:00:00+05:30", "2027-01-22T18:00:00+05:30"),
            (from, "2027-01-22T18:00", "2027-01-22T18:00:00"),
            (flag, "✓", "yes"),
            (flag, "N", "no"),
            (flag, "maybe", "maybe"),
            (role, "Festival Director", "festival-directors"),
            (role, "CHAIRMAN", "chairman"),
            (role, "Volunteer", "Volunteer"),
            (role, "Jurors", "Jurors"),
            (closing, "0:30:00", "00:30"),
            (closing, "11 PM", "23:00"),
            (closing, "midnight", "00:00"),
            (closing, "0:45", "0:45"),
            (text, "n/a", "n/a"),
            (text, "22/01/2027", "22/01/2027"),
        ];
        let dates = Dates { near: date(2026, 11, 24), order: Order::Likely };
        for (field, cell, expected) in expected {
            assert_eq!(canonical(&field, cell, &dates), expected, "{cell} in {}", field.name);
        }
    }
}
