//! Detection of the character encoding: byte order marks, UTF-16, UTF-8, and legacy encodings by statistics.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, MACINTOSH, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::SheetError;

/// Decodes a file and returns the name of its encoding.
///
/// # Errors
/// If any byte is invalid in the detected encoding.
pub(super) fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, &'static str), SheetError> {
    if let Some((encoding, bom_length)) = Encoding::for_bom(bytes) {
        return decode_strictly(encoding, &bytes[bom_length..]);
    }
    if bytes.contains(&0) {
        return decode_strictly(utf16_order(bytes)?, bytes);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok((Cow::Borrowed(text), UTF_8.name())),
        Err(_) if mostly_utf8(bytes) => decode_strictly(UTF_8, bytes),
        Err(_) => decode_strictly(guess(bytes), bytes),
    }
}

fn decode_strictly<'a>(
    encoding: &'static Encoding,
    bytes: &'a [u8],
) -> Result<(Cow<'a, str>, &'static str), SheetError> {
    match encoding.decode_without_bom_handling_and_without_replacement(bytes) {
        Some(text) => Ok((text, encoding.name())),
        None => Err(SheetError::Undecodable { line: line_of_first_error(encoding, bytes), encoding: encoding.name() }),
    }
}

/// The byte order of UTF-16 without a byte order mark: ASCII characters have a zero byte, always on the same side.
fn utf16_order(bytes: &[u8]) -> Result<&'static Encoding, SheetError> {
    let (mut even, mut odd) = (0_usize, 0_usize);
    for pair in bytes.chunks(2) {
        even += usize::from(pair[0] == 0);
        odd += usize::from(pair.get(1) == Some(&0));
    }
    match (even, odd) {
        (even, odd) if odd > 9 * even => Ok(UTF_16LE),
        (even, odd) if even > 9 * odd => Ok(UTF_16BE),
        _ => Err(SheetError::NotATable {
            file: "the file".to_owned(),
            kind: "binary data",
            advice: "save the list as .xlsx or as CSV UTF-8",
        }),
    }
}

/// Whether the bytes are UTF-8 with few errors. Such a file must not be decoded as a legacy encoding, which would
/// garble all other letters.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut invalid) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|letter| !letter.is_ascii()).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    valid > 4 * invalid
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    match detector.guess(None, Utf8Detection::Deny) {
        encoding if encoding == WINDOWS_1252 && is_macintosh(bytes) => MACINTOSH,
        encoding => encoding,
    }
}

/// Whether a text of Western letters is that of Excel on a Macintosh, which the detector does not know: its letters with
/// accents would be signs and capitals behind small letters, "JosŽ", and none would be a small letter.
fn is_macintosh(bytes: &[u8]) -> bool {
    let is_sign = |byte: u8| matches!(byte, 0x80..=0x84 | 0x86..=0x90 | 0x98 | 0x9b | 0x9d | 0x9f);
    let signs = bytes.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && is_sign(pair[1])).count();
    signs > bytes.iter().filter(|byte| **byte >= 0xdf).count()
}

/// The line of the first invalid bytes, counted from 1.
fn line_of_first_error(encoding: &'static Encoding, bytes: &[u8]) -> u64 {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(bytes.len().saturating_mul(3).saturating_add(16));
    let _ = decoder.decode_to_string_without_replacement(bytes, &mut text, true);
    1 + text.bytes().filter(|byte| *byte == b'\n').count() as u64
}
