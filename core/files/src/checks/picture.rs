//! Checks and cleaning of pictures: limits are checked before decoding, decoding proves that they are complete, and the
//! encoded pixels are stored unchanged.
//!
//! Of the metadata only colour profile and orientation are kept: no location, camera, text or code ([decision
//! 21](../../../docs/decisions/0021-pictures-keep-their-encoded-data.md)).

use std::io::Cursor;

use festival_pixels::Reducer;
use image::DynamicImage;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;

use super::decode::{
    JpegError, PNG_MEMORY, Rows, decode_cmyk, decode_jpeg, decode_png, read_rows, reduce_png, reduce_whole,
};
use super::jpeg::Jpeg;
use super::kind::Kind;
use super::png::Png;
use super::webp::Webp;
use super::{color, texts};
use crate::budget::{Budget, Cancellation, Metered};

/// Maximum number of pixels of a picture.
pub const MAX_PIXELS: u64 = 40_000_000;
/// Maximum number of pixels of all scans of a JPEG together: each scan may cover the whole picture.
const MAX_SCANNED_PIXELS: u64 = 16 * MAX_PIXELS;
/// Maximum work for a picture, in bytes: enough to decode all scans of a JPEG or all rows of a PNG four times, as it was
/// sent and as it is kept, and both again if it is damaged.
const MAX_WORK: u64 = 4 << 30;
/// Maximum memory for decoding a picture, in bytes. Pictures that need more, such as progressive JPEGs above 25 million
/// pixels and lossless WebPs above 28 million, are not decoded: they have no renditions.
const MAX_MEMORY: u64 = 220 << 20;
/// Bytes that the PNG decoder needs per pixel of width: five rows of eight bytes.
const PNG_BYTES_PER_COLUMN: u64 = 40;
/// Maximum height of a WebP.
const MAX_WEBP_HEIGHT: u32 = 16_383;

/// Returns the budget for decoding a picture.
pub fn budget(cancellation: &Cancellation) -> Budget {
    Budget::new(MAX_WORK, 0, cancellation)
}

/// A picture whose header was read.
pub(crate) struct Picture {
    kind: Kind,
    bytes: Vec<u8>,
    width: u32,
    height: u32,
    orientation: Orientation,
    /// Memory needed for decoding, in bytes.
    memory: u64,
    /// Whether its rows are decoded one after the other.
    is_read_by_rows: bool,
    /// Number of pixels of all scans together.
    scanned_pixels: u64,
}

/// A picture without metadata.
pub(crate) struct CleanedPicture {
    pub(crate) bytes: Vec<u8>,
    /// Whether it could be decoded only in part, or lost pixels with its metadata and was therefore kept as it was sent.
    pub(crate) is_damaged: bool,
}

impl Picture {
    /// Reads the header and checks the limits, before anything is decompressed.
    ///
    /// # Errors
    /// A sentence for the sender if the picture is unreadable, too large or animated.
    pub(crate) fn read_header(kind: Kind, bytes: Vec<u8>) -> Result<Self, String> {
        // Bytes of memory per pixel: output of the decoder, its working memory, and the conversion to RGB.
        let (width, height, orientation, scans, bytes_per_pixel, is_animated) = match kind {
            Kind::Jpeg => {
                let jpeg = Jpeg::read(&bytes).ok_or_else(unreadable)?;
                // With several scans, or a frame that allows them, the decoder holds two more bytes per value until the
                // last scan.
                let is_buffered = jpeg.scans > 1 || !matches!(jpeg.frame, 0xC0 | 0xC1);
                let decoded = u64::from(jpeg.components) * if is_buffered { 3 } else { 1 };
                let colors = if jpeg.components == 3 { 0 } else { 3 };
                (jpeg.width, jpeg.height, jpeg.orientation, jpeg.scans, decoded + colors, false)
            }
            Kind::Webp => {
                let webp = Webp::read(&bytes).ok_or_else(unreadable)?;
                (webp.width, webp.height, webp.orientation, 1, webp.memory_per_pixel(), webp.is_animated)
            }
            _ => {
                let png = Png::read(&bytes).ok_or_else(unreadable)?;
                (png.width, png.height, png.orientation, 1, if png.is_interlaced { 4 } else { 0 }, false)
            }
        };
        let pixels = u64::from(width) * u64::from(height);
        if pixels > MAX_PIXELS {
            return Err(too_many_pixels(width, height));
        }
        if scans > 1 && scans * pixels > MAX_SCANNED_PIXELS {
            return Err("This picture is stored in an unusual way. Please save a new copy and choose that one.".into());
        }
        if is_animated {
            return Err(texts::MOVING.into());
        }
        // The PNG decoder holds some rows, in addition to the pixels of an interlaced picture.
        let rows =
            if kind == Kind::Png { (u64::from(width) * PNG_BYTES_PER_COLUMN).max(PNG_MEMORY as u64 / 8) } else { 0 };
        let memory = pixels * bytes_per_pixel + rows;
        let is_read_by_rows = bytes_per_pixel == 0;
        let scanned_pixels = pixels.saturating_mul(scans.max(1));
        Ok(Self { kind, bytes, width, height, orientation, memory, is_read_by_rows, scanned_pixels })
    }

    /// Decodes the picture at a width of at most `width` pixels, upright and in sRGB.
    ///
    /// # Errors
    /// A sentence for people if it is damaged or needs too much memory.
    pub(crate) fn reduce(self, width: u32, budget: &Budget) -> Result<DynamicImage, String> {
        let (from, to) = ((self.width, self.height), self.reduced_size(width).ok_or_else(unreadable)?);
        let orientation = self.orientation;
        if self.is_too_large() {
            return Err(unreadable());
        }
        budget.reserve(self.memory + Reducer::memory(from, to)).map_err(|_| unreadable())?;
        let reduced = if self.is_read_by_rows {
            budget.charge(self.scanned_pixels).map_err(|_| unreadable())?;
            reduce_png(&self.bytes, from, to, budget)
        } else {
            reduce_whole(self.decode(budget)?, to)
        };
        let mut picture = reduced.ok_or_else(unreadable)?;
        picture.apply_orientation(orientation);
        Ok(picture)
    }

    /// Width and height, before rotation, of the picture when it is at most `width` wide after rotation; `None` if it
    /// would be too high.
    fn reduced_size(&self, width: u32) -> Option<(u32, u32)> {
        let is_rotated = matches!(
            self.orientation,
            Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
        );
        let rotate = |(width, height)| if is_rotated { (height, width) } else { (width, height) };
        let (wide, high) = rotate((self.width, self.height));
        let (wide, high) = match wide {
            ..=0 => return None,
            _ if wide <= width => (wide, high),
            _ => (width, u32::try_from((u64::from(high) * u64::from(width)).div_ceil(u64::from(wide))).ok()?),
        };
        (high <= MAX_WEBP_HEIGHT).then_some(rotate((wide, high)))
    }

    /// Decodes the pixels to sRGB, without rotation.
    fn decode(self, budget: &Budget) -> Result<DynamicImage, String> {
        self.reserve(budget).ok_or_else(unreadable)?;
        let (picture, profile) = match self.kind {
            Kind::Jpeg => {
                let jpeg = Jpeg::read(&self.bytes).filter(|jpeg| jpeg.has_end).ok_or_else(unreadable)?;
                // CMYK without a profile can only be converted approximately, by the decoder.
                let profile = jpeg.icc.as_deref().filter(|_| jpeg.components == 4);
                match profile.and_then(|profile| color::cmyk_to_srgb(&decode_cmyk(&self.bytes)?, &jpeg, profile)) {
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

    /// Removes the metadata; the encoded pixels stay unchanged. What was sent is kept if it does not look the same
    /// without them.
    ///
    /// # Errors
    /// A sentence for the sender if nothing can be decoded.
    pub(crate) fn clean(self, budget: &Budget) -> Result<CleanedPicture, String> {
        let cleaned = if self.is_too_large() {
            self.clean_unseen()
        } else {
            budget.reserve(self.memory).map_err(|_| unreadable())?;
            match self.kind {
                Kind::Jpeg => self.clean_jpeg(budget),
                Kind::Webp => self.clean_webp(budget),
                _ => self.clean_png(budget),
            }
        };
        cleaned.ok_or_else(unreadable)
    }

    /// Whether decoding would exceed the memory limit.
    fn is_too_large(&self) -> bool {
        self.memory > MAX_MEMORY
    }

    /// Reserves the memory and charges the work for decoding once.
    fn reserve(&self, budget: &Budget) -> Option<()> {
        budget.reserve(self.memory).ok()?;
        budget.charge(self.scanned_pixels).ok()
    }

    /// Removes the metadata without decoding, and nothing after the first pixels of a JPEG.
    fn clean_unseen(&self) -> Option<CleanedPicture> {
        let (bytes, has_end) = match self.kind {
            Kind::Jpeg => {
                let jpeg = Jpeg::read(&self.bytes).filter(Jpeg::has_pixels)?;
                (jpeg.strip(is_profile(jpeg.icc.as_deref()), false), jpeg.has_end)
            }
            Kind::Webp => Webp::read(&self.bytes).map(|webp| (webp.strip(is_profile(webp.icc)), webp.has_end))?,
            _ => Png::read(&self.bytes).map(|png| (png.strip(is_profile(png.icc.as_deref()), false), png.has_end))?,
        };
        Some(CleanedPicture { bytes, is_damaged: !has_end })
    }

    /// Returns a damaged picture: cleaned, unless it was decoded to other pixels before.
    fn damaged(&self, clean: Vec<u8>, sent: Option<u32>, cleaned: Option<u32>) -> CleanedPicture {
        let is_same = sent.is_none() || sent == cleaned;
        CleanedPicture { bytes: if is_same { clean } else { self.bytes.clone() }, is_damaged: true }
    }

    fn clean_jpeg(&self, budget: &Budget) -> Option<CleanedPicture> {
        let jpeg = Jpeg::read(&self.bytes).filter(Jpeg::has_pixels)?;
        let has_profile = is_profile(jpeg.icc.as_deref());
        let decode = |bytes: &[u8], strict: bool| {
            budget.charge(self.scanned_pixels).map_err(|_| JpegError::Broken)?;
            decode_jpeg(bytes, &jpeg, strict)
        };
        let checksum = |bytes: &[u8], strict: bool| decode(bytes, strict).ok().map(|picture| checksum(&picture));
        let clean = jpeg.strip(has_profile, true);
        if jpeg.has_end
            && let Some(sent) = checksum(&self.bytes, true)
            && checksum(&jpeg.probe(&clean), true) == Some(sent)
        {
            return Some(CleanedPicture { bytes: clean, is_damaged: false });
        }
        let clean = jpeg.strip(has_profile, false);
        let cleaned = match decode(&clean, false) {
            // If nothing could be decoded, the decoder fills the picture with one grey.
            Ok(picture) if is_one_color(&picture) => return None,
            Ok(picture) => Some(self::checksum(&picture)),
            // Other programs may support what this decoder does not.
            Err(JpegError::Unsupported) => None,
            Err(JpegError::Broken) => return None,
        };
        Some(self.damaged(clean, checksum(&self.bytes, false), cleaned))
    }

    fn clean_png(&self, budget: &Budget) -> Option<CleanedPicture> {
        let png = Png::read(&self.bytes)?;
        let has_profile = is_profile(png.icc.as_deref());
        let clean = png.strip(has_profile, true);
        let sent = read_rows(&self.bytes, true, budget);
        if sent.is_intact && read_rows(&clean, true, budget) == sent {
            return Some(CleanedPicture { bytes: clean, is_damaged: false });
        }
        let clean = png.strip(has_profile, false);
        let cleaned = read_rows(&clean, false, budget);
        let sent = Some(read_rows(&self.bytes, false, budget)).filter(|sent| sent.count > 0);
        let checksum = |rows: Rows| rows.checksum;
        (cleaned.count > 0).then(|| self.damaged(clean, sent.map(checksum), Some(cleaned.checksum)))
    }

    fn clean_webp(&self, budget: &Budget) -> Option<CleanedPicture> {
        let webp = Webp::read(&self.bytes)?;
        let clean = webp.strip(is_profile(webp.icc));
        let decode = |bytes: &[u8]| {
            let decoder = WebPDecoder::new(Metered::new(Cursor::new(bytes), budget));
            decoder.and_then(DynamicImage::from_decoder).ok().map(|picture| checksum(&picture))
        };
        let (sent, cleaned) = (decode(&self.bytes), decode(&clean));
        let is_intact = webp.has_end && sent.is_some() && sent == cleaned;
        Some(if is_intact {
            CleanedPicture { bytes: clean, is_damaged: false }
        } else {
            self.damaged(clean, sent, cleaned)
        })
    }
}

/// A checksum of the pixels, by which two copies of a picture are compared one after the other.
fn checksum(picture: &DynamicImage) -> u32 {
    let mut checksum = flate2::Crc::new();
    checksum.update(picture.as_bytes());
    checksum.sum()
}

fn is_profile(bytes: Option<&[u8]>) -> bool {
    bytes.and_then(color::profile).is_some()
}

fn is_one_color(picture: &DynamicImage) -> bool {
    let size = usize::from(picture.color().bytes_per_pixel());
    let bytes = picture.as_bytes();
    bytes.chunks_exact(size).all(|pixel| pixel == &bytes[..size])
}

/// The message for a picture with too many pixels.
fn too_many_pixels(width: u32, height: u32) -> String {
    texts::TOO_MANY_PIXELS
        .replace("{width}", &width.to_string())
        .replace("{height}", &height.to_string())
        .replace("{most}", &(MAX_PIXELS / 1_000_000).to_string())
}

/// The message for a picture that cannot be decoded at all.
pub(crate) fn unreadable() -> String {
    texts::UNREADABLE.into()
}
