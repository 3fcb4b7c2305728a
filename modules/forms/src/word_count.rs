//! Counts the words of a text. The browser counts by the same rule; both are tested with `tests/fixtures/words.json`.

/// Counts words: runs between white space and long dashes that hold at least one letter or digit of any script.
///
/// A hyphen joins ("well-made" is one word); a dash between spaces is not a word, nor is an emoji by itself. Takes one
/// pass over the text.
pub(crate) fn word_count(text: &str) -> usize {
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
    use super::word_count;

    #[derive(serde::Deserialize)]
    struct Example {
        text: String,
        words: usize,
    }

    #[test]
    fn words_are_counted_as_in_the_browser() {
        let examples = include_str!("../../../tests/fixtures/words.json");
        let examples: Vec<Example> = serde_json::from_str(examples).unwrap_or_default();
        assert!(examples.len() > 20);
        for Example { text, words } in examples {
            assert_eq!(word_count(&text), words, "{text:?}");
        }
    }

    #[test]
    fn text_of_five_megabytes_is_counted() {
        let text = "നല്ല film, well-made — ".repeat(5_000_000 / 31);
        assert_eq!(word_count(&text), 3 * (5_000_000 / 31));
    }
}
