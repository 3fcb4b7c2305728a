//! Tests of detection, checks and cleaning of files.

use super::*;

pub(super) async fn receive_file(store: &Store, field: &str, bytes: &[u8]) -> Result<(String, Vec<u8>)> {
    let received = store.receive(Form::default().file(field, "photo.png", bytes).end()).await?;
    let file = received.files.values().next().expect("a file");
    let bytes = std::fs::read(file.path.as_ref().expect("staged"))?;
    assert_eq!(file.size, bytes.len() as u64);
    Ok((file.mime.to_owned(), bytes))
}

/// Whether the first pixel is red and the last is not, and the size of the picture.
fn orientation(bytes: &[u8]) -> (bool, (u32, u32)) {
    let picture = decoded(bytes.to_vec()).expect("a picture").to_rgb8();
    let is_red = |x, y| picture.get_pixel(x, y).0[0] > 150;
    let (width, height) = picture.dimensions();
    (is_red(0, 0) && !is_red(width - 1, height - 1), (width, height))
}

/// An Exif block with an orientation and an artist.
fn exif_block(orientation: u8) -> Vec<u8> {
    let mut block = b"MM\0*\0\0\0\x08\0\x02".to_vec();
    block.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    block.extend([0x01, 0x3B, 0, 2, 0, 0, 0, 4, b'J', b'o', b'e', 0]);
    block.extend([0, 0, 0, 0]);
    block
}

fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u16 + 2).to_be_bytes();
    [&[0xFF, marker], length.as_slice(), content].concat()
}

pub(super) fn png_chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(name);
    crc.update(content);
    [&(content.len() as u32).to_be_bytes(), name.as_slice(), content, &crc.sum().to_be_bytes()].concat()
}

fn webp_chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let pad: &[u8] = if content.len() % 2 == 1 { &[0] } else { &[] };
    [name.as_slice(), &(content.len() as u32).to_le_bytes(), content, pad].concat()
}

#[tokio::test]
async fn kind_is_detected_by_content_and_not_by_name() {
    let store = Store::new();
    for (format, mime) in
        [(ImageFormat::Jpeg, "image/jpeg"), (ImageFormat::Png, "image/png"), (ImageFormat::WebP, "image/webp")]
    {
        let (detected, bytes) = receive_file(&store, "poster", &picture(60, 40, format)).await.expect("received");
        assert_eq!(detected, mime);
        assert_eq!(orientation(&bytes), (true, (60, 40)), "{mime}");
    }
    let pdf = b"%PDF-1.4\n1 0 obj\n<</OpenAction 2 0 R>>\nendobj\n%%EOF\n";
    let (mime, bytes) = receive_file(&store, "consent", pdf).await.expect("received");
    assert_eq!((mime.as_str(), bytes.as_slice()), ("application/pdf", pdf.as_slice()));
}

/// The Exif block that is kept: the orientation only.
fn kept_exif_block(orientation: u8) -> Vec<u8> {
    if orientation == 1 {
        return Vec::new();
    }
    let tag = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
    [b"MM\0*\0\0\0\x08\0\x01".as_slice(), &tag, &[0; 4]].concat()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn jpeg_cleaning_keeps_encoded_pixels_and_orientation() {
    let store = Store::new();
    let plain = picture(60, 40, ImageFormat::Jpeg);
    for (exif_value, upright) in [(1, (60, 40)), (6, (40, 60))] {
        let profile_part = segment(0xE1, &[b"Exif\0\0", exif_block(exif_value).as_slice()].concat());
        let text = segment(0xFE, b"<?php evil(); ?>");
        let other = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>");
        let press = segment(0xED, b"Photoshop 3.0\x008BIM");
        let profile = segment(0xE2, b"ICC_PROFILE\0\x01\x01<?php evil(); ?>");
        let sent =
            [&plain[..2], &profile_part, &text, &other, &press, &profile, &plain[2..], b"<script>trailer</script>"]
                .concat();
        let (_, bytes) = receive_file(&store, "poster", &sent).await.expect("received");
        assert_eq!(orientation(&bytes), (true, upright), "orientation {exif_value}");
        let block = kept_exif_block(exif_value);
        let block = if block.is_empty() { block } else { segment(0xE1, &[b"Exif\0\0".as_slice(), &block].concat()) };
        // Behind the JFIF segment, which has to be the first.
        assert_eq!(bytes, [&plain[..20], &block, &plain[20..]].concat());
    }
}

#[tokio::test]
async fn png_cleaning_keeps_pixels_and_orientation() {
    let store = Store::new();
    let plain = picture(60, 40, ImageFormat::Png);
    for (exif_value, upright) in [(1, (60, 40)), (6, (40, 60))] {
        let notes = [
            png_chunk(b"tEXt", b"Author\0Joe"),
            png_chunk(b"iTXt", b"k\0\0\0\0\0Joe"),
            png_chunk(b"iCCP", b"Joe\0\0Joe"),
            png_chunk(b"gAMA", &45455_u32.to_be_bytes()),
            png_chunk(b"eXIf", &exif_block(exif_value)),
        ];
        let sent = [&plain[..33], &notes.concat(), &plain[33..], b"Joe"].concat();
        let (_, bytes) = receive_file(&store, "poster", &sent).await.expect("received");
        assert_eq!(orientation(&bytes), (true, upright), "orientation {exif_value}");
        assert_eq!(contains(&bytes, b"eXIf"), exif_value != 1);
        assert!(contains(&bytes, b"gAMA"), "gamma is kept");
        for removed in ["tEXt", "iTXt", "iCCP", "Joe"] {
            assert!(!contains(&bytes, removed.as_bytes()), "{removed} is still there");
        }
    }
}

#[tokio::test]
async fn code_in_compressed_png_pixels_is_split() {
    let store = Store::new();
    let header = [&60_u32.to_be_bytes()[..], &1_u32.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    // A row that is stored uncompressed: a block of 61 bytes, then its checksum.
    let row = [b"\0<?=evil()?>".as_slice(), &[b'.'; 49]].concat();
    let mut sum = (1_u32, 0_u32);
    row.iter().for_each(|byte| sum = ((sum.0 + u32::from(*byte)) % 65521, (sum.1 + sum.0 + u32::from(*byte)) % 65521));
    let packed = [b"\x78\x01\x01\x3D\0\xC2\xFF".as_slice(), &row, &((sum.1 << 16) | sum.0).to_be_bytes()].concat();
    let chunks = [png_chunk(b"IHDR", &header), png_chunk(b"IDAT", &packed), png_chunk(b"IEND", b"")].concat();
    let sent = [b"\x89PNG\r\n\x1a\n".as_slice(), &chunks].concat();
    let (_, bytes) = receive_file(&store, "poster", &sent).await.expect("received");
    assert!(contains(&sent, b"<?=") && !contains(&bytes, b"<?="));
    let pixels = |bytes: &[u8]| decoded(bytes.to_vec()).expect("a picture").into_bytes();
    assert_eq!(pixels(&bytes), pixels(&sent));
}

#[tokio::test]
async fn webp_cleaning_keeps_encoded_pixels_and_orientation() {
    let store = Store::new();
    let plain = picture(60, 40, ImageFormat::WebP);
    for (exif_value, upright) in [(1, (60, 40)), (6, (40, 60))] {
        let mut header = [0; 10];
        (header[0], header[4], header[7]) = (0x2C, 59, 39);
        let chunks = [
            webp_chunk(b"VP8X", &header),
            webp_chunk(b"ICCP", b"Joe"),
            plain[12..].to_vec(),
            webp_chunk(b"EXIF", &exif_block(exif_value)),
            webp_chunk(b"XMP ", b"<Joe/>"),
        ];
        let inside = [b"WEBP".to_vec(), chunks.concat()].concat();
        let sent = [b"RIFF".to_vec(), (inside.len() as u32).to_le_bytes().to_vec(), inside, b"Joe".to_vec()].concat();
        let (_, bytes) = receive_file(&store, "poster", &sent).await.expect("received");
        assert_eq!(orientation(&bytes), (true, upright), "orientation {exif_value}");
        assert!(contains(&bytes, &plain[12..]), "the same coded pixels");
        assert_eq!(contains(&bytes, b"EXIF"), exif_value != 1);
        for removed in ["XMP ", "ICCP", "Joe"] {
            assert!(!contains(&bytes, removed.as_bytes()), "{removed} is still there");
        }
    }
}

/// A colour in Adobe RGB, and the same colour in sRGB.
const ADOBE_RGB: [u8; 3] = [200, 100, 100];
const SRGB: [u8; 3] = [227, 100, 100];

#[tokio::test]
async fn colour_profile_is_kept_and_renditions_are_in_srgb() {
    let store = Store::new();
    let profile = moxcms::ColorProfile::new_adobe_rgb().encode().expect("a profile");
    let plain = |format| {
        let mut bytes = Cursor::new(Vec::new());
        let pixels = RgbImage::from_pixel(64, 64, image::Rgb(ADOBE_RGB));
        DynamicImage::from(pixels).write_to(&mut bytes, format).expect("a picture");
        bytes.into_inner()
    };
    let jpeg = plain(ImageFormat::Jpeg);
    let profile_part = segment(0xE2, &[b"ICC_PROFILE\0\x01\x01", profile.as_slice()].concat());
    let jpeg = [&jpeg[..2], &profile_part, &jpeg[2..]].concat();
    let png = plain(ImageFormat::Png);
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    io::Write::write_all(&mut encoder, &profile).expect("compressed");
    let profile_part = png_chunk(b"iCCP", &[b"Joe\0\0".as_slice(), &encoder.finish().expect("compressed")].concat());
    let png = [&png[..33], &profile_part, &png[33..]].concat();
    let webp = plain(ImageFormat::WebP);
    let header = [0x20, 0, 0, 0, 63, 0, 0, 63, 0, 0];
    let chunks = [webp_chunk(b"VP8X", &header), webp_chunk(b"ICCP", &profile), webp[12..].to_vec()].concat();
    let webp = [b"RIFF", (chunks.len() as u32 + 4).to_le_bytes().as_slice(), b"WEBP", &chunks].concat();
    for sent in [jpeg, png, webp] {
        let (mime, bytes) = receive_file(&store, "poster", &sent).await.expect("received");
        assert!(!contains(&bytes, b"Joe"));
        let unconverted = image::load_from_memory(&bytes).expect("a picture").to_rgb8();
        let converted = decoded(bytes).expect("a picture").to_rgb8();
        for (picture, color) in [(unconverted, ADOBE_RGB), (converted, SRGB)] {
            let pixel = picture.get_pixel(32, 32).0;
            assert!(pixel.iter().zip(color).all(|(a, b)| a.abs_diff(b) <= 3), "{mime}: {pixel:?} for {color:?}");
        }
    }
}

#[tokio::test]
async fn damaged_picture_is_stored_unchanged_with_a_flag() {
    let store = Store::new();
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = picture(200, 150, format);
        for part in [3, 2] {
            let sent = &whole[..whole.len() * (part - 1) / part];
            let received = store.receive(Form::default().file("poster", "a", sent).end()).await.expect("received");
            let file = &received.files["poster"];
            assert_eq!(file.flags, [DAMAGED], "{format:?} to {}", sent.len());
            assert_eq!(std::fs::read(file.path.as_ref().expect("staged")).expect("read"), sent, "{format:?}");
            assert!(decoded(sent.to_vec()).is_err(), "a damaged picture has no renditions");
        }
        let received = store.receive(Form::default().file("poster", "a", &whole).end()).await.expect("received");
        assert!(received.files["poster"].flags.is_empty(), "{format:?}");
    }
    let jpeg = picture(200, 150, ImageFormat::Jpeg);
    let mut padded = jpeg[..jpeg.len() - 40].to_vec();
    padded.resize(jpeg.len() + 4000, 0);
    let received = store.receive(Form::default().file("poster", "a", padded).end()).await.expect("received");
    assert_eq!(received.files["poster"].flags, [DAMAGED], "zeros in place of the end");
    let mut png = picture(200, 150, ImageFormat::Png);
    png[29] ^= 1;
    let received = store.receive(Form::default().file("poster", "a", &png).end()).await.expect("received");
    assert_eq!(received.files["poster"].flags, [DAMAGED], "a wrong checksum");
}

/// Receives a picture, and returns its flags and the stored bytes.
pub(super) async fn flags_and_stored(store: &Store, sent: &[u8]) -> (Vec<&'static str>, Vec<u8>) {
    let received = store.receive(Form::default().file("poster", "a", sent).end()).await.expect("received");
    let file = &received.files["poster"];
    (file.flags.clone(), std::fs::read(file.path.as_ref().expect("staged")).expect("read"))
}

/// Decoders go on behind a marker that does not exist, or stop there: it is no segment that could be left out.
#[tokio::test]
async fn jpeg_with_an_unknown_marker_in_its_scan_keeps_all_pixels_and_is_flagged() {
    let store = Store::new();
    for marker in [0x9F, 0x02, 0xBF, 0xC8, 0xF7] {
        let mut sent = picture(200, 150, ImageFormat::Jpeg);
        let at = sent.len() - 900;
        sent[at..at + 4].copy_from_slice(&[0xFF, marker, 0x03, 0x00]);
        assert_eq!(flags_and_stored(&store, &sent).await, (vec![DAMAGED], sent), "{marker:x}");
    }
    // One that exists begins a segment, which would be left out with pixels.
    let mut sent = picture(200, 150, ImageFormat::Jpeg);
    let at = sent.len() - 900;
    sent[at..at + 4].copy_from_slice(&[0xFF, 0xE5, 0x03, 0x00]);
    assert_eq!(flags_and_stored(&store, &sent).await, (vec![DAMAGED], sent));
}

#[tokio::test]
async fn part_of_a_jpeg_with_an_end_marker_is_flagged() {
    let store = Store::new();
    let whole = picture(200, 150, ImageFormat::Jpeg);
    for part in [whole.len() / 3, whole.len() / 2, whole.len() * 9 / 10, whole.len() - 40] {
        let sent = [&whole[..part], &[0xFF, 0xD9]].concat();
        assert_eq!(flags_and_stored(&store, &sent).await, (vec![DAMAGED], sent), "{part} of {}", whole.len());
    }
}

/// A progressive JPEG of one colour: its only scan has a zero for each block.
fn progressive(width: u16, height: u16) -> Vec<u8> {
    let [width_bytes, height_bytes] = [width, height].map(u16::to_be_bytes);
    let blocks = usize::from(width.div_ceil(8)) * usize::from(height.div_ceil(8));
    let frame = [&[8], &height_bytes[..], &width_bytes, &[3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]].concat();
    let mut bytes = b"\xFF\xD8".to_vec();
    bytes.extend(segment(0xDB, &[&[0][..], &[1; 64]].concat()));
    bytes.extend(segment(0xC2, &frame));
    // One code: the bit 0 says that a block is as bright as the one before.
    bytes.extend(segment(0xC4, &[&[0, 1][..], &[0; 15], &[0]].concat()));
    bytes.extend(segment(0xDA, &[3, 1, 0, 2, 0, 3, 0, 0, 0, 0]));
    bytes.resize(bytes.len() + (blocks * 3).div_ceil(8), 0);
    bytes.extend(b"\xFF\xD9");
    bytes
}

/// They take too much memory to be decoded, but nothing says that they are damaged.
#[tokio::test]
async fn large_intact_pictures_are_not_flagged() {
    let store = Store::new();
    let mut webp = std::io::Cursor::new(Vec::new());
    DynamicImage::new_rgb8(8000, 5000).write_to(&mut webp, ImageFormat::WebP).expect("encoded");
    assert_eq!(flags_and_stored(&store, &progressive(160, 120)).await.0, [""; 0], "decoded");
    for sent in [progressive(6000, 6600), webp.into_inner()] {
        let (flags, stored) = flags_and_stored(&store, &sent).await;
        assert_eq!(flags, [""; 0], "{} bytes", sent.len());
        assert!(stored == sent);
        let cut = flags_and_stored(&store, &sent[..sent.len() - 12]).await;
        assert_eq!(cut.0, [DAMAGED], "without its end");
    }
}

#[tokio::test]
async fn undecodable_picture_is_rejected() {
    let store = Store::new();
    let jpeg = picture(200, 150, ImageFormat::Jpeg);
    let scan = jpeg.windows(2).position(|window| window == [0xFF, 0xDA]).expect("a scan");
    let png = picture(200, 150, ImageFormat::Png);
    let webp = picture(200, 150, ImageFormat::WebP);
    for sent in [&jpeg[..scan], &jpeg[..scan + 14], &png[..33], &png[..45], &webp[..20]] {
        let result = store.receive(Form::default().file("poster", "a", sent).end()).await;
        assert_eq!(status(&result), 422, "{} bytes of {:x?}", sent.len(), &sent[..4]);
        assert!(message(result, "poster").contains("damaged or incomplete"));
    }
}

#[tokio::test]
async fn too_many_pixels_are_rejected_by_the_header() {
    let store = Store::new();
    let header = |side: u32| [&side.to_be_bytes()[..], &side.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let bomb = |side| {
        let start = b"\x89PNG\r\n\x1a\n".to_vec();
        [start, png_chunk(b"IHDR", &header(side)), png_chunk(b"IDAT", b"\x78\x9c\x03\0"), png_chunk(b"IEND", b"")]
            .concat()
    };
    let result = store.receive(Form::default().file("poster", "a.png", bomb(60_000)).end()).await;
    assert!(message(result, "poster").contains("60000 x 60000 pixels"));
    // With fewer pixels the same file is reported as damaged.
    let result = store.receive(Form::default().file("poster", "a.png", bomb(100)).end()).await;
    assert!(message(result, "poster").contains("damaged"));
}

#[tokio::test]
async fn unsupported_kinds_are_rejected_by_name() {
    let store = Store::new();
    let zip = b"PK\x03\x04....".as_slice();
    for (bytes, expected) in [
        (b"BM looks like a picture".as_slice(), "no file that we can read"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='x'/>", "an SVG"),
        (b"\xEF\xBB\xBF<?xml version='1.0'?><svg/>", "an SVG"),
        (b"<!DOCTYPE html><script>x</script>", "a web page"),
        (b"MZ\x90\0", "a program"),
        (zip, "ZIP"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "Export it as JPEG"),
        (b"\0\0\0\x18ftypavif\0\0\0\0mif1avif", "an AVIF"),
        (b"\0\0\0\x18ftypisom\0\0\0\0", "a video"),
        (b"%!PS-Adobe-3.0", "PostScript"),
        (b"8BPS\0\x01", "a Photoshop file"),
        (b"\0\0\0\x0CjP  \r\n\x87\n", "a JPEG 2000 picture"),
        (b"\xFF\x4F\xFF\x51\0\x29", "a JPEG 2000 picture"),
        (b"\xFF\x0A\xFA\x7F", "a JPEG XL picture"),
        (b"push graphic-context", "no file that we can read"),
        (b"\x00", "no file that we can read"),
    ] {
        for (field, allowed) in [("poster", "JPEG, PNG or WebP"), ("consent", "JPEG, PNG, WebP or PDF")] {
            let sentence = message(store.receive(Form::default().file(field, "a.jpg", bytes).end()).await, field);
            assert!(sentence.contains(expected) && sentence.contains(allowed), "{expected}: {sentence}");
        }
    }
    let result = store.receive(Form::default().file("poster", "a.jpg", b"%PDF-1.4\n%%EOF").end()).await;
    assert!(message(result, "poster").starts_with("This is a PDF."));
    assert!(store.files("").is_empty());
}

#[tokio::test]
async fn noise_in_pictures_never_panics() {
    let store = Store::new();
    let mut random = Random(5);
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = picture(48, 32, format);
        for round in 0..150 {
            let mut bytes = whole.clone();
            for _ in 0..=random.next(8) {
                let at = random.next(bytes.len());
                bytes[at] = random.next(256) as u8;
            }
            let result = store.receive(Form::default().file("poster", "a", bytes).end()).await;
            assert!(matches!(status(&result), 200 | 422), "{format:?} {round}: {}", status(&result));
        }
    }
    assert!(store.files("").is_empty());
}
