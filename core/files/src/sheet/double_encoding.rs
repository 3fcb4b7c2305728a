//! Mending of text whose UTF-8 was once read as Windows-1252: `PÃ¤rnu` for `Pärnu`, `à´®à´´` for `മഴ`.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

use super::{Note, Sheet};

/// Bytes that the UTF-8 of letters in use begins with: Latin, Greek, Cyrillic, Hebrew, Arabic, then all of three and
/// four bytes. The others are symbols that nobody writes, so that "CAFÉ™" stays.
fn begins_letter(byte: u8) -> bool {
    matches!(byte, 0xc2..=0xc5 | 0xce..=0xd1 | 0xd7..=0xdb | 0xe0..=0xf4)
}

/// Characters of a cell that a note quotes.
const QUOTED: usize = 40;

/// Mends the garbled cells of a table if most of its cells that are not ASCII are garbled, and notes the first of them.
/// A lone "Â¥" may be intended.
pub(super) fn mend(sheet: &mut Sheet) {
    let cells = || sheet.rows.iter().flat_map(|row| row.cells.iter().map(move |cell| (row.line, cell)));
    let garbled = || cells().filter_map(|(line, cell)| Some((line, cell, decoded(cell)?)));
    let (count, all) = (garbled().count(), cells().filter(|(_, cell)| !cell.is_ascii()).count());
    let Some((line, before, after)) = garbled().next().filter(|_| count * 5 > all * 4) else { return };
    let more = if count > 1 { format!("; {count} cells had such letters") } else { String::new() };
    let text = format!("\"{}\" was read as \"{}\"{more}", start_of(before), start_of(&after));
    sheet.notes.push(Note::at(line, text));
    for row in &mut sheet.rows {
        row.cells = row.cells.iter().map(|cell| decoded(cell).map_or(Cow::Borrowed(cell), Cow::Owned)).collect();
    }
    for cell in &mut sheet.header {
        *cell = decoded(cell).unwrap_or_else(|| std::mem::take(cell));
    }
}

fn start_of(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}

/// The text that was garbled; `None` if `text` is as somebody wrote it.
fn decoded(text: &str) -> Option<String> {
    // Most texts end here: their first letter that is not ASCII cannot be half of another.
    let first = text.chars().find(|letter| !letter.is_ascii())?;
    u8::try_from(u32::from(first)).ok().filter(|byte| begins_letter(*byte))?;
    let bytes: Option<Vec<u8>> = text.chars().map(byte).collect();
    let decoded = String::from_utf8(bytes?).ok()?;
    let is_in_use = |letter: char| letter.is_ascii() || begins_letter(letter.encode_utf8(&mut [0; 4]).as_bytes()[0]);
    decoded.chars().all(is_in_use).then_some(decoded)
}

/// The byte that was read as this letter. Some programs read those from 0x80 to 0x9f as control characters.
fn byte(letter: char) -> Option<u8> {
    match u8::try_from(letter) {
        Ok(byte) => Some(byte),
        Err(_) => match &*WINDOWS_1252.encode(letter.encode_utf8(&mut [0; 4])).0 {
            [byte] => Some(*byte),
            _ => None,
        },
    }
}
