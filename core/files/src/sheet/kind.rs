//! Detection of the kind of table by content, and of files that are not tables.

use std::io::{Cursor, Read as _};

use super::SheetError;

/// The kinds of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableKind {
    Text,
    Json,
    Workbook,
    OpenDocument,
}

const AS_TABLE: &str = "save the list as .xlsx or as CSV UTF-8";
const EXPORT: &str = "export the list as .xlsx or as CSV UTF-8 from the program it comes from";
const UNPACK: &str = "unpack it first and choose the .xlsx or CSV file inside";

/// The media type of an OpenDocument spreadsheet.
const ODS: &[u8] = b"application/vnd.oasis.opendocument.spreadsheet";

/// Maximum length of a media type, in bytes.
const MAX_MEDIA_TYPE: u64 = 200;

/// Signatures of files that are not tables, with name and advice.
const OTHER_KINDS: &[(&[u8], &str, &str)] = &[
    (b"%PDF-", "a PDF", EXPORT),
    (b"\x89PNG", "an image", EXPORT),
    (b"\xff\xd8\xff", "an image", EXPORT),
    (b"GIF8", "an image", EXPORT),
    (
        b"\xd0\xcf\x11\xe0",
        "an old Excel or Word file, or one with a password",
        "open it and save it as .xlsx without a password, or as CSV UTF-8",
    ),
    (b"{\\rtf", "a text document", AS_TABLE),
    (b"\x1f\x8b", "a packed file", UNPACK),
    (b"BZh", "a packed file", UNPACK),
    (b"7z\xbc\xaf", "a packed file", UNPACK),
    (b"Rar!", "a packed file", UNPACK),
    (b"SQLite format 3\0", "a database", EXPORT),
    (b"ID;PWXL;", "a SYLK file", AS_TABLE),
    (b"ID;PSCALC", "a SYLK file", AS_TABLE),
    (b"ID;PGnumeric", "a SYLK file", AS_TABLE),
    (b"TABLE\r\n0,1", "a DIF file", AS_TABLE),
    (b"TABLE\n0,1", "a DIF file", AS_TABLE),
    (b"\xff\xfe\0\0", "a text in UTF-32", "save it as CSV UTF-8"),
    (b"\0\0\xfe\xff", "a text in UTF-32", "save it as CSV UTF-8"),
];

/// Returns the kind of table.
///
/// # Errors
/// If the file is empty or not a table.
pub(super) fn detect(bytes: &[u8], file_name: &str) -> Result<TableKind, SheetError> {
    let refuse = |kind, advice| Err(SheetError::NotATable { file: display_name(file_name), kind, advice });
    let byte_order_marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    let text = byte_order_marks.iter().find_map(|mark| bytes.strip_prefix(*mark)).unwrap_or(bytes);
    // Every other byte of UTF-16 may be zero.
    let is_visible = |byte: &&u8| !byte.is_ascii_whitespace() && **byte != 0;
    let (Some(first), Some(last)) = (text.iter().find(is_visible), text.iter().rfind(is_visible)) else {
        return Err(SheetError::Empty);
    };
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return match archive(bytes) {
            Archive::Table(kind) => Ok(kind),
            Archive::Other(kind, advice) => refuse(kind, advice),
        };
    }
    if let Some((_, kind, advice)) = OTHER_KINDS.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        return refuse(kind, advice);
    }
    match (first, last) {
        (b'{', b'}') | (b'[', b']') => Ok(TableKind::Json),
        (b'<', b'>') => refuse("a web page or XML", AS_TABLE),
        _ => Ok(TableKind::Text),
    }
}

enum Archive {
    Table(TableKind),
    Other(&'static str, &'static str),
}

/// Determines what a ZIP archive contains: all office files are ZIP archives.
fn archive(bytes: &[u8]) -> Archive {
    let Ok(zip) = zip::ZipArchive::new(Cursor::new(bytes)) else {
        return Archive::Other("a damaged archive or workbook", "save or download it again");
    };
    let has = |name: &str| zip.file_names().any(|entry| entry.is_ok_and(|entry| entry == name));
    if has("xl/workbook.xml") {
        Archive::Table(TableKind::Workbook)
    } else if has("xl/workbook.bin") {
        Archive::Other("a binary Excel workbook (.xlsb)", AS_TABLE)
    } else if has("mimetype") && has("content.xml") {
        match media_type(zip).as_slice() {
            ODS => Archive::Table(TableKind::OpenDocument),
            _ => Archive::Other("an OpenDocument text or drawing", AS_TABLE),
        }
    } else if has("word/document.xml") {
        Archive::Other("a Word document", AS_TABLE)
    } else if has("Index/Document.iwa") {
        Archive::Other("a Numbers or Pages file", EXPORT)
    } else {
        Archive::Other("a packed file", UNPACK)
    }
}

/// Returns the media type that an OpenDocument file states.
fn media_type(mut zip: zip::ZipArchive<Cursor<&[u8]>>) -> Vec<u8> {
    let mut media_type = Vec::new();
    if let Ok(part) = zip.by_name("mimetype") {
        let _ = part.take(MAX_MEDIA_TYPE).read_to_end(&mut media_type); // A damaged one does not count.
    }
    media_type
}

/// The file's name for a message, without control characters.
fn display_name(file_name: &str) -> String {
    let name: String = file_name.chars().filter(|letter| !letter.is_control()).take(120).collect();
    if name.is_empty() { "the file".to_owned() } else { name }
}
