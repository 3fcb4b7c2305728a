//! Detection of active content in PDFs (scripts, actions, embedded files) without a parser.
//!
//! A full parser would be a larger attack surface and would trust the file's own structure, which readers do not.
//! Instead every name is checked, wherever it is. Object streams are decompressed within limits; if one cannot be
//! inspected, the file is flagged as possibly hiding active content.

use flate2::{Decompress, FlushDecompress, Status};

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
    let last = |word: &[u8]| bytes.windows(word.len()).rposition(|window| window == word);
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
        while let Some(&byte) = bytes.get(at) {
            let rest = &bytes[at..];
            match byte {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn inspect(bytes: &[u8]) -> Result<Vec<&'static str>, String> {
        super::inspect(bytes, &budget(bytes.len(), &Cancellation::default()))
    }

    fn pdf(dictionary: &str) -> Vec<u8> {
        format!("%PDF-1.7\n1 0 obj\n<<{dictionary}>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n").into_bytes()
    }

    #[test]
    fn active_content_is_flagged() {
        for (dictionary, flags) in [
            ("/Type/Catalog", vec![]),
            ("/OpenAction 2 0 R", vec!["active_content"]),
            ("/OpenAction [3 0 R /Fit]", vec![]),
            ("/S/JavaScript/JS(app.alert)", vec!["active_content"]),
            ("/S/J#61vaScr#69pt", vec!["active_content"]),
            ("/S /GoToR /F (other.pdf)", vec!["active_content"]),
            ("/S/GoToE", vec!["active_content"]),
            ("/S/Rendition/OP 0", vec!["active_content"]),
            ("/S/Launch/F(calc.exe)", vec!["active_content"]),
            ("/S/GoTo/D[3 0 R/Fit]", vec![]),
            ("/S/URI/URI(https://example.org)", vec![]),
            ("/AA<</O 3 0 R>>", vec!["active_content"]),
            ("/AAPL/JSON/Launcher", vec![]),
            ("/Encrypt 4 0 R", vec!["may_hide_active_content", "encrypted"]),
        ] {
            assert_eq!(inspect(&pdf(dictionary)), Ok(flags), "{dictionary}");
        }
    }

    fn compress(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, bytes).and_then(|()| encoder.finish()).unwrap_or_default()
    }

    /// Inspects a document with one stream.
    fn inspect_with(dictionary: &str, stream: &[u8]) -> Result<Vec<&'static str>, String> {
        let start = format!("%PDF-1.7\n1 0 obj\n<<{dictionary}>>\nstream\r\n").into_bytes();
        inspect(&[start, stream.to_vec(), b"\nendstream\nendobj\n%%EOF".to_vec()].concat())
    }

    const SCRIPT: &[u8] = b"7 0 8 20 <</S/JavaScript>>";

    #[test]
    fn compressed_object_streams_are_inspected() {
        let list = "/Type/ObjStm/N 2/First 9/Filter/FlateDecode";
        assert_eq!(inspect_with(list, &compress(b"7 0 <</Type/Page>>")), Ok(vec![]));
        for dictionary in [
            list,
            "/Type 9 0 R/N 2/First 9/Filter/FlateDecode",
            "/Filter 9 0 R",
            "/Note(stream\n)/Type/ObjStm/N 2/First 9/Filter/FlateDecode",
            "/Type/ObjStm/N 2/First 9/Filter/FlateDecode/Note(endobj\n1 0 obj)",
            "/#54ype/O#62jStm/N 2/F#69rst 9/Filter/FlateDecode",
        ] {
            let flags = inspect_with(dictionary, &compress(SCRIPT)).unwrap_or_default();
            assert!(flags.contains(&"active_content"), "{dictionary}: {flags:?}");
        }
        assert_eq!(inspect_with("/Type/ObjStm/N 2/First 9", SCRIPT), Ok(vec!["active_content"]));
        let hidden = Ok(vec!["may_hide_active_content"]);
        assert_eq!(inspect_with(list, b"not packed so"), hidden);
        assert_eq!(inspect_with(list, &compress(&compress(SCRIPT))), hidden);
        assert_eq!(
            inspect_with(list, &compress(&[b"7 0 ".as_slice(), &vec![b' '; 20 << 20]].concat())),
            hidden,
            "a bomb"
        );
    }

    #[test]
    fn object_streams_with_predictors_are_inspected() {
        // Rows of eight bytes, each the difference to the row above.
        let mut rows = Vec::new();
        let mut above = [0; 8];
        for row in [SCRIPT, b"      "].concat().chunks_exact(8) {
            rows.push(2);
            rows.extend(row.iter().zip(above).map(|(byte, above)| byte.wrapping_sub(above)));
            above.copy_from_slice(row);
        }
        let parameters = "/Type/ObjStm/N 2/First 9/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 8>>";
        assert_eq!(inspect_with(parameters, &compress(&rows)), Ok(vec!["active_content"]));
        let unknown = parameters.replace("/Columns 8", "/Columns 9 0 R");
        assert_eq!(
            inspect_with(&unknown, &compress(&rows)).map(|flags| flags.contains(&"may_hide_active_content")),
            Ok(true)
        );
    }

    /// Streams that are each compressed so that decompression runs through all that follow, produces next to nothing,
    /// and fails.
    fn nested(streams: usize, blocks: usize) -> Vec<u8> {
        let next = b"stream\n\x78\x01";
        let mut file =
            [b"%PDF-1.7\n1 0 obj\n<</Type/ObjStm/N 2/First 9/Filter/FlateDecode>>\n".as_slice(), next].concat();
        for _ in 0..streams {
            // Empty blocks, then one that is the next stream's beginning.
            file.extend(b"\0\0\0\xFF\xFF".repeat(blocks));
            file.extend(b"\0\x09\0\xF6\xFF");
            file.extend(next);
        }
        [file.as_slice(), b"\x07\nendstream\nendobj\n%%EOF"].concat()
    }

    #[test]
    fn failed_decompression_is_charged_and_the_inspection_ends() {
        let inspect = |file: &[u8]| {
            let budget = budget(file.len(), &Cancellation::default());
            (super::inspect(file, &budget), budget.charged())
        };
        let file = nested(1300, 750);
        assert_eq!(file.len() >> 20, 4);
        let (flags, charged) = inspect(&file);
        assert_eq!(flags, Ok(vec!["may_hide_active_content"]));
        let limit = MAX_WORK + file.len() as u64;
        assert!((limit..limit + 2000 * STREAM_WORK).contains(&charged), "{charged}");
        // More ordinary streams than usual stay below the limit.
        let file = pdf("/Type/Catalog");
        let ordinary =
            [b"<</Length 9>>\nstream\n".as_slice(), &compress(b"BT (words) Tj ET"), b"\nendstream\n"].concat();
        let (flags, charged) = inspect(&[file, ordinary.repeat(50_000), b"%%EOF".to_vec()].concat());
        assert_eq!(flags, Ok(vec![]));
        assert!(charged < 60_000_000, "{charged}");
    }

    #[test]
    fn cancelled_inspection_stops() {
        let waiter = std::sync::Arc::new(());
        let cancellation = Cancellation::when_dropped(std::sync::Arc::downgrade(&waiter));
        drop(waiter);
        let file = nested(1300, 750);
        let budget = budget(file.len(), &cancellation);
        assert!(super::inspect(&file, &budget).is_ok_and(|flags| flags == ["may_hide_active_content"]));
        assert!(budget.charged() < 4_000_000, "{}", budget.charged());
    }

    #[test]
    fn compressed_pixels_are_not_mistaken_for_names() {
        assert_eq!(inspect_with("/Subtype/Image", b"\x80/JS \x90/AA\x00/XFA("), Ok(vec![]));
        assert_eq!(inspect_with("/Subtype/Image", b"\x80/JavaScript "), Ok(vec!["active_content"]));
    }

    #[test]
    fn pdfs_with_leading_or_trailing_bytes_are_accepted() {
        let whole = pdf("/Type/Catalog");
        let with = |before: &[u8], after: &[u8]| inspect(&[before, whole.as_slice(), after].concat());
        assert_eq!(with(b"\xEF\xBB\xBF", b""), Ok(vec![]));
        assert_eq!(with(b"\x1B%-12345X@PJL ENTER LANGUAGE=PDF\r\n", b"\x1B%-12345X"), Ok(vec![]));
        assert_eq!(with(b"", &[0; 10_000]), Ok(vec![]));
        assert_eq!(with(b"", &b"mailed with love\n".repeat(500)), Ok(vec![]));
        let end = whole.len() - b"%%EOF\n".len();
        assert_eq!(
            inspect(&[&whole[..end], b"startxref\n9\n"].concat()),
            Ok(vec![]),
            "startxref without %%EOF is complete"
        );
        assert_eq!(inspect(&whole[..end]), Ok(vec![DAMAGED]));
        assert_eq!(inspect(&[whole.as_slice(), b"2 0 obj\n<</Type/Pa"].concat()), Ok(vec![DAMAGED]));
        assert!(inspect(b"%PDF-").is_err());
    }
}
