//! Names of countries and languages by their ISO codes.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::cells::{self, joined};

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
        self.name(text).is_some() || self.0.values().any(|name| *name == text)
    }

    /// Joins codes as their names, or texts as they are: "Oman, PE" is not a list of codes, "IT, FR" is.
    pub(super) fn joined(&self, parts: &[&str]) -> String {
        let names: Option<Vec<&str>> = parts.iter().map(|part| self.name(part)).collect();
        joined(names.as_deref().unwrap_or(parts).iter().copied())
    }
}

/// Joins the languages of a cell by `, `: `ml, en`, `Hindi | Tamil`. A lone "no" may answer whether there are any.
pub(super) fn languages(text: &str) -> String {
    // "ger/hi" are two codes.
    let split = |part: &'_ str| part.split('/').all(|code| LANGUAGES.knows(code.trim()));
    let parts = cells::split_names(text).flat_map(|part| part.split(if split(part) { '/' } else { '\n' }));
    let parts: Vec<&str> = parts.map(str::trim).filter(|part| !part.is_empty()).collect();
    if text.trim().eq_ignore_ascii_case("no") { text.to_owned() } else { LANGUAGES.joined(&parts) }
}
