//! Decoding of pictures: PNGs row by row, others as a whole, and downscaling of either.

use std::io::Cursor;

use festival_pixels::{Reducer, rows_per_strip};
use image::{DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage};
use image_webp::WebPDecoder;
use moxcms::ColorProfile;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::color::{self, ToSrgb};
use crate::budget::{Budget, Metered};

/// Memory limit of the PNG decoder, not counting the pixels, in bytes.
pub(super) const PNG_MEMORY: usize = 64 << 20;
/// Work that is charged per row in addition to its bytes.
const ROW_WORK: u64 = 16;

/// A PNG decoder that decompresses pixels only, no metadata.
fn png_decoder<'a>(bytes: &'a [u8], budget: &'a Budget) -> png::Decoder<Metered<'a, Cursor<&'a [u8]>>> {
    let limits = png::Limits { bytes: PNG_MEMORY };
    let mut decoder = png::Decoder::new_with_limits(Metered::new(Cursor::new(bytes), budget), limits);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_ignore_text_chunk(true);
    decoder
}

/// A PNG that is decoded with eight bits per channel: sixteen would take twice the memory without a visible difference.
/// Of an animation, this is the first frame.
struct StillPng<'a> {
    reader: png::Reader<Metered<'a, Cursor<&'a [u8]>>>,
    /// The colour space, unless it is sRGB.
    profile: Option<ColorProfile>,
}

impl<'a> StillPng<'a> {
    /// `icc` is the profile in the container.
    fn new(bytes: &'a [u8], icc: Option<ColorProfile>, budget: &'a Budget) -> Option<Self> {
        let mut decoder = png_decoder(bytes, budget);
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().ok()?;
        let profile = icc.or_else(|| color::of_png(reader.info()));
        let info = reader.info();
        // The picture for programs without animation need not be part of it.
        if info.animation_control.is_some() && info.frame_control.is_none() {
            let size = info.size();
            let frame = reader.next_frame_info().ok()?;
            ((frame.width, frame.height) == size).then_some(())?;
        }
        Some(Self { reader, profile })
    }

    fn decode(mut self) -> Option<DynamicImage> {
        let mut pixels = vec![0; self.reader.output_buffer_size()?];
        let frame = self.reader.next_frame(&mut pixels).ok()?;
        let picture = pixels_of_png(frame.color_type, (frame.width, frame.height), pixels)?;
        Some(match self.profile {
            Some(profile) => color::to_srgb(picture, &profile),
            None => picture,
        })
    }
}

/// Decodes a PNG to sRGB.
pub(super) fn decode_png(bytes: &[u8], icc: Option<ColorProfile>, budget: &Budget) -> Option<DynamicImage> {
    StillPng::new(bytes, icc, budget)?.decode()
}

/// Downscales a PNG while its rows are read, and converts it to sRGB.
pub(super) fn reduce_png(
    bytes: &[u8],
    icc: Option<ColorProfile>,
    from: (u32, u32),
    to: (u32, u32),
    budget: &Budget,
) -> Option<DynamicImage> {
    let StillPng { mut reader, profile } = StillPng::new(bytes, icc, budget)?;
    let (color, _) = reader.output_color_type();
    let has_alpha = matches!(color, png::ColorType::GrayscaleAlpha | png::ColorType::Rgba);
    let color_type = pixels_of_png(color, (0, 0), Vec::new())?.color();
    let transform = profile.and_then(|profile| ToSrgb::new(&profile, color_type));
    let mut reducer = Reducer::new(from, to, has_alpha);
    let strip_rows = rows_per_strip(from.0 as usize * 4);
    let (mut strip, mut count) = (Vec::new(), 0);
    loop {
        let row = reader.next_row().ok()?;
        if let Some(row) = &row {
            budget.charge(row.data().len() as u64 + ROW_WORK).ok()?;
            strip.extend_from_slice(row.data());
            count += 1;
        }
        if count > 0 && (row.is_none() || count as usize == strip_rows) {
            let rows = pixels_of_png(color, (from.0, count), std::mem::take(&mut strip))?;
            let rows = transform.iter().fold(rows, |rows, transform| transform.apply(rows));
            reducer.push(&mut rgb_bytes(rows, has_alpha))?;
            count = 0;
        }
        if row.is_none() {
            break;
        }
    }
    reducer.finish()
}

/// Downscales a decoded picture.
pub(super) fn reduce_whole(picture: DynamicImage, to: (u32, u32)) -> Option<DynamicImage> {
    let (from, has_alpha) = ((picture.width(), picture.height()), picture.color().has_alpha());
    let mut reducer = Reducer::new(from, to, has_alpha);
    let row = from.0 as usize * if has_alpha { 4 } else { 3 };
    let mut pixels = rgb_bytes(picture, has_alpha);
    pixels.chunks_mut(rows_per_strip(row) * row).try_for_each(|rows| reducer.push(rows))?;
    drop(pixels);
    reducer.finish()
}

/// The pixels as bytes of RGB or RGBA.
fn rgb_bytes(picture: DynamicImage, has_alpha: bool) -> Vec<u8> {
    if has_alpha { picture.into_rgba8().into_raw() } else { picture.into_rgb8().into_raw() }
}

/// A picture from the output of the PNG decoder, with eight bits per channel.
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
pub(super) enum JpegError {
    Broken,
    /// The decoder does not support its encoding.
    Unsupported,
}

/// A JPEG decoder behind the header. With `strict` a damaged picture is an error, otherwise it is decoded as far as
/// possible.
fn jpeg_decoder(bytes: &[u8], strict: bool) -> Result<JpegDecoder<ZCursor<&[u8]>>, JpegError> {
    let options = DecoderOptions::default().set_strict_mode(strict);
    let options = options.set_max_width(usize::from(u16::MAX)).set_max_height(usize::from(u16::MAX));
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(JpegError::from)?;
    Ok(decoder)
}

impl From<zune_jpeg::errors::DecodeErrors> for JpegError {
    fn from(error: zune_jpeg::errors::DecodeErrors) -> Self {
        match error {
            zune_jpeg::errors::DecodeErrors::Unsupported(_) => Self::Unsupported,
            _ => Self::Broken,
        }
    }
}

/// Decodes a JPEG in its own colour space.
pub(super) fn decode_jpeg(bytes: &[u8], strict: bool) -> Result<DynamicImage, JpegError> {
    let mut decoder = jpeg_decoder(bytes, strict)?;
    let out = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => ColorSpace::Luma,
        _ => ColorSpace::RGB,
    };
    decoder.set_options(decoder.options().jpeg_set_out_colorspace(out));
    let pixels = decoder.decode()?;
    let (width, height) = decoder.info().map_or((0, 0), |info| (info.width.into(), info.height.into()));
    let picture = if out == ColorSpace::Luma {
        GrayImage::from_raw(width, height, pixels).map(DynamicImage::from)
    } else {
        RgbImage::from_raw(width, height, pixels).map(DynamicImage::from)
    };
    picture.ok_or(JpegError::Broken)
}

/// Decodes a CMYK or YCCK JPEG to CMYK, where 255 is full ink.
pub(super) fn decode_cmyk(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut decoder = jpeg_decoder(bytes, true).ok()?;
    let space = decoder.input_colorspace()?;
    decoder.set_options(decoder.options().jpeg_set_out_colorspace(space));
    let mut cmyk = decoder.decode().ok()?;
    for pixel in cmyk.as_chunks_mut::<4>().0 {
        // Adobe stores CMYK inverted, and all other programs follow.
        *pixel = pixel.map(|ink| 255 - ink);
        if space == ColorSpace::YCCK {
            let [y, cb, cr] = [pixel[0], pixel[1], pixel[2]].map(|value| f32::from(255 - value));
            let (cb, cr) = (cb - 128.0, cr - 128.0);
            // The inverted inks are what YCC encodes as red, green and blue, inverted once more. The casts saturate.
            pixel[0] = (y + 1.402 * cr).round() as u8;
            pixel[1] = (y - 0.344_136 * cb - 0.714_136 * cr).round() as u8;
            pixel[2] = (y + 1.772 * cb).round() as u8;
        }
    }
    Some(cmyk)
}

/// Decodes a WebP in its own colour space; of an animation the first frame.
pub(super) fn decode_webp(bytes: &[u8], budget: &Budget) -> Option<DynamicImage> {
    let mut decoder = WebPDecoder::new(Metered::new(Cursor::new(bytes), budget)).ok()?;
    let mut pixels = vec![0; decoder.output_buffer_size()?];
    decoder.read_image(&mut pixels).ok()?;
    let (width, height) = decoder.dimensions();
    if decoder.has_alpha() {
        RgbaImage::from_raw(width, height, pixels).map(DynamicImage::from)
    } else {
        RgbImage::from_raw(width, height, pixels).map(DynamicImage::from)
    }
}

/// A checksum of the pixels of a WebP, of all frames of an animation; `None` if it cannot be decoded completely.
pub(super) fn checksum_of_webp(bytes: &[u8], budget: &Budget) -> Option<u32> {
    let mut decoder = WebPDecoder::new(Metered::new(Cursor::new(bytes), budget)).ok()?;
    let mut pixels = vec![0; decoder.output_buffer_size()?];
    let mut checksum = flate2::Crc::new();
    for _ in 0..decoder.num_frames().max(1) {
        budget.charge(pixels.len() as u64).ok()?;
        if decoder.is_animated() {
            decoder.read_frame(&mut pixels).ok()?;
        } else {
            decoder.read_image(&mut pixels).ok()?;
        }
        checksum.update(&pixels);
    }
    Some(checksum.sum())
}

/// The rows of a PNG that can be decoded.
#[derive(PartialEq, Eq)]
pub(super) struct Rows {
    /// Number of rows; of an interlaced picture, of those of its seven passes.
    pub(super) count: u64,
    /// A checksum of their pixels.
    pub(super) checksum: u32,
    /// Whether the whole PNG is intact.
    pub(super) is_intact: bool,
}

/// Decodes a PNG row by row, with all frames of an animation. With `check_checksums`, it ends at the first chunk that is not as it was written.
pub(super) fn read_rows(bytes: &[u8], check_checksums: bool, budget: &Budget) -> Rows {
    let mut decoder = png_decoder(bytes, budget);
    decoder.ignore_checksums(!check_checksums);
    let (mut count, mut checksum) = (0, flate2::Crc::new());
    let read = || {
        let mut reader = decoder.read_info().ok()?;
        loop {
            while let Some(row) = reader.next_row().ok()? {
                budget.charge(row.data().len() as u64 + ROW_WORK).ok()?;
                checksum.update(row.data());
                count += 1;
            }
            match reader.next_frame_info() {
                Ok(_) => {}
                Err(png::DecodingError::Parameter(_)) => break,
                Err(_) => return None,
            }
        }
        reader.finish().ok()
    };
    let is_intact = read().is_some();
    Rows { count, checksum: checksum.sum(), is_intact }
}
