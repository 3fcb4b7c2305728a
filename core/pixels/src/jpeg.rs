//! Encoding of JPEGs.

use image::RgbImage;
use image::codecs::jpeg::JpegEncoder;

/// Encodes pixels of four bytes: red, green, blue, and one that is ignored. `quality` is 1 to 100; `None` if the number
/// of pixels does not match the size.
pub fn opaque_jpeg(pixels: &[u8], (width, height): (u32, u32), quality: u8) -> Option<Vec<u8>> {
    let rgb = pixels.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let mut jpeg = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut jpeg, quality);
    RgbImage::from_raw(width, height, rgb)?.write_with_encoder(encoder).ok()?;
    Some(jpeg)
}
