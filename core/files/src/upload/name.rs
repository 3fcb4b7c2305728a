//! The name a file had on the sender's machine, made fit to be shown.

use unicode_normalization::UnicodeNormalization as _;

/// The longest name that is kept, in characters.
const LONGEST: usize = 120;

/// The last part of `name`, composed, without what is invisible, turns text around or means something to a
/// system. It is for people's eyes; no path is ever made of it.
pub(super) fn for_display(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown: String = last.nfc().filter(|c| !c.is_control() && !is_deceiving(*c)).take(LONGEST).collect();
    let shown = shown.trim().trim_start_matches('.').trim_start();
    if shown.is_empty() { "file".to_owned() } else { shown.to_owned() }
}

/// Marks of writing direction, separators of lines, and characters that cannot be seen. The joiners of emoji and
/// of Malayalam (U+200C, U+200D) stay.
fn is_deceiving(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_shown_stays() {
        let long = "അ".repeat(4096);
        for (sent, shown) in [
            ("poster.png", "poster.png"),
            ("../../etc/passwd", "passwd"),
            (r"C:\Users\me\poster.png", "poster.png"),
            ("a\0.png", "a.png"),
            ("a\r\nSet-Cookie: x=1.png", "aSet-Cookie: x=1.png"),
            ("photo\u{202E}gnp.exe", "photognp.exe"),
            (".htaccess", "htaccess"),
            ("...", "file"),
            ("", "file"),
            ("folder/", "file"),
            ("👩\u{200D}🎨.png", "👩\u{200D}🎨.png"),
            (long.as_str(), &"അ".repeat(120)),
        ] {
            assert_eq!(for_display(sent), shown, "{sent:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_name_can_be_shown(name in "(\\PC|[./\\\\\\x00-\\x1F\u{202E}\u{200D} ]){0,200}") {
            let shown = for_display(&name);
            proptest::prop_assert!(!shown.is_empty() && shown.chars().count() <= LONGEST);
            proptest::prop_assert!(!shown.starts_with('.') && !shown.contains(['/', '\\']));
            proptest::prop_assert!(!shown.chars().any(|c| c.is_control() || is_deceiving(c)));
        }
    }
}
