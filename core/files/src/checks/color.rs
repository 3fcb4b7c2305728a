//! Colours: from the space that a picture's profile describes to sRGB, which every screen shows.

use std::sync::Arc;

use image::{ColorType, DynamicImage, RgbImage};
use moxcms::{ColorProfile, DataColorSpace, Layout, Transform8BitExecutor, TransformOptions};

use super::jpeg::Jpeg;

/// How many times its own length the parts of a profile may have together: a few of them are the same bytes.
const PARTS: u64 = 16;
/// How many bytes of pixels are moved to another space at a time.
const STEP: usize = 3 * 4 * 4096;

/// The colour profile that these bytes are, if they are one, and nothing else that somebody put in its place.
pub(super) fn profile(bytes: &[u8]) -> Option<ColorProfile> {
    // Its table may name the same bytes any number of times, and each time they are read.
    let count = u32::from_be_bytes(*bytes.get(128..)?.first_chunk()?) as usize;
    let tags = bytes[132..].as_chunks::<12>().0.iter().take(count);
    let parts: u64 = tags.map(|[.., a, b, c, d]| u64::from(u32::from_be_bytes([*a, *b, *c, *d]))).sum();
    if parts > PARTS * bytes.len() as u64 {
        return None;
    }
    ColorProfile::new_from_slice(bytes).ok()
}

/// `picture` in sRGB; as it is where the profile does not fit it, as browsers show it then.
pub(super) fn to_srgb(picture: DynamicImage, profile: &[u8]) -> DynamicImage {
    match ToSrgb::new(profile, picture.color()) {
        Some(transform) => transform.apply(picture),
        None => picture,
    }
}

/// The way from the space of a profile to sRGB, for pictures of one kind of colours.
pub(super) struct ToSrgb {
    transform: Arc<Transform8BitExecutor>,
    from: Layout,
}

impl ToSrgb {
    /// None where the profile does not fit such pictures.
    pub(super) fn new(profile: &[u8], color: ColorType) -> Option<Self> {
        let profile = self::profile(profile)?;
        let has_alpha = color.has_alpha();
        let (from, to) = match (profile.color_space, !color.has_color()) {
            (DataColorSpace::Gray, true) if has_alpha => (Layout::GrayAlpha, Layout::Rgba),
            (DataColorSpace::Gray, true) => (Layout::Gray, Layout::Rgb),
            (DataColorSpace::Rgb, _) if has_alpha => (Layout::Rgba, Layout::Rgba),
            (DataColorSpace::Rgb, _) => (Layout::Rgb, Layout::Rgb),
            _ => return None,
        };
        let options = TransformOptions::default();
        let transform = profile.create_transform_8bit(from, &ColorProfile::new_srgb(), to, options).ok()?;
        Some(Self { transform, from })
    }

    /// A picture, or some of its rows, in sRGB.
    pub(super) fn apply(&self, picture: DynamicImage) -> DynamicImage {
        transformed(picture, self.from, &*self.transform)
    }
}

fn transformed(picture: DynamicImage, from: Layout, transform: &Transform8BitExecutor) -> DynamicImage {
    let has_alpha = picture.color().has_alpha();
    // Grey becomes colours; what has colours is moved where it is: a second picture would be as large as the first.
    let grays = match from {
        Layout::GrayAlpha => Some(picture.to_luma_alpha8().into_raw()),
        Layout::Gray => Some(picture.to_luma8().into_raw()),
        _ => None,
    };
    let mut picture =
        if has_alpha { DynamicImage::from(picture.into_rgba8()) } else { DynamicImage::from(picture.into_rgb8()) };
    let pixels: &mut [u8] = match &mut picture {
        DynamicImage::ImageRgba8(pixels) => pixels,
        DynamicImage::ImageRgb8(pixels) => pixels,
        _ => &mut [],
    };
    let mut source = vec![0; STEP];
    for (part, to) in pixels.chunks_mut(STEP).enumerate() {
        // There are as many bytes of grey as pixels, or with transparency half as many as of colours.
        let from = match &grays {
            Some(grays) => {
                let (step, length) = if has_alpha { (STEP / 2, to.len() / 2) } else { (STEP / 3, to.len() / 3) };
                &grays[part * step..][..length]
            }
            None => {
                source[..to.len()].copy_from_slice(to);
                &source[..to.len()]
            }
        };
        // It fails where the lengths do not fit each other.
        let _ = transform.transform(from, to);
    }
    picture
}

/// A picture in sRGB out of the four inks of each of its pixels; none where `profile` does not describe inks.
pub(super) fn inks_to_srgb(inks: &[u8], jpeg: &Jpeg<'_>, profile: &[u8]) -> Option<DynamicImage> {
    let profile = self::profile(profile)?;
    if profile.color_space != DataColorSpace::Cmyk {
        return None;
    }
    let options = TransformOptions::default();
    let transform =
        profile.create_transform_8bit(Layout::Rgba, &ColorProfile::new_srgb(), Layout::Rgb, options).ok()?;
    let mut picture = RgbImage::new(jpeg.width, jpeg.height);
    transform.transform(inks, &mut picture).ok()?;
    Some(picture.into())
}
