//! Escaping of texts that a spreadsheet would execute as a formula (CSV injection).
//!
//! In CSV, a leading apostrophe is the only way to mark a cell as text; a workbook has cell types and needs none.

use std::borrow::Cow;

/// Returns whether `text` begins like a formula, after whitespace and control characters that some programs skip.
pub fn is_formula(text: &str) -> bool {
    for letter in text.chars() {
        match letter {
            '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '\t' | '\r' | '\0' => return true,
            blank if blank.is_whitespace() || blank.is_control() => {}
            _ => return false,
        }
    }
    false
}

/// Returns `text` for a CSV file: with an apostrophe in front if it begins like a formula, or like one that has been
/// escaped, so that [`unescape_formula`] is the exact reverse.
pub fn escape_formula(text: &str) -> Cow<'_, str> {
    if is_formula(text.trim_start_matches('\'')) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Reverses [`escape_formula`]: removes the apostrophe in front of a formula.
pub fn unescape_formula(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text.trim_start_matches('\''))).unwrap_or(cell)
}
