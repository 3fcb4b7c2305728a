//! PDF without a parser: whether anything is in it, and which names in it mean that opening it may do something.
//!
//! A full parser would be the larger danger, and it would believe what the file says about itself; readers do not.
//! So every name is looked at, wherever it stands. Packed lists of objects are unpacked, within bounds; where that does
//! not go, the file is flagged as one that may hide something.

use flate2::{Decompress, FlushDecompress, Status};

use super::{DAMAGED, texts};
use crate::budget::{Asker, Budget};

/// Names that start something, lead to another file, or carry one.
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
/// Shorter names come about by chance in packed pixels.
const SHORTEST_IN_STREAMS: usize = 5;
/// The longest name that is looked at.
const LONGEST_NAME: usize = 32;
/// The most bytes of one file that are kept when they are unpacked.
const MOST_UNPACKED: usize = 8 * 1024 * 1024;
/// The most bytes of a stream that are unpacked in order to see what it is.
const GLANCE: usize = 64;
/// How many bytes are unpacked at a time.
const STEP: usize = 4096;
/// What looking into a stream costs beside its bytes.
const STREAM: u64 = 1024;
/// The work that a document may cost beside its length: 50,000 streams are looked into, more than ordinary ones have.
const WORK: u64 = 64 * 1024 * 1024;

/// What the search through a document of so many bytes may cost.
pub(crate) fn budget(length: usize, asker: &Asker) -> Budget {
    Budget::new(WORK + length as u64, 0, asker)
}

/// Whether there is a document in the file, and its flags. Where `budget` ends before the file, what was not looked at may
/// hide something.
pub(crate) fn inspect(bytes: &[u8], budget: &Budget) -> Result<Vec<&'static str>, String> {
    let last = |word: &[u8]| bytes.windows(word.len()).rposition(|window| window == word);
    let (object, end) = (last(b" obj"), last(b"%%EOF").max(last(b"startxref")));
    if object.is_none() && end.is_none() {
        return Err(texts::UNREADABLE_PDF.into());
    }
    let mut found = Found::new(budget, object > end);
    found.look_at_file(bytes);
    Ok(found.flags())
}

/// What the names of a file say.
struct Found<'b> {
    budget: &'b Budget,
    inflater: Decompress,
    active: bool,
    hidden: bool,
    encrypted: bool,
    /// Objects follow the last end, or there is none.
    is_cut_off: bool,
    /// Bytes that were unpacked and kept.
    unpacked: usize,
}

/// What is known of the object that is being read.
#[derive(Default)]
struct Object {
    /// It says that it is a list of packed objects, or has what only those have.
    is_list: bool,
    has_filter: bool,
    has_predictor: bool,
    /// The last name was `Columns`: a number follows.
    columns: Option<usize>,
}

impl<'b> Found<'b> {
    fn new(budget: &'b Budget, is_cut_off: bool) -> Self {
        let inflater = Decompress::new(true);
        Self { budget, inflater, active: false, hidden: false, encrypted: false, is_cut_off, unpacked: 0 }
    }

    /// Looks at every name in the file, and into its lists of packed objects.
    fn look_at_file(&mut self, bytes: &[u8]) {
        let mut object = Object::default();
        let mut in_stream = false;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let rest = &bytes[at..];
            match byte {
                b'/' => {
                    let (name, length, used) = name_at(&rest[1..]);
                    let name = &name[..length];
                    if !in_stream || length >= SHORTEST_IN_STREAMS {
                        self.visit_name(name, &rest[1 + used..]);
                    }
                    object.visit_name(name, &rest[1 + used..]);
                }
                b'e' if rest.starts_with(b"endstream") => {
                    (in_stream, object) = (false, Object::default());
                    at += b"endstream".len() - 1;
                }
                b'e' if !in_stream && rest.starts_with(b"endobj") => object = Object::default(),
                // The word may stand in a text as well: then what follows is not packed.
                b's' if rest.starts_with(b"stream") => {
                    let packed = &rest[b"stream".len()..];
                    let packed = packed.strip_prefix(b"\r").unwrap_or(packed);
                    let packed = packed.strip_prefix(b"\n").unwrap_or(packed);
                    // A list that is not packed is read on like everything else.
                    in_stream = !self.look_into(packed, &object);
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Looks at every name in objects that were packed.
    fn look_at_objects(&mut self, bytes: &[u8]) {
        for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let (name, length, used) = name_at(&bytes[at + 1..]);
            self.visit_name(&name[..length], &bytes[at + 1 + used..]);
        }
    }

    fn visit_name(&mut self, name: &[u8], after: &[u8]) {
        // An array is a place in the document to open it at.
        let is_place = name == b"OpenAction" && after.trim_ascii_start().starts_with(b"[");
        self.active |= ACTIVE.contains(&name) && !is_place;
        self.encrypted |= name == b"Encrypt";
    }

    /// Unpacks a stream and looks at the names in it, if it is a list of objects: it says so, or it begins as one.
    /// Answers whether it is one that is not packed at all.
    fn look_into(&mut self, packed: &[u8], object: &Object) -> bool {
        let mut start = Vec::new();
        let mut is_packed = false;
        if begins_as_zlib(packed) {
            (start, is_packed) = self.unpack(packed, GLANCE);
            is_packed &= !start.is_empty();
        }
        let looks_so = match object.has_predictor {
            // Behind the mark of the first row.
            true => start.get(1).is_some_and(u8::is_ascii_digit),
            false => begins_as_list(&start),
        };
        if !object.is_list && !looks_so {
            return false;
        }
        if !is_packed {
            // What is packed in another way stays closed to us.
            let is_plain = !object.has_filter && begins_as_list(&packed[..packed.len().min(LONGEST_NAME)]);
            self.hidden |= !is_plain;
            return is_plain;
        }
        let (mut objects, is_whole) = self.unpack(packed, MOST_UNPACKED - self.unpacked);
        self.unpacked += objects.len();
        if object.has_predictor {
            objects = match object.columns.filter(|columns| *columns > 0) {
                Some(columns) => unpredict(&objects, columns),
                None => Vec::new(),
            };
        }
        self.hidden |= !is_whole || self.unpacked >= MOST_UNPACKED || !begins_as_list(&objects);
        self.look_at_objects(&objects);
        false
    }

    /// Unpacks at most so many bytes; answers them, and whether nothing was wrong with them until then. What goes in and
    /// what comes out is charged, whatever becomes of it.
    fn unpack(&mut self, packed: &[u8], most: usize) -> (Vec<u8>, bool) {
        let (mut unpacked, mut rest, mut buffer) = (Vec::new(), packed, [0; STEP]);
        self.inflater.reset(true);
        let mut charged = self.budget.charge(STREAM);
        while charged.is_ok() {
            let before = (self.inflater.total_in(), self.inflater.total_out());
            let room = STEP.min(most - unpacked.len());
            let input = &rest[..rest.len().min(STEP)];
            let status = self.inflater.decompress(input, &mut buffer[..room], FlushDecompress::None);
            let (taken, given) = (self.inflater.total_in() - before.0, self.inflater.total_out() - before.1);
            charged = self.budget.charge(taken + given);
            rest = &rest[taken as usize..];
            unpacked.extend(&buffer[..given as usize]);
            match status {
                Err(_) => return (unpacked, false),
                Ok(Status::StreamEnd) => return (unpacked, true),
                Ok(_) if unpacked.len() == most || taken + given == 0 => return (unpacked, true),
                Ok(_) => {}
            }
        }
        self.hidden = true;
        (unpacked, false)
    }

    fn flags(&self) -> Vec<&'static str> {
        let flags = [
            (self.active, "active_content"),
            (self.hidden || self.encrypted, "may_hide_active_content"),
            (self.encrypted, "encrypted"),
            (self.is_cut_off, DAMAGED),
        ];
        flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag).collect()
    }
}

impl Object {
    fn visit_name(&mut self, name: &[u8], after: &[u8]) {
        match name {
            b"ObjStm" | b"First" => self.is_list = true,
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

/// Whether these bytes may be packed with zlib.
fn begins_as_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [first, second, ..] if first & 15 == 8 && u16::from_be_bytes([*first, *second]).is_multiple_of(31))
}

/// Whether these are numbers of objects with their places, and then an object: a list begins so.
fn begins_as_list(bytes: &[u8]) -> bool {
    let (mut numbers, mut rest) = (0, bytes.trim_ascii_start());
    while rest.first().is_some_and(u8::is_ascii_digit) {
        numbers += 1;
        let digits = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        rest = rest[digits..].trim_ascii_start();
    }
    let objects = b"<[(/tfn";
    numbers > 1 && rest.first().is_none_or(|byte| objects.contains(byte))
}

/// Rows of bytes as they were before a PNG filter made them smaller.
fn unpredict(rows: &[u8], columns: usize) -> Vec<u8> {
    let mut plain: Vec<u8> = Vec::with_capacity(rows.len());
    for row in rows.chunks(columns.saturating_add(1)) {
        let before = plain.len().checked_sub(columns);
        for (place, byte) in row[1..].iter().enumerate() {
            let above = before.map_or(0, |before| plain[before + place]);
            let left = if place == 0 { 0 } else { plain[plain.len() - 1] };
            let corner = if place == 0 { 0 } else { before.map_or(0, |before| plain[before + place - 1]) };
            plain.push(byte.wrapping_add(match row[0] {
                1 => left,
                2 => above,
                3 => left.midpoint(above),
                4 => nearest(left, above, corner),
                _ => 0,
            }));
        }
    }
    plain
}

/// The one of the three that is nearest to `left + above - corner` (PNG's filter 4).
fn nearest(left: u8, above: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(above) - i16::from(corner);
    [left, above, corner].into_iter().min_by_key(|byte| (guess - i16::from(*byte)).abs()).unwrap_or(left)
}

/// The name that `bytes` begins with, `#6A` read as the letter it stands for, its length, and how many bytes it takes.
fn name_at(bytes: &[u8]) -> ([u8; LONGEST_NAME], usize, usize) {
    let mut name = [0; LONGEST_NAME];
    let (mut length, mut at) = (0, 0);
    while let Some(&byte) = bytes.get(at)
        && length < LONGEST_NAME
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
        super::inspect(bytes, &budget(bytes.len(), &Asker::default()))
    }

    fn pdf(inside: &str) -> Vec<u8> {
        format!("%PDF-1.7\n1 0 obj\n<<{inside}>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n").into_bytes()
    }

    #[test]
    fn what_may_act_is_flagged() {
        for (inside, flags) in [
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
            assert_eq!(inspect(&pdf(inside)), Ok(flags), "{inside}");
        }
    }

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packer, bytes).and_then(|()| packer.finish()).unwrap_or_default()
    }

    /// A document with one stream.
    fn with(dictionary: &str, stream: &[u8]) -> Result<Vec<&'static str>, String> {
        let start = format!("%PDF-1.7\n1 0 obj\n<<{dictionary}>>\nstream\r\n").into_bytes();
        inspect(&[start, stream.to_vec(), b"\nendstream\nendobj\n%%EOF".to_vec()].concat())
    }

    const SCRIPT: &[u8] = b"7 0 8 20 <</S/JavaScript>>";

    #[test]
    fn packed_objects_are_looked_into() {
        let list = "/Type/ObjStm/N 2/First 9/Filter/FlateDecode";
        assert_eq!(with(list, &pack(b"7 0 <</Type/Page>>")), Ok(vec![]));
        for dictionary in [
            list,
            "/Type 9 0 R/N 2/First 9/Filter/FlateDecode",
            "/Filter 9 0 R",
            "/Note(stream\n)/Type/ObjStm/N 2/First 9/Filter/FlateDecode",
            "/Type/ObjStm/N 2/First 9/Filter/FlateDecode/Note(endobj\n1 0 obj)",
            "/#54ype/O#62jStm/N 2/F#69rst 9/Filter/FlateDecode",
        ] {
            let flags = with(dictionary, &pack(SCRIPT)).unwrap_or_default();
            assert!(flags.contains(&"active_content"), "{dictionary}: {flags:?}");
        }
        assert_eq!(with("/Type/ObjStm/N 2/First 9", SCRIPT), Ok(vec!["active_content"]));
        let hidden = Ok(vec!["may_hide_active_content"]);
        assert_eq!(with(list, b"not packed so"), hidden);
        assert_eq!(with(list, &pack(&pack(SCRIPT))), hidden);
        assert_eq!(with(list, &pack(&[b"7 0 ".as_slice(), &vec![b' '; 20 << 20]].concat())), hidden, "a bomb");
    }

    #[test]
    fn predicted_objects_are_looked_into() {
        // Rows of eight bytes, each the difference to the row above.
        let mut rows = Vec::new();
        let mut above = [0; 8];
        for row in [SCRIPT, b"      "].concat().chunks_exact(8) {
            rows.push(2);
            rows.extend(row.iter().zip(above).map(|(byte, above)| byte.wrapping_sub(above)));
            above.copy_from_slice(row);
        }
        let parameters = "/Type/ObjStm/N 2/First 9/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 8>>";
        assert_eq!(with(parameters, &pack(&rows)), Ok(vec!["active_content"]));
        let unknown = parameters.replace("/Columns 8", "/Columns 9 0 R");
        assert_eq!(with(&unknown, &pack(&rows)).map(|flags| flags.contains(&"may_hide_active_content")), Ok(true));
    }

    /// Streams that are packed so that unpacking goes on through all that follow, gives next to nothing, and fails.
    fn nested(streams: usize, blocks: usize) -> Vec<u8> {
        let next = b"stream\n\x78\x01";
        let mut file =
            [b"%PDF-1.7\n1 0 obj\n<</Type/ObjStm/N 2/First 9/Filter/FlateDecode>>\n".as_slice(), next].concat();
        for _ in 0..streams {
            // Blocks of no bytes, then one that is the next stream's beginning.
            file.extend(b"\0\0\0\xFF\xFF".repeat(blocks));
            file.extend(b"\0\x09\0\xF6\xFF");
            file.extend(next);
        }
        [file.as_slice(), b"\x07\nendstream\nendobj\n%%EOF"].concat()
    }

    #[test]
    fn what_fails_is_charged_and_the_search_ends() {
        let all = |file: &[u8]| {
            let budget = budget(file.len(), &Asker::default());
            (super::inspect(file, &budget), budget.charged())
        };
        let file = nested(1300, 750);
        assert_eq!(file.len() >> 20, 4);
        let (flags, charged) = all(&file);
        assert_eq!(flags, Ok(vec!["may_hide_active_content"]));
        let most = WORK + file.len() as u64;
        assert!((most..most + 2000 * STREAM).contains(&charged), "{charged}");
        // As many ordinary streams as nobody has cost less.
        let file = pdf("/Type/Catalog");
        let ordinary = [b"<</Length 9>>\nstream\n".as_slice(), &pack(b"BT (words) Tj ET"), b"\nendstream\n"].concat();
        let (flags, charged) = all(&[file, ordinary.repeat(50_000), b"%%EOF".to_vec()].concat());
        assert_eq!(flags, Ok(vec![]));
        assert!(charged < 60_000_000, "{charged}");
    }

    #[test]
    fn nobody_searches_a_document_that_nobody_waits_for() {
        let waiting = std::sync::Arc::new(());
        let asker = Asker::new(std::sync::Arc::downgrade(&waiting));
        drop(waiting);
        let file = nested(1300, 750);
        let budget = budget(file.len(), &asker);
        assert!(super::inspect(&file, &budget).is_ok_and(|flags| flags == ["may_hide_active_content"]));
        assert!(budget.charged() < 4_000_000, "{}", budget.charged());
    }

    #[test]
    fn pixels_are_not_taken_for_names() {
        assert_eq!(with("/Subtype/Image", b"\x80/JS \x90/AA\x00/XFA("), Ok(vec![]));
        assert_eq!(with("/Subtype/Image", b"\x80/JavaScript "), Ok(vec!["active_content"]));
    }

    #[test]
    fn what_every_reader_opens_is_taken() {
        let whole = pdf("/Type/Catalog");
        let with = |before: &[u8], after: &[u8]| inspect(&[before, whole.as_slice(), after].concat());
        assert_eq!(with(b"\xEF\xBB\xBF", b""), Ok(vec![]));
        assert_eq!(with(b"\x1B%-12345X@PJL ENTER LANGUAGE=PDF\r\n", b"\x1B%-12345X"), Ok(vec![]));
        assert_eq!(with(b"", &[0; 10_000]), Ok(vec![]));
        assert_eq!(with(b"", &b"mailed with love\n".repeat(500)), Ok(vec![]));
        let end = whole.len() - b"%%EOF\n".len();
        assert_eq!(inspect(&[&whole[..end], b"startxref\n9\n"].concat()), Ok(vec![]), "no end, and all is there");
        assert_eq!(inspect(&whole[..end]), Ok(vec![DAMAGED]));
        assert_eq!(inspect(&[whole.as_slice(), b"2 0 obj\n<</Type/Pa"].concat()), Ok(vec![DAMAGED]));
        assert!(inspect(b"%PDF-").is_err());
    }
}
