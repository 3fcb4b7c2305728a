//! Whether two texts are spellings of the same one, for matching lists with stored rows.

use unicode_normalization::UnicodeNormalization as _;

/// Folds a text to the form in which different spellings are equal: case, accents, punctuation, spaces and invisible
/// joiners do not count; vowel signs do.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return fold_ascii(text);
    }
    let letters: String = chillus(text)
        .nfkd()
        .filter(|letter| !('\u{300}'..='\u{36f}').contains(letter) && !matches!(letter, '\u{200b}'..='\u{200d}'))
        .flat_map(char::to_lowercase)
        .nfc()
        .collect();
    let words: Vec<&str> = letters.split(|letter: char| is_separator(letter)).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { text.trim().to_lowercase() } else { words.join(" ") }
}

/// [`fold`] for ASCII text, in which no characters have to be decomposed.
fn fold_ascii(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().map(|letter| letter.to_ascii_lowercase()));
    }
    if folded.is_empty() { text.trim().to_lowercase() } else { folded }
}

/// Whether a character separates words. Unicode counts the marks of Indic scripts neither as letters nor as
/// punctuation.
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

/// The words of a header in lower case, without accents, plurals, "(s)", a limit in brackets and everything but letters
/// and digits.
pub fn header_words(header: &str) -> Vec<String> {
    let header = without_limit(header);
    // "Film #" has the numbers of films.
    let numbered = header.trim_end().strip_suffix('#').map(|header| format!("{header} no"));
    let header = numbered.as_deref().unwrap_or(header);
    let plain = if header.is_ascii() { header.to_ascii_lowercase() } else { lower_case_without_accents(header) };
    let plain = if plain.contains(['(', '/']) { without_endings(&plain) } else { plain };
    plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(singular).collect()
}

/// A header without the number of words or characters that people may write below it: "Synopsis (max. 60 words)".
fn without_limit(header: &str) -> &str {
    const UNITS: [&str; 24] = [
        "word",
        "char",
        "letters",
        "mots",
        "caract",
        "palabra",
        "palavra",
        "parole",
        "caratter",
        "wort",
        "wörter",
        "zeichen",
        "слов",
        "знак",
        "символ",
        "kelime",
        "karakter",
        "كلمة",
        "字",
        "शब्द",
        "വാക്ക",
        "അക്ഷര",
        "சொல்",
        "வார்த்தை",
    ];
    let Some(start) = header.find(['(', '[', '（']).filter(|start| *start > 0) else { return header };
    let (name, rest) = header.split_at(start);
    let limit = rest.to_lowercase();
    let has_unit = || UNITS.iter().any(|unit| limit.contains(unit));
    if limit.chars().any(char::is_numeric) && has_unit() { name } else { header }
}

/// A header without the endings of its other forms: "Country(ies)", "Director/s", "Paese/i", "Regisseur/in".
fn without_endings(header: &str) -> String {
    const ENDINGS: [&str; 9] = ["s", "es", "ies", "i", "e", "a", "in", "as", "os"];
    let plain = ENDINGS.iter().fold(header.to_owned(), |plain, ending| plain.replace(&format!("({ending})"), ""));
    let mut parts = plain.split('/');
    let mut joined = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let word = part.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(part.len());
        match ENDINGS.contains(&&part[..word]) {
            true => joined.push_str(&part[word..]),
            false => joined.extend(["/", part]),
        }
    }
    joined
}

/// A header of any script in lower case, without accents and invisible joiners.
fn lower_case_without_accents(header: &str) -> String {
    let plain = header.nfkd().filter(|letter| !is_mark(*letter)).flat_map(char::to_lowercase);
    // What Turkish capitals become.
    plain.map(|letter| if letter == 'ı' { 'i' } else { letter }).filter(|letter| !is_mark(*letter)).collect()
}

/// Whether a character is an accent, or joins or separates the letters of an Indic script.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}')
        || unicode_normalization::char::is_combining_mark(letter) && !letter.is_alphanumeric()
}

fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 2 => format!("{stem}y"),
        _ if word.len() > 3 && !word.ends_with("ss") => word.strip_suffix('s').unwrap_or(word).to_owned(),
        _ => word.to_owned(),
    }
}

/// Folds names of people, whatever their order and separators: `Rao, Uma` is `Uma Rao`.
pub fn fold_people(text: &str) -> String {
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

/// The number that a word means in a title: Part Two, Part II.
fn numeral(word: &str) -> Option<&'static str> {
    Some(match word {
        "one" => "1",
        "two" | "ii" => "2",
        "three" | "iii" => "3",
        "four" | "iv" => "4",
        "five" => "5",
        "six" | "vi" => "6",
        "seven" | "vii" => "7",
        "eight" | "viii" => "8",
        "nine" | "ix" => "9",
        "ten" => "10",
        _ => return None,
    })
}

/// A folded title with the number of a part, or a Roman one at its end, in digits: "river part 2", "river 2".
fn with_numbered_part(folded: String) -> String {
    const PARTS: [&str; 7] = ["part", "chapter", "volume", "vol", "episode", "season", "book"];
    let is_roman = |word: &str| word.bytes().all(|letter| b"ivx".contains(&letter));
    let last = folded.rsplit_once(' ').filter(|(_, last)| is_roman(last));
    let digits = last.and_then(|(before, last)| Some(format!("{before} {}", numeral(last)?)));
    let folded = digits.unwrap_or(folded);
    if !PARTS.iter().any(|part| folded.contains(part)) {
        return folded;
    }
    let mut is_part = false;
    let numbered = |word: &str| {
        let single = match word {
            "i" => Some("1"),
            "v" => Some("5"),
            "x" => Some("10"),
            _ => numeral(word),
        };
        let number = single.filter(|_| is_part).unwrap_or(word).to_owned();
        is_part = PARTS.contains(&word);
        number
    };
    folded.split(' ').map(numbered).collect::<Vec<_>>().join(" ")
}

/// Folds a title as [`fold`] does, without an article: `The River` and `River, The` are `river`. `Part II` and `Part Two` are
/// `part 2`.
pub fn fold_title(text: &str) -> String {
    let folded = with_numbered_part(fold(text));
    let words: Vec<&str> = folded.split(' ').collect();
    match &words[..] {
        [first, rest @ ..] if !rest.is_empty() && ARTICLES.contains(first) => rest.join(" "),
        [rest @ .., last] if !rest.is_empty() && text.contains(',') && ARTICLES.contains(last) => rest.join(" "),
        _ => folded,
    }
}

/// Whether two folded titles or names may be the same apart from a correction, or in two scripts. Numbers and single
/// letters distinguish parts and sections, so they must be equal.
pub fn is_alike(left: &str, right: &str, threshold: f64) -> bool {
    // `Students' Choice` and `Student's Choice` differ by an apostrophe, not by a single letter.
    let latin = |text: &str| format!("{} ", any_ascii::any_ascii(text).to_lowercase()).replace(" s ", "s ");
    let (left, right) = (latin(left), latin(right));
    let (left, right) = (left.trim_end(), right.trim_end());
    let is_mark = |word: &&str| word.chars().count() == 1 || word.bytes().all(|byte| byte.is_ascii_digit());
    let is_mark = |word: &&str| is_mark(word) || numeral(word).is_some();
    let mark = |word: &str| numeral(word).unwrap_or(word).to_owned();
    let marks = |text: &str| text.split(' ').filter(is_mark).map(mark).collect::<Vec<_>>();
    if marks(left) != marks(right) {
        return false;
    }
    let longer = left.chars().count().max(right.chars().count());
    let distance = strsim::damerau_levenshtein(left, right);
    (longer >= 5 && distance <= 1) || 1.0 - distance as f64 / longer.max(1) as f64 >= threshold
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_film_are_told_apart_and_found_in_another_notation() {
        assert_eq!(fold_title("The River: Part II"), "river part 2");
        assert_eq!(fold_title("River, Part Two"), "river part 2");
        assert_eq!(fold_title("River Vol. 2"), "river vol 2");
        assert_eq!((fold_title("River II"), fold_title("Malcolm X")), ("river 2".into(), "malcolm x".into()));
        assert_eq!(fold_title("Party of Two"), "party of two");
        assert!(!is_alike("the river part two", "the river part one", 0.7));
        assert!(!is_alike("the river ii", "the river iii", 0.7));
        assert!(is_alike("the river ii", "the rivers 2", 0.7));
    }
}
