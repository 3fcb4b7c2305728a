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
    let picture = image::load_from_memory(bytes).expect("a picture").to_rgb8();
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

#[tokio::test]
async fn a_jpeg_keeps_pixels_only_and_stands_upright() {
    let store = Store::new();
    let plain = picture(60, 40, ImageFormat::Jpeg);
    for (turn, upright) in [(1, (60, 40)), (6, (40, 60))] {
        let told = segment(0xE1, &[b"Exif\0\0", exif(turn).as_slice()].concat());
        let text = segment(0xFE, b"<?php evil(); ?>");
        let other = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>");
        let press = segment(0xED, b"Photoshop 3.0\x008BIM");
        let sent = [&plain[..2], &told, &text, &other, &press, &plain[2..], b"<script>trailer</script>"].concat();
        let (_, bytes) = kept(&store, "poster", &sent).await.expect("kept");
        assert_eq!(edges(&bytes), (true, upright), "turn {turn}");
        for left in ["Exif", "Joe", "php", "adobe", "8BIM", "script"] {
            assert!(!bytes.windows(left.len()).any(|window| window == left.as_bytes()), "{left} is still there");
        }
    }
}

#[tokio::test]
async fn a_png_keeps_pixels_only() {
    let store = Store::new();
    let plain = picture(60, 40, ImageFormat::Png);
    let notes =
        [png_chunk(b"tEXt", b"Author\0Joe"), png_chunk(b"iTXt", b"k\0\0\0\0\0Joe"), png_chunk(b"eXIf", &exif(6))];
    let sent = [&plain[..33], &notes.concat(), &plain[33..], b"Joe"].concat();
    let (_, bytes) = kept(&store, "poster", &sent).await.expect("kept");
    assert_eq!(edges(&bytes), (true, (40, 60)), "turned upright");
    for left in ["tEXt", "iTXt", "eXIf", "Joe"] {
        assert!(!bytes.windows(left.len()).any(|window| window == left.as_bytes()), "{left} is still there");
    }
}

#[tokio::test]
async fn a_webp_keeps_its_picture_only() {
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
        for left in ["EXIF", "XMP ", "ICCP", "Joe"] {
            assert!(!bytes.windows(left.len()).any(|window| window == left.as_bytes()), "{left} is still there");
        }
    }
}

#[tokio::test]
async fn a_broken_picture_is_refused() {
    let store = Store::new();
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = picture(200, 150, format);
        for part in [3, 2] {
            let end = whole.len() * (part - 1) / part;
            let result = store.receive(Form::default().file("poster", "a", &whole[..end]).end()).await;
            assert_eq!(status(&result), 422, "{format:?} to {end}");
            assert!(words(result, "poster").contains("damaged or incomplete"));
        }
    }
    let jpeg = picture(200, 150, ImageFormat::Jpeg);
    let mut padded = jpeg[..jpeg.len() - 40].to_vec();
    padded.resize(jpeg.len() + 4000, 0);
    assert_eq!(
        status(&store.receive(Form::default().file("poster", "a", padded).end()).await),
        422,
        "zeros for an end"
    );
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
    let begun = std::time::Instant::now();
    let result = store.receive(Form::default().file("poster", "a.png", bomb(60_000)).end()).await;
    assert!(words(result, "poster").contains("60000 x 60000 pixels"));
    assert!(begun.elapsed() < Duration::from_millis(200));
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
