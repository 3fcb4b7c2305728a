//! The numbers by which banks and people identify a payment, in texts of both.

use std::cmp::Reverse;

use festival_core::text::with_ascii_digits;

/// Maximum number of transaction numbers in a text that are searched for in other submissions.
const MAX_NUMBERS: usize = 4;

/// Whether people write the character between the digits of a number.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '\u{200b}'..='\u{200f}' | '\u{2010}'..='\u{2015}' | '\u{2060}' | '\u{feff}')
}

/// Returns the words of a text that look like transaction numbers: long, with many digits, and not dates. Groups of digits
/// are one number, "5123 4567 8901", and what stands before a long one does not count: "UTR512345678901". Digits of all
/// scripts are the same.
pub(crate) fn find(text: &str) -> Vec<String> {
    let is_number =
        |word: &String| word.len() >= 8 && word.bytes().filter(u8::is_ascii_digit).count() >= 5 && !is_date(word);
    let text = with_ascii_digits(text);
    let is_group = |word: &str| (3..=8).contains(&word.len()) && word.bytes().all(|digit| digit.is_ascii_digit());
    let mut words: Vec<String> = Vec::new();
    for part in text.split(|c: char| !c.is_ascii_alphanumeric() && !is_separator(c)) {
        let parts: Vec<&str> = part.split(is_separator).filter(|word| !word.is_empty()).collect();
        for groups in parts.chunk_by(|left, right| is_group(left) && is_group(right)) {
            let length: usize = groups.iter().map(|group| group.len()).sum();
            match (10..=22).contains(&length) {
                true => words.push(groups.concat()),
                false => words.extend(groups.iter().map(|group| (*group).to_owned())),
            }
        }
    }
    let plain = |word: String| {
        // People write O for 0.
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()).replace(['O', 'o'], "0");
        let is_long = digits.len() >= 10 && digits.bytes().all(|digit| digit.is_ascii_digit());
        if is_long { digits } else { word.to_ascii_lowercase() }
    };
    words.into_iter().filter(is_number).map(plain).collect()
}

/// Returns the longest numbers of a text.
pub(crate) fn longest(text: &str) -> Vec<String> {
    let mut numbers = find(text);
    numbers.sort_unstable_by_key(|number| Reverse(number.len()));
    numbers.dedup();
    numbers.truncate(MAX_NUMBERS);
    numbers
}

/// Returns a number as it is compared: spreadsheets lose the zeros in front.
pub(crate) fn comparable(number: &str) -> &str {
    number.trim_start_matches('0')
}

/// Whether a text names `number`, however it is written.
pub(crate) fn names(text: &str, number: &str) -> bool {
    find(text).iter().any(|known| comparable(known) == comparable(number))
}

/// Whether a word is a date: 20250912, 12092025.
fn is_date(word: &str) -> bool {
    let is_year = |digits: &str| digits.parse().is_ok_and(|year: u32| (1900..2100).contains(&year));
    word.len() == 8 && word.parse::<u32>().is_ok() && (is_year(&word[..4]) || is_year(&word[4..]))
}

/// Why a number is flagged for organisers: a sentence without its full stop.
pub(crate) const UNUSUAL_UTR: &str = "This is no UTR, which has 12 digits (UPI), 16 characters (NEFT) or 22 (RTGS)";

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

/// Whether a text is a bank's number and identifies nobody: no address, no words, no telephone number.
pub(crate) fn identifies_nobody(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'/'));
    // Telephone numbers have ten digits, or twelve with India's calling code; numbers of banks have twelve as well.
    let is_phone = letters == 0 && (digits < 12 || digits == 12 && text.starts_with("91"));
    is_plain && digits >= 6 && letters <= 6 && !is_phone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transaction_number_is_the_same_however_it_is_grouped() {
        for text in [
            "UTR 512345678901",
            "5123 4567 8901",
            "UTR-5123-4567-8901",
            "utr512345678901",
            "512-345-678-901",
            "५१२३ ४५६७ ८९०१",
            "൫൧൨൩൪൫൬൭൮൯൦൧",
            "５１２３４５６７８９０１",
            "5123\u{a0}4567\u{202f}8901",
            "'512345678901",
            "UPI/512345678901/Asha",
            "UTR5123456789O1",
        ] {
            assert_eq!(longest(text), ["512345678901"], "{text}");
        }
        assert_eq!(longest("SBIN525123456789"), ["525123456789"]);
        assert_eq!(longest("Rs 5000 on 12 09 2025"), Vec::<String>::new());
    }

    #[test]
    fn transaction_numbers_are_distinguished_from_dates_amounts_and_words() {
        assert_eq!(longest("UTR 000111222333, SBI, 12/09/2025, Rs 5000"), ["000111222333"]);
        assert_eq!(longest("ref: sbin0r52025 (20250912, 12092025)"), ["sbin0r52025"]);
        assert_eq!(longest("paid by GPay yesterday"), Vec::<String>::new());
    }

    #[test]
    fn numbers_that_lost_digits_are_recognised_only_if_the_rest_is_whole() {
        assert!(names("Paid by UPI, 12345678901", "012345678901"), "a spreadsheet lost the zero in front");
        assert!(!names("5.12346E+11", "512346000000"), "a spreadsheet rounded it");
        assert!(!names("999111222333", "000111222333"));
        assert!(!names("512345678902", "512345678901"));
    }
}

#[cfg(test)]
mod utr_tests {
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
