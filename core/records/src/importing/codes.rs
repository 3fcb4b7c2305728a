//! Countries and languages as people and machines write them, by name or by ISO code.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::values::{joined, split_names};

#[cfg(test)]
mod tests;

/// By ISO 3166-1 code, with former countries that made films, and by the codes on cars: "D/A/CH".
pub(super) static COUNTRIES: LazyLock<Codes> = LazyLock::new(|| Codes::read(include_str!("countries.txt")));
/// By ISO 639-1 code, and ISO 639-3 code for languages of films.
static LANGUAGES: LazyLock<Codes> = LazyLock::new(|| Codes::read(include_str!("languages.txt")));

/// Names by code.
pub(super) struct Codes(HashMap<&'static str, &'static str>);

impl Codes {
    /// Reads lines like `ml mal: Malayalam`.
    fn read(lines: &'static str) -> Self {
        let lines = lines.lines().filter_map(|line| line.split_once(": "));
        Self(lines.flat_map(|(codes, name)| codes.split(' ').map(move |code| (code, name))).collect())
    }

    /// The name for a code in small or capital letters: "Ewe" is a language, "ewe" its code.
    fn name(&self, code: &str) -> Option<&'static str> {
        let is_code = (1..=3).contains(&code.len())
            && (code.bytes().all(|letter| letter.is_ascii_uppercase())
                || code.bytes().all(|letter| letter.is_ascii_lowercase()));
        let find = |spelling: String| self.0.get(spelling.as_str()).copied();
        is_code.then(|| find(code.to_ascii_uppercase()).or_else(|| find(code.to_ascii_lowercase())))?
    }

    /// Whether `text` is a code or a name.
    pub(super) fn knows(&self, text: &str) -> bool {
        self.name(text).is_some() || self.0.values().any(|name| name.eq_ignore_ascii_case(text))
    }

    /// Splits "India and France", "ml/en": where each part is known and the whole is not.
    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let marks = ["/", "&", " and ", "+", "-"];
        let mut splits = marks.iter().map(|mark| text.split(mark).map(str::trim).collect::<Vec<_>>());
        let split = splits.find(|parts| parts.len() > 1 && parts.iter().all(|part| self.knows(part)));
        split.filter(|_| !self.knows(text)).unwrap_or_else(|| vec![text.trim()])
    }

    /// Joins codes as their names, or texts as they are: "Oman, PE" is not a list of codes, "IT, FR" is.
    pub(super) fn joined(&self, parts: &[&str]) -> String {
        let names: Option<Vec<&str>> = parts.iter().map(|part| self.name(part)).collect();
        joined(names.as_deref().unwrap_or(parts).iter().copied())
    }
}

/// Joins the languages of a cell by `, `: `ml, en`, `Hindi | Tamil`. A lone "no" may answer whether there are any.
pub(super) fn languages(text: &str) -> String {
    // split_names leaves "ger/hi".
    let parts = split_names(text).flat_map(|part| LANGUAGES.split(part));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    if text.trim().eq_ignore_ascii_case("no") { text.to_owned() } else { LANGUAGES.joined(&parts) }
}

/// Names with a dash, which separates countries elsewhere.
const WITH_DASH: [&str; 2] = ["Congo - Kinshasa", "Congo - Brazzaville"];

/// Converts `IT,FR`, `🇫🇷 France`, `Peru- Venezuela` and `Canada / China` to names joined by `, `. Names keep their spelling.
pub(super) fn countries(text: &str) -> String {
    let mut text = text.replace(['–', '—'], "-");
    for name in WITH_DASH {
        text = text.replace(name, &name.replace(" - ", "\0"));
    }
    let text = text.replace("- ", "\n").replace(" -", "\n").replace('\0', " - ");
    let text = without_flags(&text);
    // "Spain & Portugal" are two, "Bosnia & Herzegovina" is one.
    let parts = text.split(['\n', ';', '|', '/', ',']).flat_map(|part| COUNTRIES.split(part));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    COUNTRIES.joined(&parts)
}

/// Removes flags next to names; flags alone become codes.
fn without_flags(text: &str) -> String {
    let indicator = |letter: char| ('\u{1f1e6}'..='\u{1f1ff}').contains(&letter);
    if !text.contains(indicator) {
        return text.to_owned();
    }
    if text.contains(char::is_alphabetic) {
        return text.replace(indicator, " ");
    }
    let code: Vec<char> = text
        .chars()
        .filter(|letter| indicator(*letter))
        .filter_map(|letter| char::from_u32(u32::from(letter) - 0x1f1e6 + u32::from('A')))
        .collect();
    code.chunks(2).map(|pair| pair.iter().collect::<String>()).collect::<Vec<_>>().join(",")
}
