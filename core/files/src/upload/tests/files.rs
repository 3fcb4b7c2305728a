//! What files are, told by their bytes, and what is left of them.

use super::*;

async fn kept(store: &Store, field: &str, bytes: &[u8]) -> Result<(String, Vec<u8>)> {
    let received = store.receive(Form::default().file(field, "photo.png", bytes).end()).await?;
    let file = received.files.values().next().expect("a file");
    let bytes = std::fs::read(file.place.path().expect("staged"))?;
    assert_eq!(file.size, bytes.len() as u64);
    Ok((file.mime.to_owned(), bytes))
}

/// The colour at the left and right edge, or at the top and bottom one.
fn edges(bytes: &[u8]) -> (bool, (u32, u32)) {
    let picture = decoded(bytes.to_vec()).expect("a picture").to_rgb8();
    let is_red = |x, y| picture.get_pixel(x, y).0[0] > 150;
    let (width, height) = picture.dimensions();
    (is_red(0, 0) && !is_red(width - 1, height - 1), (width, height))
}

/// An Exif block that says nothing but how the picture is turned, and a place of work for its maker.
fn exif(turn: u8) -> Vec<u8> {
    let mut block = b"MM\0*\0\0\0\x08\0\x02".to_vec();
    block.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, turn, 0, 0]);
    block.extend([0x01, 0x3B, 0, 2, 0, 0, 0, 4, b'J', b'o', b'e', 0]);
    block.extend([0, 0, 0, 0]);
    block
}

fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u16 + 2).to_be_bytes();
    [&[0xFF, marker], length.as_slice(), content].concat()
}

fn png_chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
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
async fn each_kind_stays_what_it_is_whatever_its_name_says() {
    let store = Store::new();
    for (format, mime) in
        [(ImageFormat::Jpeg, "image/jpeg"), (ImageFormat::Png, "image/png"), (ImageFormat::WebP, "image/webp")]
    {
        let (found, bytes) = kept(&store, "poster", &picture(60, 40, format)).await.expect("kept");
        assert_eq!(found, mime);
        assert_eq!(edges(&bytes), (true, (60, 40)), "{mime}");
    }
    let pdf = b"%PDF-1.4\n1 0 obj\n<</OpenAction 2 0 R>>\nendobj\n%%EOF\n";
    let (mime, bytes) = kept(&store, "consent", pdf).await.expect("kept");
    assert_eq!((mime.as_str(), bytes.as_slice()), ("application/pdf", pdf.as_slice()));
}

/// What says nothing but how a picture is turned.
fn turned(turn: u8) -> Vec<u8> {
    exif::block(exif::orientation(&exif(turn))).unwrap_or_default()
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn a_jpeg_keeps_its_coded_pixels_and_stands_upright() {
    let store = Store::new();
    let plain = picture(60, 40, ImageFormat::Jpeg);
    for (turn, upright) in [(1, (60, 40)), (6, (40, 60))] {
        let told = segment(0xE1, &[b"Exif\0\0", exif(turn).as_slice()].concat());
        let text = segment(0xFE, b"<?php evil(); ?>");
        let other = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>");
        let press = segment(0xED, b"Photoshop 3.0\x008BIM");
        let profile = segment(0xE2, b"ICC_PROFILE\0\x01\x01<?php evil(); ?>");
        let sent =
            [&plain[..2], &told, &text, &other, &press, &profile, &plain[2..], b"<script>trailer</script>"].concat();
        let (_, bytes) = kept(&store, "poster", &sent).await.expect("kept");
        assert_eq!(edges(&bytes), (true, upright), "turn {turn}");
        let block = turned(turn);
        let block = if block.is_empty() { block } else { segment(0xE1, &[b"Exif\0\0".as_slice(), &block].concat()) };
        assert_eq!(bytes, [&plain[..2], &block, &plain[2..]].concat());
    }
}

#[tokio::test]
async fn a_png_keeps_its_pixels_and_stands_upright() {
    let store = Store::new();
    let plain = picture(60, 40, ImageFormat::Png);
    for (turn, upright) in [(1, (60, 40)), (6, (40, 60))] {
        let notes = [
            png_chunk(b"tEXt", b"Author\0Joe"),
            png_chunk(b"iTXt", b"k\0\0\0\0\0Joe"),
            png_chunk(b"iCCP", b"Joe\0\0Joe"),
            png_chunk(b"gAMA", &45455_u32.to_be_bytes()),
            png_chunk(b"eXIf", &exif(turn)),
        ];
        let sent = [&plain[..33], &notes.concat(), &plain[33..], b"Joe"].concat();
        let (_, bytes) = kept(&store, "poster", &sent).await.expect("kept");
        assert_eq!(edges(&bytes), (true, upright), "turn {turn}");
        assert_eq!(holds(&bytes, b"eXIf"), turn != 1);
        assert!(holds(&bytes, b"gAMA"), "what browsers show it by");
        for left in ["tEXt", "iTXt", "iCCP", "Joe"] {
            assert!(!holds(&bytes, left.as_bytes()), "{left} is still there");
        }
    }
}

/// Text that the packed pixels spell.
#[tokio::test]
async fn packed_pixels_spell_nothing() {
    let store = Store::new();
    let header = [&60_u32.to_be_bytes()[..], &1_u32.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    // A row that is packed as it is: a block of 61 bytes, then its checksum.
    let row = [b"\0<?=evil()?>".as_slice(), &[b'.'; 49]].concat();
    let mut sum = (1_u32, 0_u32);
    row.iter().for_each(|byte| sum = ((sum.0 + u32::from(*byte)) % 65521, (sum.1 + sum.0 + u32::from(*byte)) % 65521));
    let packed = [b"\x78\x01\x01\x3D\0\xC2\xFF".as_slice(), &row, &((sum.1 << 16) | sum.0).to_be_bytes()].concat();
    let chunks = [png_chunk(b"IHDR", &header), png_chunk(b"IDAT", &packed), png_chunk(b"IEND", b"")].concat();
    let sent = [b"\x89PNG\r\n\x1a\n".as_slice(), &chunks].concat();
    let (_, bytes) = kept(&store, "poster", &sent).await.expect("kept");
    assert!(holds(&sent, b"<?=") && !holds(&bytes, b"<?="));
    let pixels = |bytes: &[u8]| decoded(bytes.to_vec()).expect("a picture").into_bytes();
    assert_eq!(pixels(&bytes), pixels(&sent));
}

#[tokio::test]
async fn a_webp_keeps_its_coded_pixels_and_stands_upright() {
    let store = Store::new();
    let plain = picture(60, 40, ImageFormat::WebP);
    for (turn, upright) in [(1, (60, 40)), (6, (40, 60))] {
        let mut header = [0; 10];
        (header[0], header[4], header[7]) = (0x2C, 59, 39);
        let chunks = [
            webp_chunk(b"VP8X", &header),
            webp_chunk(b"ICCP", b"Joe"),
            plain[12..].to_vec(),
            webp_chunk(b"EXIF", &exif(turn)),
            webp_chunk(b"XMP ", b"<Joe/>"),
        ];
        let inside = [b"WEBP".to_vec(), chunks.concat()].concat();
        let sent = [b"RIFF".to_vec(), (inside.len() as u32).to_le_bytes().to_vec(), inside, b"Joe".to_vec()].concat();
        let (_, bytes) = kept(&store, "poster", &sent).await.expect("kept");
        assert_eq!(edges(&bytes), (true, upright), "turn {turn}");
        assert!(holds(&bytes, &plain[12..]), "the same coded pixels");
        assert_eq!(holds(&bytes, b"EXIF"), turn != 1);
        for left in ["XMP ", "ICCP", "Joe"] {
            assert!(!holds(&bytes, left.as_bytes()), "{left} is still there");
        }
    }
}

/// One colour in Adobe RGB, and what it is in sRGB.
const ADOBE_RGB: [u8; 3] = [200, 100, 100];
const SRGB: [u8; 3] = [227, 100, 100];

#[tokio::test]
async fn a_colour_profile_is_kept_and_smaller_pictures_are_in_srgb() {
    let store = Store::new();
    let profile = moxcms::ColorProfile::new_adobe_rgb().encode().expect("a profile");
    let plain = |format| {
        let mut bytes = Cursor::new(Vec::new());
        let pixels = RgbImage::from_pixel(64, 64, image::Rgb(ADOBE_RGB));
        DynamicImage::from(pixels).write_to(&mut bytes, format).expect("a picture");
        bytes.into_inner()
    };
    let jpeg = plain(ImageFormat::Jpeg);
    let told = segment(0xE2, &[b"ICC_PROFILE\0\x01\x01", profile.as_slice()].concat());
    let jpeg = [&jpeg[..2], &told, &jpeg[2..]].concat();
    let png = plain(ImageFormat::Png);
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    io::Write::write_all(&mut packer, &profile).expect("packed");
    let told = png_chunk(b"iCCP", &[b"Joe\0\0".as_slice(), &packer.finish().expect("packed")].concat());
    let png = [&png[..33], &told, &png[33..]].concat();
    let webp = plain(ImageFormat::WebP);
    let header = [0x20, 0, 0, 0, 63, 0, 0, 63, 0, 0];
    let chunks = [webp_chunk(b"VP8X", &header), webp_chunk(b"ICCP", &profile), webp[12..].to_vec()].concat();
    let webp = [b"RIFF", (chunks.len() as u32 + 4).to_le_bytes().as_slice(), b"WEBP", &chunks].concat();
    for sent in [jpeg, png, webp] {
        let (mime, bytes) = kept(&store, "poster", &sent).await.expect("kept");
        assert!(!holds(&bytes, b"Joe"));
        let as_coded = image::load_from_memory(&bytes).expect("a picture").to_rgb8();
        let shown = decoded(bytes).expect("a picture").to_rgb8();
        for (picture, color) in [(as_coded, ADOBE_RGB), (shown, SRGB)] {
            let found = picture.get_pixel(32, 32).0;
            assert!(found.iter().zip(color).all(|(a, b)| a.abs_diff(b) <= 3), "{mime}: {found:?} for {color:?}");
        }
    }
}

#[tokio::test]
async fn a_damaged_picture_is_kept_as_it_was_coded() {
    let store = Store::new();
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = picture(200, 150, format);
        for part in [3, 2] {
            let sent = &whole[..whole.len() * (part - 1) / part];
            let received = store.receive(Form::default().file("poster", "a", sent).end()).await.expect("kept");
            let file = &received.files["poster"];
            assert_eq!(file.flags, [DAMAGED], "{format:?} to {}", sent.len());
            assert_eq!(std::fs::read(file.place.path().expect("staged")).expect("read"), sent, "{format:?}");
            assert!(decoded(sent.to_vec()).is_err(), "nothing smaller is made of it");
        }
        let received = store.receive(Form::default().file("poster", "a", &whole).end()).await.expect("kept");
        assert!(received.files["poster"].flags.is_empty(), "{format:?}");
    }
    let jpeg = picture(200, 150, ImageFormat::Jpeg);
    let mut padded = jpeg[..jpeg.len() - 40].to_vec();
    padded.resize(jpeg.len() + 4000, 0);
    let received = store.receive(Form::default().file("poster", "a", padded).end()).await.expect("kept");
    assert_eq!(received.files["poster"].flags, [DAMAGED], "zeros for an end");
    let mut png = picture(200, 150, ImageFormat::Png);
    png[29] ^= 1;
    let received = store.receive(Form::default().file("poster", "a", &png).end()).await.expect("kept");
    assert_eq!(received.files["poster"].flags, [DAMAGED], "a checksum");
}

#[tokio::test]
async fn a_picture_of_which_nothing_can_be_decoded_is_refused() {
    let store = Store::new();
    let jpeg = picture(200, 150, ImageFormat::Jpeg);
    let scan = jpeg.windows(2).position(|window| window == [0xFF, 0xDA]).expect("a scan");
    let png = picture(200, 150, ImageFormat::Png);
    let webp = picture(200, 150, ImageFormat::WebP);
    for sent in [&jpeg[..scan], &jpeg[..scan + 14], &png[..33], &png[..45], &webp[..20]] {
        let result = store.receive(Form::default().file("poster", "a", sent).end()).await;
        assert_eq!(status(&result), 422, "{} bytes of {:x?}", sent.len(), &sent[..4]);
        assert!(words(result, "poster").contains("damaged or incomplete"));
    }
}

#[tokio::test]
async fn too_many_pixels_end_at_the_header() {
    let store = Store::new();
    let header = |side: u32| [&side.to_be_bytes()[..], &side.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let bomb = |side| {
        let start = b"\x89PNG\r\n\x1a\n".to_vec();
        [start, png_chunk(b"IHDR", &header(side)), png_chunk(b"IDAT", b"\x78\x9c\x03\0"), png_chunk(b"IEND", b"")]
            .concat()
    };
    let result = store.receive(Form::default().file("poster", "a.png", bomb(60_000)).end()).await;
    assert!(words(result, "poster").contains("60000 x 60000 pixels"));
    // Read any further, it would be damaged.
    let result = store.receive(Form::default().file("poster", "a.png", bomb(100)).end()).await;
    assert!(words(result, "poster").contains("damaged"));
}

#[tokio::test]
async fn other_kinds_are_refused_by_name() {
    let store = Store::new();
    let zip = b"PK\x03\x04....".as_slice();
    for (bytes, said) in [
        (b"GIF89a/*\x01\x00*/=1;alert(1)".as_slice(), "a GIF"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='x'/>", "an SVG"),
        (b"\xEF\xBB\xBF<?xml version='1.0'?><svg/>", "an SVG"),
        (b"<!DOCTYPE html><script>x</script>", "a web page"),
        (b"MZ\x90\0", "a program"),
        (zip, "ZIP"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "Export it as JPEG"),
        (b"\0\0\0\x18ftypavif\0\0\0\0mif1avif", "an AVIF"),
        (b"\0\0\0\x18ftypisom\0\0\0\0", "a video"),
        (b"%!PS-Adobe-3.0", "PostScript"),
        (b"push graphic-context", "no file that we can read"),
        (b"\x00", "no file that we can read"),
    ] {
        for (field, allowed) in [("poster", "JPEG, PNG or WebP"), ("consent", "JPEG, PNG, WebP or PDF")] {
            let sentence = words(store.receive(Form::default().file(field, "a.jpg", bytes).end()).await, field);
            assert!(sentence.contains(said) && sentence.contains(allowed), "{said}: {sentence}");
        }
    }
    let result = store.receive(Form::default().file("poster", "a.jpg", b"%PDF-1.4\n%%EOF").end()).await;
    assert!(words(result, "poster").starts_with("This is a PDF."));
    assert!(store.files("").is_empty());
}

#[tokio::test]
async fn noise_in_pictures_never_harms() {
    let store = Store::new();
    let mut dice = Dice(5);
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = picture(48, 32, format);
        for round in 0..150 {
            let mut bytes = whole.clone();
            for _ in 0..=dice.roll(8) {
                let at = dice.roll(bytes.len());
                bytes[at] = dice.roll(256) as u8;
            }
            let result = store.receive(Form::default().file("poster", "a", bytes).end()).await;
            assert!(matches!(status(&result), 200 | 422), "{format:?} {round}: {}", status(&result));
        }
    }
    assert!(store.files("").is_empty());
}
