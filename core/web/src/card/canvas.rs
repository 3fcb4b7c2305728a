//! The card's ground: shapes, text and pictures on it.

use image::DynamicImage;
use image::imageops::FilterType;
use tiny_skia::{Color, FillRule, IntSize, Mask, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Transform};

use super::block::Block;
use super::{HEIGHT, WIDTH};

/// Red, green, blue.
pub(super) type Tone = [u8; 3];

/// A rectangle: left, top, width, height.
pub(super) type Frame = (f32, f32, f32, f32);

/// What is drawn on.
pub(super) struct Canvas(Pixmap);

impl Canvas {
    /// A card of one colour; `None` where there is no memory for it.
    pub(super) fn new(ground: Tone) -> Option<Self> {
        let mut pixmap = Pixmap::new(WIDTH, HEIGHT)?;
        pixmap.fill(colour(ground, 255));
        Some(Self(pixmap))
    }

    /// Fills a path; 255 covers what is there.
    pub(super) fn fill(&mut self, path: &Path, tone: Tone, cover: u8) {
        let mut paint = Paint::default();
        paint.set_color(colour(tone, cover));
        self.0.fill_path(path, &paint, FillRule::Winding, Transform::identity(), None);
    }

    /// Writes a block, the highest ink at `top`; answers where the lowest ends.
    pub(super) fn write(&mut self, block: Option<&Block>, left: f32, top: f32, tone: Tone) -> f32 {
        let Some(block) = block else { return top };
        if let Some(path) = block.path(left, top) {
            self.fill(&path, tone, 255);
        }
        top + block.height
    }

    /// Fills `frame` with the middle of a picture, as far as `within` reaches. `from_top`: what is too much is cut off
    /// at its foot, as with posters and people.
    pub(super) fn picture(&mut self, picture: &DynamicImage, frame: Frame, within: Option<&Path>, from_top: f32) {
        let (left, top, width, height) = frame;
        let Some(pixmap) = cover(picture, width as u32, height as u32, from_top) else { return };
        let mask = within.and_then(|path| {
            let mut mask = Mask::new(WIDTH, HEIGHT)?;
            mask.fill_path(path, FillRule::Winding, true, Transform::identity());
            Some(mask)
        });
        let paint = PixmapPaint::default();
        self.0.draw_pixmap(left as i32, top as i32, pixmap.as_ref(), &paint, Transform::identity(), mask.as_ref());
    }

    /// The pixels, red, green, blue. Every card is opaque.
    pub(super) fn pixels(&self) -> Vec<u8> {
        self.0.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }
}

/// A path with these corners.
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

fn colour([red, green, blue]: Tone, cover: u8) -> Color {
    Color::from_rgba8(red, green, blue, cover)
}

/// The part of a picture that has the frame's proportions, in the frame's size.
fn cover(picture: &DynamicImage, width: u32, height: u32, from_top: f32) -> Option<Pixmap> {
    let (has_width, has_height) = (picture.width() as f32, picture.height() as f32);
    let scale = (width as f32 / has_width).max(height as f32 / has_height);
    let (cut_width, cut_height) = ((width as f32 / scale).min(has_width), (height as f32 / scale).min(has_height));
    let (x, y) = ((has_width - cut_width) / 2.0, (has_height - cut_height) * from_top);
    let part = picture.crop_imm(x as u32, y as u32, cut_width.max(1.0) as u32, cut_height.max(1.0) as u32);
    let mut pixels = part.resize_exact(width, height, FilterType::CatmullRom).to_rgba8();
    for pixel in pixels.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0;
        let times = |value: u8| (u16::from(value) * u16::from(alpha) / 255) as u8;
        pixel.0 = [times(red), times(green), times(blue), alpha];
    }
    Pixmap::from_vec(pixels.into_raw(), IntSize::from_wh(width, height)?)
}
