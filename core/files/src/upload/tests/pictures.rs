//! Tests of what pictures look like: as they are kept, and as they are shown at a smaller width.

use bytes::Bytes;
use img_parts::ImageICC as _;
use img_parts::jpeg::Jpeg;

use super::files::{flags_and_stored, png_chunk, receive_file};
use super::*;

/// The pixels of a stored picture at these places, as its renditions show it.
fn rendered_pixels<const N: usize>(bytes: &[u8], places: [(u32, u32); N]) -> [[u8; 3]; N] {
    let picture = decoded(bytes.to_vec()).expect("a picture").to_rgb8();
    places.map(|(x, y)| picture.get_pixel(x, y).0)
}

/// Asserts that each channel of these pixels is within `tolerance` of the expected one.
fn assert_near(pixels: &[[u8; 3]], expected: &[[u8; 3]], tolerance: u8) {
    let is_near = pixels.iter().flatten().zip(expected.iter().flatten()).all(|(a, b)| a.abs_diff(*b) <= tolerance);
    assert!(is_near, "{pixels:?} for {expected:?}");
}

/// A PNG of one colour, with these chunks before its pixels.
fn png_with(pixel: DynamicImage, chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut plain = Cursor::new(Vec::new());
    pixel.write_to(&mut plain, ImageFormat::Png).expect("a picture");
    let plain = plain.into_inner();
    [&plain[..33], &chunks.concat(), &plain[33..]].concat()
}

#[tokio::test]
async fn gamma_and_primaries_of_a_png_are_honoured_as_browsers_do() {
    let store = Store::new();
    let gamma = png_chunk(b"gAMA", &45_455_u32.to_be_bytes());
    let primaries = [31_270_u32, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].map(u32::to_be_bytes).concat();
    let primaries = png_chunk(b"cHRM", &primaries);
    let wide = [31_270_u32, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000].map(u32::to_be_bytes).concat();
    let wide = png_chunk(b"cHRM", &wide);
    let blue = DynamicImage::from(RgbImage::from_pixel(8, 8, image::Rgb([33, 69, 139])));
    let grey = DynamicImage::from(image::GrayImage::from_pixel(8, 8, image::Luma([33])));
    let red = DynamicImage::from(RgbImage::from_pixel(8, 8, image::Rgb([180, 90, 90])));
    for (picture, chunks, expected) in [
        (&blue, vec![gamma.clone(), primaries.clone()], [27, 68, 140]),
        (&blue, vec![gamma.clone()], [27, 68, 140]),
        (&blue, vec![gamma.clone(), png_chunk(b"sRGB", &[0])], [33, 69, 139]),
        (&blue, vec![png_chunk(b"gAMA", &[0; 4])], [33, 69, 139]),
        (&grey, vec![gamma.clone()], [27, 27, 27]),
        // The primaries of P3.
        (&red, vec![wide], [193, 83, 87]),
    ] {
        let (flags, stored) = flags_and_stored(&store, &png_with(picture.clone(), &chunks)).await;
        assert_eq!(flags, [""; 0]);
        assert_near(&rendered_pixels(&stored, [(4, 4)]), &[expected], 1);
    }
}

/// Four patches in four inks, which are encoded as YCCK, with a profile. The colours are those of LittleCMS.
#[tokio::test]
async fn inks_with_a_profile_are_shown_in_their_colours() {
    let (flags, stored) = flags_and_stored(&Store::new(), include_bytes!("../../../tests/pictures/ycck.jpg")).await;
    assert_eq!(flags, [""; 0]);
    let pixels = rendered_pixels(&stored, [(8, 8), (24, 8), (8, 24), (24, 24)]);
    assert_near(&pixels, &[[99, 136, 159], [190, 125, 91], [175, 158, 101], [116, 108, 105]], 4);
}

/// The demonstration's pictures in inks, as five writers encode them: CMYK by Pillow, baseline and progressive, YCCK by
/// ImageMagick and by libjpeg-turbo, with whole and with halved colours; and how LittleCMS shows them. Two libraries never
/// agree on each pixel, because they interpolate the profile's table differently: 95 of 100 values are within three
/// levels, and the mean is within two. Without compensation of the black point the mean would differ by 10 to 18,
/// with inks that are read wrongly by more than 30.
#[tokio::test]
async fn pictures_in_inks_are_shown_as_littlecms_shows_them() {
    let profile = include_bytes!("../../../tests/pictures/inks/profile.icc");
    let reference = include_bytes!("../../../tests/pictures/inks/littlecms.png");
    let reference = image::load_from_memory(reference).expect("a picture").to_rgb8();
    let writers: [(&str, &[u8]); 5] = [
        ("Pillow", include_bytes!("../../../tests/pictures/inks/pillow.jpg")),
        ("Pillow, progressive", include_bytes!("../../../tests/pictures/inks/progressive.jpg")),
        ("ImageMagick", include_bytes!("../../../tests/pictures/inks/imagemagick.jpg")),
        ("libjpeg-turbo", include_bytes!("../../../tests/pictures/inks/turbojpeg.jpg")),
        ("libjpeg-turbo, halved colours", include_bytes!("../../../tests/pictures/inks/turbojpeg-halved.jpg")),
    ];
    for ((writer, bytes), expected) in writers.into_iter().zip(reference.as_raw().chunks_exact(64 * 48 * 3)) {
        let mut jpeg = Jpeg::from_bytes(Bytes::from_static(bytes)).expect("a JPEG");
        jpeg.set_icc_profile(Some(Bytes::from_static(profile)));
        let (flags, stored) = flags_and_stored(&Store::new(), &jpeg.encoder().bytes()).await;
        assert_eq!(flags, [""; 0], "{writer}");
        let shown = decoded(stored).expect("a picture").to_rgb8();
        assert_eq!(shown.dimensions(), (64, 48), "{writer}");
        let mut differences: Vec<u8> = shown.as_raw().iter().zip(expected).map(|(a, b)| a.abs_diff(*b)).collect();
        differences.sort_unstable();
        let sum: usize = differences.iter().copied().map(usize::from).sum();
        let (most, mean) = (differences[differences.len() * 95 / 100], sum as f64 / differences.len() as f64);
        assert!(most <= 3 && mean <= 2.0, "{writer}: {most}, {mean}");
    }
}

/// The PNG begins with a picture for programs without animation, which is dark and no frame.
#[tokio::test]
async fn moving_pictures_are_kept_and_shown_by_their_first_frame() {
    let webp: &[u8] = include_bytes!("../../../tests/pictures/moving.webp");
    let png: &[u8] = include_bytes!("../../../tests/pictures/moving.png");
    for (sent, name) in [(webp, b"ANMF"), (png, b"fdAT")] {
        let (flags, stored) = flags_and_stored(&Store::new(), sent).await;
        assert_eq!((flags, stored.as_slice()), (vec![], sent));
        assert_eq!(stored.windows(4).filter(|part| part == name).count(), 2, "two frames");
        assert_eq!(rendered_pixels(&stored, [(5, 5)]), [[200, 30, 40]]);
    }
}

#[tokio::test]
async fn fill_bytes_before_the_end_of_a_jpeg_are_no_damage() {
    let pixels = RgbImage::from_fn(40, 24, |x, y| image::Rgb([x as u8 * 6, y as u8 * 9, (x * y) as u8]));
    let mut sent = Cursor::new(Vec::new());
    DynamicImage::from(pixels).write_to(&mut sent, ImageFormat::Jpeg).expect("a picture");
    let mut sent = sent.into_inner();
    sent.splice(sent.len() - 2.., [0xFF, 0xFF, 0xFF, 0xD9]);
    assert_eq!(flags_and_stored(&Store::new(), &sent).await, (vec![], sent));
}

#[tokio::test]
async fn gifs_and_bmps_keep_their_pixels_and_lose_comments_and_what_follows() {
    let store = Store::new();
    // Two frames of one pixel, red and blue, with a comment, a program's data and text behind the end.
    let start = b"GIF89a\x01\0\x01\0\x80\0\0\xFF\0\0\0\0\xFF";
    let repeat = b"\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0";
    let frame =
        |pixel: u8| [b"\x21\xF9\x04\0\x0A\0\0\0\x2C\0\0\0\0\x01\0\x01\0\0\x02\x02", &[pixel, 0x01, 0][..]].concat();
    let (red, blue) = (frame(0x44), frame(0x4C));
    let comment = b"\x21\xFE\x0Bdirector 42\0";
    let program = b"\x21\xFF\x0BXMP DataXMP\x04home\0";
    let sent = [start.as_slice(), comment, repeat, &red, program, &blue, b"\x3B<?php"].concat();
    let (mime, kept) = receive_file(&store, "poster", &sent).await.expect("received");
    assert_eq!((mime.as_str(), &kept), ("image/gif", &[start.as_slice(), repeat, &red, &blue, b"\x3B"].concat()));
    let first = decoded(kept).expect("reduced");
    assert_eq!((first.width(), first.height(), first.to_rgb8().get_pixel(0, 0).0), (1, 1, [255, 0, 0]));

    // One green pixel: blue, green, red, and a byte that fills the row.
    let header = b"BM\x3A\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0";
    let bmp = [header.as_slice(), &[0; 24], &[0, 255, 0, 0]].concat();
    let (mime, kept) = receive_file(&store, "poster", &[bmp.as_slice(), b"<?php"].concat()).await.expect("received");
    assert_eq!((mime.as_str(), &kept), ("image/bmp", &bmp));
    let green = decoded(kept).expect("reduced");
    assert_eq!(green.to_rgb8().get_pixel(0, 0).0, [0, 255, 0]);
    // Two rows, of a program that forgets the second when it counts the bytes of the file.
    let header = b"BM\x3A\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x02\0\0\0\x01\0\x18\0";
    let bmp = [header.as_slice(), &[0; 4], &[8, 0, 0, 0], &[0; 16], &[0, 255, 0, 0, 255, 0, 0, 0]].concat();
    assert_eq!(flags_and_stored(&store, &bmp).await, (vec![], bmp.clone()));

    // Nothing can be decoded of a GIF that ends before its first pixel, or of a script that begins like one.
    for broken in [&sent[..start.len() + comment.len() + 20], b"GIF89a/*\x01\x00*/=1;alert(1)"] {
        let refused = store.receive(Form::default().file("poster", "a.gif", broken).end()).await;
        assert!(message(refused, "poster").contains("damaged or incomplete"));
    }
}
