//! Files that grow when they are opened, and large ones that people may well send: what they take of the memory.
//!
//! The allocator counts for the whole program, so one test at a time is at work.

#![expect(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::sync::{Mutex, PoisonError};

use festival_base::settings::Uploads;
use festival_files::checks::{DAMAGED, Takes};
use festival_files::media::{Media, Rendition};
use festival_files::sheet::{self, Limits, Sheet, SheetError};
use festival_files::upload::{AcceptedFile, Accepts, MultipartReceiver, Received, RequestHead};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use peak_alloc::PeakAlloc;
use zip::write::SimpleFileOptions;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;
static TURN: Mutex<()> = Mutex::new(());

/// What `work` answers, and the most memory that it held at a time, in MB.
fn measured<T>(work: impl Future<Output = T>) -> (T, usize) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let answer = runtime.block_on(work);
    let peak = MEMORY.peak_usage().saturating_sub(before) / 1_000_000;
    println!("{peak} MB");
    (answer, peak)
}

/// A form with these files, one in each field, as it is received.
async fn receive(files: &[&Vec<u8>]) -> festival_base::error::Result<Received> {
    const FIELDS: [&str; 6] = ["one", "two", "three", "four", "five", "six"];
    let folder = tempfile::tempdir().unwrap();
    let media = Media::open(folder.path()).unwrap();
    let settings = Uploads { keep_free_mib: 0, ..Uploads::default() };
    let accepts = Accepts {
        files: FIELDS.map(|field| AcceptedFile::new(field, Takes::PictureOrPdf)).to_vec(),
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
    MultipartReceiver { media: &media, settings: &settings }.receive(head, Cursor::new(form), &accepts).await
}

/// The length of a picture at a width in pixels; none where the original has to serve.
async fn smaller(picture: Vec<u8>, width: u32) -> Option<u64> {
    let folder = tempfile::tempdir().unwrap();
    let media = Media::open(folder.path()).unwrap();
    let key = media.put_public("posters", picture).await.unwrap();
    match media.rendition(&key, width).await.unwrap() {
        Rendition::Made(_, length) => Some(length),
        Rendition::Original | Rendition::OriginalForNow => None,
    }
}

/// `head`, then `count` times the same, packed.
fn packed(head: &[u8], again: &[u8], count: usize) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(head).unwrap();
    for _ in 0..count {
        packer.write_all(again).unwrap();
    }
    packer.finish().unwrap()
}

fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(name);
    crc.update(content);
    [&(content.len() as u32).to_be_bytes(), name.as_slice(), content, &crc.sum().to_be_bytes()].concat()
}

/// A PNG: bits of a sample and kind of colour as its header says them, `profile` packed.
fn png(width: u32, height: u32, kind: [u8; 2], profile: Option<Vec<u8>>) -> Vec<u8> {
    let samples = match kind[1] {
        0 => 1,
        2 => 3,
        _ => 4,
    };
    let row = vec![0; 1 + width as usize * samples * usize::from(kind[0]) / 8];
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &kind, &[0, 0, 0]].concat();
    let profile = profile.map(|profile| chunk(b"iCCP", &[b"ICC\0\0".as_slice(), &profile].concat()));
    let pixels = chunk(b"IDAT", &packed(&[], &row, height as usize));
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &header), profile.unwrap_or_default(), pixels, chunk(b"IEND", b"")]
        .concat()
}

fn srgb() -> Vec<u8> {
    moxcms::ColorProfile::new_srgb().encode().unwrap()
}

#[test]
fn a_profile_that_never_ends_is_none() {
    let picture = png(64, 64, [8, 2], Some(packed(&srgb(), &[0; 1 << 20], 300)));
    println!("{} bytes", picture.len());
    let (received, peak) = measured(receive(&[&picture; 6]));
    let kept = received.unwrap();
    assert!(peak < 150, "{peak} MB");
    assert!(kept.files.values().all(|file| file.size < 1000 && file.flags.is_empty()), "the profile is gone");
    let (_, peak) = measured(smaller(picture, 240));
    assert!(peak < 150, "{peak} MB");
}

#[test]
fn the_largest_picture_is_taken_and_made_smaller() {
    let picture = png(8000, 5000, [16, 6], Some(packed(&srgb(), &[], 0)));
    let (received, peak) = measured(receive(&[&picture]));
    assert!(received.unwrap().files.values().all(|file| file.flags.is_empty()));
    assert!(peak < 60, "{peak} MB");
    // Its pixels alone would be 160 MB, as they are coded 320.
    for (width, most) in [(240, 40), (1600, 90)] {
        let (length, peak) = measured(smaller(picture.clone(), width));
        assert!(length.is_some());
        assert!(peak < most, "{width}: {peak} MB");
    }
}

/// Of a JPEG the pixels have to be decoded as a whole: 120 MB.
#[test]
fn the_largest_photograph_is_made_smaller() {
    // In its turn: the pixels would count for the other tests.
    let (picture, _) = measured(async {
        let mut picture = Cursor::new(Vec::new());
        let pixels = image::RgbImage::from_fn(8000, 5000, |x, y| image::Rgb([(x / 32) as u8, (y / 20) as u8, 90]));
        pixels.write_to(&mut picture, image::ImageFormat::Jpeg).unwrap();
        picture.into_inner()
    });
    let (length, peak) = measured(smaller(picture, 1600));
    assert!(length.is_some());
    assert!(peak < 200, "{peak} MB");
}

/// The header of a lossless WebP of so many pixels, and nothing else.
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

/// Decoding these would take more than 200 MB each, because they only come as a whole, or their rows are endless: they are
/// kept as they came and flagged, and the original is what is shown.
#[test]
fn a_picture_that_would_take_too_much_memory_is_kept_and_flagged() {
    let mut scans = jpeg(8000, 5000);
    let end = scans.len() - 2;
    let scan = scans[end - 11..end].to_vec();
    scans.splice(end..end, scan);
    let mut progressive = jpeg(8000, 5000);
    progressive[3] = 0xC2;
    // In its turn: its rows would count for the other tests.
    let (wide, _) = measured(async { png(16_000_000, 2, [8, 6], None) });
    let header = [&wide[16..28], &[1]].concat();
    let mut interlaced = wide.clone();
    interlaced.splice(8..33, chunk(b"IHDR", &header));
    for picture in [scans, progressive, webp(8000, 5000), wide, interlaced] {
        let (received, peak) = measured(receive(&[&picture]));
        assert!(received.unwrap().files.values().all(|file| file.flags == [DAMAGED]));
        assert!(peak < 20, "{peak} MB");
        let (length, peak) = measured(smaller(picture, 240));
        assert_eq!(length, None);
        assert!(peak < 20, "{peak} MB");
    }
}

/// What is refused is refused at its header: the same words answer a file that has nothing after it, and next to no memory
/// is taken, however much the pixels would take.
#[test]
fn an_enormous_picture_is_refused_by_its_header_alone() {
    let whole = png(8000, 5001, [16, 6], None);
    let header_alone = [&whole[..33], &chunk(b"IDAT", b""), &chunk(b"IEND", b"")].concat();
    let refusal = |picture: &Vec<u8>, size: &str| {
        let (received, peak) = measured(receive(&[picture]));
        let refused = received.err().unwrap();
        assert_eq!(refused.status().code, 422);
        let words = refused.for_terminal();
        assert!(words.contains(size), "{size}: {words}");
        assert!(peak < 20, "{size}: {peak} MB");
        words
    };
    assert_eq!(refusal(&whole, "8000"), refusal(&header_alone, "8000"));
    let mut enormous = header_alone;
    enormous[16..24].copy_from_slice(&[60_000_u32.to_be_bytes(), 60_000_u32.to_be_bytes()].concat());
    refusal(&enormous, "60000");
    refusal(&webp(16_384, 16_384), "16384");
    refusal(&jpeg(65_535, 65_535), "65535");
    refusal(&jpeg(65_535, 611), "65535");
}

/// A PDF of streams that are each packed so that unpacking goes on through all that follow, and gives next to nothing.
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
fn a_document_is_kept_and_what_was_not_looked_at_is_flagged() {
    let document = nested_pdf(1300, 750);
    println!("{} bytes", document.len());
    let (received, peak) = measured(receive(&[&document]));
    assert_eq!(received.unwrap().files["one"].flags, ["may_hide_active_content"]);
    assert!(peak < 60, "{peak} MB");
}

fn archive(parts: &[(&str, String)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default().compression_level(Some(1))).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A workbook of `sheets` worksheets that are all the same part, with other parts of `xl/`.
fn workbook(sheets: usize, rows: &str, others: &[(&str, String)]) -> Vec<u8> {
    let package = "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relation = |kind: &str, target: &str| {
        let relation = format!("<Relationship Id=\"r1\" Type=\"{office}/{kind}\" Target=\"{target}\"/>");
        format!("<Relationships {package}>{relation}</Relationships>")
    };
    let mut book = format!("<workbook xmlns:r=\"{office}\"><sheets>");
    for number in 0..sheets {
        write!(book, "<sheet name=\"{number}\" sheetId=\"1\" r:id=\"r1\"/>").unwrap();
    }
    let mut parts = vec![
        ("_rels/.rels", relation("officeDocument", "xl/workbook.xml")),
        ("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml")),
        ("xl/workbook.xml", book + "</sheets></workbook>"),
        ("xl/worksheets/sheet1.xml", format!("<worksheet><sheetData>{rows}</sheetData></worksheet>")),
    ];
    parts.extend(others.iter().cloned());
    archive(&parts)
}

/// Reads a table for which there is little memory, in MB; a table with more of it differs in nothing else.
fn read(bytes: &[u8]) -> (Result<Sheet, SheetError>, usize) {
    let limits = Limits { memory_bytes: 32 << 20, ..Limits::default() };
    let read = measured(async { sheet::read(bytes, "list.xlsx", &limits) });
    println!("{} bytes, {:?}", bytes.len(), read.0.as_ref().err());
    read
}

fn strings(count: usize, text: &str, attributes: &str) -> (&'static str, String) {
    ("xl/sharedStrings.xml", format!("<sst {attributes}>{}</sst>", format!("<si><t>{text}</t></si>").repeat(count)))
}

fn is_too_large(read: Result<Sheet, SheetError>) -> bool {
    read.is_err_and(|error| error.to_string().contains("larger than"))
}

const CELL: &str = "<row><c t=\"s\"><v>0</v></c><c t=\"s\"><v>0</v></c></row>";

#[test]
fn texts_of_a_workbook_have_a_bound() {
    for file in [
        workbook(1, CELL, &[strings(1_000_000, "a", "")]),
        workbook(1, &CELL.repeat(600), &[strings(1, &"a".repeat(60_000), "")]),
        workbook(1, &" ".repeat(20_000_000), &[]),
    ] {
        let (read, peak) = read(&file);
        assert!(is_too_large(read));
        assert!(peak < 90, "{peak} MB");
    }
}

#[test]
fn what_a_workbook_says_of_its_size_is_not_believed() {
    let whole = format!("<dimension ref=\"A1:XFD1048576\"/><sheetData>{CELL}</sheetData>");
    for (file, good) in [
        (workbook(1, CELL, &[strings(1, "a", "count=\"1\" uniqueCount=\"100000000\"")]), false),
        (workbook(1, CELL, &[strings(1, "a", "uniqueCount=\"999999999999\"")]), false),
        (workbook(1, CELL, &[strings(1, "a", ""), ("xl/worksheets/sheet1.xml.x", whole)]), true),
    ] {
        let (read, peak) = read(&file);
        assert_eq!(read.is_ok(), good);
        assert!(peak < 20, "{peak} MB");
    }
}

#[test]
fn styles_of_a_workbook_have_a_bound() {
    let formats = format!("<numFmts><numFmt numFmtId=\"200\" formatCode=\"{}\"/></numFmts>", "0".repeat(1_000_000));
    let xfs = "<xf numFmtId=\"200\"/>".repeat(1000);
    let styles = format!("<styleSheet>{formats}<cellXfs>{xfs}</cellXfs></styleSheet>");
    let (read, peak) = read(&workbook(1, CELL, &[("xl/styles.xml", styles), strings(1, "a", "")]));
    assert!(is_too_large(read));
    assert!(peak < 100, "{peak} MB");
}

#[test]
fn an_archive_of_many_parts_is_no_workbook() {
    let names: Vec<_> = (0..40_000).map(|number| number.to_string()).collect();
    let parts: Vec<_> = names.iter().map(|name| (name.as_str(), String::new())).collect();
    let (read, peak) = read(&archive(&parts));
    assert!(read.is_err());
    assert!(peak < 100, "{peak} MB");
}

#[test]
fn a_worksheet_is_not_read_again_and_again() {
    let (read, _) = read(&workbook(300, &" ".repeat(10_000_000), &[]));
    assert!(is_too_large(read));
}

#[test]
fn a_line_of_cells_without_end_is_not_kept() {
    let (read, peak) = read("a,".repeat(2 << 20).as_bytes());
    assert!(matches!(read, Err(SheetError::TooManyColumns { columns: 2_097_153, .. })), "{:?}", read.err());
    assert!(peak < 20, "{peak} MB");
}

#[test]
fn rows_that_are_filled_up_have_a_bound() {
    let wide = format!("<row>{}</row>", "<c><v>1</v></c>".repeat(200));
    let (read, peak) = read(&workbook(1, &(wide + &"<row><c><v>1</v></c></row>".repeat(20_000)), &[]));
    assert!(is_too_large(read));
    assert!(peak < 300, "{peak} MB");
}

#[test]
fn the_longest_lists_are_read() {
    let mut rows = String::new();
    let mut texts = String::new();
    for row in 0..100_000 {
        rows += "<row>";
        for column in 0..2 {
            let number = row * 2 + column;
            write!(rows, "<c t=\"s\"><v>{number}</v></c>").unwrap();
            write!(texts, "<si><t>text number {number}</t></si>").unwrap();
        }
        rows += "</row>";
    }
    let all = format!("<sst count=\"200000\" uniqueCount=\"200000\">{texts}</sst>");
    let file = workbook(1, &rows, &[("xl/sharedStrings.xml", all)]);
    let (read, peak) = measured(async { sheet::read(&file, "list.xlsx", &Limits::default()) });
    assert_eq!(read.unwrap().rows.len(), 99_999);
    assert!(peak < 300, "{peak} MB");
}
