//! Texts for reports, and the digits of other scripts.

use std::borrow::Cow;

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
