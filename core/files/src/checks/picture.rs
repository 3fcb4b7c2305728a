//! Pictures: looked at before they are decoded, decoded to prove that they are whole, and kept as they were coded.
//!
//! Of what is around the coded picture only its colour profile and which way up it stands are kept: no place, no
//! camera, no text, no program ([decision 21](../../../docs/decisions/0021-coded-pictures-are-kept.md)).

use std::io::Cursor;

use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::jpeg::Jpeg;
use super::kind::Kind;
use super::png::Png;
use super::reduce::{Reducer, rows_at_a_time};
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
/// The memory that a PNG's decoder takes beside the pixels, in bytes.
const PNG_MEMORY: usize = 64 << 20;
/// The bytes that the rows in a PNG's decoder take for each pixel of its width: five rows of eight bytes.
const PNG_ROWS: u64 = 40;
/// The greatest height of a WebP.
const HIGHEST: u32 = 16_383;
/// What a row costs beside its bytes.
const ROW: u64 = 16;

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
        let is_read_by_rows = bytes_per_pixel == 0;
        let rows = u64::from(width) * PNG_ROWS;
        let memory = if is_read_by_rows { rows.max(PNG_MEMORY as u64 / 8) } else { pixels * bytes_per_pixel };
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

/// The decoder of a PNG, which unpacks nothing but pixels.
fn png_decoder<'a>(bytes: &'a [u8], budget: &'a Budget) -> png::Decoder<Metered<'a, Cursor<&'a [u8]>>> {
    let limits = png::Limits { bytes: PNG_MEMORY };
    let mut decoder = png::Decoder::new_with_limits(Metered::new(Cursor::new(bytes), budget), limits);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_ignore_text_chunk(true);
    decoder
}

/// The pixels of a PNG, eight bits of each colour: nobody sees more, and sixteen take twice the memory.
fn decode_png(bytes: &[u8], budget: &Budget) -> Option<DynamicImage> {
    let mut decoder = png_decoder(bytes, budget);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut pixels).ok()?;
    pixels_of_png(frame.color_type, (frame.width, frame.height), pixels)
}

/// A PNG made smaller while its rows are read, eight bits of each colour.
fn reduce_png(bytes: &[u8], from: (u32, u32), to: (u32, u32), budget: &Budget) -> Option<DynamicImage> {
    let profile = Png::read(bytes)?.icc;
    let mut decoder = png_decoder(bytes, budget);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let (color, _) = reader.output_color_type();
    let has_alpha = matches!(color, png::ColorType::GrayscaleAlpha | png::ColorType::Rgba);
    let kind_of_colors = pixels_of_png(color, (0, 0), Vec::new())?.color();
    let transform = profile.and_then(|profile| color::ToSrgb::new(&profile, kind_of_colors));
    let mut reducer = Reducer::new(from, to, has_alpha);
    let most = rows_at_a_time(from.0 as usize * 4);
    let (mut strip, mut count) = (Vec::new(), 0);
    loop {
        let row = reader.next_row().ok()?;
        if let Some(row) = &row {
            budget.charge(row.data().len() as u64 + ROW).ok()?;
            strip.extend_from_slice(row.data());
            count += 1;
        }
        if count > 0 && (row.is_none() || count as usize == most) {
            let rows = pixels_of_png(color, (from.0, count), std::mem::take(&mut strip))?;
            let rows = transform.iter().fold(rows, |rows, transform| transform.apply(rows));
            reducer.push(&mut colors_of(rows, has_alpha))?;
            count = 0;
        }
        if row.is_none() {
            break;
        }
    }
    reducer.finish()
}

/// A picture that is in memory, made smaller.
fn reduce_whole(picture: DynamicImage, to: (u32, u32)) -> Option<DynamicImage> {
    let (from, has_alpha) = ((picture.width(), picture.height()), picture.color().has_alpha());
    let mut reducer = Reducer::new(from, to, has_alpha);
    let row = from.0 as usize * if has_alpha { 4 } else { 3 };
    let mut pixels = colors_of(picture, has_alpha);
    pixels.chunks_mut(rows_at_a_time(row) * row).try_for_each(|rows| reducer.push(rows))?;
    drop(pixels);
    reducer.finish()
}

/// The bytes of pixels in colours.
fn colors_of(picture: DynamicImage, has_alpha: bool) -> Vec<u8> {
    if has_alpha { picture.into_rgba8().into_raw() } else { picture.into_rgb8().into_raw() }
}

/// Pixels as a decoder of PNG gives them, eight bits of each colour.
fn pixels_of_png(color: png::ColorType, (width, height): (u32, u32), pixels: Vec<u8>) -> Option<DynamicImage> {
    match color {
        png::ColorType::Grayscale => GrayImage::from_raw(width, height, pixels).map(DynamicImage::from),
        png::ColorType::GrayscaleAlpha => GrayAlphaImage::from_raw(width, height, pixels).map(DynamicImage::from),
        png::ColorType::Rgb => RgbImage::from_raw(width, height, pixels).map(DynamicImage::from),
        png::ColorType::Rgba => RgbaImage::from_raw(width, height, pixels).map(DynamicImage::from),
        png::ColorType::Indexed => None,
    }
}

/// Why a JPEG cannot be decoded.
enum JpegError {
    Broken,
    /// It is coded in a way that our decoder does not know.
    Unknown,
}

/// The pixels of a JPEG, as they are coded. `strict`: whole or not at all; else as much of them as there is.
fn decode_jpeg(bytes: &[u8], jpeg: &Jpeg<'_>, strict: bool) -> Result<DynamicImage, JpegError> {
    let broken = |error: zune_jpeg::errors::DecodeErrors| match error {
        zune_jpeg::errors::DecodeErrors::Unsupported(_) => JpegError::Unknown,
        _ => JpegError::Broken,
    };
    let options = DecoderOptions::default().set_strict_mode(strict);
    let options = options.set_max_width(usize::from(u16::MAX)).set_max_height(usize::from(u16::MAX));
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(broken)?;
    let out = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => ColorSpace::Luma,
        _ => ColorSpace::RGB,
    };
    decoder.set_options(options.jpeg_set_out_colorspace(out));
    let pixels = decoder.decode().map_err(broken)?;
    let (width, height) = (jpeg.width, jpeg.height);
    let picture = if out == ColorSpace::Luma {
        GrayImage::from_raw(width, height, pixels).map(DynamicImage::from)
    } else {
        RgbImage::from_raw(width, height, pixels).map(DynamicImage::from)
    };
    picture.ok_or(JpegError::Broken)
}

/// The four inks of each pixel of a JPEG, 255 for all of an ink.
fn decode_inks(bytes: &[u8]) -> Option<Vec<u8>> {
    let options = DecoderOptions::default().set_strict_mode(true);
    let options = options.set_max_width(usize::from(u16::MAX)).set_max_height(usize::from(u16::MAX));
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    let space = decoder.input_colorspace()?;
    decoder.set_options(options.jpeg_set_out_colorspace(space));
    let mut inks = decoder.decode().ok()?;
    for pixel in inks.as_chunks_mut::<4>().0 {
        if space == ColorSpace::YCCK {
            let [y, cb, cr] = [pixel[0], pixel[1], pixel[2]].map(f32::from);
            let (cb, cr) = (cb - 128.0, cr - 128.0);
            // A cast to a byte stops at its ends.
            pixel[0] = (y + 1.402 * cr).round() as u8;
            pixel[1] = (y - 0.344_136 * cb - 0.714_136 * cr).round() as u8;
            pixel[2] = (y + 1.772 * cb).round() as u8;
        }
        // Adobe's programs, which all others follow, write how much of an ink is missing.
        *pixel = pixel.map(|ink| 255 - ink);
    }
    Some(inks)
}

fn is_one_color(picture: &DynamicImage) -> bool {
    let size = usize::from(picture.color().bytes_per_pixel());
    let bytes = picture.as_bytes();
    bytes.chunks_exact(size).all(|pixel| pixel == &bytes[..size])
}

/// How many rows of a PNG can be decoded, and whether these are all, unharmed.
fn rows(bytes: &[u8], budget: &Budget) -> (u64, bool) {
    let read = |careful: bool| {
        let mut decoder = png_decoder(bytes, budget);
        decoder.ignore_checksums(!careful);
        let Ok(mut reader) = decoder.read_info() else { return (0, false) };
        let mut count = 0;
        loop {
            match reader.next_row() {
                Ok(Some(row)) if budget.charge(row.data().len() as u64 + ROW).is_ok() => count += 1,
                Ok(Some(_)) => return (count, false),
                Ok(None) => break,
                Err(_) => return (count, false),
            }
        }
        (count, reader.finish().is_ok())
    };
    match read(true) {
        (_, true) => (1, true),
        _ => (read(false).0, false),
    }
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
