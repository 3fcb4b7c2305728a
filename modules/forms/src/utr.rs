//! The UTR, by which banks identify a payment: 12 digits for UPI and IMPS, 16 characters for NEFT, 22 for RTGS.

use festival_core::text::with_ascii_digits;

/// Why a number is flagged for organisers: a sentence without its full stop.
pub(crate) const UNUSUAL: &str = "This is no UTR, which has 12 digits (UPI), 16 characters (NEFT) or 22 (RTGS)";

/// Whether `text` may be a UTR. Blanks, hyphens and apostrophes do not count.
pub(crate) fn is_utr(text: &str) -> bool {
    let text: String = with_ascii_digits(text).chars().filter(|c| !is_ignored(*c)).collect();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    match text.len() {
        12 => digits == 12,
        16 | 22 => digits >= 8 && text.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        _ => false,
    }
}

/// Whether a character does not count: blanks, hyphens, and the apostrophe by which spreadsheets mark a text.
fn is_ignored(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '\'' | '’' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::is_utr;

    #[test]
    fn utrs_are_recognised_by_their_length() {
        for text in [
            "512345678901",
            "5123 4567 8901",
            "SBIN525123456789",
            "HDFCR52025102612345678",
            "'512345678901",
            "൫൧൨൩൪൫൬൭൮൯൦൧",
        ] {
            assert!(is_utr(text), "{text}");
        }
        for text in ["", "51234567890", "51234567890A", "paid by my uncle", "5.12346E+11", "SBINABCDEFGHIJKL"] {
            assert!(!is_utr(text), "{text}");
        }
    }
}
