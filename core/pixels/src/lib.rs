//! Work on every pixel of a picture, with libraries whose generic code is compiled in the crate that uses it:
//! downscaling strip by strip, so that only the narrowed rows of a large picture are in memory, and encoding of JPEGs.
//!
//! A crate of its own because it is optimised in development builds as well: the resizer takes a minute to compile,
//! which no change elsewhere should cost again. For the same reason its tests are a program of their own.

mod jpeg;

pub use jpeg::opaque_jpeg;

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8x3, U8x4};
use fast_image_resize::{MulDiv, PixelTrait, PixelType, ResizeOptions, Resizer};
use image::{DynamicImage, RgbImage, RgbaImage};

/// Approximate size of a strip that is scaled at a time, in bytes.
const STRIP_SIZE: usize = 2 << 20;

/// Returns the number of rows of `row` bytes in a strip, at least 1.
pub fn rows_per_strip(row: usize) -> usize {
    (STRIP_SIZE / row.max(1)).max(1)
}

/// Downscales a picture from rows with eight bits per channel, pushed from top to bottom: each strip is scaled
/// horizontally when it arrives, and the result vertically at the end.
pub struct Reducer {
    from: (u32, u32),
    to: (u32, u32),
    pixel: PixelType,
    /// The rows so far at their new width, with premultiplied alpha.
    narrow: Vec<u8>,
    resizer: Resizer,
    alpha: MulDiv,
}

impl Reducer {
    /// `from` and `to` are width and height in pixels.
    pub fn new(from: (u32, u32), to: (u32, u32), has_alpha: bool) -> Self {
        let pixel = if has_alpha { PixelType::U8x4 } else { PixelType::U8x3 };
        let narrow = Vec::with_capacity(to.0 as usize * from.1 as usize * pixel.size());
        Self { from, to, pixel, narrow, resizer: Resizer::new(), alpha: MulDiv::new() }
    }

    /// Returns the memory that downscaling needs in addition to the pushed rows, in bytes.
    pub fn memory(from: (u32, u32), to: (u32, u32)) -> u64 {
        u64::from(to.0) * (u64::from(from.1) + u64::from(to.1)) * 4 + 4 * STRIP_SIZE as u64
    }

    /// Adds the next rows; `None` if they are incomplete.
    pub fn push(&mut self, rows: &mut [u8]) -> Option<()> {
        let size = self.pixel.size();
        let count = u32::try_from(rows.len() / size).ok()?.checked_div(self.from.0)?;
        if self.premultiplies() {
            let mut strip = TypedImage::<U8x4>::from_buffer(self.from.0, count, rows).ok()?;
            self.alpha.multiply_alpha_inplace_typed(&mut strip).ok()?;
        }
        let start = self.narrow.len();
        self.narrow.resize(start + self.to.0 as usize * count as usize * size, 0);
        let narrow = &mut self.narrow[start..];
        resize(&mut self.resizer, self.pixel, (rows, self.from.0, count), (narrow, self.to.0, count))
    }

    /// Returns the downscaled picture; `None` if rows are missing.
    pub fn finish(mut self) -> Option<DynamicImage> {
        let (width, height) = self.to;
        let mut small = vec![0; width as usize * height as usize * self.pixel.size()];
        let narrow = (&self.narrow[..], width, self.from.1);
        resize(&mut self.resizer, self.pixel, narrow, (&mut small, width, height))?;
        if self.premultiplies() {
            let mut small = TypedImage::<U8x4>::from_buffer(width, height, &mut small).ok()?;
            self.alpha.divide_alpha_inplace_typed(&mut small).ok()?;
        }
        match self.pixel {
            PixelType::U8x4 => RgbaImage::from_raw(width, height, small).map(DynamicImage::from),
            _ => RgbImage::from_raw(width, height, small).map(DynamicImage::from),
        }
    }

    /// Whether alpha has to be premultiplied, so that transparent pixels do not affect the colours of others.
    fn premultiplies(&self) -> bool {
        self.pixel == PixelType::U8x4 && self.from != self.to
    }
}

/// Resizes pixels, given with width and height. The resizer is compiled for these two kinds only: all fourteen that it
/// knows take half a minute more.
fn resize(resizer: &mut Resizer, pixel: PixelType, from: (&[u8], u32, u32), to: (&mut [u8], u32, u32)) -> Option<()> {
    match pixel {
        PixelType::U8x4 => resize_typed::<U8x4>(resizer, from, to),
        _ => resize_typed::<U8x3>(resizer, from, to),
    }
}

fn resize_typed<P: PixelTrait>(
    resizer: &mut Resizer,
    (from, from_width, from_height): (&[u8], u32, u32),
    (to, width, height): (&mut [u8], u32, u32),
) -> Option<()> {
    let from = TypedImageRef::<P>::from_buffer(from_width, from_height, from).ok()?;
    let mut to = TypedImage::<P>::from_buffer(width, height, to).ok()?;
    resizer.resize_typed(&from, &mut to, &options()).ok()
}

/// Alpha is premultiplied once, not in each of the two steps.
fn options() -> ResizeOptions {
    ResizeOptions::new().use_alpha(false)
}
