//! How many words a text has; the browser counts by the same rule (`tests/fixtures/words.json` holds both to it).

/// Counts words: runs between white space and long dashes that hold at least one letter or digit of any script.
///
/// A hyphen joins ("well-made" is one word), a dash with room around it is no word, nor is an emoji by itself.
/// One pass over the text, whatever it holds.
pub fn count(text: &str) -> usize {
    let mut words = 0;
    let mut in_word = false;
    for c in text.chars() {
        if c.is_whitespace() || matches!(c, '\u{2014}' | '\u{2015}' | '\u{feff}' | '\u{200b}') {
            in_word = false;
        } else if !in_word && c.is_alphanumeric() {
            in_word = true;
            words += 1;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::count;

    #[derive(serde::Deserialize)]
    struct Example {
        text: String,
        words: usize,
    }

    #[test]
    fn the_examples_that_the_browser_counts_too() {
        let examples = include_str!("../../../tests/fixtures/words.json");
        let examples: Vec<Example> = serde_json::from_str(examples).unwrap_or_default();
        assert!(examples.len() > 20);
        for Example { text, words } in examples {
            assert_eq!(count(&text), words, "{text:?}");
        }
    }

    #[test]
    fn five_megabytes_are_counted() {
        let text = "നല്ല film, well-made — ".repeat(5_000_000 / 31);
        assert_eq!(count(&text), 3 * (5_000_000 / 31));
    }
}
