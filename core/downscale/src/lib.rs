//! Downscaling of pictures strip by strip, so that only the narrowed rows of a large picture are in memory.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{MulDiv, PixelType, ResizeOptions, Resizer};
use image::{DynamicImage, RgbImage, RgbaImage};

/// Approximate size of a strip that is scaled at a time, in bytes.
const STRIP_SIZE: usize = 2 << 20;

/// Returns the number of rows of `row` bytes in a strip, at least 1.
pub(super) fn rows_per_strip(row: usize) -> usize {
    (STRIP_SIZE / row.max(1)).max(1)
}

/// Downscales a picture from rows with eight bits per channel, pushed from top to bottom: each strip is scaled
/// horizontally when it arrives, and the result vertically at the end.
pub(super) struct Reducer {
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
    pub(super) fn new(from: (u32, u32), to: (u32, u32), has_alpha: bool) -> Self {
        let pixel = if has_alpha { PixelType::U8x4 } else { PixelType::U8x3 };
        let narrow = Vec::with_capacity(to.0 as usize * from.1 as usize * pixel.size());
        Self { from, to, pixel, narrow, resizer: Resizer::new(), alpha: MulDiv::new() }
    }

    /// Returns the memory that downscaling needs in addition to the pushed rows, in bytes.
    pub(super) fn memory(from: (u32, u32), to: (u32, u32)) -> u64 {
        u64::from(to.0) * (u64::from(from.1) + u64::from(to.1)) * 4 + 4 * STRIP_SIZE as u64
    }

    /// Adds the next rows; `None` if they are incomplete.
    pub(super) fn push(&mut self, rows: &mut [u8]) -> Option<()> {
        let size = self.pixel.size();
        let count = u32::try_from(rows.len() / size).ok()?.checked_div(self.from.0)?;
        let mut strip = Image::from_slice_u8(self.from.0, count, rows, self.pixel).ok()?;
        if self.premultiplies() {
            self.alpha.multiply_alpha_inplace(&mut strip).ok()?;
        }
        let start = self.narrow.len();
        self.narrow.resize(start + self.to.0 as usize * count as usize * size, 0);
        let mut narrow = Image::from_slice_u8(self.to.0, count, &mut self.narrow[start..], self.pixel).ok()?;
        self.resizer.resize(&strip, &mut narrow, &options()).ok()
    }

    /// Returns the downscaled picture; `None` if rows are missing.
    pub(super) fn finish(mut self) -> Option<DynamicImage> {
        let (width, height) = self.to;
        let narrow = ImageRef::new(width, self.from.1, &self.narrow, self.pixel).ok()?;
        let mut small = Image::new(width, height, self.pixel);
        self.resizer.resize(&narrow, &mut small, &options()).ok()?;
        if self.premultiplies() {
            self.alpha.divide_alpha_inplace(&mut small).ok()?;
        }
        let pixels = small.into_vec();
        match self.pixel {
            PixelType::U8x4 => RgbaImage::from_raw(width, height, pixels).map(DynamicImage::from),
            _ => RgbImage::from_raw(width, height, pixels).map(DynamicImage::from),
        }
    }

    /// Whether alpha has to be premultiplied, so that transparent pixels do not affect the colours of others.
    fn premultiplies(&self) -> bool {
        self.pixel == PixelType::U8x4 && self.from != self.to
    }
}

/// Alpha is premultiplied once, not in each of the two steps.
fn options() -> ResizeOptions {
    ResizeOptions::new().use_alpha(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise in all colours and all degrees of transparency.
    fn noise(width: u32, height: u32, has_alpha: bool) -> DynamicImage {
        let mut state = 11_u32;
        let picture = RgbaImage::from_fn(width, height, |x, y| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [a, b, c, _] = state.to_be_bytes();
            // Soft and hard edges.
            image::Rgba([a / 2 + (x / 8 % 2 * 120) as u8, b, c / 3, if y % 37 < 9 { 0 } else { (x % 256) as u8 }])
        });
        if has_alpha { picture.into() } else { DynamicImage::from(DynamicImage::from(picture).into_rgb8()) }
    }

    #[test]
    fn scaling_in_strips_matches_scaling_as_a_whole() {
        for (from, to, has_alpha) in
            [((1000, 700), (240, 168), true), ((1000, 700), (240, 168), false), ((300, 900), (299, 897), true)]
        {
            let picture = noise(from.0, from.1, has_alpha);
            let mut whole = DynamicImage::new(to.0, to.1, picture.color());
            Resizer::new().resize(&picture, &mut whole, None).expect("two pictures");
            let mut reducer = Reducer::new(from, to, has_alpha);
            let row = from.0 as usize * usize::from(picture.color().bytes_per_pixel());
            let mut bytes = picture.into_bytes();
            bytes.chunks_mut(31 * row).for_each(|rows| reducer.push(rows).expect("rows"));
            let strips = reducer.finish().expect("all rows");
            assert_eq!(strips.color(), whole.color());
            // Composited on black and on white, because transparent pixels have no colour of their own.
            let composited = |picture: &DynamicImage, background: u32| -> Vec<u32> {
                let over = |color: u8, alpha: u8| {
                    (u32::from(color) * u32::from(alpha) + background * (255 - u32::from(alpha))) / 255
                };
                picture.to_rgba8().pixels().flat_map(|p| [0, 1, 2].map(|channel| over(p[channel], p[3]))).collect()
            };
            for background in [0, 255] {
                let pairs = composited(&strips, background).into_iter().zip(composited(&whole, background));
                // On average they differ by less than 1 of 255. The two directions are rounded and clamped in another
                // order, so single pixels of noise differ by a few, and by more at hard transparent edges.
                let limit = if has_alpha { 32 } else { 6 };
                let differences: Vec<u32> = pairs.map(|(left, right)| left.abs_diff(right)).collect();
                assert!(
                    differences.iter().all(|difference| *difference <= limit),
                    "{from:?} {has_alpha}: {:?}",
                    differences.iter().max()
                );
                assert!(differences.iter().sum::<u32>() < differences.len() as u32, "{from:?} {has_alpha}");
            }
        }
    }

    #[test]
    fn missing_rows_are_an_error() {
        let mut reducer = Reducer::new((10, 10), (5, 5), false);
        assert!(reducer.push(&mut [0; 10 * 3 * 9]).is_some());
        assert!(reducer.finish().is_none());
    }

    #[test]
    fn scaling_to_the_same_size_keeps_the_pixels() {
        let picture = noise(64, 50, true);
        let mut reducer = Reducer::new((64, 50), (64, 50), true);
        reducer.push(&mut picture.clone().into_bytes()).expect("rows");
        assert_eq!(reducer.finish().expect("all rows"), picture);
    }
}
