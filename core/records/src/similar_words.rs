//! Searches that forgive wrong letters, for searches without results: as many letters of a key as the programme's search
//! forgives ([`forgiven_in`]), and spaces within words.

use strsim::osa_distance;

use crate::search_key::{forgiven_in, keys};

/// The keys of a search's words.
pub struct SimilarWords {
    searched: Vec<SearchedKey>,
    /// All of them as one word, if there are several.
    joined: Option<SearchedKey>,
}

impl SimilarWords {
    /// `None` if the text may be a number, a date, a reference or an address, which are right or wrong, or if it is too
    /// short to be misspelt.
    pub fn to(text: &str) -> Option<Self> {
        if text.contains(|letter: char| letter.is_numeric() || letter == '@') {
            return None;
        }
        let searched = keys(text);
        let joined = searched.concat();
        if forgiven_in(&joined) == 0 {
            return None;
        }
        let joined = (searched.len() > 1).then(|| SearchedKey::new(joined));
        Some(Self { searched: searched.into_iter().map(SearchedKey::new).collect(), joined })
    }

    /// Parts of which the keys of a row with similar words have at least one.
    pub fn parts(&self) -> Vec<String> {
        let longest = self.searched.iter().max_by_key(|searched| searched.key.len());
        longest.into_iter().chain(&self.joined).flat_map(|searched| searched.parts.clone()).collect()
    }

    /// The ids of the rows with the fewest wrong letters, of those that are similar at all. A row's keys are as they are
    /// stored: each after a space.
    pub fn nearest(&self, rows: impl IntoIterator<Item = (i64, String)>) -> Vec<i64> {
        let rows = rows.into_iter().filter_map(|(id, keys)| Some((self.distance(&keys)?, id)));
        let rows: Vec<(usize, i64)> = rows.collect();
        let least = rows.iter().map(|(distance, _)| *distance).min();
        rows.into_iter().filter(|(distance, _)| Some(*distance) == least).map(|(_, id)| id).collect()
    }

    /// The number of wrong letters; `None` if there are more than are forgiven.
    fn distance(&self, stored: &str) -> Option<usize> {
        let words: Vec<&str> = stored.split_whitespace().collect();
        let pairs = words.windows(2).map(<[&str]>::concat);
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).chain(pairs).collect();
        let nearest = |searched: &SearchedKey| words.iter().filter_map(|word| searched.wrong_letters_in(word)).min();
        let apart: Option<usize> = self.searched.iter().map(nearest).sum();
        apart.into_iter().chain(self.joined.as_ref().and_then(nearest)).min()
    }
}

/// The key of a searched word.
struct SearchedKey {
    key: String,
    forgiven: usize,
    /// Parts of which similar keys have at least one: one part more than letters that are forgiven.
    parts: Vec<String>,
}

impl SearchedKey {
    fn new(key: String) -> Self {
        let (letters, forgiven) = (key.chars().collect::<Vec<char>>(), forgiven_in(&key));
        let count = forgiven + 1;
        let part = |at: usize| letters[at * letters.len() / count..(at + 1) * letters.len() / count].iter().collect();
        Self { parts: (0..count).map(part).collect(), key, forgiven }
    }

    /// The number of wrong letters; `None` if there are more than are forgiven.
    fn wrong_letters_in(&self, word: &str) -> Option<usize> {
        let Self { key, forgiven, parts } = self;
        if word.starts_with(key.as_str()) {
            return Some(0);
        }
        // Counting takes longer than looking for the parts, which few words have.
        if *forgiven == 0 || !parts.iter().any(|part| word.contains(part.as_str())) {
            return None;
        }
        let (length, longest) = (key.chars().count(), word.chars().count());
        if longest + forgiven < length {
            return None;
        }
        if longest <= length + forgiven {
            let wrong = osa_distance(key, word);
            if wrong <= *forgiven {
                return Some(wrong);
            }
        }
        let beginning: String = word.chars().take(length).collect();
        (osa_distance(key, &beginning) <= 1).then_some(MISSPELT_BEGINNING)
    }
}

/// A beginning of a word with a wrong letter is worth as much as a word with two.
const MISSPELT_BEGINNING: usize = 2;

#[cfg(test)]
mod tests {
    use super::SimilarWords;
    use crate::search_key::stored_keys;

    /// The names that a search finds.
    fn nearest<'t>(search: &str, names: &[&'t str]) -> Vec<&'t str> {
        let Some(similar) = SimilarWords::to(search) else { return Vec::new() };
        let parts = similar.parts();
        let rows = names.iter().zip(0..).map(|(name, id)| (id, stored_keys([*name])));
        let rows = rows.filter(|(_, keys)| parts.iter().any(|part| keys.contains(part.as_str())));
        similar.nearest(rows).into_iter().map(|id| names[id as usize]).collect()
    }

    #[test]
    fn misspelt_names_are_found() {
        let names = ["Tomarwal Ishani", "മുഹമ്മദ് റാഫി", "വെള്ളമെഴുത്ത്", "Mazha Patha", "Lantern Hall"];
        for (search, name) in [
            ("ईशानी तोमरवाल", "Tomarwal Ishani"),
            ("Muhammed", "മുഹമ്മദ് റാഫി"),
            ("vellam ezhuthu", "വെള്ളമെഴുത്ത്"),
            ("mazhappatha", "Mazha Patha"),
            ("ലാന്റേൺ ഹാൾ", "Lantern Hall"),
            ("Lanternn hal", "Lantern Hall"),
        ] {
            assert_eq!(nearest(search, &names), [name], "{search}");
        }
    }

    #[test]
    fn nearest_names_alone_are_found() {
        assert_eq!(nearest("Meenakshy", &["Meenakshi", "Minaksha", "Kamakshi"]), ["Meenakshi"]);
        let names = ["Ramunithan", "Ramanithan", "Ramunathan"];
        assert_eq!(nearest("Ramanathan", &names), ["Ramanithan", "Ramunathan"]);
    }

    #[test]
    fn numbers_addresses_and_short_words_are_not_forgiven() {
        let names = ["Ravi", "9847012345", "anu@example.org", "Lathika"];
        for search in ["Rabu", "9847012346", "anu@exampel.org", "Lathika 2", "Kodiyettam", "Ravi Kodiyettam"] {
            assert!(nearest(search, &names).is_empty(), "{search}: {:?}", nearest(search, &names));
        }
    }
}
