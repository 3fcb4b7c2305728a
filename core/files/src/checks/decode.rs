//! Decoding of pictures: PNGs row by row, JPEGs as a whole, and downscaling of either.

use std::io::Cursor;

use festival_pixels::{Reducer, rows_per_strip};
use image::{DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::color;
use super::jpeg::Jpeg;
use super::png::Png;
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

/// Decodes a PNG with eight bits per channel: sixteen would take twice the memory without a visible difference.
pub(super) fn decode_png(bytes: &[u8], budget: &Budget) -> Option<DynamicImage> {
    let mut decoder = png_decoder(bytes, budget);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut pixels).ok()?;
    pixels_of_png(frame.color_type, (frame.width, frame.height), pixels)
}

/// Downscales a PNG while its rows are read, with eight bits per channel.
pub(super) fn reduce_png(bytes: &[u8], from: (u32, u32), to: (u32, u32), budget: &Budget) -> Option<DynamicImage> {
    let profile = Png::read(bytes)?.icc;
    let mut decoder = png_decoder(bytes, budget);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let (color, _) = reader.output_color_type();
    let has_alpha = matches!(color, png::ColorType::GrayscaleAlpha | png::ColorType::Rgba);
    let color_type = pixels_of_png(color, (0, 0), Vec::new())?.color();
    let transform = profile.and_then(|profile| color::ToSrgb::new(&profile, color_type));
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

/// Decodes a JPEG in its own colour space. With `strict` a damaged one is an error, otherwise it is decoded as far as
/// possible.
pub(super) fn decode_jpeg(bytes: &[u8], jpeg: &Jpeg<'_>, strict: bool) -> Result<DynamicImage, JpegError> {
    let broken = |error: zune_jpeg::errors::DecodeErrors| match error {
        zune_jpeg::errors::DecodeErrors::Unsupported(_) => JpegError::Unsupported,
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

/// Decodes a CMYK or YCCK JPEG to CMYK, where 255 is full ink.
pub(super) fn decode_cmyk(bytes: &[u8]) -> Option<Vec<u8>> {
    let options = DecoderOptions::default().set_strict_mode(true);
    let options = options.set_max_width(usize::from(u16::MAX)).set_max_height(usize::from(u16::MAX));
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    let space = decoder.input_colorspace()?;
    decoder.set_options(options.jpeg_set_out_colorspace(space));
    let mut cmyk = decoder.decode().ok()?;
    for pixel in cmyk.as_chunks_mut::<4>().0 {
        if space == ColorSpace::YCCK {
            let [y, cb, cr] = [pixel[0], pixel[1], pixel[2]].map(f32::from);
            let (cb, cr) = (cb - 128.0, cr - 128.0);
            // The casts saturate.
            pixel[0] = (y + 1.402 * cr).round() as u8;
            pixel[1] = (y - 0.344_136 * cb - 0.714_136 * cr).round() as u8;
            pixel[2] = (y + 1.772 * cb).round() as u8;
        }
        // Adobe stores CMYK inverted, and all other programs follow.
        *pixel = pixel.map(|ink| 255 - ink);
    }
    Some(cmyk)
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

/// Decodes a PNG row by row. With `check_checksums`, it ends at the first chunk that is not as it was written.
pub(super) fn read_rows(bytes: &[u8], check_checksums: bool, budget: &Budget) -> Rows {
    let mut decoder = png_decoder(bytes, budget);
    decoder.ignore_checksums(!check_checksums);
    let (mut count, mut checksum) = (0, flate2::Crc::new());
    let read = || {
        let mut reader = decoder.read_info().ok()?;
        while let Some(row) = reader.next_row().ok()? {
            budget.charge(row.data().len() as u64 + ROW_WORK).ok()?;
            checksum.update(row.data());
            count += 1;
        }
        reader.finish().ok()
    };
    let is_intact = read().is_some();
    Rows { count, checksum: checksum.sum(), is_intact }
}
