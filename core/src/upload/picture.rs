//! Pictures: looked at before they are decoded, decoded whole, and written anew, so that nothing but the pixels
//! is kept: no place, no camera, no text, no program.
//!
//! JPEG and PNG are encoded anew, turned the right way up. There is no lossy WebP encoder without a system
//! library, so a WebP keeps its compressed picture and loses everything around it.

use std::io::{Cursor, Write};

use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::png::{CompressionType, FilterType, PngDecoder, PngEncoder};
use image::codecs::webp::{WebPDecoder, WebPEncoder};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageResult, Limits};

use super::kind::Kind;
use super::{jpeg, webp};

/// The most pixels a picture may have.
const MOST_PIXELS: u64 = 40_000_000;
/// The most pixels that all scans of a JPEG may have together: each scan goes through the whole picture again.
const MOST_SCANNED: u64 = 16 * MOST_PIXELS;
/// High enough that the small print of a receipt stays readable.
const JPEG_QUALITY: u8 = 90;

/// A picture whose header was read.
pub(super) struct Picture {
    kind: Kind,
    bytes: Vec<u8>,
    turn: Orientation,
    /// The memory that decoding and turning needs, in bytes.
    pub(super) memory: u64,
}

impl Picture {
    /// Reads the header only: bombs end here.
    pub(super) fn look(kind: Kind, bytes: Vec<u8>) -> Result<Self, String> {
        let mut decoder = decoder(kind, &bytes).map_err(|_| damaged())?;
        let (width, height) = decoder.dimensions();
        let pixels = u64::from(width) * u64::from(height);
        if pixels > MOST_PIXELS {
            return Err(format!(
                "This picture has {width} x {height} pixels, which is too many. At most {} million are taken; please \
                 make it smaller.",
                MOST_PIXELS / 1_000_000
            ));
        }
        let scans = if kind == Kind::Jpeg { jpeg::scans(&bytes).ok_or_else(damaged)? } else { 1 };
        if scans > 1 && scans * pixels > MOST_SCANNED {
            return Err("This picture is stored in an unusual way. Please save it anew and choose it again.".into());
        }
        if kind == Kind::Webp && webp::is_moving(&bytes) {
            return Err("This is a moving picture. Please choose a still one.".into());
        }
        let turn = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let whole = decoder.total_bytes();
        // A progressive JPEG keeps two bytes of each value until its last scan; turning keeps two pictures.
        let copies = 1 + if scans > 1 { 2 } else { 0 } + u64::from(turn != Orientation::NoTransforms);
        let memory = whole.saturating_mul(copies);
        drop(decoder);
        Ok(Self { kind, bytes, turn, memory })
    }

    /// The picture's pixels, the right way up.
    pub(super) fn decode(self) -> Result<DynamicImage, String> {
        let read = decoder(self.kind, &self.bytes).and_then(DynamicImage::from_decoder);
        let mut picture = read.map_err(|_| damaged())?;
        picture.apply_orientation(self.turn);
        Ok(picture)
    }

    /// Decodes the picture, which proves that it is whole, and writes nothing but its pixels.
    /// Whether writing failed, `out` knows: encoders wrap its errors in their own.
    pub(super) fn write_clean(self, out: &mut impl Write) -> Result<(), String> {
        let read = decoder(self.kind, &self.bytes).and_then(DynamicImage::from_decoder);
        let mut picture = read.map_err(|_| damaged())?;
        if self.kind == Kind::Webp && self.turn == Orientation::NoTransforms {
            let clean = webp::strip(&self.bytes).ok_or_else(damaged)?;
            return out.write_all(&clean).map_err(|_| damaged());
        }
        drop(self.bytes);
        picture.apply_orientation(self.turn);
        let written = match self.kind {
            Kind::Jpeg => picture.write_with_encoder(JpegEncoder::new_with_quality(out, JPEG_QUALITY)),
            Kind::Webp => picture.write_with_encoder(WebPEncoder::new_lossless(out)),
            // The fast packing is ten times faster and a sixth larger; and it is another one than most programs
            // use, so that text which a packed picture was made to spell falls apart.
            _ => picture.write_with_encoder(PngEncoder::new_with_quality(
                out,
                CompressionType::Fast,
                FilterType::Adaptive,
            )),
        };
        written.map_err(|_| damaged())
    }
}

fn decoder(kind: Kind, bytes: &[u8]) -> ImageResult<Box<dyn ImageDecoder + '_>> {
    let input = Cursor::new(bytes);
    // Twice what the most pixels need; the header was checked, this is for what it does not tell.
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MOST_PIXELS * 16);
    Ok(match kind {
        Kind::Jpeg => Box::new(JpegDecoder::new(input)?),
        Kind::Webp => Box::new(WebPDecoder::new(input)?),
        _ => Box::new(PngDecoder::with_limits(input, limits)?),
    })
}

/// What to tell the sender of a picture that cannot be read to its end.
pub(super) fn damaged() -> String {
    "This picture is damaged or incomplete. Please save it anew and choose it again.".into()
}
