//! Reads cells: cleaned text, missing values, years, lists of names.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::fields::{CATEGORY, NAME, ORIGINAL_TITLE};

/// The longest title, in characters; a longer one is a synopsis in the wrong column.
pub(super) const TITLE_LENGTH: usize = 300;
/// The first year of a film.
const FIRST_YEAR: i64 = 1880;

/// What people and databases write for a missing value, in lower case.
const MISSING: &[&str] =
    &["n/a", "#n/a", "na", "n.a.", "null", "none", "nil", "nan", "tba", "tbc", "tbd", "unknown", "?", "??"];

/// Cleans the text of a cell: NFC, no control or direction characters, no trailing spaces, at most one empty line.
/// The joiners of Indic scripts stay.
pub(super) fn clean(cell: &str) -> String {
    // Most cells need neither step; composing is the slowest part of an import.
    let composed = if cell.is_ascii() || is_nfc(cell) { Cow::Borrowed(cell) } else { Cow::Owned(cell.nfc().collect()) };
    let text: Cow<'_, str> =
        if composed.contains(is_invisible) { Cow::Owned(composed.replace(is_invisible, "")) } else { composed };
    let mut lines: Vec<String> = Vec::new();
    for line in text.split(['\n', '\r', '\u{2028}', '\u{2029}']) {
        let line = single_spaced(line);
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n").trim_end().to_owned()
}

/// Whether a character is an invisible disturbance: a control, the byte order mark, a change of direction.
pub(super) fn is_invisible(letter: char) -> bool {
    (letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
        || matches!(letter, '\u{feff}' | '\u{fffe}' | '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Joins cleaned text to one line.
pub(super) fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a cell has no value. A film may be called "None" or "Unknown", so fewer words count as missing in titles.
pub(super) fn is_missing(field: &str, text: &str) -> bool {
    let is_empty = matches!(text, "" | "\\N" | "N/A" | "n/a" | "#N/A" | "NULL" | "null");
    let is_dashes = text.chars().all(|letter| matches!(letter, '-' | '–' | '—' | '−' | '_' | '.'));
    is_empty
        || is_dashes
        || (![NAME, ORIGINAL_TITLE, CATEGORY].contains(&field) && MISSING.contains(&text.to_lowercase().as_str()))
}

/// Reads a year from 1880 to the next one, also that of a date. The error says what was expected.
pub(super) fn year(text: &str, this_year: i64) -> Result<i64, String> {
    let last = this_year + 1;
    let expected = || format!("one year from {FIRST_YEAR} to {last}, for instance {this_year}");
    let year = text.strip_suffix(".0").unwrap_or(text);
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let year = if year.len() == 4 && digits(year) {
        year
    } else {
        let date = year.split([' ', 'T']).next().unwrap_or(year);
        match date.split(['-', '/', '.']).collect::<Vec<_>>()[..] {
            [first, month, day] if [first, month, day].iter().all(|part| digits(part)) => {
                match (first.len(), day.len()) {
                    (4, 1..=2) => first,
                    (1..=2, 4) => day,
                    _ => return Err(expected()),
                }
            }
            _ => return Err(expected()),
        }
    };
    let year = year.parse().map_err(|_| expected())?;
    if (FIRST_YEAR..=last).contains(&year) { Ok(year) } else { Err(expected()) }
}

/// Joins names by `, `, whatever separated them.
pub(super) fn names(text: &str) -> String {
    joined(text.split(['\n', ';', '|', '/', ',']))
}

/// Joins names of people by `, `: `and` and `&` separate them, too.
pub(super) fn people(text: &str) -> String {
    let mut people: Vec<Vec<&str>> = Vec::new();
    for part in text.split(['\n', ';', '|', '/', ',']) {
        let words: Vec<&str> = part.split_whitespace().collect();
        people.extend(words.split(|word| *word == "&" || word.eq_ignore_ascii_case("and")).map(<[&str]>::to_vec));
    }
    let people: Vec<String> = people.iter().map(|words| words.join(" ")).collect();
    joined(people.iter().map(String::as_str))
}

/// Joins the parts that are not empty by `, `.
pub(super) fn joined<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    parts.map(single_spaced).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Whether at least half of the letters are Latin.
pub(super) fn is_latin(text: &str) -> bool {
    let letters = || text.chars().filter(|letter| letter.is_alphabetic());
    let latin = letters().filter(|letter| *letter < '\u{250}' || ('\u{1e00}'..'\u{1f00}').contains(letter)).count();
    latin * 2 >= letters().count()
}
