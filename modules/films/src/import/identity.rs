//! When two rows mean the same film.

use unicode_normalization::UnicodeNormalization;

use super::FilmValues;

/// Text in the form in which two spellings of it are equal: case, accents, punctuation, spaces and invisible
/// joiners do not count; vowel signs do.
#[must_use]
pub fn fold(text: &str) -> String {
    let letters: String = chillus(text)
        .nfkd()
        .filter(|letter| !('\u{300}'..='\u{36f}').contains(letter) && !matches!(letter, '\u{200b}'..='\u{200d}'))
        .flat_map(char::to_lowercase)
        .nfc()
        .collect();
    let words: Vec<&str> = letters.split(|letter: char| is_separator(letter)).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { text.trim().to_lowercase() } else { words.join(" ") }
}

/// Marks of Indic scripts are no letters to Unicode, but they are no punctuation either.
fn is_separator(letter: char) -> bool {
    !letter.is_alphanumeric() && !unicode_normalization::char::is_combining_mark(letter)
}

/// Malayalam final consonants have a newer spelling of one character and an older of three.
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

/// The identity of a film in one edition: section, title, directors and year. A film in two sections is listed
/// twice, and remakes share a title.
#[must_use]
pub fn match_key(film: &FilmValues) -> String {
    let director = film.director_name.as_deref().map(fold_people).unwrap_or_default();
    let year = film.year.map(|year| year.to_string()).unwrap_or_default();
    // Folding leaves no control character, so one can stand between the parts.
    [fold(&film.category), fold(&film.name), director, year].join("\u{1f}")
}

/// Names of people, whatever their order and what stands between them: `Rao, Uma` is `Uma Rao`.
pub(super) fn fold_people(text: &str) -> String {
    let folded = fold(text);
    let mut words: Vec<&str> = folded.split(' ').filter(|word| *word != "and").collect();
    words.sort_unstable();
    words.join(" ")
}

/// How much two films' directors speak for their being the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    Same,
    Similar,
    Unsaid,
    Different,
}

/// Compares directors: the same words, a corrected spelling, one more name, nothing said, or others.
pub(super) fn directors(left: Option<&str>, right: Option<&str>) -> Likeness {
    let (Some(left), Some(right)) = (left, right) else {
        return Likeness::Unsaid;
    };
    let (left, right) = (fold_people(left), fold_people(right));
    if left == right {
        return Likeness::Same;
    }
    let within = |few: &str, many: &str| few.split(' ').all(|word| many.split(' ').any(|other| other == word));
    let alike = strsim::normalized_damerau_levenshtein(&left, &right) >= 0.8;
    if alike || within(&left, &right) || within(&right, &left) { Likeness::Similar } else { Likeness::Different }
}
