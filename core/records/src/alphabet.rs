//! Alphabetical order of names and titles in all scripts.

use std::cmp::Ordering;
use std::sync::LazyLock;

use icu_collator::options::CollatorOptions;
use icu_collator::{Collator, CollatorBorrowed};
use icu_locale_core::locale;
use unicode_normalization::UnicodeNormalization as _;

/// The order of Malayalam dictionaries, in which chillus and the anusvara have places among the letters; other scripts
/// have their usual order. In the order of Unicode's code points കൻ is after കാട് and കം before കടൽ.
#[expect(clippy::expect_used, reason = "the data are compiled in")]
static ORDER: LazyLock<CollatorBorrowed<'static>> = LazyLock::new(|| {
    Collator::try_new(locale!("ml").into(), CollatorOptions::default()).expect("the collation of Malayalam")
});

/// The alphabetical order of names, folded by [`fold`](crate::importing::likeness::fold): those that begin with a number
/// or sign, then those in Latin letters, then other scripts, Malayalam before the others.
pub fn compare(name: &str, other: &str) -> Ordering {
    let is_beyond_latin = |letter: Option<char>| letter.map(|letter| letter > '\u{24f}');
    let text = |letter: Option<char>| letter.map(String::from).unwrap_or_default();
    let (first, other_first) = (first_letter(name), first_letter(other));
    let by_letter = is_beyond_latin(first).cmp(&is_beyond_latin(other_first));
    let by_letter = by_letter.then_with(|| ORDER.compare(&text(first), &text(other_first)));
    by_letter.then(first.cmp(&other_first)).then_with(|| ORDER.compare(name, other))
}

/// Items in the order of their folded names, by first letter; `None` for numbers and signs. Items of the same name keep
/// their order.
pub fn by_letter<T>(items: impl IntoIterator<Item = (String, T)>) -> Vec<(Option<String>, Vec<T>)> {
    let mut items: Vec<(String, T)> = items.into_iter().collect();
    items.sort_by(|(name, _), (other, _)| compare(name, other));
    let mut groups: Vec<(Option<String>, Vec<T>)> = Vec::new();
    for (name, item) in items {
        let letter = first_letter(&name).map(|letter| letter.to_uppercase().collect());
        match groups.last_mut() {
            Some((last, items)) if *last == letter => items.push(item),
            _ => groups.push((letter, vec![item])),
        }
    }
    groups
}

/// The letter that a folded name begins with, without accents; `None` for a number or sign.
fn first_letter(name: &str) -> Option<char> {
    name.nfd().next().filter(|letter| letter.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::by_letter;
    use crate::importing::likeness::fold;

    fn listed(names: &[&str]) -> Vec<String> {
        let groups = by_letter(names.iter().map(|name| (fold(name), *name)));
        groups
            .into_iter()
            .map(|(letter, names)| format!("{}: {}", letter.unwrap_or_default(), names.join(", ")))
            .collect()
    }

    #[test]
    fn names_are_listed_under_their_first_letter_without_accents() {
        assert_eq!(
            listed(&["Zoya", "anu", "Élodie", "Øystein", "അനു", "  'Zoe", "3rd Eye", "", "ಫ್ಲೇಮ್ಸ್", "Ömer", "Łódź", "luz"]),
            [
                ": , 3rd Eye",
                "A: anu",
                "E: Élodie",
                "L: luz",
                "Ł: Łódź",
                "O: Ömer",
                "Ø: Øystein",
                "Z:   'Zoe, Zoya",
                "അ: അനു",
                "ಫ: ಫ್ಲೇಮ್ಸ್",
            ]
        );
    }

    #[test]
    fn malayalam_names_are_in_the_order_of_a_malayalam_dictionary() {
        let names = [
            "കാട്",
            "കൻ",
            "സംഗീതം",
            "കം",
            "ഞാൻ",
            "കൺ",
            "കണ്ണ്",
            "സമയം",
            "ഋതു",
            "കടൽ",
            "കർമ്മം",
            "കരൾ",
            "സന്ധ്യ",
            "കമല",
            "ആന",
            "കനൽ",
            "കഥ",
            "അമ്മ",
        ];
        assert_eq!(
            listed(&names),
            [
                "അ: അമ്മ",
                "ആ: ആന",
                "ഋ: ഋതു",
                "ക: കടൽ, കൺ, കണ്ണ്, കഥ, കനൽ, കൻ, കമല, കം, കരൾ, കർമ്മം, കാട്",
                "ഞ: ഞാൻ",
                "സ: സന്ധ്യ, സമയം, സംഗീതം",
            ]
        );
    }
}
