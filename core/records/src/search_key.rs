//! How searches compare words: one key for a word in an Indian script and for the ways in which people spell it in
//! Latin letters. ചെമ്മീൻ, "Chemmeen" and "Chemeen" have the key "cemin".
//!
//! The programme's search has the same keys, in the browser (`frontend/src/features/programme/model/fold.ts`);
//! `tests/fixtures/search-keys.json` proves both equal.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The scripts of India from Devanagari to Malayalam: blocks of the same layout, 0x80 signs each.
const INDIC: std::ops::RangeInclusive<char> = '\u{900}'..='\u{d7f}';
/// Independent vowels, from 0x05 of a block on.
const VOWELS: [&str; 16] = ["a", "a", "i", "i", "u", "u", "ri", "li", "e", "e", "e", "e", "o", "o", "o", "o"];
/// Vowel signs, from 0x3e of a block on.
const SIGNS: [&str; 15] = ["a", "i", "i", "u", "u", "ri", "ri", "e", "e", "e", "e", "o", "o", "o", "o"];
/// Consonants, from 0x15 of a block on, as they are usually spelt.
const CONSONANTS: [&str; 37] = [
    "k", "kh", "g", "gh", "ng", "ch", "chh", "j", "jh", "nj", "t", "th", "d", "dh", "n", "t", "th", "d", "dh", "n",
    "n", "p", "ph", "b", "bh", "m", "y", "r", "r", "l", "l", "zh", "v", "sh", "sh", "s", "h",
];
const VIRAMA: u32 = 0x4d;
const ANUSVARA: u32 = 0x02;
/// The second half of a vowel sign; alone it is how Malayalam writes au today.
const LENGTH_MARK: u32 = 0x57;
/// The chillu letters of Malayalam.
const CHILLUS: [(char, &str); 6] =
    [('\u{d7a}', "n"), ('\u{d7b}', "n"), ('\u{d7c}', "r"), ('\u{d7d}', "l"), ('\u{d7e}', "l"), ('\u{d7f}', "k")];
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
    plain_words(text).iter().map(|word| fold(&romanised(word))).collect()
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

/// A word with the Malayalam letter for a hard r replaced by a t where it is pronounced as one: doubled, or after n.
fn spoken(word: &str) -> String {
    let mut spoken = word.replace("\u{d31}\u{d4d}\u{d31}", "\u{d24}\u{d4d}\u{d24}");
    for before in ["\u{d28}\u{d4d}", "\u{d7b}", "\u{d7b}\u{d4d}"] {
        spoken = spoken.replace(&format!("{before}\u{d31}"), &format!("{before}\u{d24}"));
    }
    spoken
}

/// A word of an Indian script in Latin letters; others stay as they are.
fn romanised(word: &str) -> String {
    let mut roman = String::with_capacity(word.len());
    // A consonant whose vowel is not known yet.
    let mut is_open = false;
    for sign in spoken(word).chars().filter(|sign| !JOINERS.contains(sign)) {
        let place = sign as u32 & 0x7f;
        let part = |parts: &[&'static str], first: u32| {
            place.checked_sub(first).and_then(|index| parts.get(index as usize)).copied()
        };
        if INDIC.contains(&sign) {
            if place == VIRAMA {
                is_open = false;
                continue;
            }
            let vowel = if place == LENGTH_MARK { Some("o") } else { part(&SIGNS, 0x3e) };
            if let Some(vowel) = vowel {
                roman.push_str(vowel);
                is_open = false;
                continue;
            }
        }
        if is_open {
            roman.push('a');
        }
        is_open = false;
        if !INDIC.contains(&sign) {
            roman.push(sign);
        } else if let Some(consonant) = part(&CONSONANTS, 0x15) {
            roman.push_str(consonant);
            is_open = true;
        } else if place == ANUSVARA {
            roman.push('m');
        } else if sign >= '\u{d7a}' {
            roman.push_str(CHILLUS.iter().find(|(chillu, _)| *chillu == sign).map_or("", |(_, letter)| letter));
        } else {
            roman.push_str(part(&VOWELS, 0x05).unwrap_or_default());
        }
    }
    if is_open {
        roman.push('a');
    }
    roman
}

/// The condition on the letter after a spelling.
#[derive(Clone, Copy)]
enum Then {
    Anything,
    /// One of these letters.
    One(&'static str),
    /// None of these letters.
    No(&'static str),
}

/// Spellings, the condition on what follows them, and their replacements. Those of one line are replaced at once, lines
/// in their order.
const SAME: &[&[(&str, Then, &str)]] = &[
    &[("zh", Then::Anything, "l")],
    &[("sch", Then::Anything, "s"), ("sh", Then::Anything, "s"), ("z", Then::Anything, "s")],
    &[("ch", Then::Anything, "!"), ("j", Then::Anything, "!")],
    &[("c", Then::One("eiy"), "s")],
    &[("x", Then::Anything, "ks")],
    &[("c", Then::Anything, "k"), ("q", Then::Anything, "k"), ("g", Then::Anything, "k")],
    &[("w", Then::Anything, "v")],
    &[("ph", Then::Anything, "p"), ("f", Then::Anything, "p"), ("b", Then::Anything, "p")],
    &[("d", Then::Anything, "t")],
    &[("!", Then::Anything, "c")],
];
/// The same, after the letter h is gone and long vowels are short.
const SAME_VOWELS: &[&[(&str, Then, &str)]] = &[
    &[
        ("ou", Then::Anything, "o"),
        ("au", Then::Anything, "o"),
        ("ow", Then::Anything, "o"),
        ("av", Then::No("aeiou"), "o"),
    ],
    &[
        ("ai", Then::Anything, "e"),
        ("ei", Then::Anything, "e"),
        ("ay", Then::No("aeiou"), "e"),
        ("ey", Then::No("aeiou"), "e"),
    ],
    &[("iy", Then::One("aeou"), "i")],
];

fn fold(roman: &str) -> String {
    if !roman.contains(|letter: char| letter.is_ascii_lowercase()) {
        return roman.to_owned();
    }
    let key = SAME.iter().fold(roman.to_owned(), |key, same| replaced(&key, same));
    let mut letters = key.chars();
    let first: String = letters.next().into_iter().collect();
    let key = first + &letters.as_str().replace('h', "");
    let key = shortened(&key, &[("a", "a")], "a");
    let key = shortened(&key, &[("e", "e"), ("i", "i"), ("e", "a")], "i");
    let key = shortened(&key, &[("o", "o"), ("u", "u")], "u");
    let key = SAME_VOWELS.iter().fold(key, |key, same| replaced(&key, same));
    let key = key.strip_suffix('y').map_or_else(|| key.clone(), |start| format!("{start}i"));
    let key = replaced(&key, &[("n", Then::One("p"), "m")]);
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

/// `text` with each of these spellings replaced, at each position the first that matches.
fn replaced(text: &str, same: &[(&str, Then, &str)]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let found = same.iter().find(|(spelling, then, _)| {
            rest.strip_prefix(spelling).is_some_and(|after| {
                let next = after.chars().next();
                match then {
                    Then::Anything => true,
                    Then::One(letters) => next.is_some_and(|next| letters.contains(next)),
                    Then::No(letters) => next.is_none_or(|next| !letters.contains(next)),
                }
            })
        });
        let (length, sound) = match found {
            Some((spelling, _, sound)) => (spelling.len(), *sound),
            None => (letter.len_utf8(), &rest[..letter.len_utf8()]),
        };
        result.push_str(sound);
        rest = &rest[length..];
    }
    result
}

/// `text` with each of these pairs of vowels replaced; a vowel that is written more often than twice belongs to its
/// pair.
fn shortened(text: &str, pairs: &[(&str, &str)], sound: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let pair =
            pairs.iter().find(|(one, other)| rest.strip_prefix(*one).is_some_and(|after| after.starts_with(other)));
        let Some((one, other)) = pair else {
            result.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        };
        result.push_str(sound);
        rest = &rest[one.len()..];
        rest = if one == other { rest.trim_start_matches(one) } else { &rest[other.len()..] };
    }
    result
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
        for (text, expected) in expected {
            assert_eq!(keys(&text), expected, "{text}");
        }
    }

    #[test]
    fn spellings_of_a_word_have_one_key() {
        for spellings in [
            ["ചെമ്മീൻ", "ചെമ്മീന്\u{200d}", "Chemmeen"],
            ["കോഴിക്കോട്", "Kozhikode", "Kozhikkod"],
            ["കൗതുകം", "കൌതുകം", "Kauthukam"],
            ["കൊടിയേറ്റം", "Kodiyettam", "Kotiyetam"],
        ] {
            assert_eq!(keys(spellings[0]), keys(spellings[1]), "{spellings:?}");
            assert_eq!(keys(spellings[0]), keys(spellings[2]), "{spellings:?}");
        }
    }
}
