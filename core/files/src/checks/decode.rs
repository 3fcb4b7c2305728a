//! From coded bytes to pixels: a PNG row by row, a JPEG as a whole, and smaller pictures of either.

use std::io::Cursor;

use image::{DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::color;
use super::jpeg::Jpeg;
use super::png::Png;
use super::reduce::{Reducer, rows_at_a_time};
use crate::budget::{Budget, Metered};

/// The memory that a PNG's decoder takes beside the pixels, in bytes.
pub(super) const PNG_MEMORY: usize = 64 << 20;
/// What a row costs beside its bytes.
const ROW: u64 = 16;

/// The decoder of a PNG, which unpacks nothing but pixels.
fn png_decoder<'a>(bytes: &'a [u8], budget: &'a Budget) -> png::Decoder<Metered<'a, Cursor<&'a [u8]>>> {
    let limits = png::Limits { bytes: PNG_MEMORY };
    let mut decoder = png::Decoder::new_with_limits(Metered::new(Cursor::new(bytes), budget), limits);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_ignore_text_chunk(true);
    decoder
}

/// The pixels of a PNG, eight bits of each colour: nobody sees more, and sixteen take twice the memory.
pub(super) fn decode_png(bytes: &[u8], budget: &Budget) -> Option<DynamicImage> {
    let mut decoder = png_decoder(bytes, budget);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut pixels).ok()?;
    pixels_of_png(frame.color_type, (frame.width, frame.height), pixels)
}

/// A PNG made smaller while its rows are read, eight bits of each colour.
pub(super) fn reduce_png(bytes: &[u8], from: (u32, u32), to: (u32, u32), budget: &Budget) -> Option<DynamicImage> {
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
pub(super) fn reduce_whole(picture: DynamicImage, to: (u32, u32)) -> Option<DynamicImage> {
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
pub(super) enum JpegError {
    Broken,
    /// It is coded in a way that our decoder does not know.
    Unknown,
}

/// The pixels of a JPEG, as they are coded. `strict`: whole or not at all; else as much of them as there is.
pub(super) fn decode_jpeg(bytes: &[u8], jpeg: &Jpeg<'_>, strict: bool) -> Result<DynamicImage, JpegError> {
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
pub(super) fn decode_inks(bytes: &[u8]) -> Option<Vec<u8>> {
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

/// How many rows of a PNG can be decoded, and whether these are all, unharmed.
pub(super) fn rows(bytes: &[u8], budget: &Budget) -> (u64, bool) {
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
