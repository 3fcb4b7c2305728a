//! Texts of people: cleaned for storage, read from lists, cut for reports; the form of e-mail and web addresses.
//!
//! The browser cleans what visitors write by the same rules: the tables below are part of its generated file, and both
//! sides are tested with `tests/fixtures/clean-text.json`.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

/// The trimmed value, cut to 60 characters and an ellipsis.
pub fn shortened(value: &str) -> String {
    const MAX_CHARS: usize = 60;
    let mut letters = value.trim().chars();
    let short: String = letters.by_ref().take(MAX_CHARS).collect();
    if letters.next().is_some() { short + "…" } else { short }
}

/// The zeros of the decimal digits of other scripts; each is followed by the digits one to nine.
pub const ZEROS: &[u32] = &[
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6, 0x0E50,
    0x0ED0, 0x0F20, 0x1040, 0x17E0, 0x1810, 0xFF10,
];

/// Returns `text` with the decimal digits of every script as `0` to `9`.
pub fn with_ascii_digits(text: &str) -> Cow<'_, str> {
    let digit = |c: char| {
        let zero = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&u32::from(c)))?;
        char::from_digit(u32::from(c) - zero, 10)
    };
    if text.is_ascii() {
        return text.into();
    }
    text.chars().map(|c| digit(c).unwrap_or(c)).collect()
}

/// Placeholders that people and databases write for a missing value, in lower case.
const MISSING: &[&str] =
    &["n/a", "#n/a", "na", "n.a.", "null", "none", "nil", "nan", "tba", "tbc", "tbd", "unknown", "?", "??"];

/// Whether a cell of a list has no value: empty, dashes or dots, or a placeholder for a missing value.
pub fn is_missing(text: &str) -> bool {
    text.chars().all(|letter| matches!(letter, '-' | '–' | '—' | '−' | '_' | '.'))
        || MISSING.contains(&text.to_lowercase().as_str())
}

/// The text without white space and byte order marks around it, as browsers trim.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

/// The words of a text, joined with single spaces.
pub fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

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

/// How [`clean`] treats spaces, control characters and characters without a glyph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleaning {
    /// As organisers write: what is not refused stays.
    Exact,
    /// As visitors write: spaces of every kind but the ideographic one become ordinary spaces, line breaks of every kind
    /// `\n`, or a space in a text of one line, as tabs do. Invisible characters are removed; text without visible
    /// characters becomes empty.
    Visible,
    /// As lists have it: as [`Self::Visible`], with control characters removed, single spaces, and at most one empty
    /// line between others.
    Compact,
}

/// Cleans, composes (NFC) and trims `text`; `lines` allows line breaks.
///
/// # Errors
/// The first control character that is neither a space nor a line break; in a text of one line that is
/// [`Cleaning::Exact`], also a line break.
pub fn clean(text: &str, lines: bool, cleaning: Cleaning) -> Result<String, char> {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~') || lines && byte == b'\n');
    let cleaned = match cleaning {
        _ if is_plain => Cow::Borrowed(text),
        Cleaning::Exact => Cow::Owned(exact(text, lines)?),
        Cleaning::Visible | Cleaning::Compact => Cow::Owned(visible(text, lines, cleaning)?),
    };
    let text = trim(&cleaned);
    // Most texts are composed already, and composing takes longer than everything else.
    let text = if text.is_ascii() || is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) };
    Ok(if cleaning == Cleaning::Compact { compact(&text) } else { text.into_owned() })
}

/// Whether no workbook can hold a character, because XML cannot.
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fffe}' | '\u{ffff}')
}

fn exact(text: &str, lines: bool) -> Result<String, char> {
    let text = text.replace(is_noncharacter, "").replace("\r\n", "\n");
    let text = trim(&text);
    match text.chars().find(|c| c.is_control() && !(lines && matches!(c, '\n' | '\t'))) {
        Some(control) => Err(control),
        None => Ok(text.to_owned()),
    }
}

fn is_in(ranges: &[Range], c: char) -> bool {
    let c = u32::from(c);
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

fn visible(text: &str, lines: bool, cleaning: Cleaning) -> Result<String, char> {
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
            c if cleaning == Cleaning::Compact && (c.is_control() || is_noncharacter(c)) => continue,
            c if c.is_control() => return Err(c),
            c if is_in(INVISIBLE, c) => continue,
            c if is_in(SHAPING, c) && !last.is_some_and(|last| is_in(SHAPED, last)) => continue,
            c => c,
        };
        last = Some(c);
        cleaned.push(c);
    }
    let is_invisible = |c: char| c.is_whitespace() || is_in(SHAPING, c) || is_in(&[(0xFE00, 0xFE0F)], c);
    Ok(if cleaned.chars().all(is_invisible) { String::new() } else { cleaned })
}

fn compact(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.split('\n').map(single_spaced) {
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// Whether `text` has the form of an e-mail address: a local part, one @, a host. `Some(false)` if mail servers may take
/// it, but hardly anybody has such an address: a host without a dot, a dot at an end of the local part, or a long one.
pub fn is_usual_email(text: &str) -> Option<bool> {
    let (name, host) = text.rsplit_once('@')?;
    let is_plain = |c: char| {
        !c.is_whitespace() && !matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | ',' | ';' | ':' | '\\' | '"' | '@')
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    if name.is_empty() || text.chars().count() > 254 || !name.chars().all(is_plain) || !host.split('.').all(is_label) {
        return None;
    }
    Some(host.contains('.') && name.len() <= 64 && !name.starts_with('.') && !name.ends_with('.'))
}

/// Whether `text` is an absolute address with http or https and a host.
pub fn is_web_address(text: &str) -> bool {
    let start = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    let scheme = ["https://", "http://"].into_iter().find(|scheme| start.starts_with(scheme));
    let rest = scheme.map_or("", |scheme| &text[scheme.len()..]);
    !rest.is_empty() && !rest.starts_with(['/', '?', '#']) && !text.contains(char::is_whitespace)
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
            assert_eq!(clean(&text, true, Cleaning::Visible).as_deref(), Ok(lines.as_str()), "{text:?} as lines");
            assert_eq!(clean(&text, false, Cleaning::Visible).as_deref(), Ok(line.as_str()), "{text:?} as a line");
            assert_eq!(clean(&lines, true, Cleaning::Visible).as_deref(), Ok(lines.as_str()), "{lines:?} again");
        }
    }

    #[test]
    fn control_characters_are_refused() {
        for c in ['\0', '\u{1}', '\u{1b}', '\u{1f}', '\u{7f}', '\u{80}', '\u{9f}'] {
            assert_eq!(clean(&format!("a{c}b"), true, Cleaning::Visible), Err(c));
        }
    }

    #[test]
    fn texts_of_organisers_stay_as_they_are_written() {
        let exact = |text: &str, lines| clean(text, lines, Cleaning::Exact);
        let text = "\u{feff} One\u{a0} two\r\n\tthree\u{200b}four \n";
        assert_eq!(exact(text, true), Ok("One\u{a0} two\n\tthree\u{200b}four".to_owned()));
        assert_eq!(exact("e\u{301}\u{fffe}", false), Ok("é".to_owned()));
        assert_eq!(
            [exact("a\nb", false), exact("a\tb", false), exact("a\rb", true)],
            [Err('\n'), Err('\t'), Err('\r')]
        );
    }

    #[test]
    fn texts_of_lists_are_compact() {
        let compact = |text: &str| clean(text, true, Cleaning::Compact);
        let text = "\u{feff}One\u{a0} two \r\n\r\n\r\n   three\u{7}\u{202e} \n";
        assert_eq!(compact(text), Ok("One two\n\nthree".to_owned()));
        assert_eq!(compact("e\u{301}"), Ok("é".to_owned()));
        // The joiner of a Malayalam letter stays.
        assert_eq!(compact("അവന്\u{200d}"), Ok("അവന്\u{200d}".to_owned()));
    }

    #[test]
    fn addresses_are_recognised() {
        for (text, form) in [
            ("lamp@example.org", Some(true)),
            ("വിളക്ക്1@example.org", Some(true)),
            ("lamp@localhost", Some(false)),
            (".lamp@example.org", Some(false)),
            ("lamp@-example.org", None),
            ("a b@example.org", None),
            ("lamp", None),
        ] {
            assert_eq!(is_usual_email(text), form, "{text}");
        }
        for (text, is_address) in [
            ("https://example.org", true),
            ("HTTP://example.org/a?b", true),
            ("https:///a", false),
            ("https://?a", false),
            ("https://example.org/a b", false),
            ("ftp://example.org", false),
            ("example.org", false),
        ] {
            assert_eq!(is_web_address(text), is_address, "{text}");
        }
    }

    #[test]
    fn missing_values_are_recognised() {
        for text in ["", "-", "—", "--", "...", "N/A", "tbd", "Unknown", "??"] {
            assert!(is_missing(text), "{text}");
        }
        assert!(!is_missing("0") && !is_missing("Nadi") && !is_missing("- 5"));
    }
}
