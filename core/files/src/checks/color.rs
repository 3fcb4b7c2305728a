//! Colours: from the space that a picture's profile describes to sRGB, which every screen shows.

use image::{DynamicImage, RgbImage};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

use super::jpeg::Jpeg;

/// `picture` in sRGB; as it is where the profile does not fit it, as browsers show it then.
pub(super) fn to_srgb(picture: DynamicImage, profile: &[u8]) -> DynamicImage {
    let Ok(profile) = ColorProfile::new_from_slice(profile) else { return picture };
    let has_alpha = picture.color().has_alpha();
    let is_gray = !picture.color().has_color();
    let (from, to) = match (profile.color_space, is_gray) {
        (DataColorSpace::Gray, true) if has_alpha => (Layout::GrayAlpha, Layout::Rgba),
        (DataColorSpace::Gray, true) => (Layout::Gray, Layout::Rgb),
        (DataColorSpace::Rgb, _) if has_alpha => (Layout::Rgba, Layout::Rgba),
        (DataColorSpace::Rgb, _) => (Layout::Rgb, Layout::Rgb),
        _ => return picture,
    };
    let options = TransformOptions::default();
    let Ok(transform) = profile.create_transform_8bit(from, &ColorProfile::new_srgb(), to, options) else {
        return picture;
    };
    let source = match from {
        Layout::GrayAlpha => picture.to_luma_alpha8().into_raw(),
        Layout::Gray => picture.to_luma8().into_raw(),
        Layout::Rgba => picture.to_rgba8().into_raw(),
        _ => picture.to_rgb8().into_raw(),
    };
    let (width, height) = (picture.width(), picture.height());
    let mut converted =
        if has_alpha { DynamicImage::new_rgba8(width, height) } else { DynamicImage::new_rgb8(width, height) };
    let done = match &mut converted {
        DynamicImage::ImageRgba8(to) => transform.transform(&source, to).is_ok(),
        DynamicImage::ImageRgb8(to) => transform.transform(&source, to).is_ok(),
        _ => false,
    };
    if done { converted } else { picture }
}

/// A picture in sRGB out of the four inks of each of its pixels; none where `profile` does not describe inks.
pub(super) fn inks_to_srgb(inks: &[u8], jpeg: &Jpeg<'_>, profile: &[u8]) -> Option<DynamicImage> {
    let profile = ColorProfile::new_from_slice(profile).ok()?;
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
