//! What a header means: folded, then looked up among the synonyms.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::Field;
use super::synonyms::{BARE_NAME, FIELDS, LANGUAGES, NOISE, PERSONAL, PERSONAL_PARTS, TITLE};

/// What a column is called after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A field; of two columns for one field the lower rank wins.
    Field { field: Field, rank: usize },
    /// Data of a person.
    Personal,
    /// Nothing we know.
    Unknown,
}

/// Every known header, folded.
static MEANINGS: LazyLock<HashMap<String, Meaning>> = LazyLock::new(|| {
    let fields = FIELDS.iter().flat_map(|(field, synonyms)| {
        let ranked = synonyms.split(',').enumerate();
        ranked.map(|(rank, header)| (fold_header(header), Meaning::Field { field: *field, rank }))
    });
    let personal = PERSONAL.split(',').map(|header| (fold_header(header), Meaning::Personal));
    let mut meanings = HashMap::new();
    for (header, meaning) in fields.chain(personal) {
        meanings.entry(header).or_insert(meaning);
    }
    meanings
});

/// Words of a header: lower case, no accents, no plural, no "(s)", nothing but letters and digits.
fn words(header: &str) -> Vec<String> {
    let plain: String = header
        .nfd()
        .filter(|letter| !('\u{300}'..='\u{36f}').contains(letter))
        .flat_map(char::to_lowercase)
        .collect::<String>()
        .replace("(s)", "");
    let words: Vec<String> =
        plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(singular).collect();
    let telling: Vec<String> = words.iter().filter(|word| !holds(NOISE, word)).cloned().collect();
    if telling.is_empty() { words } else { telling }
}

fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 2 => format!("{stem}y"),
        _ if word.len() > 3 && !word.ends_with("ss") => word.strip_suffix('s').unwrap_or(word).to_owned(),
        _ => word.to_owned(),
    }
}

/// A header in the form in which two spellings of it are equal: `Run time`, `run_time` and `RUNTIME` are.
pub(super) fn fold_header(header: &str) -> String {
    words(header).concat()
}

/// What a header means.
pub(super) fn meaning(header: &str) -> Meaning {
    let words = words(header);
    if words.iter().any(|word| holds(PERSONAL_PARTS, word)) {
        return Meaning::Personal;
    }
    if let Some(known) = MEANINGS.get(&words.concat()) {
        return *known;
    }
    match &words[..] {
        // "Kannada Title", "Title (Kannada)"; after every spelled-out original title.
        [first, second] if is_language(first) && is_title(second) || is_title(first) && is_language(second) => {
            Meaning::Field { field: Field::OriginalTitle, rank: usize::MAX }
        }
        _ => Meaning::Unknown,
    }
}

/// Is this the header of the English title, so that a plain title beside it is the original one?
pub(super) fn is_english_title(header: &str) -> bool {
    matches!(&words(header)[..], [first, second]
        if first == "english" && is_title(second) || is_title(first) && second == "english")
}

/// Is this a header that may name anything, not only a film?
pub(super) fn is_bare_name(header: &str) -> bool {
    holds(BARE_NAME, &fold_header(header))
}

fn is_title(word: &str) -> bool {
    holds(TITLE, word)
}

fn is_language(word: &str) -> bool {
    holds(LANGUAGES, word)
}

/// Is this one of the words of a list?
fn holds(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}
