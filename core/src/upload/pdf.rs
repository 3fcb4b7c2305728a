//! PDF without a parser: whether it is whole, and which names in it mean that opening it may do something.
//!
//! A full parser would be the larger danger. Only packed lists of objects are unpacked, within bounds; where that
//! does not go, the file is flagged as one that may hide something.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

/// Names that start something, or carry another file.
const ACTIVE: &[&[u8]] = &[
    b"JavaScript",
    b"JS",
    b"OpenAction",
    b"AA",
    b"Launch",
    b"EmbeddedFile",
    b"EmbeddedFiles",
    b"RichMedia",
    b"SubmitForm",
    b"ImportData",
    b"XFA",
];
/// The longest name that is looked at.
const LONGEST_NAME: usize = 32;
/// How far the content of a stream may be from its type.
const LONGEST_DESCRIPTION: usize = 2048;
/// The most bytes that are unpacked of one file.
const MOST_UNPACKED: u64 = 8 * 1024 * 1024;

/// Checks the frame of the file and answers its flags.
pub(super) fn inspect(bytes: &[u8]) -> Result<Vec<&'static str>, String> {
    let end = bytes.iter().rposition(|byte| *byte != 0 && !byte.is_ascii_whitespace()).map_or(0, |at| at + 1);
    let tail = &bytes[end.saturating_sub(1024)..end];
    if !tail.windows(5).any(|window| window == b"%%EOF") {
        return Err("This PDF is damaged or incomplete. Please save it anew and choose it again.".into());
    }
    let mut found = Found::default();
    found.look(bytes, true);
    Ok(found.flags())
}

/// What the names of a file say.
#[derive(Default)]
struct Found {
    active: bool,
    hidden: bool,
    encrypted: bool,
    /// Bytes that were unpacked.
    unpacked: u64,
}

impl Found {
    /// Looks at every name in `bytes`; `outer` where lists of packed objects may be.
    fn look(&mut self, bytes: &[u8], outer: bool) {
        for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let (name, length) = name_at(&bytes[at + 1..]);
            let name = &name[..length];
            self.active |= ACTIVE.contains(&name);
            self.encrypted |= name == b"Encrypt";
            if outer && name == b"ObjStm" {
                self.hidden |= self.unpack(&bytes[at..]).is_none();
            }
        }
    }

    /// Unpacks the list of objects whose description `bytes` are in, and looks at the names in it. None if it is
    /// packed in a way that we do not read.
    fn unpack(&mut self, bytes: &[u8]) -> Option<()> {
        let near = &bytes[..bytes.len().min(LONGEST_DESCRIPTION)];
        let start = near.windows(6).position(|window| window == b"stream")? + 6;
        let packed = bytes[start..].strip_prefix(b"\r\n").or_else(|| bytes[start..].strip_prefix(b"\n"))?;
        let left = MOST_UNPACKED - self.unpacked;
        let mut names = Vec::new();
        ZlibDecoder::new(packed).take(left).read_to_end(&mut names).ok()?;
        self.unpacked += names.len() as u64;
        self.look(&names, false);
        (self.unpacked < MOST_UNPACKED).then_some(())
    }

    fn flags(&self) -> Vec<&'static str> {
        let flags = [
            (self.active, "active_content"),
            (self.hidden || self.encrypted, "may_hide_active_content"),
            (self.encrypted, "encrypted"),
        ];
        flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag).collect()
    }
}

/// The name that `bytes` begins with, `#6A` read as the letter it stands for.
fn name_at(bytes: &[u8]) -> ([u8; LONGEST_NAME], usize) {
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
    (name, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pdf(inside: &str) -> Vec<u8> {
        format!("%PDF-1.7\n1 0 obj\n<<{inside}>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n").into_bytes()
    }

    #[test]
    fn what_may_act_is_flagged() {
        for (inside, flags) in [
            ("/Type/Catalog", vec![]),
            ("/OpenAction 2 0 R", vec!["active_content"]),
            ("/S/JavaScript/JS(app.alert)", vec!["active_content"]),
            ("/S/J#61vaScr#69pt", vec!["active_content"]),
            ("/AA<</O 3 0 R>>", vec!["active_content"]),
            ("/AAPL/JSON/Launcher", vec![]),
            ("/Type/ObjStm", vec!["may_hide_active_content"]),
            ("/Encrypt 4 0 R", vec!["may_hide_active_content", "encrypted"]),
        ] {
            assert_eq!(inspect(&pdf(inside)), Ok(flags), "{inside}");
        }
    }

    #[test]
    fn packed_objects_are_looked_into() {
        let pack = |names: &[u8]| {
            let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
            std::io::Write::write_all(&mut packer, names).and_then(|()| packer.finish()).unwrap_or_default()
        };
        let with = |packed: Vec<u8>| {
            let start = b"%PDF-1.7\n1 0 obj\n<</Type/ObjStm/Filter/FlateDecode>>stream\r\n".to_vec();
            inspect(&[start, packed, b"\nendstream\n%%EOF".to_vec()].concat())
        };
        assert_eq!(with(pack(b"<</Type/Page>>")), Ok(vec![]));
        assert_eq!(with(pack(b"<</S/JavaScript>>")), Ok(vec!["active_content"]));
        assert_eq!(with(b"not packed so".to_vec()), Ok(vec!["may_hide_active_content"]));
        assert_eq!(with(pack(&vec![b' '; 20 << 20])), Ok(vec!["may_hide_active_content"]), "a bomb");
    }

    #[test]
    fn an_incomplete_one_is_refused() {
        let whole = pdf("/Type/Catalog");
        assert!(inspect(&whole[..whole.len() - 10]).is_err());
        assert!(inspect(b"%PDF-").is_err());
        let mut padded = whole;
        padded.resize(10_000, 0);
        assert!(inspect(&padded).is_ok(), "zeros at the end do no harm");
    }
}
