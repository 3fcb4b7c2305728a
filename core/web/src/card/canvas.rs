//! The card's pixels: drawing of shapes, text and pictures.

use festival_pixels::opaque_jpeg;
use image::DynamicImage;
use image::imageops::FilterType;
use tiny_skia::{Color, FillRule, IntSize, Mask, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Transform};

use super::block::TextBlock;
use super::social_card::{HEIGHT, WIDTH};

/// A colour: red, green, blue.
pub(super) type Rgb = [u8; 3];

/// A rectangle: left, top, width, height.
pub(super) type Rect = (f32, f32, f32, f32);

/// A card while it is drawn.
pub(super) struct Canvas(Pixmap);

impl Canvas {
    /// A card of one colour; none if it cannot be allocated.
    pub(super) fn new(background: Rgb) -> Option<Self> {
        let mut pixmap = Pixmap::new(WIDTH, HEIGHT)?;
        pixmap.fill(colour(background, 255));
        Some(Self(pixmap))
    }

    /// Fills a path. `alpha` 255 is opaque.
    pub(super) fn fill(&mut self, path: &Path, rgb: Rgb, alpha: u8) {
        let mut paint = Paint::default();
        paint.set_color(colour(rgb, alpha));
        self.0.fill_path(path, &paint, FillRule::Winding, Transform::identity(), None);
    }

    /// Draws a block with the top of its ink at `top`. Returns the bottom of its ink, or `top` without a block.
    pub(super) fn write(&mut self, block: Option<&TextBlock>, left: f32, top: f32, rgb: Rgb) -> f32 {
        let Some(block) = block else { return top };
        if let Some(path) = block.path(left, top) {
            self.fill(&path, rgb, 255);
        }
        top + block.height
    }

    /// Fills `rect` with a picture, cropped to its proportions and clipped to a path. `crop_top` is the share of the
    /// excess height that is cropped at the top: 0 for none, 0.5 for as much as at the bottom.
    pub(super) fn picture(&mut self, picture: &DynamicImage, rect: Rect, clip: Option<&Path>, crop_top: f32) {
        let (left, top, width, height) = rect;
        let Some(pixmap) = crop_to_fill(picture, width as u32, height as u32, crop_top) else { return };
        let mask = clip.and_then(|path| {
            let mut mask = Mask::new(WIDTH, HEIGHT)?;
            mask.fill_path(path, FillRule::Winding, true, Transform::identity());
            Some(mask)
        });
        let paint = PixmapPaint::default();
        self.0.draw_pixmap(left as i32, top as i32, pixmap.as_ref(), &paint, Transform::identity(), mask.as_ref());
    }

    /// Returns the card as a JPEG. Every card is opaque.
    pub(super) fn jpeg(&self, quality: u8) -> Option<Vec<u8>> {
        opaque_jpeg(self.0.data(), (WIDTH, HEIGHT), quality)
    }
}

/// Returns the closed path through these corners.
pub(super) fn polygon(corners: &[(f32, f32)]) -> Option<Path> {
    let mut pen = PathBuilder::new();
    let (first, rest) = corners.split_first()?;
    pen.move_to(first.0, first.1);
    for (x, y) in rest {
        pen.line_to(*x, *y);
    }
    pen.close();
    pen.finish()
}

fn colour([red, green, blue]: Rgb, alpha: u8) -> Color {
    Color::from_rgba8(red, green, blue, alpha)
}

/// Crops a picture to the proportions of `width` and `height`, and scales it to that size.
fn crop_to_fill(picture: &DynamicImage, width: u32, height: u32, crop_top: f32) -> Option<Pixmap> {
    let (full_width, full_height) = (picture.width() as f32, picture.height() as f32);
    let scale = (width as f32 / full_width).max(height as f32 / full_height);
    let (cut_width, cut_height) = ((width as f32 / scale).min(full_width), (height as f32 / scale).min(full_height));
    let (x, y) = ((full_width - cut_width) / 2.0, (full_height - cut_height) * crop_top);
    let part = picture.crop_imm(x as u32, y as u32, cut_width.max(1.0) as u32, cut_height.max(1.0) as u32);
    let mut pixels = part.resize_exact(width, height, FilterType::CatmullRom).to_rgba8();
    for pixel in pixels.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0;
        let premultiplied = |value: u8| (u16::from(value) * u16::from(alpha) / 255) as u8;
        pixel.0 = [premultiplied(red), premultiplied(green), premultiplied(blue), alpha];
    }
    Pixmap::from_vec(pixels.into_raw(), IntSize::from_wh(width, height)?)
}
