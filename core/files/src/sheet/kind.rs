//! Detection of the kind of table by content, and of files that are not tables.

use std::io::Cursor;

use super::SheetError;

/// The kinds of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableKind {
    Text,
    Workbook,
}

const AS_TABLE: &str = "save the list as .xlsx or as CSV UTF-8";
const EXPORT: &str = "export the list as .xlsx or as CSV UTF-8 from the program it comes from";
const UNPACK: &str = "unpack it first and choose the .xlsx or CSV file inside";

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
    (b"\xff\xfe\0\0", "a text in UTF-32", "save it as CSV UTF-8"),
    (b"\0\0\xfe\xff", "a text in UTF-32", "save it as CSV UTF-8"),
];

/// Returns the kind of table.
///
/// # Errors
/// If the file is empty or not a table.
pub(super) fn detect(bytes: &[u8], file_name: &str) -> Result<TableKind, SheetError> {
    let refuse = |kind, advice| Err(SheetError::NotATable { file: display_name(file_name), kind, advice });
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii();
    let (Some(first), Some(last)) = (text.first(), text.last()) else {
        return Err(SheetError::Empty);
    };
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return match archive(bytes) {
            Archive::Workbook => Ok(TableKind::Workbook),
            Archive::Other(kind, advice) => refuse(kind, advice),
        };
    }
    if let Some((_, kind, advice)) = OTHER_KINDS.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        return refuse(kind, advice);
    }
    match (first, last) {
        (b'{', b'}') | (b'[', b']') => refuse("JSON", EXPORT),
        (b'<', b'>') => refuse("a web page or XML", AS_TABLE),
        _ => Ok(TableKind::Text),
    }
}

enum Archive {
    Workbook,
    Other(&'static str, &'static str),
}

/// Determines what a ZIP archive contains: all office files are ZIP archives.
fn archive(bytes: &[u8]) -> Archive {
    let Ok(zip) = zip::ZipArchive::new(Cursor::new(bytes)) else {
        return Archive::Other("a damaged archive or workbook", "save or download it again");
    };
    let has = |name: &str| zip.file_names().any(|entry| entry.is_ok_and(|entry| entry == name));
    if has("xl/workbook.xml") {
        Archive::Workbook
    } else if has("xl/workbook.bin") {
        Archive::Other("a binary Excel workbook (.xlsb)", AS_TABLE)
    } else if has("mimetype") && has("content.xml") {
        Archive::Other("an OpenDocument file (.ods)", AS_TABLE)
    } else if has("word/document.xml") {
        Archive::Other("a Word document", AS_TABLE)
    } else if has("Index/Document.iwa") {
        Archive::Other("a Numbers or Pages file", EXPORT)
    } else {
        Archive::Other("a packed file", UNPACK)
    }
}

/// The file's name for a message, without control characters.
fn display_name(file_name: &str) -> String {
    let name: String = file_name.chars().filter(|letter| !letter.is_control()).take(120).collect();
    if name.is_empty() { "the file".to_owned() } else { name }
}
