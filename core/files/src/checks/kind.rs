//! What a file is, told by its bytes alone: neither its name nor what the sender says counts.
//!
//! The tables are public: the forms' pages judge by the same ones before anything is sent.

use super::{Takes, texts};

/// How many of a file's first bytes are looked at. Readers of PDF look for its beginning in as many.
pub const HEAD: usize = 1024;
/// How a PDF begins, after whatever a printer or a mailer put in front of it.
pub const PDF_START: &str = "%PDF-";

/// The kinds that are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Jpeg,
    Png,
    Webp,
    Pdf,
    Mp4,
    Table,
}

impl Kind {
    pub(crate) fn mime(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Pdf => "application/pdf",
            Self::Mp4 => "video/mp4",
            Self::Table => "application/octet-stream",
        }
    }

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Pdf => "pdf",
            Self::Mp4 => "mp4",
            Self::Table => "table",
        }
    }
}

/// A kind of file that is known by bytes at fixed places.
#[derive(Debug)]
pub struct Signature {
    /// What people call it, with its article.
    pub name: &'static str,
    /// Its type; empty for what is never taken.
    pub mime: &'static str,
    /// The bytes that stand there, each with its place.
    pub parts: &'static [(usize, &'static [u8])],
}

macro_rules! signatures {
    ($($name:literal, $mime:literal, $($at:literal $bytes:literal)+;)+) => {
        &[$(Signature { name: $name, mime: $mime, parts: &[$(($at, $bytes)),+] }),+]
    };
}

/// The kinds that are known; the first that fits is it.
pub const SIGNATURES: &[Signature] = signatures! {
    "a JPEG picture", "image/jpeg", 0 b"\xFF\xD8\xFF";
    "a PNG picture", "image/png", 0 b"\x89PNG\r\n\x1A\n";
    "a WebP picture", "image/webp", 0 b"RIFF" 8 b"WEBP";
    "a PDF", "application/pdf", 0 b"%PDF-";
    "an AVIF picture", "image/avif", 4 b"ftypavif";
    "an AVIF picture", "image/avif", 4 b"ftypavis";
    "a HEIC photo", "image/heic", 4 b"ftyphei";
    "a HEIC photo", "image/heic", 4 b"ftyphev";
    "a HEIC photo", "image/heic", 4 b"ftypmif1";
    "a HEIC photo", "image/heic", 4 b"ftypmsf1";
    "a video", "video/mp4", 4 b"ftyp";
    "PostScript", "", 0 b"%!PS";
    "a GIF", "", 0 b"GIF8";
    "a BMP picture", "", 0 b"BM";
    "a TIFF picture", "", 0 b"II*\0";
    "a TIFF picture", "", 0 b"MM\0*";
    "a ZIP or Office file", "", 0 b"PK\x03\x04";
    "a program", "", 0 b"MZ";
    "a program", "", 0 b"\x7FELF";
};

/// The kinds that are known by what their text holds, in small letters.
pub const TEXTS: &[(&str, &[&str])] =
    &[("an SVG drawing", &["<svg"]), ("a web page", &["<!doctype html", "<html", "<script", "<body"])];

/// The kind of `bytes`, or what to tell the sender.
pub(crate) fn tell(bytes: &[u8], takes: Takes) -> Result<Kind, String> {
    if takes == Takes::Table {
        return Ok(Kind::Table);
    }
    let (name, mime) = known(bytes).unwrap_or_default();
    let kind = match mime {
        "image/jpeg" => Some(Kind::Jpeg),
        "image/png" => Some(Kind::Png),
        "image/webp" => Some(Kind::Webp),
        "application/pdf" => Some(Kind::Pdf),
        "video/mp4" => Some(Kind::Mp4),
        _ => None,
    };
    let taken = |kind: &Kind| match kind {
        Kind::Jpeg | Kind::Png | Kind::Webp => matches!(takes, Takes::Picture | Takes::PictureOrPdf),
        Kind::Pdf => matches!(takes, Takes::Pdf | Takes::PictureOrPdf),
        Kind::Mp4 => takes == Takes::Video,
        Kind::Table => false,
    };
    kind.filter(taken).ok_or_else(|| refusal(name, mime, takes))
}

/// The kinds that a field takes, in words.
pub fn allowed(takes: Takes) -> &'static str {
    match takes {
        Takes::Picture => "JPEG, PNG or WebP",
        Takes::PictureOrPdf => "JPEG, PNG, WebP or PDF",
        Takes::Pdf => "PDF",
        Takes::Video => "MP4",
        Takes::Table => "CSV or XLSX",
    }
}

fn refusal(name: &str, mime: &str, takes: Takes) -> String {
    let sentence = match (name, mime) {
        (_, "image/heic") => texts::HEIC,
        ("", _) => texts::UNKNOWN_KIND,
        _ => texts::OTHER_KIND,
    };
    sentence.replace("{name}", name).replace("{allowed}", allowed(takes))
}

/// The name and type of a kind that people send.
fn known(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let fits = |signature: &&Signature| {
        signature.parts.iter().all(|(at, part)| bytes.get(*at..).is_some_and(|rest| rest.starts_with(part)))
    };
    if let Some(signature) = SIGNATURES.iter().find(fits) {
        return Some((signature.name, signature.mime));
    }
    let head = &bytes[..bytes.len().min(HEAD)];
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    if let Some((name, _)) = TEXTS.iter().find(|(_, words)| words.iter().any(|word| text.contains(word))) {
        return Some((name, ""));
    }
    head.windows(PDF_START.len()).any(|window| window == PDF_START.as_bytes()).then_some(("a PDF", "application/pdf"))
}
