//! Text that a spreadsheet would take for a formula.
//!
//! Whoever opens an export must not run what a stranger typed. In a CSV file there is no other mark for "this is
//! text" than a leading apostrophe, which spreadsheets know; a workbook has types and needs none.

use std::borrow::Cow;

/// Whether `text` begins as a formula does, after the blanks and control characters that some programs skip.
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

/// `text` as a CSV file may hold it: with a leading apostrophe if it begins as a formula does.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_formula(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// The text that a cell of a CSV file of ours means: without the apostrophe that was put before a formula.
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}
