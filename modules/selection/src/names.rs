//! Names of people inside synopses, which a blind round would show.

use std::collections::BTreeSet;

/// Shortest word of a name that is pointed out alone, in characters.
const MIN_WORD: usize = 4;

/// The names of people that occur in a text: names of director and producer, also one word of them, and whole names of
/// cast and crew. In alphabetical order.
pub(crate) fn in_text(text: &str, makers: &[&str], cast_and_crew: &str) -> Vec<String> {
    let words = format!(" {} ", words(text).join(" "));
    let occurs = |name: &str| {
        let name = self::words(name).join(" ");
        !name.is_empty() && words.contains(&format!(" {name} "))
    };
    let mut found = BTreeSet::new();
    for name in makers.iter().flat_map(|names| split(names)) {
        let is_word = |word: &&str| word.chars().count() >= MIN_WORD && occurs(word);
        found.extend(if occurs(name) { vec![name] } else { name.split_whitespace().filter(is_word).collect() });
    }
    for line in cast_and_crew.lines() {
        let names = line.rsplit(':').next().unwrap_or_default();
        found.extend(split(names).filter(|name| name.contains(' ') && occurs(name)));
    }
    found.into_iter().map(str::to_owned).collect()
}

fn split(names: &str) -> impl Iterator<Item = &str> {
    let parts = names.split([',', ';', '/', '&', '(', ')', '\n']).flat_map(|part| part.split(" and "));
    parts.map(str::trim).filter(|name| !name.is_empty())
}

/// The words in lower case, without punctuation.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| letter.is_whitespace() || letter.is_ascii_punctuation() || letter == '’');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_whole_and_makers_also_by_one_word() {
        let text = "Meenu Arackal’s third film follows Thomas, a ferryman played by K. R. Biju.";
        assert_eq!(
            in_text(text, &["Meenu Arackal", "Joy Thomas"], "Cast: K R Biju, Lata Sen"),
            ["K R Biju", "Meenu Arackal", "Thomas"]
        );
        assert_eq!(in_text("A ferry in the rain", &["Asha Nair"], ""), Vec::<String>::new());
    }
}
