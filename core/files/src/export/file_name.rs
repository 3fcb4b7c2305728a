//! File names that are safe on all operating systems.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Maximum length of a name in bytes: below the 255 of common file systems.
const MAX_BYTES: usize = 200;

/// Returns `text` as one component of a path: in NFC, without invisible characters and those with a meaning for an
/// operating system, of at most `max_chars` characters. May be empty.
pub fn safe_name(text: &str, max_chars: usize) -> String {
    let mut name = String::new();
    for (count, letter) in text.nfc().filter_map(safe_letter).enumerate() {
        if count == max_chars || name.len() + letter.len_utf8() > MAX_BYTES {
            // Do not separate a letter from its combining marks.
            if is_combining_mark(letter) || is_joiner(letter) || name.ends_with(is_joiner) {
                let whole = name.trim_end_matches(|mark| is_combining_mark(mark) || is_joiner(mark)).len();
                name.truncate(name[..whole].char_indices().next_back().map_or(0, |(index, _)| index));
            }
            break;
        }
        name.push(letter);
    }
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.trim_end_matches(['.', ' ']).trim_start_matches(['.', ' ']);
    if is_device(name) { format!("{name}_") } else { name.to_owned() }
}

/// The replacement of this character; `None` to drop it.
fn safe_letter(letter: char) -> Option<char> {
    match letter {
        '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*' => Some('_'),
        blank if blank.is_whitespace() => Some(' '),
        hidden if hidden.is_control() => None,
        // Bidirectional and invisible characters; the joiners of Malayalam and emoji are kept.
        '\u{ad}'
        | '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff0}'..='\u{ffff}'
        | '\u{e0000}'..='\u{e007f}' => None,
        other => Some(other),
    }
}

fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}' | '\u{fe0f}')
}

/// Whether Windows reserves the name for a device, with any extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|rest| {
            let mut letters = rest.chars();
            matches!((letters.next(), letters.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
        })
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL") || numbered("COM") || numbered("LPT")
}
