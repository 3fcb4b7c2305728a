//! What a header means: it is folded, then looked up among the synonyms.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::fields::{FIELDS, ORIGINAL_TITLE};
use super::header_words::{BARE_NAME, ENGLISH, LANGUAGE_CODES, LANGUAGES, NOISE, PERSONAL, PERSONAL_PARTS, TITLE};

/// What a header means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A field; of two columns for one field the lower rank wins.
    Field {
        field: &'static str,
        rank: usize,
    },
    /// Personal data.
    Personal,
    Unknown,
}

/// The meaning of every known header, by the folded header.
static MEANINGS: LazyLock<HashMap<String, Meaning>> = LazyLock::new(|| {
    let fields = FIELDS.iter().flat_map(|field| {
        let ranked = field.synonyms.split(',').enumerate();
        ranked.map(|(rank, header)| (fold_header(header), Meaning::Field { field: field.name, rank }))
    });
    let personal = PERSONAL.split(',').map(|header| (fold_header(header), Meaning::Personal));
    let mut meanings = HashMap::new();
    for (header, meaning) in fields.chain(personal) {
        meanings.entry(header).or_insert(meaning);
    }
    meanings
});

/// The words of a header in lower case, without accents, plurals, "(s)" and everything but letters and digits.
fn words(header: &str) -> Vec<String> {
    let plain: String = header
        .nfd()
        .filter(|letter| !('\u{300}'..='\u{36f}').contains(letter))
        .flat_map(char::to_lowercase)
        .collect::<String>()
        .replace("(s)", "");
    let words: Vec<String> =
        plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(singular).collect();
    let mut relevant: Vec<String> = words.iter().filter(|word| !contains_word(NOISE, word)).cloned().collect();
    if let [_, last] = &mut relevant[..]
        && contains_word("en eng", last)
    {
        *last = ENGLISH.to_owned();
    }
    if relevant.is_empty() { words } else { relevant }
}

fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 2 => format!("{stem}y"),
        _ if word.len() > 3 && !word.ends_with("ss") => word.strip_suffix('s').unwrap_or(word).to_owned(),
        _ => word.to_owned(),
    }
}

/// Folds a header to the form in which different spellings are equal: `Run time`, `run_time`, `RUNTIME`.
pub(super) fn fold_header(header: &str) -> String {
    words(header).concat()
}

/// Returns what a header means.
pub(super) fn meaning(header: &str) -> Meaning {
    let words = words(header);
    if words.iter().any(|word| contains_word(PERSONAL_PARTS, word)) {
        return Meaning::Personal;
    }
    if let Some(known) = MEANINGS.get(&words.concat()) {
        return *known;
    }
    match &words[..] {
        // "description.en", "Synopsis (English)".
        [first, language] if language == ENGLISH && !is_title(first) => {
            MEANINGS.get(first).copied().unwrap_or(Meaning::Unknown)
        }
        // "title.fi", "Title_FR".
        [first, code] if is_title(first) && contains_word(LANGUAGE_CODES, code) => {
            Meaning::Field { field: ORIGINAL_TITLE, rank: usize::MAX }
        }
        // "Kannada Title", "Title (Kannada)": ranked after every synonym of the original title.
        [first, second] if is_language(first) && is_title(second) || is_title(first) && is_language(second) => {
            Meaning::Field { field: ORIGINAL_TITLE, rank: usize::MAX }
        }
        _ => Meaning::Unknown,
    }
}

/// Whether this is the header of the English title, so that a column "Title" holds the original one.
pub(super) fn is_english_title(header: &str) -> bool {
    matches!(&words(header)[..], [first, second]
        if first == ENGLISH && is_title(second) || is_title(first) && second == ENGLISH)
}

/// Whether this header may name anything, not only a film.
pub(super) fn is_bare_name(header: &str) -> bool {
    contains_word(BARE_NAME, &fold_header(header))
}

fn is_title(word: &str) -> bool {
    contains_word(TITLE, word)
}

fn is_language(word: &str) -> bool {
    contains_word(LANGUAGES, word)
}

/// Whether a word is in a list, whose words are separated by spaces.
fn contains_word(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}
