//! Pictures: looked at before they are decoded, decoded to prove that they are whole, and kept as they were coded.
//!
//! Of what is around the coded picture only its colour profile and which way up it stands are kept: no place, no
//! camera, no text, no program ([decision 21](../../../docs/decisions/0021-coded-pictures-are-kept.md)).

use std::io::Cursor;

use image::DynamicImage;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;

use super::decode::{JpegError, PNG_MEMORY, decode_inks, decode_jpeg, decode_png, reduce_png, reduce_whole, rows};
use super::jpeg::Jpeg;
use super::kind::Kind;
use super::png::Png;
use super::reduce::Reducer;
use super::webp::Webp;
use super::{color, texts};
use crate::budget::{Asker, Budget, Metered};

/// The most pixels a picture may have.
pub const MOST_PIXELS: u64 = 40_000_000;
/// The most pixels that all scans of a JPEG may have together: each scan goes through the whole picture again.
const MOST_SCANNED: u64 = 16 * MOST_PIXELS;
/// The work that a picture may cost: a JPEG's scans twice, or a PNG's rows, where the first time something was wrong.
const WORK: u64 = 4 << 30;
/// The most memory that decoding may take, in bytes. What would need more is neither decoded nor made smaller: it is kept
/// as it came, flagged, and shown as it came. Progressive JPEGs above 25 million pixels and lossless WebPs above 28 are
/// such pictures.
const MOST_MEMORY: u64 = 220 << 20;
/// The bytes that the rows in a PNG's decoder take for each pixel of its width: five rows of eight bytes.
const PNG_ROWS: u64 = 40;
/// The greatest height of a WebP.
const HIGHEST: u32 = 16_383;

/// What decoding a picture may cost.
pub fn budget(asker: &Asker) -> Budget {
    Budget::new(WORK, 0, asker)
}

/// A picture whose header was read.
pub(crate) struct Picture {
    kind: Kind,
    bytes: Vec<u8>,
    width: u32,
    height: u32,
    orientation: Orientation,
    /// The memory that decoding takes, in bytes.
    memory: u64,
    /// Its rows are decoded one after the other.
    is_read_by_rows: bool,
    /// The pixels that are gone through, in all scans together.
    scanned: u64,
}

/// A picture without what it said beside its pixels.
pub(crate) struct Clean {
    pub(crate) bytes: Vec<u8>,
    /// Our decoder did not get through to its end.
    pub(crate) is_damaged: bool,
}

impl Picture {
    /// Reads the header only: bombs end here.
    pub(crate) fn read_header(kind: Kind, bytes: Vec<u8>) -> Result<Self, String> {
        // Bytes of memory for each pixel: what a decoder answers, what it needs until then, and colours made of it.
        let (width, height, orientation, scans, bytes_per_pixel, is_moving) = match kind {
            Kind::Jpeg => {
                let jpeg = Jpeg::read(&bytes).ok_or_else(unreadable)?;
                // What comes in several scans, or may, keeps two bytes of each value until the last.
                let is_kept_whole = jpeg.scans > 1 || !matches!(jpeg.frame, 0xC0 | 0xC1);
                let decoded = u64::from(jpeg.components) * if is_kept_whole { 3 } else { 1 };
                let colors = if jpeg.components == 3 { 0 } else { 3 };
                (jpeg.width, jpeg.height, jpeg.orientation, jpeg.scans, decoded + colors, false)
            }
            Kind::Webp => {
                let webp = Webp::read(&bytes).ok_or_else(unreadable)?;
                (webp.width, webp.height, webp.orientation, 1, webp.memory_per_pixel(), webp.is_moving)
            }
            _ => {
                let png = Png::read(&bytes).ok_or_else(unreadable)?;
                (png.width, png.height, png.orientation, 1, if png.is_interlaced { 4 } else { 0 }, false)
            }
        };
        let pixels = u64::from(width) * u64::from(height);
        if pixels > MOST_PIXELS {
            return Err(too_many_pixels(width, height));
        }
        if scans > 1 && scans * pixels > MOST_SCANNED {
            return Err("This picture is stored in an unusual way. Please save it anew and choose it again.".into());
        }
        if is_moving {
            return Err(texts::MOVING.into());
        }
        // A PNG's decoder holds some of its rows, whether or not the rows together are a picture in memory too.
        let rows = if kind == Kind::Png { (u64::from(width) * PNG_ROWS).max(PNG_MEMORY as u64 / 8) } else { 0 };
        let memory = pixels * bytes_per_pixel + rows;
        let is_read_by_rows = bytes_per_pixel == 0;
        let scanned = pixels.saturating_mul(scans.max(1));
        Ok(Self { kind, bytes, width, height, orientation, memory, is_read_by_rows, scanned })
    }

    /// The picture at most `width` pixels wide, the right way up, in sRGB, with transparency or without.
    pub(crate) fn reduce(self, width: u32, budget: &Budget) -> Result<DynamicImage, String> {
        let (from, to) = ((self.width, self.height), self.reduced(width).ok_or_else(unreadable)?);
        let orientation = self.orientation;
        if self.is_too_large() {
            return Err(unreadable());
        }
        budget.reserve(self.memory + Reducer::memory(from, to)).map_err(|_| unreadable())?;
        let reduced = if self.is_read_by_rows {
            budget.charge(self.scanned).map_err(|_| unreadable())?;
            reduce_png(&self.bytes, from, to, budget)
        } else {
            reduce_whole(self.decode(budget)?, to)
        };
        let mut picture = reduced.ok_or_else(unreadable)?;
        picture.apply_orientation(orientation);
        Ok(picture)
    }

    /// Width and height as it is coded, when it is at most `width` wide the right way up; none where that is too high.
    fn reduced(&self, width: u32) -> Option<(u32, u32)> {
        let is_turned = matches!(
            self.orientation,
            Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
        );
        let turned = |(width, height)| if is_turned { (height, width) } else { (width, height) };
        let (wide, high) = turned((self.width, self.height));
        let (wide, high) = match wide {
            ..=0 => return None,
            _ if wide <= width => (wide, high),
            _ => (width, u32::try_from((u64::from(high) * u64::from(width)).div_ceil(u64::from(wide))).ok()?),
        };
        (high <= HIGHEST).then_some(turned((wide, high)))
    }

    /// The pixels as they are coded, in sRGB.
    fn decode(self, budget: &Budget) -> Result<DynamicImage, String> {
        self.begin(budget).ok_or_else(unreadable)?;
        let (picture, profile) = match self.kind {
            Kind::Jpeg => {
                let jpeg = Jpeg::read(&self.bytes).filter(|jpeg| jpeg.has_end).ok_or_else(unreadable)?;
                // Inks are nothing that can be seen: without their profile they are only guessed.
                let inks = jpeg.icc.as_deref().filter(|_| jpeg.components == 4);
                match inks.and_then(|profile| color::inks_to_srgb(&decode_inks(&self.bytes)?, &jpeg, profile)) {
                    Some(picture) => (picture, None),
                    None => (decode_jpeg(&self.bytes, &jpeg, true).map_err(|_| unreadable())?, jpeg.icc),
                }
            }
            Kind::Webp => {
                let decoder = WebPDecoder::new(Metered::new(Cursor::new(&self.bytes), budget));
                let profile = Webp::read(&self.bytes).and_then(|webp| webp.icc.map(<[u8]>::to_vec));
                (decoder.and_then(DynamicImage::from_decoder).map_err(|_| unreadable())?, profile)
            }
            _ => {
                let profile = Png::read(&self.bytes).and_then(|png| png.icc);
                (decode_png(&self.bytes, budget).ok_or_else(unreadable)?, profile)
            }
        };
        drop(self.bytes);
        Ok(match profile {
            Some(profile) => color::to_srgb(picture, &profile),
            None => picture,
        })
    }

    /// The picture without what it says about people, places and programs; its pixels stay as they were coded.
    ///
    /// # Errors
    /// A sentence for the sender where nothing of it can be decoded.
    pub(crate) fn clean(self, budget: &Budget) -> Result<Clean, String> {
        if self.is_too_large() {
            return self.strip().map(|bytes| Clean { bytes, is_damaged: true }).ok_or_else(unreadable);
        }
        self.begin(budget).ok_or_else(unreadable)?;
        match self.kind {
            Kind::Jpeg => self.clean_jpeg(budget),
            Kind::Webp => self.clean_webp(budget),
            _ => self.clean_png(budget),
        }
        .ok_or_else(unreadable)
    }

    /// Whether decoding would take more memory than there is for one picture.
    fn is_too_large(&self) -> bool {
        self.memory > MOST_MEMORY
    }

    /// Takes the memory and charges the work of going through all pixels once.
    fn begin(&self, budget: &Budget) -> Option<()> {
        budget.reserve(self.memory).ok()?;
        budget.charge(self.scanned).ok()
    }

    /// The bytes of a picture that is not decoded, without what it says about people, places and programs.
    fn strip(&self) -> Option<Vec<u8>> {
        match self.kind {
            Kind::Jpeg => {
                let jpeg = Jpeg::read(&self.bytes).filter(Jpeg::has_pixels)?;
                Some(jpeg.strip(is_profile(jpeg.icc.as_deref()), jpeg.has_end))
            }
            Kind::Webp => Webp::read(&self.bytes).map(|webp| webp.strip(is_profile(webp.icc))),
            _ => Png::read(&self.bytes).map(|png| png.strip(is_profile(png.icc.as_deref()), false)),
        }
    }

    fn clean_jpeg(&self, budget: &Budget) -> Option<Clean> {
        let jpeg = Jpeg::read(&self.bytes).filter(Jpeg::has_pixels)?;
        let has_profile = is_profile(jpeg.icc.as_deref());
        let clean = jpeg.strip(has_profile, true);
        if jpeg.has_end && decode_jpeg(&clean, &jpeg, true).is_ok() {
            return Some(Clean { bytes: clean, is_damaged: false });
        }
        let clean = jpeg.strip(has_profile, false);
        budget.charge(self.scanned).ok()?;
        match decode_jpeg(&clean, &jpeg, false) {
            // Where nothing could be read, all of it is filled with one grey.
            Ok(picture) if is_one_color(&picture) => None,
            // What our decoder does not know, others may.
            Ok(_) | Err(JpegError::Unknown) => Some(Clean { bytes: clean, is_damaged: true }),
            Err(JpegError::Broken) => None,
        }
    }

    fn clean_png(&self, budget: &Budget) -> Option<Clean> {
        let png = Png::read(&self.bytes)?;
        let has_profile = is_profile(png.icc.as_deref());
        let clean = png.strip(has_profile, false);
        match rows(&clean, budget) {
            (_, true) => Some(Clean { bytes: png.strip(has_profile, true), is_damaged: false }),
            (0, false) => None,
            _ => Some(Clean { bytes: clean, is_damaged: true }),
        }
    }

    fn clean_webp(&self, budget: &Budget) -> Option<Clean> {
        let webp = Webp::read(&self.bytes)?;
        let clean = webp.strip(is_profile(webp.icc));
        let decoder = WebPDecoder::new(Metered::new(Cursor::new(&clean), budget));
        let is_damaged = !webp.has_end || decoder.and_then(DynamicImage::from_decoder).is_err();
        Some(Clean { is_damaged, bytes: clean })
    }
}

fn is_profile(bytes: Option<&[u8]>) -> bool {
    bytes.and_then(color::profile).is_some()
}

fn is_one_color(picture: &DynamicImage) -> bool {
    let size = usize::from(picture.color().bytes_per_pixel());
    let bytes = picture.as_bytes();
    bytes.chunks_exact(size).all(|pixel| pixel == &bytes[..size])
}

/// The words for a picture with more pixels than are taken.
fn too_many_pixels(width: u32, height: u32) -> String {
    texts::TOO_MANY_PIXELS
        .replace("{width}", &width.to_string())
        .replace("{height}", &height.to_string())
        .replace("{most}", &(MOST_PIXELS / 1_000_000).to_string())
}

/// What to tell the sender of a picture of which nothing can be read.
pub(crate) fn unreadable() -> String {
    texts::UNREADABLE.into()
}
