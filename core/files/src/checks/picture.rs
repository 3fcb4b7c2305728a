//! Checks and cleaning of pictures: limits are checked before decoding, decoding proves that they are complete, and the
//! encoded pixels are stored unchanged.
//!
//! Of the metadata only colour profile and orientation are kept: no location, camera, text or code. What was sent is
//! kept as it is if it does not decode to the same pixels without its metadata ([decision
//! 21](../../../../docs/decisions/0021-pictures-keep-their-encoded-data.md)).

use std::io::Cursor;

use bytes::Bytes;
use festival_pixels::Reducer;
use image::metadata::Orientation;
use image::{DynamicImage, ImageError, ImageFormat, ImageReader, Limits};
use image_webp::WebPDecoder;
use img_parts::DynImage;
use moxcms::ColorProfile;

use super::container::{self, JpegHeader};
use super::decode::{
    JpegError, PNG_MEMORY, checksum_of_webp, decode_cmyk, decode_jpeg, decode_png, decode_webp, read_rows, reduce_png,
    reduce_whole,
};
use super::kind::Kind;
use super::{color, texts};
use crate::budget::{Budget, Cancellation};

/// Maximum work for a picture, in bytes: enough to decode all scans of a JPEG or all rows of a PNG four times, as it was
/// sent and as it is kept, and both again if it is damaged.
const MAX_WORK: u64 = 4 << 30;
/// Maximum number of pixels of a picture, 268 million: the work allows for four bytes of each, four times.
pub const MAX_PIXELS: u64 = MAX_WORK / 16;
/// Maximum number of pixels of all scans of a JPEG together: each scan may cover the whole picture.
const MAX_SCANNED_PIXELS: u64 = 640_000_000;
/// Maximum memory for decoding a picture, in bytes: a poster of 27 by 40 inches at 300 dpi. Pictures that need more, such
/// as progressive JPEGs above 35 million pixels and lossless WebPs above 39 million, are not decoded: they have no
/// renditions.
const MAX_MEMORY: u64 = 300 << 20;
/// Bytes that the PNG decoder needs per pixel of width: five rows of eight bytes.
const PNG_BYTES_PER_COLUMN: u64 = 40;
/// Maximum height of a WebP.
const MAX_WEBP_HEIGHT: u32 = 16_383;
/// Noise that any tables decode to pixels: it has zeros, ones and no marker.
const NOISE: [u8; 8] = [0x9D, 0x36, 0xC5, 0x4B, 0x72, 0xE8, 0x1F, 0xA4];

/// Returns the budget for decoding a picture.
pub fn budget(cancellation: &Cancellation) -> Budget {
    Budget::new(MAX_WORK, 0, cancellation)
}

/// A picture whose header was read.
pub(crate) struct Picture {
    kind: Kind,
    bytes: Bytes,
    width: u32,
    height: u32,
    /// `None` if it is damaged.
    container: Option<DynImage>,
    jpeg: Option<JpegHeader>,
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

/// What decoding showed.
#[derive(PartialEq, Eq)]
enum Decoded {
    /// A checksum of the pixels, by which two copies are compared one after the other.
    Pixels(u32),
    /// Other programs may be able to.
    Unsupported,
    Nothing,
}

impl Picture {
    /// Reads the header and checks the limits, before anything is decompressed.
    ///
    /// # Errors
    /// A sentence for the sender if the picture is unreadable or too large.
    pub(crate) fn read_header(kind: Kind, bytes: Vec<u8>) -> Result<Self, String> {
        let bytes = Bytes::from(bytes);
        let container = container::parse(&bytes);
        let jpeg = match &container {
            Some(DynImage::Jpeg(jpeg)) => JpegHeader::read(jpeg, &bytes),
            _ => None,
        };
        // Bytes of memory per pixel: output of the decoder, its working memory, and the conversion to RGB.
        let (width, height, bytes_per_pixel) = match (kind, &jpeg) {
            (Kind::Jpeg, Some(jpeg)) => {
                // Coefficients take two more bytes per value.
                let decoded = u64::from(jpeg.components) * if jpeg.is_buffered { 3 } else { 1 };
                (jpeg.width, jpeg.height, decoded + if jpeg.components == 3 { 0 } else { 3 })
            }
            (Kind::Webp, _) => webp_header(&bytes).ok_or_else(unreadable)?,
            (Kind::Png, _) => {
                let mut decoder = png::Decoder::new(Cursor::new(&bytes));
                decoder.ignore_checksums(true);
                let info = decoder.read_header_info().map_err(|_| unreadable())?;
                (info.width, info.height, if info.interlaced { 4 } else { 0 })
            }
            (Kind::Gif | Kind::Bmp, _) => {
                let (width, height) = simple_reader(kind, &bytes).into_dimensions().map_err(|_| unreadable())?;
                (width, height, 8)
            }
            _ => return Err(unreadable()),
        };
        let pixels = u64::from(width) * u64::from(height);
        if pixels > MAX_PIXELS {
            return Err(too_many_pixels(width, height));
        }
        let scans = jpeg.as_ref().map_or(1, |jpeg| jpeg.scans);
        if scans > 1 && scans * pixels > MAX_SCANNED_PIXELS {
            return Err("This picture is stored in an unusual way. Please save a new copy and choose that one.".into());
        }
        // The PNG decoder holds some rows, in addition to the pixels of an interlaced picture.
        let rows =
            if kind == Kind::Png { (u64::from(width) * PNG_BYTES_PER_COLUMN).max(PNG_MEMORY as u64 / 8) } else { 0 };
        Ok(Self {
            kind,
            bytes,
            width,
            height,
            container,
            jpeg,
            memory: pixels * bytes_per_pixel + rows,
            is_read_by_rows: bytes_per_pixel == 0,
            scanned_pixels: pixels.saturating_mul(scans),
        })
    }

    /// Decodes the picture at a width of at most `width` pixels, upright and in sRGB.
    ///
    /// # Errors
    /// A sentence for people if it is damaged or needs too much memory.
    pub(crate) fn reduce(self, width: u32, budget: &Budget) -> Result<DynamicImage, String> {
        self.reduced(width, budget).ok_or_else(unreadable)
    }

    fn reduced(mut self, width: u32, budget: &Budget) -> Option<DynamicImage> {
        let orientation = self.container.as_ref().map_or(Orientation::NoTransforms, container::orientation);
        let (from, to) = ((self.width, self.height), self.reduced_size(width, orientation)?);
        if self.is_too_large() {
            return None;
        }
        budget.reserve(self.memory + Reducer::memory(from, to)).ok()?;
        budget.charge(self.scanned_pixels).ok()?;
        let profile = self.container.take().and_then(|container| container::profile(&container));
        let mut picture = if self.is_read_by_rows {
            reduce_png(&self.bytes, profile, from, to, budget)
        } else {
            reduce_whole(self.decode(profile, budget)?, to)
        }?;
        picture.apply_orientation(orientation);
        Some(picture)
    }

    /// Width and height, before rotation, of the picture when it is at most `width` wide after rotation; `None` if it
    /// would be too high.
    fn reduced_size(&self, width: u32, orientation: Orientation) -> Option<(u32, u32)> {
        let is_rotated = matches!(
            orientation,
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
    fn decode(self, profile: Option<ColorProfile>, budget: &Budget) -> Option<DynamicImage> {
        match self.kind {
            Kind::Jpeg => {
                let jpeg = self.jpeg.filter(|jpeg| jpeg.trailing.is_some())?;
                if jpeg.components != 4 {
                    return Some(in_srgb(decode_jpeg(&self.bytes, true).ok()?, profile));
                }
                // CMYK without a profile can only be converted approximately, by the decoder.
                let size = (jpeg.width, jpeg.height);
                let exact = profile.and_then(|profile| color::cmyk_to_srgb(&decode_cmyk(&self.bytes)?, size, &profile));
                exact.or_else(|| decode_jpeg(&self.bytes, true).ok())
            }
            Kind::Webp => Some(in_srgb(decode_webp(&self.bytes, budget)?, profile)),
            Kind::Gif | Kind::Bmp => simple_reader(self.kind, &self.bytes).decode().ok(),
            _ => decode_png(&self.bytes, profile, budget),
        }
    }

    /// Removes the metadata; the encoded pixels stay unchanged. What was sent is kept if it does not look the same
    /// without them.
    ///
    /// # Errors
    /// A sentence for the sender if nothing can be decoded.
    pub(crate) fn clean(mut self, budget: &Budget) -> Result<CleanedPicture, String> {
        let stripped = match self.kind {
            Kind::Gif => container::strip_gif(&self.bytes),
            Kind::Bmp => Some(container::strip_bmp(&self.bytes)),
            _ => self.container.take().map(container::strip),
        };
        if self.is_too_large() {
            // Nothing between or behind the pixels was removed.
            let is_damaged = stripped.is_none() || !self.has_end();
            return Ok(CleanedPicture { bytes: stripped.unwrap_or(self.bytes).into(), is_damaged });
        }
        budget.reserve(self.memory).map_err(|_| unreadable())?;
        let trailing = self.jpeg.as_ref().map_or(Some(0), |jpeg| jpeg.trailing);
        if let (Some(stripped), Some(trailing)) = (&stripped, trailing)
            && let clean = stripped.slice(..stripped.len() - trailing)
            && let sent @ Decoded::Pixels(_) = self.look(&self.bytes, true, budget)
            && sent == self.look(&self.probe(&clean), true, budget)
        {
            return Ok(CleanedPicture { bytes: clean.into(), is_damaged: false });
        }
        let sent = self.look(&self.bytes, false, budget);
        let clean = match sent {
            Decoded::Nothing => return Err(unreadable()),
            Decoded::Unsupported => None,
            Decoded::Pixels(_) => stripped.filter(|stripped| self.look(stripped, false, budget) == sent),
        };
        Ok(CleanedPicture { bytes: clean.unwrap_or(self.bytes).into(), is_damaged: true })
    }

    /// Whether decoding would exceed the memory limit.
    fn is_too_large(&self) -> bool {
        self.memory > MAX_MEMORY
    }

    /// Whether a picture with an intact container has its end.
    fn has_end(&self) -> bool {
        match self.kind {
            Kind::Jpeg => self.jpeg.as_ref().is_some_and(|jpeg| jpeg.trailing.is_some()),
            Kind::Png => self.bytes.windows(4).any(|name| name == b"IEND"),
            _ => true,
        }
    }

    /// Decodes a copy of this picture. With `strict` it has to be intact, otherwise it is decoded as far as possible.
    fn look(&self, bytes: &Bytes, strict: bool, budget: &Budget) -> Decoded {
        match self.kind {
            Kind::Png => {
                let rows = read_rows(bytes, strict, budget);
                let is_decoded = if strict { rows.is_intact } else { rows.count > 0 };
                if is_decoded { Decoded::Pixels(rows.checksum) } else { Decoded::Nothing }
            }
            Kind::Webp => checksum_of_webp(bytes, budget).map_or(Decoded::Unsupported, Decoded::Pixels),
            _ if budget.charge(self.scanned_pixels).is_err() => Decoded::Nothing,
            Kind::Gif | Kind::Bmp => match simple_reader(self.kind, bytes).decode() {
                Ok(picture) => Decoded::Pixels(checksum(&picture)),
                Err(ImageError::Unsupported(_)) => Decoded::Unsupported,
                Err(_) => Decoded::Nothing,
            },
            _ => match decode_jpeg(bytes, strict) {
                // If nothing could be decoded, the decoder fills the picture with one grey.
                Ok(picture) if !strict && is_one_color(&picture) => Decoded::Nothing,
                Ok(picture) => Decoded::Pixels(checksum(&picture)),
                Err(JpegError::Unsupported) => Decoded::Unsupported,
                Err(JpegError::Broken) => Decoded::Nothing,
            },
        }
    }

    /// Returns a cleaned JPEG with noise between its last scan and its end; other pictures as they are. It looks the same
    /// if the scan is complete; a decoder fills the gap of an incomplete one, and would take the noise for pixels.
    fn probe(&self, clean: &Bytes) -> Bytes {
        match &self.jpeg {
            // The decoder expects the next marker directly behind the first scan of a progressive picture.
            Some(jpeg) if jpeg.scans > 1 || !jpeg.is_buffered => {
                let (scans, end) = clean.split_at(clean.len() - 2);
                // A marker may have fill bytes before it, which would make a marker of the noise.
                let length = scans.iter().rposition(|byte| *byte != 0xFF).map_or(0, |last| last + 1);
                [&scans[..length], &NOISE.repeat(8), end].concat().into()
            }
            _ => clean.clone(),
        }
    }
}

/// A reader of a BMP, or of the first frame of a GIF.
fn simple_reader(kind: Kind, bytes: &[u8]) -> ImageReader<Cursor<&[u8]>> {
    let format = if kind == Kind::Gif { ImageFormat::Gif } else { ImageFormat::Bmp };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    reader
}

/// Width, height and bytes of memory per pixel; `None` if it has no pixels.
fn webp_header(bytes: &[u8]) -> Option<(u32, u32, u64)> {
    if let Ok(mut decoder) = WebPDecoder::new(Cursor::new(bytes)) {
        let (width, height) = decoder.dimensions();
        let bytes_per_pixel = match (decoder.is_lossy(), decoder.has_alpha()) {
            // A frame and the canvas.
            _ if decoder.is_animated() => 12,
            (false, _) => 8,
            (true, true) => 7,
            (true, false) => 5,
        };
        return Some((width, height, bytes_per_pixel));
    }
    // The decoder reads nothing if a part is missing, but other programs may.
    let size = bytes.strip_prefix(b"RIFF").filter(|rest| rest.get(8..12) == Some(b"VP8X".as_slice()))?.get(20..26)?;
    let side = |at: usize| u32::from_le_bytes([size[at], size[at + 1], size[at + 2], 0]) + 1;
    let has_pixels = bytes.windows(4).any(|name| matches!(name, b"VP8 " | b"VP8L"));
    has_pixels.then_some((side(0), side(3), 8))
}

fn in_srgb(picture: DynamicImage, profile: Option<ColorProfile>) -> DynamicImage {
    match profile {
        Some(profile) => color::to_srgb(picture, &profile),
        None => picture,
    }
}

fn checksum(picture: &DynamicImage) -> u32 {
    let mut checksum = flate2::Crc::new();
    checksum.update(picture.as_bytes());
    checksum.sum()
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
