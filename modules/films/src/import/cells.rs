//! Reads cells: years, lists of names, what is no value.

use std::borrow::Cow;

use festival_core::importing::dates;
use festival_core::text::{is_missing, single_spaced, with_ascii_digits};

/// The longest title, in characters; a longer one is a synopsis in the wrong column.
pub(super) const TITLE_LENGTH: usize = 300;
/// The first year of a film.
const FIRST_YEAR: i64 = 1880;

/// The id in an address of the Internet Movie Database, `tt0048473`; other texts as they are.
pub(super) fn imdb_id(text: &str) -> String {
    let id = text.split(|letter: char| !letter.is_ascii_alphanumeric()).find(|part| {
        let digits = part.strip_prefix("tt").unwrap_or_default();
        digits.len() >= 7 && digits.bytes().all(|digit| digit.is_ascii_digit())
    });
    id.map_or_else(|| single_spaced(text), str::to_owned)
}

/// Whether a cell has neither a value nor a word that could be a title.
pub(super) fn is_blank(text: &str) -> bool {
    let is_empty = matches!(text, "" | "\\N" | "N/A" | "n/a" | "#N/A" | "NULL" | "null");
    is_empty || text.chars().all(|letter| matches!(letter, '-' | '–' | '—' | '−' | '_' | '.'))
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
    let serial = || dates::serial(text).map(|moment| (i64::from(moment.year()), true));
    let (year, is_one) = year_of(text).or_else(|| before_remark(text)).or_else(serial).ok_or_else(expected)?;
    if (FIRST_YEAR..=last).contains(&year) { Ok(Year { year, is_exact: is_exact && is_one }) } else { Err(expected()) }
}

/// Removes additions around a year; the flag is false if one of them means "about".
fn without_dirt(text: &str) -> (&str, bool) {
    // "2024[1]" has a reference.
    let reference = text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
    let text = reference.filter(|(_, number)| number.len() < 4).map_or(text, |(year, _)| year);
    let mut rest =
        text.strip_suffix(".0").or_else(|| text.strip_suffix(".00")).unwrap_or(text).trim_matches(|letter: char| {
            letter.is_whitespace() || matches!(letter, '.' | ',' | ';' | '(' | ')' | '[' | ']' | '©')
        });
    for copyright in ["(c)", "(C)", "C)", "c)"] {
        rest = rest.strip_prefix(copyright).map_or(rest, str::trim_start);
    }
    for unit in ["年", "년", " г", "г"] {
        rest = rest.strip_suffix(unit).unwrap_or(rest);
    }
    for about in ["circa", "Circa", "ca.", "ca ", "Ca.", "c.", "C.", "c ", "~"] {
        if let Some(year) = rest.strip_prefix(about) {
            return (year.trim_start(), false);
        }
    }
    (rest, true)
}

/// The year before a remark: `2024 (premiere)`. A remark with a number may be about another year.
fn before_remark(text: &str) -> Option<(i64, bool)> {
    let (year, remark) = text.split_once(['(', '[', ',', ';'])?;
    let (year, _) = year_of(year.trim()).filter(|_| !remark.contains(|letter: char| letter.is_ascii_digit()))?;
    Some((year, false))
}

/// The year in a text, and whether it is the only one: `2025`, `2025-03-01`, `1.3.2025`, `March 2025`, `1975-76`.
fn year_of(text: &str) -> Option<(i64, bool)> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = |part: &str| part.parse::<i64>().ok().filter(|_| digits(part));
    let is_month = |part: &str| {
        let part = part.to_lowercase();
        part.len() > 2 && MONTHS.iter().any(|month| part.starts_with(month)) && part.chars().all(char::is_alphabetic)
    };
    let date = text.split([' ', 'T']).next().unwrap_or(text);
    match date.split(['-', '/', '.', '–']).collect::<Vec<_>>()[..] {
        [year] if year.len() == 4 && date.len() == text.len() => return Some((number(year)?, true)),
        [first, month, day] if [first, month, day].iter().all(|part| digits(part)) => {
            return match (first.len(), day.len()) {
                (4, 1..=2) => Some((number(first)?, true)),
                (1..=2, 4) => Some((number(day)?, true)),
                _ => None,
            };
        }
        [first, second] if first.len() == 4 && date.len() == text.len() => {
            let (year, second) = (number(first)?, number(second).map(|number| (number, second.len()))?);
            return match second {
                (next, 4) if next == year + 1 => Some((year, false)),
                (next, 2) if next == (year + 1) % 100 => Some((year, false)),
                (1..=12, 2) => Some((year, true)),
                _ => None,
            };
        }
        _ => {}
    }
    let parts: Vec<&str> = text.split([' ', ',', '-', '/', '.']).filter(|part| !part.is_empty()).collect();
    let years: Vec<&str> = parts.iter().copied().filter(|part| part.len() == 4 && digits(part)).collect();
    let is_day = |part: &str| part.len() <= 2 && number(part).is_some_and(|day| (1..=31).contains(&day));
    let others = || parts.iter().filter(|part| !years.contains(part));
    let is_date =
        others().all(|part| is_month(part) || is_day(part)) && others().filter(|part| is_month(part)).count() == 1;
    match years[..] {
        [year] if is_date => Some((number(year)?, true)),
        _ => None,
    }
}

/// Turns "Rain Road, The" into "The Rain Road", as titles are displayed.
pub(super) fn article_first(title: String) -> String {
    const ARTICLES: [&str; 14] =
        ["The", "An", "A", "Le", "La", "Les", "L'", "Der", "Das", "El", "Los", "Las", "Il", "Gli"];
    match title.rsplit_once(", ") {
        Some((rest, article)) if ARTICLES.contains(&article) && !rest.contains(", ") => {
            let space = if article.ends_with('\'') { "" } else { " " };
            format!("{article}{space}{rest}")
        }
        _ => title,
    }
}

/// Joins names by `, `, whatever separates them.
pub(super) fn names(text: &str) -> String {
    joined(split_names(text))
}

/// The names in a cell, whatever separates them. A slash between letters of short words belongs to a name: "M/s.", "c/o",
/// "24/7", "AC/DC".
pub(super) fn split_names(text: &str) -> impl Iterator<Item = &str> {
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

/// Whether a slash belongs to a name: next to it is a number, or a word of one or two Latin letters.
fn is_in_name(before: &str, after: &str) -> bool {
    let ends = |letter: char| !letter.is_alphanumeric();
    let left = before.rsplit(ends).next().unwrap_or_default();
    let right = after.split(ends).next().unwrap_or_default();
    let is_short = |word: &str| {
        word.is_ascii() && (1..=2).contains(&word.len())
            || word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty()
    };
    is_short(left) || is_short(right)
}

/// Joins names of people by `, `: `and` and `&` separate them, too, but not "Joel and Ethan Coen", who share a surname.
/// If people with a comma each are separated by semicolons or "&", the comma separates surname and first name.
pub(super) fn people(text: &str) -> String {
    let has_surnames_first = text.contains([';', '&']) && surnames_first(text).is_some();
    let text = if has_surnames_first { Cow::Owned(surnames_last(text)) } else { Cow::Borrowed(text) };
    let mut people: Vec<Vec<&str>> = Vec::new();
    for part in split_names(&text) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let names: Vec<&[&str]> = words
            .split(|word| *word == "&" || word.eq_ignore_ascii_case("and"))
            .filter(|name| !name.is_empty())
            .collect();
        match names[..] {
            [[_], whole] if whole.len() > 1 => people.push(words),
            _ => people.extend(names.into_iter().map(<[&str]>::to_vec)),
        }
    }
    let people: Vec<String> = people.iter().map(|words| words.join(" ")).collect();
    joined(people.iter().map(String::as_str))
}

/// The last and first names in a cell, if every name in it is written as "Last, First".
fn surnames_first(text: &str) -> Option<Vec<(&str, &str)>> {
    let is_name = |part: &str| !part.is_empty() && !part.contains(|letter: char| letter.is_ascii_digit());
    let is_one_word = |part: &str| part.split_whitespace().count() == 1;
    // "Uma Rao, Ravi Nair" are two people.
    let fits = |(last, first): &(&str, &str)| {
        !first.contains(',')
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
pub(super) fn is_latin(text: &str) -> bool {
    let letters = || text.chars().filter(|letter| letter.is_alphabetic());
    let latin = letters().filter(|letter| *letter < '\u{250}' || ('\u{1e00}'..'\u{1f00}').contains(letter)).count();
    latin * 2 >= letters().count()
}
