//! Detection of a file's kind by its bytes alone; its name and declared type are ignored.
//!
//! The tables are public, because the forms in the browser check files by the same ones before sending.

use memchr::memmem;

use super::texts;

/// The kinds of files that a file field accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptedKinds {
    /// What browsers show: JPEG, PNG, WebP, GIF, BMP.
    Picture,
    /// The same, and PDF.
    PictureOrPdf,
    /// PDF.
    Pdf,
    /// MP4.
    Video,
    /// A table: CSV, TSV, XLSX. Its content is checked only when [`crate::sheet`] reads it.
    Table,
}

/// Number of leading bytes that are searched for text patterns and the start of a PDF, as PDF readers do.
pub const HEAD: usize = 1024;
/// Start of a PDF, possibly after bytes that a printer or mail program put in front of it.
pub const PDF_START: &str = "%PDF-";

/// The supported kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Jpeg,
    Png,
    Webp,
    Gif,
    Bmp,
    /// Kept where it comes with the program, and accepted in no form.
    Avif,
    Pdf,
    Mp4,
    Table,
}

/// The kinds with their MIME types, and their extensions in the stores.
const KINDS: [(Kind, &str, &str); 9] = [
    (Kind::Jpeg, "image/jpeg", "jpg"),
    (Kind::Png, "image/png", "png"),
    (Kind::Webp, "image/webp", "webp"),
    (Kind::Gif, "image/gif", "gif"),
    (Kind::Bmp, "image/bmp", "bmp"),
    (Kind::Avif, "image/avif", "avif"),
    (Kind::Pdf, "application/pdf", "pdf"),
    (Kind::Mp4, "video/mp4", "mp4"),
    (Kind::Table, "application/octet-stream", "table"),
];

impl Kind {
    fn of_mime(mime: &str) -> Option<Self> {
        KINDS.iter().find(|(_, known, _)| *known == mime).map(|(kind, ..)| *kind)
    }

    /// Returns the kind of a stored file, by the extension of its key.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        let (_, extension) = key.rsplit_once('.')?;
        KINDS.iter().find(|(.., known)| *known == extension).map(|(kind, ..)| *kind)
    }

    pub(crate) fn mime(self) -> &'static str {
        KINDS.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, mime, _)| mime)
    }

    pub(crate) fn extension(self) -> &'static str {
        KINDS.iter().find(|(kind, ..)| *kind == self).map_or("", |(.., extension)| extension)
    }

    pub(crate) fn is_picture(self) -> bool {
        !matches!(self, Self::Pdf | Self::Mp4 | Self::Table)
    }
}

/// A kind of file that is recognised by bytes at fixed offsets.
#[derive(Debug)]
pub struct Signature {
    /// Its name for people, with an article.
    pub name: &'static str,
    /// Its MIME type; empty if it is never accepted.
    pub mime: &'static str,
    /// Offsets, each with the bytes expected there.
    pub parts: &'static [(usize, &'static [u8])],
}

macro_rules! signatures {
    ($($name:literal, $mime:literal, $($at:literal $bytes:literal)+;)+) => {
        &[$(Signature { name: $name, mime: $mime, parts: &[$(($at, $bytes)),+] }),+]
    };
}

/// Known signatures; the first match counts.
pub const SIGNATURES: &[Signature] = signatures! {
    "a JPEG picture", "image/jpeg", 0 b"\xFF\xD8\xFF";
    "a PNG picture", "image/png", 0 b"\x89PNG\r\n\x1A\n";
    "a WebP picture", "image/webp", 0 b"RIFF" 8 b"WEBP";
    "a GIF", "image/gif", 0 b"GIF87a";
    "a GIF", "image/gif", 0 b"GIF89a";
    "a BMP picture", "image/bmp", 0 b"BM" 6 b"\0\0\0\0";
    "a PDF", "application/pdf", 0 b"%PDF-";
    "an AVIF picture", "image/avif", 4 b"ftypavif";
    "an AVIF picture", "image/avif", 4 b"ftypavis";
    "a HEIC photo", "image/heic", 4 b"ftyphei";
    "a HEIC photo", "image/heic", 4 b"ftyphev";
    "a HEIC photo", "image/heic", 4 b"ftypmif1";
    "a HEIC photo", "image/heic", 4 b"ftypmsf1";
    "a video", "video/mp4", 4 b"ftyp";
    "PostScript", "", 0 b"%!PS";
    "a Photoshop file", "", 0 b"8BPS";
    "a JPEG 2000 picture", "", 4 b"jP  ";
    "a JPEG 2000 picture", "", 0 b"\xFF\x4F\xFF\x51";
    "a JPEG XL picture", "", 4 b"JXL ";
    "a JPEG XL picture", "", 0 b"\xFF\x0A";
    "a TIFF picture", "", 0 b"II*\0";
    "a TIFF picture", "", 0 b"MM\0*";
    "a ZIP or Office file", "", 0 b"PK\x03\x04";
    "a program", "", 0 b"MZ";
    "a program", "", 0 b"\x7FELF";
};

/// Kinds that are recognised by a text near the start, in lower case.
pub const TEXTS: &[(&str, &[&str])] =
    &[("an SVG drawing", &["<svg"]), ("a web page", &["<!doctype html", "<html", "<script", "<body"])];

/// Returns the kind of `bytes`.
///
/// # Errors
/// A sentence for the sender if the kind is unknown or not accepted.
pub(crate) fn detect(bytes: &[u8], accepted: AcceptedKinds) -> Result<Kind, String> {
    if accepted == AcceptedKinds::Table {
        return Ok(Kind::Table);
    }
    let (name, mime) = identify(bytes).unwrap_or_default();
    let is_accepted = |kind: &Kind| mime_types(accepted).split(',').any(|mime| mime == kind.mime());
    Kind::of_mime(mime).filter(is_accepted).ok_or_else(|| refusal(name, mime, accepted))
}

/// Returns the kind of a public file that comes with the program.
///
/// # Errors
/// A sentence if it is of none.
pub(crate) fn detect_public(bytes: &[u8]) -> Result<Kind, String> {
    let (name, mime) = identify(bytes).unwrap_or(("a file of an unknown kind", ""));
    Kind::of_mime(mime).ok_or_else(|| format!("This is {name}. Save it as JPEG, PNG, WebP, AVIF, PDF or MP4."))
}

/// Returns the MIME types that are accepted, for the attribute `accept` of an input.
pub const fn mime_types(accepted: AcceptedKinds) -> &'static str {
    match accepted {
        AcceptedKinds::Picture => "image/jpeg,image/png,image/webp,image/gif,image/bmp",
        AcceptedKinds::PictureOrPdf => "image/jpeg,image/png,image/webp,image/gif,image/bmp,application/pdf",
        AcceptedKinds::Pdf => "application/pdf",
        AcceptedKinds::Video => "video/mp4",
        AcceptedKinds::Table => "",
    }
}

/// Returns the formats to save a refused file as: "JPEG, PNG or WebP".
pub fn format_names(accepted: AcceptedKinds) -> &'static str {
    match accepted {
        AcceptedKinds::Picture => "JPEG, PNG or WebP",
        AcceptedKinds::PictureOrPdf => "JPEG, PNG, WebP or PDF",
        AcceptedKinds::Pdf => "PDF",
        AcceptedKinds::Video => "MP4",
        AcceptedKinds::Table => "CSV or XLSX",
    }
}

fn refusal(name: &str, mime: &str, accepted: AcceptedKinds) -> String {
    let sentence = match (name, mime) {
        (_, "image/heic") => texts::HEIC,
        ("", _) => texts::UNKNOWN_KIND,
        _ => texts::OTHER_KIND,
    };
    sentence.replace("{name}", name).replace("{allowed}", format_names(accepted))
}

/// The name and MIME type of a known kind.
fn identify(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let matches = |signature: &&Signature| {
        signature.parts.iter().all(|(at, part)| bytes.get(*at..).is_some_and(|rest| rest.starts_with(part)))
    };
    if let Some(signature) = SIGNATURES.iter().find(matches) {
        return Some((signature.name, signature.mime));
    }
    let head = &bytes[..bytes.len().min(HEAD)];
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    if let Some((name, _)) = TEXTS.iter().find(|(_, patterns)| patterns.iter().any(|pattern| text.contains(pattern))) {
        return Some((name, ""));
    }
    memmem::find(head, PDF_START.as_bytes()).is_some().then_some(("a PDF", "application/pdf"))
}
