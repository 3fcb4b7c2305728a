//! Guesses the language of a text from its script: for `lang` attributes, feeds and JSON-LD.
//!
//! The website's `langOf` follows the same rule; `tests/fixtures/lang.json` tests both.

/// Unicode ranges and the language that stands for their script. For a script of several languages it is the one most
/// frequent among the films: fonts, line breaking and speech differ little between them.
const SCRIPTS: [(u32, u32, &str); 46] = [
    (0x41, 0x5A, "en"),
    (0x61, 0x7A, "en"),
    (0xC0, 0x24F, "en"),
    (0x370, 0x3FF, "el"),
    (0x400, 0x52F, "ru"),
    (0x531, 0x58F, "hy"),
    (0x590, 0x5FF, "he"),
    (0x600, 0x6FF, "ar"),
    (0x750, 0x77F, "ar"),
    (0x900, 0x97F, "hi"),
    (0x980, 0x9FF, "bn"),
    (0xA00, 0xA7F, "pa"),
    (0xA80, 0xAFF, "gu"),
    (0xB00, 0xB7F, "or"),
    (0xB80, 0xBFF, "ta"),
    (0xC00, 0xC7F, "te"),
    (0xC80, 0xCFF, "kn"),
    (0xD00, 0xD7F, "ml"),
    (0xD80, 0xDFF, "si"),
    (0xE00, 0xE7F, "th"),
    (0xE80, 0xEFF, "lo"),
    (0xF00, 0xFFF, "bo"),
    (0x1000, 0x109F, "my"),
    (0x10A0, 0x10FF, "ka"),
    (0x1100, 0x11FF, "ko"),
    (0x1200, 0x139F, "am"),
    (0x1780, 0x17FF, "km"),
    (0x1C90, 0x1CBF, "ka"),
    (0x1E00, 0x1EFF, "en"),
    (0x1F00, 0x1FFF, "el"),
    (0x2D00, 0x2D2F, "ka"),
    (0x3040, 0x30FF, "ja"),
    (0x3130, 0x318F, "ko"),
    (0x31F0, 0x31FF, "ja"),
    (0x3400, 0x4DBF, "zh"),
    (0x4E00, 0x9FFF, "zh"),
    (0xA8E0, 0xA8FF, "hi"),
    (0xAC00, 0xD7AF, "ko"),
    (0xF900, 0xFAFF, "zh"),
    (0xFB1D, 0xFB4F, "he"),
    (0xFB50, 0xFDFF, "ar"),
    (0xFE70, 0xFEFC, "ar"),
    (0xFF21, 0xFF3A, "en"),
    (0xFF41, 0xFF5A, "en"),
    (0xFF66, 0xFF9D, "ja"),
    (0x20000, 0x3FFFF, "zh"),
];

/// Returns the BCP 47 code of the language whose letters are more than half of `text`: "ml", "hi", "ar" and so on. "en"
/// if at least half are Latin or there are no letters, "" (unknown) if no script has a majority.
pub fn of(text: &str) -> &'static str {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    let mut letters = 0;
    for c in text.chars() {
        let language = language_of(c);
        if language.is_some() || c.is_alphabetic() {
            letters += 1;
        }
        let Some(language) = language else { continue };
        match counts.iter_mut().find(|(known, _)| *known == language) {
            Some((_, count)) => *count += 1,
            None => counts.push((language, 1)),
        }
    }
    let count = |language| counts.iter().find(|(known, _)| *known == language).map_or(0, |(_, count)| *count);
    if count("en") * 2 >= letters {
        return "en";
    }
    // Japanese also uses Chinese characters; any kana mark the text as Japanese.
    let japanese = if count("ja") > 0 { count("ja") + count("zh") } else { 0 };
    if japanese * 2 > letters {
        return "ja";
    }
    match counts.iter().find(|(_, count)| count * 2 > letters) {
        Some(("ar", _)) => arabic(text),
        Some((language, _)) => language,
        None => "",
    }
}

fn language_of(c: char) -> Option<&'static str> {
    // The multiplication and division signs are within the Latin ranges.
    if matches!(c, '\u{D7}' | '\u{F7}') {
        return None;
    }
    let code = u32::from(c);
    SCRIPTS.iter().find(|(first, last, _)| (*first..=*last).contains(&code)).map(|(_, _, language)| *language)
}

/// Distinguishes Urdu and Persian from Arabic by the letters that only they use.
fn arabic(text: &str) -> &'static str {
    if text.contains(['ٹ', 'ڈ', 'ڑ', 'ں', 'ھ', 'ے', 'ہ']) {
        "ur"
    } else if text.contains(['پ', 'چ', 'ژ', 'گ', 'ک', 'ی']) {
        "fa"
    } else {
        "ar"
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn language_matches_the_test_vectors_of_the_frontend() {
        let vectors: Vec<(String, String)> =
            serde_json::from_str(include_str!("../../../tests/fixtures/lang.json")).unwrap_or_default();
        assert!(vectors.len() > 30, "the fixture has all test vectors");
        for (text, expected) in vectors {
            assert_eq!(super::of(&text), expected, "{text}");
        }
    }

    #[test]
    fn every_script_has_a_test_vector() {
        let vectors: Vec<(String, String)> =
            serde_json::from_str(include_str!("../../../tests/fixtures/lang.json")).unwrap_or_default();
        for (_, _, language) in super::SCRIPTS {
            assert!(vectors.iter().any(|(_, expected)| expected == language), "{language}");
        }
    }
}
