//! Cleans text for storage: normalised to NFC, without invisible characters.
//!
//! The browser cleans by the same rules: the tables below are part of its generated file, and both sides are tested with
//! `tests/fixtures/clean-text.json`.

use unicode_normalization::UnicodeNormalization as _;

/// An inclusive range of code points.
pub type Range = (u32, u32);

/// Code points without a glyph that are always removed: soft hyphen, zero-width space, direction marks and
/// embeddings, word joiners, byte order marks, Hangul fillers, interlinear marks.
pub const INVISIBLE: &[Range] = &[
    (0x00AD, 0x00AD),
    (0x061C, 0x061C),
    (0x180E, 0x180E),
    (0x200B, 0x200B),
    (0x200E, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF9, 0xFFFB),
    (0xE0000, 0xE001F),
];

/// Code points that change how their neighbours are drawn: joiners, and the tags of flags. Removed unless they follow a
/// character of [`SHAPED`].
pub const SHAPING: &[Range] = &[(0x200C, 0x200D), (0xE0020, 0xE007F)];

/// Scripts whose letters need joiners (Arabic, Malayalam and the other Indic scripts, Mongolian ...), and emoji.
pub const SHAPED: &[Range] = &[
    (0x0590, 0x1CFF),
    (0x2190, 0x2BFF),
    (0xA800, 0xABFF),
    (0xFB1D, 0xFDFF),
    (0xFE00, 0xFE0F),
    (0xFE70, 0xFEFC),
    (0x10A00, 0x11FFF),
    (0x1F000, 0x1FAFF),
    (0xE0020, 0xE007F),
];

fn is_in(ranges: &[Range], c: char) -> bool {
    let c = u32::from(c);
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// Cleans and trims `text`. Text without visible characters becomes empty.
///
/// Line breaks of every kind become `\n`, or a space if `lines` is false, as tabs do. Spaces of every kind but the
/// ideographic one become ordinary spaces. The rest stays as it was sent, in Unicode's composed form (NFC).
///
/// # Errors
/// The first control character that is neither a space nor a line break.
pub fn clean(text: &str, lines: bool) -> Result<String, char> {
    let mut cleaned = String::with_capacity(text.len());
    let mut last = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let c = match c {
            '\r' if chars.peek() == Some(&'\n') => continue,
            '\r' | '\n' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' if lines => '\n',
            '\r' | '\n' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => ' ',
            '\t' if lines => '\t',
            '\u{3000}' => '\u{3000}',
            '\u{2800}' => ' ',
            c if c.is_whitespace() => ' ',
            c if c.is_control() => return Err(c),
            c if is_in(INVISIBLE, c) => continue,
            c if is_in(SHAPING, c) && !last.is_some_and(|last| is_in(SHAPED, last)) => continue,
            c => c,
        };
        last = Some(c);
        cleaned.push(c);
    }
    let is_invisible = |c: char| c.is_whitespace() || is_in(SHAPING, c) || is_in(&[(0xFE00, 0xFE0F)], c);
    if cleaned.chars().all(is_invisible) {
        return Ok(String::new());
    }
    Ok(cleaned.trim().nfc().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Example {
        text: String,
        lines: String,
        line: String,
    }

    #[test]
    fn text_is_cleaned_as_in_the_browser() {
        let examples = include_str!("../../../tests/fixtures/clean-text.json");
        let examples: Vec<Example> = serde_json::from_str(examples).unwrap_or_default();
        assert!(examples.len() > 30);
        for Example { text, lines, line } in examples {
            assert_eq!(clean(&text, true).as_deref(), Ok(lines.as_str()), "{text:?} as lines");
            assert_eq!(clean(&text, false).as_deref(), Ok(line.as_str()), "{text:?} as a line");
            assert_eq!(clean(&lines, true).as_deref(), Ok(lines.as_str()), "{lines:?} again");
        }
    }

    #[test]
    fn control_characters_are_refused() {
        for c in ['\0', '\u{1}', '\u{1b}', '\u{1f}', '\u{7f}', '\u{80}', '\u{9f}'] {
            assert_eq!(clean(&format!("a{c}b"), true), Err(c));
        }
    }
}
