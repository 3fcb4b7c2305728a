//! What the bank's words about a payment say: numbers, payment codes, references, and the payer's name.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use festival_core::search_key;

use super::statement::BankLine;
use super::vocabulary;
use crate::payment_settings::is_ifsc;
use crate::{payment_code, transaction_numbers};

/// Words that are no names, in lower case: by their sound, "reg" would be Rekha.
static NO_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| vocabulary::section("no names").into_iter().collect());
/// Words of lines that take a payment back.
static REVERSALS: LazyLock<Vec<&str>> = LazyLock::new(|| vocabulary::section("reversals"));

/// Length of the shortest part of a name that is compared.
const MIN_NAME: usize = 3;
/// A word in more of the credits than one of so many is the festival's or the bank's, not a payer's.
const COMMON_SHARE: usize = 10;
/// And in at least so many.
const MIN_COMMON: usize = 5;

/// What a line says.
#[derive(Clone, Debug, Default)]
pub(super) struct Clues {
    /// Transaction numbers as they are compared.
    pub(super) numbers: BTreeSet<String>,
    /// Valid payment codes.
    pub(super) codes: BTreeSet<String>,
    /// Letters and digits of the text, in capitals, for references in any spacing.
    pub(super) folded: String,
    /// Words that may be a name.
    pub(super) names: BTreeSet<String>,
    /// It says that it takes a payment back.
    pub(super) is_reversal: bool,
}

impl Clues {
    /// Reads the clues of a line.
    pub(super) fn of(line: &BankLine) -> Self {
        let text = format!("{} | {}", line.narration, line.number);
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let pairs = words.windows(2).map(<[&str]>::concat);
        let codes = words.iter().map(|word| (*word).to_owned()).chain(pairs).filter(|word| word.len() == 6);
        let is_name = |word: &&str| {
            let word = word.to_lowercase();
            !NO_NAMES.contains(&*word) && !word.ends_with("bank") && word.contains(|letter: char| letter != 'x')
        };
        // Addresses of UPI have digits behind a name, ashanair1990@ybl, and accounts behind a mask, XX1234.
        let narration = without_handles(&line.narration);
        let names = narration
            .split(|c: char| c.is_whitespace() || c.is_ascii_punctuation())
            .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()))
            .filter(is_name);
        Self {
            numbers: numbers(&text).into_iter().chain(broken_numbers(&line.narration)).collect(),
            codes: codes.filter_map(|word| payment_code::read(&word)).collect(),
            folded: fold(&text),
            names: self::names(names).into_iter().filter(|word| word.chars().all(char::is_alphabetic)).collect(),
            is_reversal: words.iter().any(|word| REVERSALS.contains(&word.to_lowercase().as_str())),
        }
    }

    /// Removes from lines the words and numbers that many of them have, such as the bank's own account, and those of the
    /// festival.
    pub(super) fn remove_common<'a>(clues: impl IntoIterator<Item = &'a mut Self>, festival: &BTreeSet<String>) {
        let clues: Vec<&mut Self> = clues.into_iter().collect();
        let (mut names, mut numbers): (HashMap<String, usize>, HashMap<String, usize>) = Default::default();
        for one in &clues {
            one.names.iter().for_each(|name| *names.entry(name.clone()).or_default() += 1);
            one.numbers.iter().for_each(|number| *numbers.entry(number.clone()).or_default() += 1);
        }
        let limit = MIN_COMMON.max(clues.len() / COMMON_SHARE);
        for one in clues {
            one.names.retain(|name| names[name] <= limit && !festival.contains(name));
            one.numbers.retain(|number| numbers[number] < MIN_COMMON && !festival.contains(number));
        }
    }

    /// Whether the payer may be one of the people with these names; unknown, hence `None`, if the line names nobody.
    pub(super) fn is_of(&self, people: &BTreeSet<String>) -> Option<bool> {
        if self.names.is_empty() || people.is_empty() {
            return None;
        }
        // Banks cut names, and addresses join them: "ASHA NAI", ashanair@ybl.
        let is_same = |shown: &String, name: &String| {
            shown == name
                || shown.len() > MIN_NAME
                    && (name.starts_with(shown.as_str()) || name.len() > MIN_NAME && shown.contains(name.as_str()))
        };
        Some(self.names.iter().any(|shown| people.iter().any(|name| is_same(shown, name))))
    }
}

/// A narration without what stands behind an @: the bank or the app of a payer.
fn without_handles(narration: &str) -> String {
    let mut pieces = narration.split('@');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + " " + piece.trim_start_matches(|c: char| c.is_alphanumeric() || c == '.'))
}

/// The transaction numbers of a text as they are compared. Telephone numbers, addresses of UPI and codes of branches
/// (SBIN0000123) are none: several payments have them.
pub(super) fn numbers(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    // Of a mobile telephone, or with the code of a town: 0484 2345678.
    let is_phone = |number: &str| match number.len() {
        10 => number.starts_with(['6', '7', '8', '9']),
        11 => number.starts_with('0'),
        _ => false,
    };
    let is_shared = |number: &str| is_phone(number) || is_ifsc(number) || lower.contains(&format!("{number}@"));
    let numbers = transaction_numbers::find(text).into_iter().filter(|number| !is_shared(number));
    numbers
        .map(|number| transaction_numbers::comparable(&number).to_owned())
        .filter(|number| number.len() >= 8)
        .collect()
}

/// The numbers of UPI that a bank has broken at the end of a line.
fn broken_numbers(narration: &str) -> Vec<String> {
    let words: Vec<&str> = narration.split(' ').collect();
    let is_other = |c: char| !c.is_ascii_digit();
    let joined = |pair: &[&str]| -> String {
        [pair[0].rsplit(is_other).next(), pair[1].split(is_other).next()].into_iter().flatten().collect()
    };
    words.windows(2).map(joined).filter(|number| number.len() == 12).flat_map(|number| numbers(&number)).collect()
}

/// A reference as it is compared: people write O for 0.
pub(super) fn reference_key(text: &str) -> String {
    fold(text).replace('O', "0")
}

/// Letters and digits in capitals.
pub(super) fn fold(text: &str) -> String {
    festival_core::text::with_ascii_digits(text)
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_uppercase())
        .collect()
}

/// The words of names that are compared: those of three letters or more as they are written, Jay, or as they sound, ആശ.
pub(super) fn names<'t>(texts: impl IntoIterator<Item = &'t str>) -> BTreeSet<String> {
    let is_long = |word: &str| word.chars().count() >= MIN_NAME;
    let words = texts.into_iter().flat_map(|text| text.split(|c: char| c.is_whitespace() || c.is_ascii_punctuation()));
    words.flat_map(|word| search_key::keys(word).into_iter().filter(move |key| is_long(word) || is_long(key))).collect()
}

/// Number of digits in which two numbers of one length differ; two swapped neighbours are one difference.
pub(super) fn distance(one: &str, two: &str) -> usize {
    if one.len() != two.len() {
        return usize::MAX;
    }
    let (one, two) = (one.as_bytes(), two.as_bytes());
    let differs = |index: &usize| one[*index] != two[*index];
    let wrong = (0..one.len()).filter(differs).count();
    let first = (0..one.len()).find(differs).unwrap_or_default();
    let is_swapped = wrong == 2 && one[first] == two[first + 1] && one[first + 1] == two[first];
    if is_swapped { 1 } else { wrong }
}
