//! Strips against pictures that another library scales as a whole.

use festival_pixels::Reducer;
use image::imageops::FilterType;
use image::{DynamicImage, Rgba, RgbaImage};

/// Noise in all colours and all degrees of transparency.
fn noise(width: u32, height: u32, has_alpha: bool) -> DynamicImage {
    let mut state = 11_u32;
    let picture = RgbaImage::from_fn(width, height, |x, y| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [a, b, c, _] = state.to_be_bytes();
        // Soft and hard edges.
        Rgba([a / 2 + (x / 8 % 2 * 120) as u8, b, c / 3, if y % 37 < 9 { 0 } else { (x % 256) as u8 }])
    });
    if has_alpha { picture.into() } else { DynamicImage::from(DynamicImage::from(picture).into_rgb8()) }
}

/// The colours of a picture on a background, because transparent pixels have no colour of their own.
fn on(background: u8, picture: &DynamicImage) -> DynamicImage {
    let mut picture = picture.to_rgba8();
    for Rgba([colors @ .., alpha]) in picture.pixels_mut() {
        let over = |color: u8| u32::from(color) * u32::from(*alpha) + u32::from(background) * (255 - u32::from(*alpha));
        *colors = colors.map(|color| ((over(color) + 127) / 255) as u8);
        *alpha = 255;
    }
    DynamicImage::from(picture).into_rgb8().into()
}

#[test]
fn scaling_in_strips_matches_scaling_as_a_whole() {
    for (from, to, has_alpha) in
        [((1000, 700), (240, 168), true), ((1000, 700), (240, 168), false), ((300, 900), (299, 897), true)]
    {
        let picture = noise(from.0, from.1, has_alpha);
        let mut reducer = Reducer::new(from, to, has_alpha);
        let row = from.0 as usize * usize::from(picture.color().bytes_per_pixel());
        let mut bytes = picture.clone().into_bytes();
        bytes.chunks_mut(31 * row).for_each(|rows| reducer.push(rows).expect("rows"));
        let strips = reducer.finish().expect("all rows");
        assert_eq!(strips.color(), picture.color());
        for background in [0, 255] {
            let whole = on(background, &picture).resize_exact(to.0, to.1, FilterType::Lanczos3).into_bytes();
            let strips = on(background, &strips).into_bytes();
            let differences: Vec<u32> =
                strips.iter().zip(&whole).map(|(left, right)| u32::from(left.abs_diff(*right))).collect();
            // On average they differ by less than 1 of 255. The two directions are rounded and clamped in another
            // order, so single pixels of noise differ by a few, and by more at hard transparent edges.
            let limit = if has_alpha { 64 } else { 6 };
            let most = differences.iter().max().expect("pixels");
            assert!(*most <= limit, "{from:?} {has_alpha} {background}: {most}");
            let sum: u32 = differences.iter().sum();
            assert!(sum < differences.len() as u32, "{from:?} {has_alpha} {background}: {sum}");
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
