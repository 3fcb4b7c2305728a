//! Escaping of texts that a spreadsheet would execute as a formula (CSV injection).
//!
//! In CSV, a leading apostrophe is the only way to mark a cell as text; a workbook has cell types and needs none.

use std::borrow::Cow;

/// Whether `text` begins like a formula, after whitespace and control characters that some programs skip.
fn begins_like_formula(text: &str) -> bool {
    for letter in text.chars() {
        match letter {
            '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '\t' | '\r' | '\0' => return true,
            blank if blank.is_whitespace() || blank.is_control() => {}
            _ => return false,
        }
    }
    false
}

/// Whether `text` is a telephone number like `+91 98470 12345`, in which there is nothing to compute. People dial it and
/// other programs read it, so it stays as it is.
fn is_telephone_number(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or_default();
    digits.starts_with(|letter: char| letter.is_ascii_digit())
        && digits.chars().all(|letter| letter == ' ' || letter.is_ascii_digit())
}

/// Returns `text` for a CSV file: with an apostrophe in front if it begins like a formula, or like one that has been
/// escaped, so that [`unescape_formula`] is the exact reverse.
pub fn escape_formula(text: &str) -> Cow<'_, str> {
    let is_escaped = begins_like_formula(text.trim_start_matches('\'')) && !is_telephone_number(text);
    if is_escaped { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Reverses [`escape_formula`]: removes the apostrophe in front of a formula.
pub fn unescape_formula(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| begins_like_formula(text.trim_start_matches('\''))).unwrap_or(cell)
}
