//! Whether two descriptions are of the same film.

use festival_core::entity::Values;
use unicode_normalization::UnicodeNormalization;

use super::fields::{CATEGORY, DIRECTOR, NAME, YEAR};

/// Folds a text to the form in which different spellings are equal: case, accents, punctuation, spaces and invisible
/// joiners do not count; vowel signs do.
pub(crate) fn fold(text: &str) -> String {
    let letters: String = chillus(text)
        .nfkd()
        .filter(|letter| !('\u{300}'..='\u{36f}').contains(letter) && !matches!(letter, '\u{200b}'..='\u{200d}'))
        .flat_map(char::to_lowercase)
        .nfc()
        .collect();
    let words: Vec<&str> = letters.split(|letter: char| is_separator(letter)).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { text.trim().to_lowercase() } else { words.join(" ") }
}

/// Whether a character separates words. Unicode counts the marks of Indic scripts neither as letters nor as punctuation.
fn is_separator(letter: char) -> bool {
    !letter.is_alphanumeric() && !unicode_normalization::char::is_combining_mark(letter)
}

/// Replaces the older spelling of Malayalam final consonants, three characters, by the newer one of one character.
fn chillus(text: &str) -> String {
    const CHILLUS: [(char, &str); 6] = [
        ('\u{d7a}', "\u{d23}\u{d4d}\u{200d}"),
        ('\u{d7b}', "\u{d28}\u{d4d}\u{200d}"),
        ('\u{d7c}', "\u{d30}\u{d4d}\u{200d}"),
        ('\u{d7d}', "\u{d32}\u{d4d}\u{200d}"),
        ('\u{d7e}', "\u{d33}\u{d4d}\u{200d}"),
        ('\u{d7f}', "\u{d15}\u{d4d}\u{200d}"),
    ];
    let mut text = text.to_owned();
    if !text.contains('\u{200d}') {
        return text;
    }
    for (newer, older) in CHILLUS {
        text = text.replace(older, newer.encode_utf8(&mut [0; 4]));
    }
    text
}

/// The identity of a film within an edition: category, title, directors and year. A film in two categories is listed
/// twice, and remakes share a title.
pub(super) fn match_key(film: &Values) -> String {
    let text = |field: &str| film.get(field).map_or("", String::as_str);
    // Folding leaves no control character, so one can separate the parts.
    [&*fold(text(CATEGORY)), &fold(text(NAME)), &fold_people(text(DIRECTOR)), text(YEAR)].join("\u{1f}")
}

/// Folds names of people, whatever their order and separators: `Rao, Uma` is `Uma Rao`.
pub(super) fn fold_people(text: &str) -> String {
    let folded = fold(text);
    let mut words: Vec<&str> = folded.split(' ').filter(|word| *word != "and").collect();
    words.sort_unstable();
    words.join(" ")
}

/// Words that titles begin with and that lists leave out or move behind a comma.
const ARTICLES: &[&str] = &[
    "the", "a", "an", "le", "la", "les", "l", "un", "une", "el", "los", "las", "il", "lo", "der", "die", "das", "ein",
    "eine",
];

/// Folds a title as [`fold`] does, without an article: `The River` and `River, The` are `river`.
pub(super) fn fold_title(text: &str) -> String {
    let folded = fold(text);
    let words: Vec<&str> = folded.split(' ').collect();
    match &words[..] {
        [first, rest @ ..] if !rest.is_empty() && ARTICLES.contains(first) => rest.join(" "),
        [rest @ .., last] if !rest.is_empty() && text.contains(',') && ARTICLES.contains(last) => rest.join(" "),
        _ => folded,
    }
}

/// Whether two folded titles or names may be one with a correction, or one in two scripts. Numbers and single letters
/// tell parts and sections apart, so they must be equal.
pub(super) fn is_alike(left: &str, right: &str, threshold: f64) -> bool {
    // `Students' Choice` and `Student's Choice` differ by an apostrophe, not by a single letter.
    let latin = |text: &str| format!("{} ", any_ascii::any_ascii(text).to_lowercase()).replace(" s ", "s ");
    let (left, right) = (latin(left), latin(right));
    let (left, right) = (left.trim_end(), right.trim_end());
    let is_mark = |word: &&str| word.chars().count() == 1 || word.bytes().all(|byte| byte.is_ascii_digit());
    let marks = |text: &str| text.split(' ').filter(is_mark).map(str::to_owned).collect::<Vec<_>>();
    if marks(left) != marks(right) {
        return false;
    }
    let longer = left.chars().count().max(right.chars().count());
    let distance = strsim::damerau_levenshtein(left, right);
    (longer >= 5 && distance <= 1) || 1.0 - distance as f64 / longer.max(1) as f64 >= threshold
}

/// Whether each word of a folded text is that of the other with a letter or a quarter of its letters corrected. Texts with
/// different numbers of words are not compared word by word.
pub(super) fn are_words_alike(left: &str, right: &str) -> bool {
    let is_corrected = |(left, right): (&str, &str)| {
        let longer = left.chars().count().max(right.chars().count());
        strsim::damerau_levenshtein(left, right) <= (longer / 4).max(1)
    };
    let (left, right) = (any_ascii::any_ascii(left).to_lowercase(), any_ascii::any_ascii(right).to_lowercase());
    let (left, right): (Vec<&str>, Vec<&str>) = (left.split(' ').collect(), right.split(' ').collect());
    left.len() != right.len() || left.into_iter().zip(right).all(is_corrected)
}

/// How similar the directors of two films are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// The same names.
    Same,
    /// A corrected spelling, or one more name.
    Similar,
    /// One of the films has no director.
    Unknown,
    Different,
}

impl Likeness {
    pub(super) fn is_close(self) -> bool {
        matches!(self, Self::Same | Self::Similar)
    }
}

/// Compares the directors of two films, folded by [`fold_people`].
pub(super) fn compare_directors(left: Option<&str>, right: Option<&str>) -> Likeness {
    let (Some(left), Some(right)) = (left, right) else {
        return Likeness::Unknown;
    };
    if left == right {
        return Likeness::Same;
    }
    let contains = |many: &str, few: &str| few.split(' ').all(|word| many.split(' ').any(|other| other == word));
    let is_alike = strsim::normalized_damerau_levenshtein(left, right) >= 0.8;
    let (ascii_left, ascii_right) = (any_ascii::any_ascii(left), any_ascii::any_ascii(right));
    let is_transliterated = (!left.is_ascii() || !right.is_ascii())
        && strsim::normalized_damerau_levenshtein(&ascii_left.to_lowercase(), &ascii_right.to_lowercase()) >= 0.8;
    if is_alike || is_transliterated || contains(right, left) || contains(left, right) {
        Likeness::Similar
    } else {
        Likeness::Different
    }
}
