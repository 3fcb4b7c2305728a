//! Reads values of people's lists: years, lists of names, what is no value.

use std::borrow::Cow;

use jiff::civil::Date;

use super::cells::whole_number;
use super::date_words::is_and;
use super::dates::{Dates, Order, serial};
use festival_base::text::{is_missing, single_spaced, with_ascii_digits};

#[cfg(test)]
mod tests;

/// The first year of which there are films.
const FIRST_YEAR: i64 = 1880;

/// Whether a cell has neither a value nor a word that could be a title.
pub(super) fn is_blank(text: &str) -> bool {
    let is_empty = matches!(text, "" | "\\N" | "N/A" | "n/a" | "#N/A" | "NULL" | "null");
    is_empty || text.chars().all(|letter| matches!(letter, '-' | '–' | '—' | '−' | '_' | '.'))
}

/// Whether a cell shows an error of a spreadsheet program instead of its value, or that its column is too narrow for it.
pub(super) fn is_error(text: &str) -> bool {
    const NAMES: [&str; 16] = [
        "#REF!",
        "#VALUE!",
        "#NAME?",
        "#DIV/0!",
        "#NUM!",
        "#NULL!",
        "#DATA!",
        "#GETTING_DATA",
        "#SPILL!",
        "#CALC!",
        "#FIELD!",
        "#BLOCKED!",
        "#CONNECT!",
        "#BUSY!",
        "#UNKNOWN!",
        "#ERROR!",
    ];
    let code = text.strip_prefix("Err:");
    NAMES.contains(&text)
        || code.is_some_and(|code| code.len() == 3 && code.bytes().all(|digit| digit.is_ascii_digit()))
        || text.len() > 2 && text.bytes().all(|letter| letter == b'#')
}

/// A year, and whether its text is unambiguous: "c. 1975" and "1975-76" are read as 1975.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Year {
    pub(super) year: i64,
    pub(super) is_exact: bool,
}

/// Reads a year from 1880 to next year, also from a date. The error says what was expected.
pub(super) fn year(text: &str, this_year: i64) -> Result<Year, String> {
    let last = this_year + 1;
    let expected = || format!("one year from {FIRST_YEAR} to {last}, for instance {this_year}");
    let text = with_ascii_digits(text);
    let (text, is_exact) = without_dirt(&text);
    // A date whose cell lost its format.
    let serial = || serial(text).map(|moment| (i64::from(moment.year()), true));
    // "2,024", as a column of numbers shows it.
    let grouped = || Some((whole_number(text)?.parse().ok().filter(|_| text.len() == 5)?, true));
    let year = year_of(text).or_else(|| among_words(text)).or_else(serial).or_else(grouped);
    let (year, is_one) = year.ok_or_else(expected)?;
    if (FIRST_YEAR..=last).contains(&year) { Ok(Year { year, is_exact: is_exact && is_one }) } else { Err(expected()) }
}

/// Removes additions around a year; the flag is false if one of them means "about".
fn without_dirt(text: &str) -> (&str, bool) {
    // "2024[1]" has a reference.
    let reference = text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
    let text = reference.filter(|(_, number)| number.len() < 4).map_or(text, |(year, _)| year);
    let mut rest =
        text.strip_suffix(".0").or_else(|| text.strip_suffix(".00")).unwrap_or(text).trim_matches(|letter: char| {
            letter.is_whitespace() || matches!(letter, '.' | ',' | ';' | '(' | ')' | '[' | ']' | '©' | '℗' | '*')
        });
    for copyright in ["(c)", "(C)", "C)", "c)"] {
        rest = rest.strip_prefix(copyright).map_or(rest, str::trim_start);
    }
    for unit in ["年", "년", " г", "г"] {
        rest = rest.strip_suffix(unit).unwrap_or(rest);
    }
    let exact = without_about(rest);
    (exact, exact == rest.trim_end())
}

/// A text without a word for "about" before or after a number: "ca. 1975", "approx. 92 min", "92 minutes approx".
pub(super) fn without_about(text: &str) -> &str {
    const WORDS: [&str; 10] = ["approximately", "approx.", "approx", "about", "circa", "ca.", "ca ", "c.", "c ", "~"];
    let starts = |word: &&&str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if let Some(word) = WORDS.iter().find(starts) {
        return text[word.len()..].trim_start();
    }
    let spaced = [" approximately", " approx.", " approx"];
    spaced.iter().find_map(|word| text.strip_suffix(word)).unwrap_or(text).trim_end()
}

/// The only number of a text, if it is a year among words: `2024 (premiere)`, `Copyright 2024 Uma Films`. Another number may
/// be about another year.
fn among_words(text: &str) -> Option<(i64, bool)> {
    let is_gap = |letter: char| letter.is_whitespace() || "()[],;:.*©".contains(letter);
    let mut numbers = text.split(is_gap).filter(|word| word.contains(|letter: char| letter.is_ascii_digit()));
    let (year, _) = year_of(numbers.next()?).filter(|_| numbers.next().is_none())?;
    Some((year, false))
}

/// The year in a text, and whether it is the only one: `2025`, `2025-03`, `1975-76`, or a date: `1.3.2025`, `March 2025`.
fn year_of(text: &str) -> Option<(i64, bool)> {
    let number = |part: &str| part.parse::<i64>().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()));
    match text.split(['-', '/', '.', '–']).collect::<Vec<_>>()[..] {
        [year] if year.len() == 4 => return Some((number(year)?, true)),
        [first, second] if first.len() == 4 => {
            let (year, next) = (number(first)?, number(second)?);
            return match second.len() {
                4 if next == year + 1 => Some((year, false)),
                2 if next == (year + 1) % 100 => Some((year, false)),
                2 if (1..=12).contains(&next) => Some((year, true)),
                _ => None,
            };
        }
        _ => {}
    }
    // Any day, because only the year counts. A date without a year has none here.
    let dates = Dates { near: Date::constant(2000, 1, 1), order: Order::Likely };
    let day = dates.moment(text).or_else(|| dates.moment(&format!("1 {text}")))?.day;
    text.contains(&day.year().to_string()).then(|| (i64::from(day.year()), true))
}

/// Joins names by `, `, whatever separates them.
pub(super) fn names(text: &str) -> String {
    joined(split_names(text))
}

/// The names in a cell, whatever separates them. A slash between letters of short words belongs to a name: "M/s.", "c/o",
/// "24/7", "AC/DC".
pub fn split_names(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let mut names = Vec::new();
    let mut from = 0;
    while let Some(at) = rest[from..].find(['\n', ';', '|', '/', ',', '、', '，', '；']).map(|at| from + at) {
        let length = rest[at..].chars().next().map_or(1, char::len_utf8);
        let (before, after) = (&rest[..at], &rest[at + length..]);
        if rest[at..].starts_with('/') && is_in_name(before, after) {
            from = at + length;
            continue;
        }
        names.push(before);
        (rest, from) = (after, 0);
    }
    names.push(rest);
    names.into_iter()
}

/// Whether a slash belongs to a name: on both sides is a number, or a word of one or two Latin letters, or it ends one, as
/// in "w/ subtitles".
fn is_in_name(before: &str, after: &str) -> bool {
    let ends = |letter: char| !letter.is_alphanumeric();
    let left = before.rsplit(ends).next().unwrap_or_default();
    let right = after.split(ends).next().unwrap_or_default();
    let is_short = |word: &str| {
        word.is_ascii() && (1..=2).contains(&word.len())
            || word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty()
    };
    is_short(left) && (is_short(right) || right.is_empty())
}

/// The words that end names of firms after "and": "Ravi Varma and Sons".
const FIRMS: [&str; 9] =
    ["sons", "daughters", "brothers", "bros", "co", "company", "associates", "partners", "friends"];

/// Joins names of people by `, `: `and` and `&` separate them, too, but not "Joel and Ethan Coen", who share a surname, and
/// not "Ravi and Sons". "And" of another language separates whole names, because it is part of some: "Ortega y Gasset".
/// If people with a comma each are separated by semicolons or "&", the comma separates surname and first name.
pub fn people(text: &str) -> String {
    let has_surnames_first = text.contains([';', '&']) && surnames_first(text).is_some();
    let text = if has_surnames_first { Cow::Owned(surnames_last(text)) } else { Cow::Borrowed(text) };
    let mut people: Vec<String> = Vec::new();
    for part in split_names(&text) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let split = |ends: fn(&str) -> bool| {
            words.split(|word| ends(word)).filter(|name| !name.is_empty()).collect::<Vec<&[&str]>>()
        };
        let in_any_language = split(|word| is_sign_or_and(word) || is_and(word));
        let are_whole = in_any_language.iter().all(|name| name.len() > 1 || !is_latin(name[0]));
        let names = if are_whole { in_any_language } else { split(is_sign_or_and) };
        let is_whole = match names[..] {
            [[first], rest] if rest.len() > 1 => !is_suffix(first),
            // "Uma Rao and 3 others" names one person.
            [.., [.., last]] if last.eq_ignore_ascii_case("others") => true,
            [.., [last]] => FIRMS.contains(&last.trim_end_matches(['.', ',']).to_lowercase().as_str()),
            _ => false,
        };
        for name in if is_whole { vec![&words[..]] } else { names } {
            match people.last_mut().filter(|_| name.len() == 1 && is_suffix(name[0])) {
                Some(person) => person.extend([", ", name[0]]),
                None => people.push(name.join(" ")),
            }
        }
    }
    joined(people.iter().map(String::as_str))
}

/// Whether a word separates people in any list, in whatever letters.
fn is_sign_or_and(word: &str) -> bool {
    matches!(word, "&" | "+") || word.eq_ignore_ascii_case("and")
}

/// What stands behind a name and a comma: "Sammy Davis, Jr.".
const SUFFIXES: [&str; 8] = ["jr", "sr", "ii", "iii", "iv", "phd", "md", "esq"];

fn is_suffix(part: &str) -> bool {
    SUFFIXES.contains(&part.trim().trim_end_matches('.').to_lowercase().as_str())
}

/// The last and first names in a cell, if every name in it is written as "Last, First".
fn surnames_first(text: &str) -> Option<Vec<(&str, &str)>> {
    let is_name = |part: &str| !part.is_empty() && !part.contains(|letter: char| letter.is_ascii_digit());
    let is_one_word = |part: &str| part.split_whitespace().count() == 1;
    // "Uma Rao, Ravi Nair" are two people.
    let fits = |(last, first): &(&str, &str)| {
        !first.contains(',')
            && !is_suffix(first)
            && is_name(last.trim())
            && is_name(first.trim())
            && (is_one_word(last) || is_one_word(first))
    };
    let parts = text.split(['\n', ';', '|', '/', '&']).map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.split_once(',').filter(fits)).collect()
}

/// Whether all cells of a column, at least three, have names in the form "Last, First".
pub(super) fn are_surnames_first<'a>(cells: impl Iterator<Item = &'a str>) -> bool {
    let mut count = 0;
    for cell in cells.filter(|cell| !is_missing(cell.trim())) {
        if surnames_first(cell).is_none() {
            return false;
        }
        count += 1;
    }
    count > 2
}

/// Turns "Rao, Uma; Nair, Ravi" into "Uma Rao; Ravi Nair".
pub(super) fn surnames_last(text: &str) -> String {
    let names = surnames_first(text).unwrap_or_default();
    names.iter().map(|(last, first)| format!("{} {}", first.trim(), last.trim())).collect::<Vec<_>>().join("; ")
}

/// Joins the parts that are not empty by `, `, each of them once.
pub(super) fn joined<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in parts.map(single_spaced).filter(|part| !part.is_empty()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

/// The items of a list as databases and programs write it: `{us, gb}`, `['India', 'France']`; any other text as it is.
pub(super) fn without_brackets(text: &str) -> Cow<'_, str> {
    let within =
        [('{', '}'), ('[', ']')].into_iter().find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    match within {
        Some(items) if !items.contains(['{', '[', ':']) => {
            items.split(',').map(|item| item.trim().trim_matches(['"', '\''])).collect::<Vec<_>>().join(", ").into()
        }
        _ => text.into(),
    }
}

/// Whether at least half of the letters are Latin.
pub fn is_latin(text: &str) -> bool {
    let letters = || text.chars().filter(|letter| letter.is_alphabetic());
    let latin = letters().filter(|letter| *letter < '\u{250}' || ('\u{1e00}'..'\u{1f00}').contains(letter)).count();
    latin * 2 >= letters().count()
}
