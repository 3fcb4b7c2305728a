//! Cleaning of the sender's file names for display.

use unicode_normalization::UnicodeNormalization as _;

/// Maximum length of a name, in characters.
const MAX_CHARS: usize = 120;

/// Returns the last component of `name` in NFC, without invisible, bidirectional and control characters. For display
/// only, never to be used as a path.
pub(super) fn for_display(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let cleaned: String = last.nfc().filter(|c| !c.is_control() && !is_deceiving(*c)).take(MAX_CHARS).collect();
    let cleaned = cleaned.trim_start_matches(|c: char| c == '.' || c.is_whitespace()).trim_end();
    if cleaned.is_empty() { "file".to_owned() } else { cleaned.to_owned() }
}

/// Whether `c` is a direction mark, a line separator or invisible. The joiners of emoji and Malayalam (U+200C, U+200D)
/// are allowed.
fn is_deceiving(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_cleaned_for_display() {
        let long = "അ".repeat(4096);
        for (sent, displayed) in [
            ("poster.png", "poster.png"),
            ("../../etc/passwd", "passwd"),
            (r"C:\Users\me\poster.png", "poster.png"),
            ("a\0.png", "a.png"),
            ("a\r\nSet-Cookie: x=1.png", "aSet-Cookie: x=1.png"),
            ("photo\u{202E}gnp.exe", "photognp.exe"),
            (".htaccess", "htaccess"),
            ("...", "file"),
            (". .", "file"),
            (". .a.png ", "a.png"),
            ("", "file"),
            ("folder/", "file"),
            ("👩\u{200D}🎨.png", "👩\u{200D}🎨.png"),
            (long.as_str(), &"അ".repeat(120)),
        ] {
            assert_eq!(for_display(sent), displayed, "{sent:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_name_becomes_displayable(name in "(\\PC|[./\\\\\\x00-\\x1F\u{202E}\u{200D} ]){0,200}") {
            let displayed = for_display(&name);
            proptest::prop_assert!(!displayed.is_empty() && displayed.chars().count() <= MAX_CHARS);
            proptest::prop_assert!(!displayed.starts_with('.') && !displayed.contains(['/', '\\']));
            proptest::prop_assert!(!displayed.chars().any(|c| c.is_control() || is_deceiving(c)));
        }
    }
}
