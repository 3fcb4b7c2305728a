//! Colour management: conversion from the colour space of a picture's ICC profile to sRGB.

use std::sync::Arc;

use image::{ColorType, DynamicImage, RgbImage};
use moxcms::{
    Chromaticity, ColorPrimaries, ColorProfile, DataColorSpace, Layout, ToneReprCurve, Transform8BitExecutor,
    TransformOptions, XyY,
};

/// Maximum total size of a profile's tags, as a multiple of its length: a few tags may share their data.
const MAX_TAG_RATIO: u64 = 16;
/// Bytes of pixels that are converted at a time.
const CHUNK: usize = 3 * 4 * 4096;

/// Parses an ICC profile; `None` if it is invalid.
pub(super) fn profile(bytes: &[u8]) -> Option<ColorProfile> {
    // The tag table may refer to the same data many times, and it would be parsed each time.
    let count = u32::from_be_bytes(*bytes.get(128..)?.first_chunk()?) as usize;
    let tags = bytes[132..].as_chunks::<12>().0.iter().take(count);
    let total_size: u64 = tags.map(|[.., a, b, c, d]| u64::from(u32::from_be_bytes([*a, *b, *c, *d]))).sum();
    if total_size > MAX_TAG_RATIO * bytes.len() as u64 {
        return None;
    }
    ColorProfile::new_from_slice(bytes).ok()
}

/// Returns the colour space that a PNG without a profile declares by its gamma and its primaries, as browsers read them;
/// `None` if that is sRGB or nothing.
pub(super) fn of_png(info: &png::Info<'_>) -> Option<ColorProfile> {
    let gamma = info.gama_chunk.map(|gamma| gamma.into_value()).filter(|gamma| (0.1..10.0).contains(gamma));
    let primaries = info.chrm_chunk;
    if info.srgb.is_some() || gamma.is_none() && primaries.is_none() {
        return None;
    }
    if matches!(info.color_type, png::ColorType::Grayscale | png::ColorType::GrayscaleAlpha) {
        return gamma.map(|gamma| ColorProfile::new_gray_with_gamma(1.0 / gamma));
    }
    let mut profile = ColorProfile::new_srgb();
    // It would be used in place of the curves.
    profile.cicp = None;
    if let Some(gamma) = gamma {
        let curve = Some(ToneReprCurve::Parametric(vec![1.0 / gamma]));
        (profile.red_trc, profile.green_trc, profile.blue_trc) = (curve.clone(), curve.clone(), curve);
    }
    if let Some(png::SourceChromaticities { white: (x, y), red, green, blue }) = primaries {
        let [red, green, blue] = [red, green, blue].map(|(x, y)| Chromaticity::new(x.into_value(), y.into_value()));
        let white = XyY { x: x.into_value().into(), y: y.into_value().into(), yb: 1.0 };
        profile.update_rgb_colorimetry(white, ColorPrimaries { red, green, blue });
    }
    Some(profile)
}

/// Converts `picture` to sRGB. Like in browsers, a profile that does not match the picture is ignored.
pub(super) fn to_srgb(picture: DynamicImage, profile: &ColorProfile) -> DynamicImage {
    match ToSrgb::new(profile, picture.color()) {
        Some(transform) => transform.apply(picture),
        None => picture,
    }
}

/// A conversion from the colour space of a profile to sRGB, for pictures of one colour type.
pub(super) struct ToSrgb {
    transform: Arc<Transform8BitExecutor>,
    from: Layout,
}

impl ToSrgb {
    /// `None` if the profile does not match the colour type.
    pub(super) fn new(profile: &ColorProfile, color: ColorType) -> Option<Self> {
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

    /// Converts a picture, or some of its rows.
    pub(super) fn apply(&self, picture: DynamicImage) -> DynamicImage {
        transform_pixels(picture, self.from, &*self.transform)
    }
}

fn transform_pixels(picture: DynamicImage, from: Layout, transform: &Transform8BitExecutor) -> DynamicImage {
    let has_alpha = picture.color().has_alpha();
    // Grey is expanded to RGB; RGB is converted in place, because a second picture would take as much memory again.
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
    let mut source = vec![0; CHUNK];
    for (part, to) in pixels.chunks_mut(CHUNK).enumerate() {
        // Grey has a third of the bytes of RGB; grey with alpha has half of those of RGBA.
        let from = match &grays {
            Some(grays) => {
                let (step, length) = if has_alpha { (CHUNK / 2, to.len() / 2) } else { (CHUNK / 3, to.len() / 3) };
                &grays[part * step..][..length]
            }
            None => {
                source[..to.len()].copy_from_slice(to);
                &source[..to.len()]
            }
        };
        // It fails only if the lengths do not match.
        let _ = transform.transform(from, to);
    }
    picture
}

/// Converts CMYK pixels to sRGB; `None` if `profile` is not one for CMYK.
pub(super) fn cmyk_to_srgb(cmyk: &[u8], (width, height): (u32, u32), profile: &ColorProfile) -> Option<DynamicImage> {
    if profile.color_space != DataColorSpace::Cmyk {
        return None;
    }
    let options = TransformOptions::default();
    let transform =
        profile.create_transform_8bit(Layout::Rgba, &ColorProfile::new_srgb(), Layout::Rgb, options).ok()?;
    let mut picture = RgbImage::new(width, height);
    transform.transform(cmyk, &mut picture).ok()?;
    let mut black = [0; 3];
    transform.transform(&[255; 4], &mut black).ok()?;
    let tones = tones_from_black(black);
    picture.iter_mut().for_each(|value| *value = tones[usize::from(*value)]);
    Some(picture.into())
}

/// The values of sRGB when `black`, the colour of all inks together, becomes black: paper is darker on a screen than in the
/// hand. The library does not compensate for it, as others do.
fn tones_from_black(black: [u8; 3]) -> [u8; 256] {
    /// Brightness up to which a colour counts as black: half the lightness of white.
    const BRIGHTEST_BLACK: f64 = 0.184;
    let linear = |value: u8| match f64::from(value) / 255.0 {
        value if value <= 0.040_45 => value / 12.92,
        value => ((value + 0.055) / 1.055).powf(2.4),
    };
    let encoded = |light: f64| match light {
        light if light <= 0.003_130_8 => light * 12.92,
        light => 1.055 * light.powf(1.0 / 2.4) - 0.055,
    };
    let [red, green, blue] = black.map(linear);
    let black = (0.2126 * red + 0.7152 * green + 0.0722 * blue).min(BRIGHTEST_BLACK);
    let values = std::array::from_fn(|value| linear(u8::try_from(value).unwrap_or(u8::MAX)));
    // The cast saturates: what was darker than the inks is black.
    values.map(|light: f64| (255.0 * encoded((light - black) / (1.0 - black))).round() as u8)
}
