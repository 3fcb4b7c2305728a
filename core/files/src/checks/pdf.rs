//! Detection of active content in PDFs (scripts, actions, embedded files) without a parser.
//!
//! A full parser would be a larger attack surface and would trust the file's own structure, which readers do not.
//! Instead every name is checked, wherever it is. Object streams are decompressed within limits; if one cannot be
//! inspected, the file is flagged as possibly hiding active content.

#[cfg(test)]
mod tests;

use flate2::{Decompress, FlushDecompress, Status};
use memchr::{memchr3, memmem};

use super::flags::DAMAGED;
use super::texts;
use crate::budget::{Budget, Cancellation};

/// Names that execute something, open another file, or embed one.
const ACTIVE: &[&[u8]] = &[
    b"JavaScript",
    b"JS",
    b"OpenAction",
    b"AA",
    b"Launch",
    b"GoToR",
    b"GoToE",
    b"Rendition",
    b"EmbeddedFile",
    b"EmbeddedFiles",
    b"RichMedia",
    b"SubmitForm",
    b"ImportData",
    b"XFA",
];
/// Minimum length of a name within a stream: shorter ones occur in compressed pixels by chance.
const MIN_NAME_IN_STREAM: usize = 5;
/// Maximum length of a name; longer ones are cut.
const MAX_NAME: usize = 32;
/// Maximum size of all decompressed object streams of a file, in bytes.
const MAX_INFLATED: usize = 8 * 1024 * 1024;
/// Bytes of a stream that are decompressed to see whether it is an object stream.
const PROBE_SIZE: usize = 64;
/// Bytes that are decompressed at a time.
const CHUNK: usize = 4096;
/// Work that is charged per stream in addition to its bytes.
const STREAM_WORK: u64 = 1024;
/// Maximum work for a document in addition to its length, in bytes: enough for 50,000 streams, more than usual.
const MAX_WORK: u64 = 64 * 1024 * 1024;

/// Returns the budget for inspecting a document of `length` bytes.
pub(crate) fn budget(length: usize, cancellation: &Cancellation) -> Budget {
    Budget::new(MAX_WORK + length as u64, 0, cancellation)
}

/// Returns the flags of a document. If `budget` is exhausted before the end, it is flagged as possibly hiding active
/// content.
///
/// # Errors
/// A sentence for the sender if the file contains no PDF.
pub(crate) fn inspect(bytes: &[u8], budget: &Budget) -> Result<Vec<&'static str>, String> {
    let last = |word: &[u8]| memmem::rfind(bytes, word);
    let (object, end) = (last(b" obj"), last(b"%%EOF").max(last(b"startxref")));
    if object.is_none() && end.is_none() {
        return Err(texts::UNREADABLE_PDF.into());
    }
    let mut inspection = Inspection::new(budget, object > end);
    inspection.inspect_file(bytes);
    Ok(inspection.flags())
}

/// The findings so far.
struct Inspection<'b> {
    budget: &'b Budget,
    inflater: Decompress,
    active: bool,
    hidden: bool,
    encrypted: bool,
    /// Whether objects follow the last end marker, or there is none.
    is_truncated: bool,
    /// Total size of the decompressed object streams, in bytes.
    inflated: usize,
}

/// What is known about the current object.
#[derive(Default)]
struct Object {
    /// Whether it has a name that occurs in object streams only.
    is_object_stream: bool,
    has_filter: bool,
    has_predictor: bool,
    /// The value of `Columns`.
    columns: Option<usize>,
}

impl<'b> Inspection<'b> {
    fn new(budget: &'b Budget, is_truncated: bool) -> Self {
        let inflater = Decompress::new(true);
        Self { budget, inflater, active: false, hidden: false, encrypted: false, is_truncated, inflated: 0 }
    }

    /// Checks every name in the file and in its object streams.
    fn inspect_file(&mut self, bytes: &[u8]) {
        let mut object = Object::default();
        let mut in_stream = false;
        let mut at = 0;
        while let Some(ahead) = memchr3(b'/', b'e', b's', &bytes[at..]) {
            at += ahead;
            let rest = &bytes[at..];
            match rest[0] {
                b'/' => {
                    let (name, length, used) = name_at(&rest[1..]);
                    let name = &name[..length];
                    if !in_stream || length >= MIN_NAME_IN_STREAM {
                        self.visit_name(name, &rest[1 + used..]);
                    }
                    object.visit_name(name, &rest[1 + used..]);
                }
                b'e' if rest.starts_with(b"endstream") => {
                    (in_stream, object) = (false, Object::default());
                    at += b"endstream".len() - 1;
                }
                b'e' if !in_stream && rest.starts_with(b"endobj") => object = Object::default(),
                // The keyword may also occur in a text; what follows does not decompress then.
                b's' if rest.starts_with(b"stream") => {
                    let content = &rest[b"stream".len()..];
                    let content = content.strip_prefix(b"\r").unwrap_or(content);
                    let content = content.strip_prefix(b"\n").unwrap_or(content);
                    // An uncompressed object stream is inspected like the rest of the file.
                    in_stream = !self.inspect_stream(content, &object);
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Checks every name in decompressed objects.
    fn inspect_objects(&mut self, bytes: &[u8]) {
        for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let (name, length, used) = name_at(&bytes[at + 1..]);
            self.visit_name(&name[..length], &bytes[at + 1 + used..]);
        }
    }

    fn visit_name(&mut self, name: &[u8], after: &[u8]) {
        // An array is a destination within the document.
        let is_destination = name == b"OpenAction" && after.trim_ascii_start().starts_with(b"[");
        self.active |= ACTIVE.contains(&name) && !is_destination;
        self.encrypted |= name == b"Encrypt";
    }

    /// Inspects a stream if it is an object stream, by its dictionary or its content. Returns whether it is an
    /// uncompressed object stream.
    fn inspect_stream(&mut self, content: &[u8], object: &Object) -> bool {
        let mut start = Vec::new();
        let mut is_compressed = false;
        if begins_as_zlib(content) {
            (start, is_compressed) = self.inflate(content, PROBE_SIZE);
            is_compressed &= !start.is_empty();
        }
        let looks_like_one = match object.has_predictor {
            // After the filter byte of the first row.
            true => start.get(1).is_some_and(u8::is_ascii_digit),
            false => begins_as_object_stream(&start),
        };
        if !object.is_object_stream && !looks_like_one {
            return false;
        }
        if !is_compressed {
            // Other compression methods are not supported.
            let is_plain = !object.has_filter && begins_as_object_stream(&content[..content.len().min(MAX_NAME)]);
            self.hidden |= !is_plain;
            return is_plain;
        }
        let (mut objects, is_whole) = self.inflate(content, MAX_INFLATED - self.inflated);
        self.inflated += objects.len();
        if object.has_predictor {
            objects = match object.columns.filter(|columns| *columns > 0) {
                Some(columns) => unpredict(&objects, columns),
                None => Vec::new(),
            };
        }
        self.hidden |= !is_whole || self.inflated >= MAX_INFLATED || !begins_as_object_stream(&objects);
        self.inspect_objects(&objects);
        false
    }

    /// Decompresses at most `limit` bytes and returns them, and whether they are free of errors. Input and output are
    /// charged in any case.
    fn inflate(&mut self, compressed: &[u8], limit: usize) -> (Vec<u8>, bool) {
        let (mut inflated, mut rest, mut buffer) = (Vec::new(), compressed, [0; CHUNK]);
        self.inflater.reset(true);
        let mut charged = self.budget.charge(STREAM_WORK);
        while charged.is_ok() {
            let before = (self.inflater.total_in(), self.inflater.total_out());
            let room = CHUNK.min(limit - inflated.len());
            let input = &rest[..rest.len().min(CHUNK)];
            let status = self.inflater.decompress(input, &mut buffer[..room], FlushDecompress::None);
            let (consumed, produced) = (self.inflater.total_in() - before.0, self.inflater.total_out() - before.1);
            charged = self.budget.charge(consumed + produced);
            rest = &rest[consumed as usize..];
            inflated.extend(&buffer[..produced as usize]);
            match status {
                Err(_) => return (inflated, false),
                Ok(Status::StreamEnd) => return (inflated, true),
                Ok(_) if inflated.len() == limit || consumed + produced == 0 => return (inflated, true),
                Ok(_) => {}
            }
        }
        self.hidden = true;
        (inflated, false)
    }

    fn flags(&self) -> Vec<&'static str> {
        let flags = [
            (self.active, "active_content"),
            (self.hidden || self.encrypted, "may_hide_active_content"),
            (self.encrypted, "encrypted"),
            (self.is_truncated, DAMAGED),
        ];
        flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag).collect()
    }
}

impl Object {
    fn visit_name(&mut self, name: &[u8], after: &[u8]) {
        match name {
            b"ObjStm" | b"First" => self.is_object_stream = true,
            b"Filter" => self.has_filter = true,
            b"Predictor" => self.has_predictor = number(after) != Some(1),
            b"Columns" => self.columns = number(after),
            _ => {}
        }
    }
}

fn number(bytes: &[u8]) -> Option<usize> {
    let digits = bytes.trim_ascii_start();
    let end = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
    std::str::from_utf8(&digits[..end]).ok()?.parse().ok()
}

/// Whether these bytes begin like zlib data.
fn begins_as_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [first, second, ..] if first & 15 == 8 && u16::from_be_bytes([*first, *second]).is_multiple_of(31))
}

/// Whether these bytes begin like an object stream: pairs of object numbers and offsets, then an object.
fn begins_as_object_stream(bytes: &[u8]) -> bool {
    let (mut numbers, mut rest) = (0, bytes.trim_ascii_start());
    while rest.first().is_some_and(u8::is_ascii_digit) {
        numbers += 1;
        let digits = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        rest = rest[digits..].trim_ascii_start();
    }
    let objects = b"<[(/tfn";
    numbers > 1 && rest.first().is_none_or(|byte| objects.contains(byte))
}

/// Reverses the PNG prediction of rows.
fn unpredict(rows: &[u8], columns: usize) -> Vec<u8> {
    let mut plain: Vec<u8> = Vec::with_capacity(rows.len());
    for row in rows.chunks(columns.saturating_add(1)) {
        let previous_row = plain.len().checked_sub(columns);
        for (column, byte) in row[1..].iter().enumerate() {
            let above = previous_row.map_or(0, |start| plain[start + column]);
            let left = if column == 0 { 0 } else { plain[plain.len() - 1] };
            let corner = if column == 0 { 0 } else { previous_row.map_or(0, |start| plain[start + column - 1]) };
            plain.push(byte.wrapping_add(match row[0] {
                1 => left,
                2 => above,
                3 => left.midpoint(above),
                4 => paeth(left, above, corner),
                _ => 0,
            }));
        }
    }
    plain
}

/// The Paeth predictor: the value that is nearest to `left + above - corner`.
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let estimate = i16::from(left) + i16::from(above) - i16::from(corner);
    [left, above, corner].into_iter().min_by_key(|byte| (estimate - i16::from(*byte)).abs()).unwrap_or(left)
}

/// The name that `bytes` begins with, with `#6A` decoded, its length, and the number of bytes that it takes up.
fn name_at(bytes: &[u8]) -> ([u8; MAX_NAME], usize, usize) {
    let mut name = [0; MAX_NAME];
    let (mut length, mut at) = (0, 0);
    while let Some(&byte) = bytes.get(at)
        && length < MAX_NAME
        && !byte.is_ascii_whitespace()
        && !matches!(byte, 0 | b'/' | b'<' | b'>' | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'%')
    {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| byte == b'#');
        at += if escaped.is_some() { 3 } else { 1 };
        name[length] = escaped.unwrap_or(byte);
        length += 1;
    }
    (name, length, at)
}
