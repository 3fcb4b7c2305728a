//! Peak memory for decompression bombs and for large legitimate files.
//!
//! The allocator counts for the whole process, so only one test runs at a time.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod tables;

use std::future::ready;
use std::io::{Cursor, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use festival_base::settings::Uploads;
use festival_files::checks::{AcceptedKinds, DAMAGED};
use festival_files::media::{Media, Rendition};
use festival_files::upload::{AcceptedFile, Accepts, MultipartReceiver, Received, RequestHead};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;
static RUNNING: Mutex<()> = Mutex::new(());

/// Waits until no other test runs. Making a test's files takes memory too.
fn alone() -> MutexGuard<'static, ()> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` and returns its result and its peak memory in MB.
fn measured<T>(work: impl Future<Output = T>) -> (T, usize) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let output = runtime.block_on(work);
    let peak = MEMORY.peak_usage().saturating_sub(before) / 1_000_000;
    println!("{peak} MB");
    (output, peak)
}

/// Receives a form with these files, one per field.
async fn receive(files: &[&Vec<u8>]) -> festival_base::error::Result<Received> {
    const FIELDS: [&str; 6] = ["one", "two", "three", "four", "five", "six"];
    let folder = tempfile::tempdir().unwrap();
    let media = Media::open(folder.path()).unwrap();
    let settings = Uploads { keep_free_mib: 0, ..Uploads::default() };
    let accepts = Accepts {
        files: FIELDS.map(|field| AcceptedFile::new(field, AcceptedKinds::PictureOrPdf)).to_vec(),
        ..Accepts::default()
    };
    let mut form = Vec::new();
    for (field, file) in FIELDS.iter().zip(files) {
        form.extend(format!("--x\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"a\"\r\n\r\n").bytes());
        form.extend(file.iter());
        form.extend(b"\r\n");
    }
    form.extend(b"--x--\r\n");
    let head = RequestHead { content_type: "multipart/form-data; boundary=x", ..RequestHead::default() };
    MultipartReceiver { media: &media, settings: &settings }.receive(head, Cursor::new(form), &accepts, ready(())).await
}

/// The length of a rendition of this width in bytes; `None` if the original is served.
async fn rendition_length(picture: Vec<u8>, width: u32) -> Option<u64> {
    let folder = tempfile::tempdir().unwrap();
    let media = Media::open(folder.path()).unwrap();
    let key = media.put_public("posters", picture).await.unwrap();
    match media.rendition(&key, width).await.unwrap() {
        Rendition::Scaled(file) => Some(file.length()),
        Rendition::Original | Rendition::OriginalForNow => None,
    }
}

/// `head`, then `count` times `repeated`, compressed.
fn compressed(head: &[u8], repeated: &[u8], count: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(head).unwrap();
    for _ in 0..count {
        encoder.write_all(repeated).unwrap();
    }
    encoder.finish().unwrap()
}

fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(name);
    crc.update(content);
    [&(content.len() as u32).to_be_bytes(), name.as_slice(), content, &crc.sum().to_be_bytes()].concat()
}

/// A PNG: `kind` is bit depth and colour type, `profile` is compressed.
fn png(width: u32, height: u32, kind: [u8; 2], profile: Option<Vec<u8>>) -> Vec<u8> {
    let samples = match kind[1] {
        0 => 1,
        2 => 3,
        _ => 4,
    };
    let row = vec![0; 1 + width as usize * samples * usize::from(kind[0]) / 8];
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &kind, &[0, 0, 0]].concat();
    let profile = profile.map(|profile| chunk(b"iCCP", &[b"ICC\0\0".as_slice(), &profile].concat()));
    let pixels = chunk(b"IDAT", &compressed(&[], &row, height as usize));
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &header), profile.unwrap_or_default(), pixels, chunk(b"IEND", b"")]
        .concat()
}

fn srgb() -> Vec<u8> {
    moxcms::ColorProfile::new_srgb().encode().unwrap()
}

#[test]
fn oversized_profile_is_removed() {
    let _alone = alone();
    let picture = png(64, 64, [8, 2], Some(compressed(&srgb(), &[0; 1 << 20], 300)));
    println!("{} bytes", picture.len());
    let (received, peak) = measured(receive(&[&picture; 6]));
    let received = received.unwrap();
    assert!(peak < 150, "{peak} MB");
    assert!(received.files.values().all(|file| file.size < 1000 && file.flags.is_empty()), "the profile is removed");
    let (_, peak) = measured(rendition_length(picture, 240));
    assert!(peak < 150, "{peak} MB");
}

#[test]
fn largest_png_is_accepted_and_scaled_in_little_memory() {
    let _alone = alone();
    let picture = png(8000, 5000, [16, 6], Some(compressed(&srgb(), &[], 0)));
    let (received, peak) = measured(receive(&[&picture]));
    assert!(received.unwrap().files.values().all(|file| file.flags.is_empty()));
    assert!(peak < 60, "{peak} MB");
    // Its pixels would take 160 MB with eight bits per channel, and 320 MB as encoded.
    for (width, limit) in [(240, 40), (1600, 90)] {
        let (length, peak) = measured(rendition_length(picture.clone(), width));
        assert!(length.is_some());
        assert!(peak < limit, "{width}: {peak} MB");
    }
}

/// The pixels of a JPEG are decoded as a whole: 120 MB.
#[test]
fn largest_jpeg_is_scaled() {
    let _alone = alone();
    // Measured as well, because the pixels would count for the other tests.
    let (picture, _) = measured(async {
        let mut picture = Cursor::new(Vec::new());
        let pixels = image::RgbImage::from_fn(8000, 5000, |x, y| image::Rgb([(x / 32) as u8, (y / 20) as u8, 90]));
        pixels.write_to(&mut picture, image::ImageFormat::Jpeg).unwrap();
        picture.into_inner()
    });
    let (length, peak) = measured(rendition_length(picture, 1600));
    assert!(length.is_some());
    assert!(peak < 200, "{peak} MB");
}

/// A JPEG of one grey: two bits for each block, which say that nothing changes.
fn grey_jpeg(width: u16, height: u16) -> Vec<u8> {
    let segment =
        |marker: u8, content: &[u8]| [&[0xFF, marker], &(content.len() as u16 + 2).to_be_bytes()[..], content].concat();
    let [width_bytes, height_bytes] = [width, height].map(u16::to_be_bytes);
    let frame = [&[8], &height_bytes[..], &width_bytes, &[3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]].concat();
    let mut bytes = b"\xFF\xD8".to_vec();
    bytes.extend(segment(0xDB, &[&[0][..], &[1; 64]].concat()));
    bytes.extend(segment(0xC0, &frame));
    for table in [0, 0x10] {
        bytes.extend(segment(0xC4, &[&[table, 1][..], &[0; 15], &[0]].concat()));
    }
    bytes.extend(segment(0xDA, &[3, 1, 0, 2, 0, 3, 0, 0, 63, 0]));
    let blocks = usize::from(width.div_ceil(8)) * usize::from(height.div_ceil(8)) * 3;
    bytes.resize(bytes.len() + (blocks * 2).div_ceil(8), 0);
    bytes.extend(b"\xFF\xD9");
    bytes
}

/// 27 by 40 inches at 300 dpi.
#[test]
fn poster_of_97_million_pixels_is_kept_and_scaled() {
    let _alone = alone();
    let picture = grey_jpeg(8100, 12_000);
    let (received, peak) = measured(receive(&[&picture]));
    let files = received.unwrap().files;
    let file = &files["one"];
    assert_eq!((file.size, file.flags.len()), (picture.len() as u64, 0));
    assert!(peak < 320, "{peak} MB");
    let (length, peak) = measured(rendition_length(picture, 1600));
    assert!(length.is_some());
    assert!(peak < 400, "{peak} MB");
}

/// The header of a lossless WebP of this size, without pixels.
fn webp(width: u32, height: u32) -> Vec<u8> {
    let bits = (width - 1) | ((height - 1) << 14);
    let pixels = [&[0x2F][..], &bits.to_le_bytes(), &[0; 5]].concat();
    [b"RIFF", &22_u32.to_le_bytes()[..], b"WEBPVP8L", &10_u32.to_le_bytes(), &pixels].concat()
}

/// A JPEG of one scan without pixels.
fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let frame = [&[0xFF, 0xC0, 0, 11, 8][..], &height.to_be_bytes(), &width.to_be_bytes(), &[1, 1, 0x11, 0]].concat();
    [&[0xFF, 0xD8][..], &frame, &[0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 7, 0xFF, 0xD9]].concat()
}

/// Decoding these pictures would take more than 300 MB each, because they can only be decoded as a whole or have
/// extremely long rows. They are stored with their pixels as they are and have no renditions; only without their end
/// they are said to be damaged.
#[test]
fn picture_that_needs_too_much_memory_is_stored_without_decoding() {
    let _alone = alone();
    let mut scans = jpeg(8000, 7000);
    let end = scans.len() - 2;
    let scan = scans[end - 11..end].to_vec();
    scans.splice(end..end, scan);
    let mut progressive = jpeg(8000, 7000);
    progressive[3] = 0xC2;
    let wide = png(16_000_000, 2, [8, 6], None);
    let header = [&wide[16..28], &[1]].concat();
    let mut interlaced = wide.clone();
    interlaced.splice(8..33, chunk(b"IHDR", &header));
    for picture in [scans, progressive, webp(8000, 5000), wide, interlaced] {
        let cut = picture[..picture.len() - 1].to_vec();
        let (received, peak) = measured(receive(&[&picture, &cut]));
        let files = received.unwrap().files;
        let flags: Vec<_> = files.values().map(|file| file.flags.as_slice()).collect();
        assert_eq!(flags, [&[][..], &[DAMAGED]]);
        assert!(peak < 20, "{peak} MB");
        let (length, peak) = measured(rendition_length(picture, 240));
        assert_eq!(length, None);
        assert!(peak < 20, "{peak} MB");
    }
}

/// Too large pictures are rejected by their header: a file without pixels gets the same message, and almost no memory
/// is used.
#[test]
fn enormous_picture_is_rejected_by_its_header() {
    let _alone = alone();
    let header =
        |width: u32, height: u32| [&width.to_be_bytes()[..], &height.to_be_bytes(), &[16, 6, 0, 0, 0]].concat();
    let header_alone = |width, height| {
        let chunks = [chunk(b"IHDR", &header(width, height)), chunk(b"IDAT", b""), chunk(b"IEND", b"")];
        [b"\x89PNG\r\n\x1a\n".as_slice(), &chunks.concat()].concat()
    };
    let refusal = |picture: &Vec<u8>, size: &str| {
        let (received, peak) = measured(receive(&[picture]));
        let refused = received.err().unwrap();
        assert_eq!(refused.status().code, 422);
        let message = refused.for_terminal();
        assert!(message.contains(size), "{size}: {message}");
        assert!(peak < 20, "{size}: {peak} MB");
        message
    };
    assert_eq!(
        refusal(&header_alone(16_384, 16_385), "16384"),
        "one: This picture has 16384 x 16385 pixels, which is too many. At most 268 million are taken; please make it smaller."
    );
    refusal(&header_alone(60_000, 60_000), "60000");
    refusal(&jpeg(65_535, 65_535), "65535");
    refusal(&jpeg(65_535, 4_097), "65535");
}

/// A PDF of streams that are each compressed so that decompression runs through all that follow, and produces next to
/// nothing.
fn nested_pdf(streams: usize, blocks: usize) -> Vec<u8> {
    let next = b"stream\n\x78\x01";
    let mut file = b"%PDF-1.7\n1 0 obj\n<</Type/ObjStm/N 2/First 9/Filter/FlateDecode>>\n".to_vec();
    file.extend(next);
    for _ in 0..streams {
        file.extend(b"\0\0\0\xFF\xFF".repeat(blocks));
        let length = next.len() as u16;
        file.push(0);
        file.extend(length.to_le_bytes());
        file.extend((!length).to_le_bytes());
        file.extend(next);
    }
    file.extend(b"\x07\nendstream\nendobj\n%%EOF");
    file
}

#[test]
fn incompletely_inspected_document_is_stored_with_a_flag() {
    let _alone = alone();
    let document = nested_pdf(1300, 750);
    println!("{} bytes", document.len());
    let (received, peak) = measured(receive(&[&document]));
    assert_eq!(received.unwrap().files["one"].flags, ["may_hide_active_content"]);
    assert!(peak < 60, "{peak} MB");
}
