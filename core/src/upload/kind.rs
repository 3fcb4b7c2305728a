//! What a file is, told by its bytes alone: neither its name nor what the sender says counts.

use super::Takes;

/// The kinds that are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Jpeg,
    Png,
    Webp,
    Pdf,
    Mp4,
    Table,
}

impl Kind {
    pub(super) fn mime(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Pdf => "application/pdf",
            Self::Mp4 => "video/mp4",
            Self::Table => "application/octet-stream",
        }
    }

    pub(super) fn extension(self) -> &'static str {
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

/// The kind of `bytes`, or what to tell the sender.
pub(super) fn tell(bytes: &[u8], takes: Takes) -> Result<Kind, String> {
    let pictures = matches!(takes, Takes::Picture | Takes::PictureOrPdf);
    let found = match bytes {
        _ if takes == Takes::Table => Kind::Table,
        [0xFF, 0xD8, 0xFF, ..] if pictures => Kind::Jpeg,
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] if pictures => Kind::Png,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] if pictures => Kind::Webp,
        [b'%', b'P', b'D', b'F', b'-', ..] if matches!(takes, Takes::Pdf | Takes::PictureOrPdf) => Kind::Pdf,
        _ if takes == Takes::Video && known(bytes) == Some("a video") => Kind::Mp4,
        _ => return Err(refusal(bytes, takes)),
    };
    Ok(found)
}

/// The kinds that a field takes, in words.
pub(super) fn allowed(takes: Takes) -> &'static str {
    match takes {
        Takes::Picture => "JPEG, PNG or WebP",
        Takes::PictureOrPdf => "JPEG, PNG, WebP or PDF",
        Takes::Pdf => "PDF",
        Takes::Video => "MP4",
        Takes::Table => "CSV or XLSX",
    }
}

fn refusal(bytes: &[u8], takes: Takes) -> String {
    let allowed = allowed(takes);
    match known(bytes) {
        Some("HEIC") => format!(
            "This is a HEIC photo, which many programs cannot open. Export it as JPEG, or set the phone's camera to \
             its most compatible format and take it again. Allowed are {allowed}."
        ),
        Some(name) => format!("This is {name}. Please save it as {allowed} and choose it again."),
        None => format!("This is no file that we can read. Please choose a {allowed}."),
    }
}

/// The name of a kind that people send and we do not take.
fn known(bytes: &[u8]) -> Option<&'static str> {
    if bytes.get(4..8) == Some(b"ftyp") {
        return match bytes.get(8..12)? {
            b"avif" | b"avis" => Some("an AVIF picture"),
            b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1" => Some("HEIC"),
            _ => Some("a video"),
        };
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_ascii_lowercase();
    let text = text.trim_start_matches('\u{FEFF}').trim_start();
    match bytes {
        [0xFF, 0xD8, 0xFF, ..] => Some("a JPEG picture"),
        [0x89, b'P', b'N', b'G', ..] => Some("a PNG picture"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("a WebP picture"),
        [b'%', b'P', b'D', b'F', ..] => Some("a PDF"),
        [b'%', b'!', b'P', b'S', ..] => Some("PostScript"),
        [b'G', b'I', b'F', b'8', ..] => Some("a GIF"),
        [b'B', b'M', ..] => Some("a BMP picture"),
        [b'I', b'I', b'*', 0, ..] | [b'M', b'M', 0, b'*', ..] => Some("a TIFF picture"),
        [b'P', b'K', 3, 4, ..] => Some("a ZIP or Office file"),
        [b'M', b'Z', ..] | [0x7F, b'E', b'L', b'F', ..] => Some("a program"),
        _ if text.contains("<svg") => Some("an SVG drawing"),
        _ if ["<!doctype html", "<html", "<script", "<body"].iter().any(|tag| text.contains(tag)) => Some("a web page"),
        _ => None,
    }
}
