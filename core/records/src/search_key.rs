//! How searches compare words: one key for a word in an Indian script and for the ways in which people spell it in
//! Latin letters. ചെമ്മീൻ, "Chemmeen" and "Chemeen" have the key "cemin".
//!
//! The programme's search has the same keys, in the browser (`frontend/src/features/programme/model/fold.ts`): both read
//! the table `sounds.json`, and `tests/fixtures/search-keys.json` proves their keys equal.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The sounds of signs and spellings. Tests read the table: a mistake in it does not stay unnoticed.
#[derive(Default, Deserialize)]
struct Sounds {
    /// Independent vowels, vowel signs and consonants of a block, as they are usually spelt.
    vowels: Vec<String>,
    signs: Vec<String>,
    consonants: Vec<String>,
    /// Letters that are not pronounced as they are written, and those that are.
    spoken: Vec<(String, String)>,
    /// Equivalent spellings, in the order in which they are replaced: regular expressions, as JavaScript reads them, too.
    same: Vec<(String, String)>,
    /// Lengths of keys from which one letter more may be wrong.
    forgiven: Vec<usize>,
}

static SOUNDS: LazyLock<Sounds> =
    LazyLock::new(|| serde_json::from_str(include_str!("sounds.json")).unwrap_or_default());
static SAME: LazyLock<Vec<(Regex, String)>> = LazyLock::new(|| {
    let rule = |(spelling, sound): &(String, String)| {
        let sound = sound.replace("$1", "${1}").replace("$2", "${2}");
        Some((Regex::new(spelling).ok()?, sound))
    };
    SOUNDS.same.iter().filter_map(rule).collect()
});

thread_local! {
    /// Keys of words. Lists repeat theirs, and dozens of regular expressions make a key.
    static KNOWN: RefCell<HashMap<String, String>> = RefCell::default();
}
/// Maximum number of words whose keys a thread keeps, and maximum length of one, in bytes.
const MAX_KNOWN: usize = 4_096;
const MAX_KNOWN_LENGTH: usize = 48;

/// The scripts of India from Devanagari to Malayalam: blocks of the same layout, 0x80 signs each.
const INDIC: std::ops::RangeInclusive<char> = '\u{900}'..='\u{d7f}';
/// The first script of the south, whose words end with m where those of the north end with n.
const FIRST_SOUTHERN: char = '\u{b80}';
/// First places of independent vowels, consonants and vowel signs in a block; the labials among the consonants.
const VOWEL: u32 = 0x05;
const CONSONANT: u32 = 0x15;
const LABIAL: u32 = 0x2a;
const LAST_CONSONANT: u32 = 0x39;
const SIGN: u32 = 0x3e;
const CANDRABINDU: u32 = 0x01;
const ANUSVARA: u32 = 0x02;
const NUKTA: u32 = 0x3c;
const VIRAMA: u32 = 0x4d;
/// The second half of a vowel sign; alone it is how Malayalam writes au today.
const LENGTH_MARK: u32 = 0x57;
/// The shortest key that may lose its last vowel.
const LONG_ENOUGH: usize = 4;
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// The shortest keys by which a word is searched, in letters: shorter ones match too much.
const MIN_SEARCHED_LETTERS: usize = 2;

/// The keys by which a searched word is found; none if they are too short.
pub fn keys_of_searched(word: &str) -> Vec<String> {
    let keys = keys(word);
    let letters: usize = keys.iter().map(|key| key.chars().count()).sum();
    if letters < MIN_SEARCHED_LETTERS { Vec::new() } else { keys }
}

/// The keys of all words of the texts as they are stored: each after a space.
pub fn stored_keys<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut stored = String::new();
    for key in texts.into_iter().flat_map(keys) {
        stored.push(' ');
        stored.push_str(&key);
    }
    stored
}

/// The keys of the words of a text, in their order.
pub fn keys(text: &str) -> Vec<String> {
    KNOWN.with_borrow_mut(|known| plain_words(text).into_iter().map(|word| key(known, word)).collect())
}

fn key(known: &mut HashMap<String, String>, word: String) -> String {
    if let Some(key) = known.get(&word) {
        return key.clone();
    }
    let key = fold(&romanised(&word));
    if word.len() <= MAX_KNOWN_LENGTH {
        if known.len() == MAX_KNOWN {
            known.clear();
        }
        known.insert(word, key.clone());
    }
    key
}

/// Number of letters that may be wrong in a key.
pub(crate) fn forgiven_in(key: &str) -> usize {
    let letters = key.chars().count();
    SOUNDS.forgiven.iter().filter(|length| letters >= **length).count()
}

/// Words as they are written: lower case, without diacritics.
fn plain_words(text: &str) -> Vec<String> {
    let mut plain = String::with_capacity(text.len());
    // Accents of Latin, Greek and Cyrillic letters are removed; the signs of other scripts belong to their words.
    let letters = text.nfd().filter(|letter| !('\u{300}'..='\u{36f}').contains(letter)).nfc();
    for letter in letters.flat_map(char::to_lowercase) {
        match letter {
            'ß' => plain.push_str("ss"),
            'ø' | 'œ' => plain.push('o'),
            'æ' => plain.push_str("ae"),
            'ł' => plain.push('l'),
            'đ' => plain.push('d'),
            'ı' => plain.push('i'),
            '\'' | '’' | '`' | '´' => {}
            other => plain.push(other),
        }
    }
    let is_part = |letter: char| letter.is_alphanumeric() || is_combining_mark(letter) || JOINERS.contains(&letter);
    plain.split(|letter| !is_part(letter)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// A word of an Indian script in Latin letters; others stay as they are.
fn romanised(word: &str) -> String {
    // Joiners affect how the signs around them are drawn, not which they are.
    let written = word.replace(JOINERS, "");
    let spoken = SOUNDS.spoken.iter().fold(written, |word, (written, sound)| word.replace(written, sound));
    let mut roman = String::with_capacity(word.len());
    // A consonant whose vowel is not known yet.
    let mut is_open = false;
    let mut signs = spoken.chars().peekable();
    while let Some(sign) = signs.next() {
        let place = sign as u32 & 0x7f;
        let is_indic = INDIC.contains(&sign);
        let part = |parts: &'static [String], first: u32| {
            let index = place.checked_sub(first).filter(|_| is_indic)?;
            parts.get(index as usize).map(String::as_str)
        };
        if is_indic && place == NUKTA {
            // Of all letters with a dot only this one sounds different to those who spell it in Latin letters.
            if roman.ends_with('j') {
                roman.pop();
                roman.push('z');
            }
            continue;
        }
        let vowel = if is_indic && place == LENGTH_MARK { Some("o") } else { part(&SOUNDS.signs, SIGN) };
        if vowel.is_some() || (is_indic && place == VIRAMA) {
            roman.push_str(vowel.unwrap_or_default());
            is_open = false;
            continue;
        }
        if is_open {
            roman.push('a');
        }
        let consonant = part(&SOUNDS.consonants, CONSONANT);
        is_open = consonant.is_some();
        if !is_indic {
            roman.push(sign);
            continue;
        }
        roman.push_str(match sign {
            _ if consonant.is_some() => consonant.unwrap_or_default(),
            // The dot reph and the chillu letters of Malayalam.
            '\u{d4e}' | '\u{d7c}' => "r",
            '\u{d7a}' | '\u{d7b}' => "n",
            '\u{d7d}' | '\u{d7e}' => "l",
            '\u{d7f}' => "k",
            _ if matches!(place, CANDRABINDU | ANUSVARA) => nasal(sign, signs.peek().copied()),
            _ => part(&SOUNDS.vowels, VOWEL).unwrap_or_default(),
        });
    }
    if is_open {
        roman.push('a');
    }
    roman
}

/// The sound of a nasal sign: by the consonant after it, and at the end of a word by the script.
fn nasal(sign: char, next: Option<char>) -> &'static str {
    match next.map(|next| next as u32 & 0x7f) {
        Some(CONSONANT..LABIAL) => "n",
        Some(LABIAL..=LAST_CONSONANT) => "m",
        _ if sign < FIRST_SOUTHERN => "n",
        _ => "m",
    }
}

fn fold(roman: &str) -> String {
    if !roman.contains(|letter: char| letter.is_ascii_lowercase()) {
        return roman.to_owned();
    }
    let key = SAME.iter().fold(roman.to_owned(), |key, (spelling, sound)| match spelling.replace_all(&key, sound) {
        std::borrow::Cow::Borrowed(_) => key,
        std::borrow::Cow::Owned(replaced) => replaced,
    });
    let mut letters: Vec<char> = key.chars().collect();
    letters.dedup();
    // The half vowel at the end of words is written as u, as a or not at all.
    if let [.., before, 'a' | 'u' | 'e'] = letters[..]
        && letters.len() >= LONG_ENOUGH
        && !"aeiou".contains(before)
    {
        letters.pop();
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::keys;
    use std::collections::BTreeMap;

    #[test]
    fn keys_are_those_of_the_programmes_search() {
        let fixture = include_str!("../../../tests/fixtures/search-keys.json");
        let expected: BTreeMap<String, Vec<String>> = serde_json::from_str(fixture).unwrap_or_default();
        assert!(expected.len() > 300, "{}", expected.len());
        // Once as new words, and once as known ones.
        for (text, expected) in expected.iter().chain(&expected) {
            assert_eq!(keys(text), *expected, "{text}");
        }
    }

    #[test]
    fn spellings_of_a_word_have_one_key() {
        for spellings in [
            ["ചെമ്മീൻ", "ചെമ്മീന്\u{200d}", "Chemmeen"],
            ["കോഴിക്കോട്", "Kozhikode", "Kozhikkod"],
            ["കൗതുകം", "കൌതുകം", "Kauthukam"],
            ["കൊടിയേറ്റം", "Kodiyettam", "Kotiyetam"],
            // The four spellings of nta.
            ["അച്ഛന്റെ", "അച്ഛൻറെ", "achante"],
            ["അച്ഛന്\u{200d}റെ", "അച്ഛൻ്റെ", "achhante"],
            // Anusvara, gemination, jna, vocalic r, dot reph, nukta, a final v, Tamil ca.
            ["സംഗീതം", "സങ്ഗീതം", "sangeetham"],
            ["കുഞ്ഞ്", "kunju", "kunhu"],
            ["തേങ്ങ", "thenga", "thengha"],
            ["ജ്ഞാനം", "jnanam", "njanam"],
            ["കൃതി", "krithi", "kruthi"],
            ["കൎമ്മം", "കർമ്മം", "karmam"],
            ["ज़िंदगी", "ज़िन्दगी", "zindagi"],
            ["രാവ്", "raavu", "rav"],
            ["சிவாஜி", "sivaji", "Sivaaji"],
            // Names and words of other languages.
            ["അയ്യർ", "Ayyar", "Aiyar"],
            ["ഡാനിയേൽ", "Daniel", "Daniyel"],
        ] {
            assert_eq!(keys(spellings[0]), keys(spellings[1]), "{spellings:?}");
            assert_eq!(keys(spellings[0]), keys(spellings[2]), "{spellings:?}");
        }
    }
}
