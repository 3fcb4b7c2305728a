//! The poster of a film that has none: its title in a beam of light, as on the site (`poster-design.ts`, with its style
//! sheet). Widths of characters are estimates: too large an estimate makes the title smaller than necessary.

use festival_core::lang;
use unicode_normalization::char::is_combining_mark;

/// Design of a poster, as the numbers that the style sheet knows.
#[derive(Debug, PartialEq)]
pub(super) struct Design {
    /// The section's two colours, 0 to 5.
    pub(super) tone: i64,
    /// Where the beam comes from and how wide it is, 0 to 7.
    pub(super) beam: u32,
    /// Dark and light colour as they are, swapped, or with the section's second dark: 0 to 2.
    pub(super) variant: u32,
    /// Whether the title is at the bottom.
    pub(super) foot: bool,
    /// The size of the title, in hundredths of the poster's width.
    pub(super) size: f32,
}

/// Sizes of the title in hundredths of the poster's width.
const SIZES: [f32; 11] = [36.0, 31.0, 27.0, 23.5, 20.5, 18.0, 15.8, 13.8, 12.0, 10.5, 9.0];
/// The space for the title, in the same unit.
const WIDTH: f32 = 83.0;
const HEIGHT: f32 = 124.0;
const BLANK: f32 = 0.17;

/// Derives the design from title and section.
pub(super) fn design(name: &str, section: i64) -> Design {
    let hash = hash_of(name);
    Design {
        tone: section.rem_euclid(6),
        beam: hash % 8,
        variant: (hash >> 8) % 3,
        foot: (hash >> 4).is_multiple_of(2),
        size: size_of(name),
    }
}

/// FNV-1a of the UTF-16 units, as in the browser.
fn hash_of(text: &str) -> u32 {
    let hash =
        text.encode_utf16().fold(0x811c_9dc5_u32, |hash, unit| (hash ^ u32::from(unit)).wrapping_mul(0x0100_0193));
    hash ^ (hash >> 15)
}

/// The largest size at which no word is broken and all lines fit.
fn size_of(text: &str) -> f32 {
    let widths: Vec<f32> = parts(text).iter().map(|word| word.chars().map(advance).sum()).collect();
    let line = line_height(lang::of(text));
    let widest = widths.iter().copied().fold(0.0, f32::max);
    let fits = |size: &f32| {
        let width = WIDTH / size;
        widest <= width && lines(&widths, width) * line * size <= HEIGHT
    };
    SIZES.into_iter().find(fits).unwrap_or(SIZES[SIZES.len() - 1])
}

/// Splits a text into units that are not broken: words, and single characters of Chinese and Japanese.
fn parts(text: &str) -> Vec<String> {
    let is_square = |sign: char| matches!(sign, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}');
    let mut parts = Vec::new();
    for word in text.split_whitespace() {
        if word.chars().any(is_square) {
            parts.extend(word.chars().map(String::from));
        } else {
            parts.extend(word.split_inclusive('-').map(str::to_owned));
        }
    }
    parts
}

/// The number of lines that these words take.
fn lines(widths: &[f32], width: f32) -> f32 {
    let (mut lines, mut reached) = (1.0, 0.0_f32);
    for next in widths {
        if reached > 0.0 && reached + BLANK + next > width {
            lines += 1.0;
            reached = *next;
        } else {
            reached += if reached > 0.0 { BLANK + next } else { *next };
        }
    }
    lines
}

/// A little more than the width of a character in the condensed typeface, in ems.
fn advance(sign: char) -> f32 {
    let code = u32::from(sign);
    if code < 0x250 {
        return match sign {
            'i' | 'j' | 'l' | 't' | 'f' | 'r' | 'I' | '.' | ',' | ':' | ';' | '\'' | '!' | '|' | '(' | ')' | '-' => {
                0.29
            }
            'M' | 'W' | 'm' | 'w' | '&' | '@' | '%' => 0.66,
            'C' | 'E' | 'F' | 'J' | 'L' | 'S' | 'T' | 'Z' | 'c' | 'e' | 's' | 'z' | 'k' => 0.4,
            _ => 0.46,
        };
    }
    match code {
        0x2019 => 0.29,
        0x200c | 0x200d => 0.1,
        // Some are above or below a letter, others next to it.
        0x900..=0xdff if is_combining_mark(sign) => 0.3,
        _ if is_combining_mark(sign) => 0.1,
        0xb80..=0xbff | 0xd00..=0xd7f => 0.74,
        0xc00..=0xcff => 0.68,
        0x900..=0xb7f => 0.62,
        0x600..=0x77f => 0.66,
        0x1100.. => 1.02,
        _ => 0.64,
    }
}

/// The height of a line, in ems.
fn line_height(language: &str) -> f32 {
    match language {
        "ml" => 1.25,
        "hi" | "bn" | "pa" | "gu" | "or" | "ta" | "te" | "kn" | "si" => 1.2,
        "zh" | "ja" | "ko" => 1.15,
        "en" | "ru" | "el" => 0.98,
        _ => 1.35,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Title, section, and the tone, beam, variant and foot that the browser computes.
    type Found = (&'static str, i64, (i64, u32, u32, bool));
    const BROWSER: [Found; 4] = [
        ("Kurak", 2, (2, 4, 0, true)),
        ("The Rain Road", 1, (1, 5, 2, false)),
        ("മഴയുടെ വഴി", 13, (1, 2, 1, true)),
        ("기생충", 4, (4, 1, 2, true)),
    ];

    #[test]
    fn poster_follows_from_title_and_section_as_in_the_browser() {
        // What designOf returns for the same titles.
        let numbers = |name, section| {
            let Design { tone, beam, variant, foot, .. } = design(name, section);
            (tone, beam, variant, foot)
        };
        for (name, section, expected) in BROWSER {
            assert_eq!(numbers(name, section), expected, "{name}");
        }
        let sizes = [
            "If",
            "The Creature",
            "The Deepest Space in Us, and the Last Summer",
            "A Conversation about Everything That Was Left Out",
        ]
        .map(|name| design(name, 1).size);
        assert!(sizes.windows(2).all(|pair| pair[0] > pair[1]), "{sizes:?}");
        assert!(design("NAVADAMPATHIGALU", 1).size < design("NAVA DAMPA THIGALU", 1).size);
    }
}
