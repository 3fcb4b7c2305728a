//! In which language a text is written, as far as its letters say: for `lang` attributes, feeds and JSON-LD.
//!
//! The website's `langOf` follows the same rule; `tests/fixtures/lang.json` holds both to it.

/// "ml" where most letters are Malayalam, "en" where most are Latin or there are none, "" (unknown) for other scripts.
pub fn of(text: &str) -> &'static str {
    let (mut malayalam, mut latin, mut other) = (0_usize, 0_usize, 0_usize);
    for c in text.chars() {
        match c {
            // The whole block: vowel signs stand for letters, too.
            '\u{0D00}'..='\u{0D7F}' => malayalam += 1,
            'A'..='Z' | 'a'..='z' | '\u{00C0}'..='\u{024F}' | '\u{1E00}'..='\u{1EFF}' => latin += 1,
            c if c.is_alphabetic() => other += 1,
            _ => {}
        }
    }
    if malayalam > latin + other {
        "ml"
    } else if latin >= malayalam + other {
        "en"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_letters_say_the_language_as_in_the_browser() {
        let vectors: Vec<(String, String)> =
            serde_json::from_str(include_str!("../../tests/fixtures/lang.json")).unwrap_or_default();
        assert!(vectors.len() > 8, "the vectors are there");
        for (text, expected) in vectors {
            assert_eq!(super::of(&text), expected, "{text}");
        }
    }
}
