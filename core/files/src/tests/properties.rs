//! Property tests with arbitrary bytes and mutated files: nothing panics or exceeds its budget, and results are of
//! bounded size. `PROPTEST_CASES` sets the number of cases of each, by default 256.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, RgbImage};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::budget::Cancellation;
use crate::checks::kind::{Kind, detect};
use crate::checks::{AcceptedKinds, Picture, inspect_pdf, pdf_budget, picture_budget};
use crate::sheet::{self, Limits};

/// One of `files` with some bytes changed, truncated, or with a part repeated.
fn mutated(files: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let edits = vec((any::<Index>(), any::<u8>()), 0..8);
    (select(files), edits, any::<Index>(), any::<Index>(), 0..4_u8).prop_map(|(mut file, edits, from, to, how)| {
        for (at, byte) in edits {
            let at = at.index(file.len());
            file[at] = byte;
        }
        let (from, to) = (from.index(file.len()), to.index(file.len()));
        match how {
            0 => file.truncate(from),
            1 => drop(file.splice(from..from, file[from.min(to)..to].to_vec())),
            _ => {}
        }
        file
    })
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..2000)
}

fn pictures() -> Vec<Vec<u8>> {
    let pixels = RgbImage::from_fn(40, 24, |x, y| image::Rgb([x as u8 * 6, y as u8 * 9, (x * y) as u8]));
    let encode = |format| {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::from(pixels.clone()).write_to(&mut bytes, format).expect("a picture");
        bytes.into_inner()
    };
    [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP].map(encode).to_vec()
}

fn documents() -> Vec<Vec<u8>> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, b"7 0 8 20 <</S/JavaScript>>").expect("compressed");
    let compressed = encoder.finish().expect("compressed");
    let dictionary =
        b"<</Type/ObjStm/N 2/First 9/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 3>>>>\nstream\r\n";
    let parts: [&[u8]; 5] = [
        b"%PDF-1.7\n1 0 obj\n<</OpenAction[2 0 R]/J#53 3 0 R>>\nendobj\n2 0 obj\n",
        dictionary,
        &compressed,
        b"\nendstream\nendobj\n",
        b"%%EOF",
    ];
    vec![parts.concat()]
}

fn tables() -> Vec<Vec<u8>> {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let worksheet = workbook.add_worksheet();
    for row in 0..4 {
        worksheet.write(row, 0, format!("title {row}")).and_then(|sheet| sheet.write(row, 3, 90.5)).expect("a cell");
    }
    let text = "title;year;\"note\"\n\"one \"\"two\"\"\n\";2024;a\r\nthree;;b\n";
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![text.as_bytes().to_vec(), wide, workbook.save_to_buffer().expect("a workbook")]
}

/// Detects, checks and cleans these bytes within bounds.
fn check_file(bytes: &[u8]) -> Result<(), TestCaseError> {
    match detect(bytes, AcceptedKinds::PictureOrPdf) {
        Ok(Kind::Pdf) => {
            let budget = pdf_budget(bytes.len(), &Cancellation::default());
            let _ = inspect_pdf(bytes, &budget);
            prop_assert!(budget.charged() < 1000 * bytes.len() as u64 + 2000);
        }
        Ok(kind) => {
            for clean in [true, false] {
                let Ok(picture) = Picture::read_header(kind, bytes.to_vec()) else { continue };
                let budget = picture_budget(&Cancellation::default());
                if clean {
                    let size = picture.clean(&budget).map_or(0, |clean| clean.bytes.len());
                    // The worst case is a PNG that is split at every second byte.
                    prop_assert!(size <= 7 * bytes.len() + 100, "{size}");
                } else if let Ok(pixels) = picture.reduce(u32::MAX, &budget) {
                    prop_assert!(pixels.as_bytes().len() <= 160_000_000);
                }
            }
        }
        Err(message) => prop_assert!(message.ends_with('.')),
    }
    Ok(())
}

fn check_table(bytes: &[u8]) -> Result<(), TestCaseError> {
    let limits = Limits { unpacked_bytes: 1 << 20, file_bytes: 1 << 20, memory_bytes: 1 << 20, ..Limits::default() };
    let budget = limits.budget(&Cancellation::default());
    match sheet::read_within(bytes, "a", &limits, &sheet::Expected::default(), &budget) {
        Ok(sheet) => {
            prop_assert!(sheet.rows.iter().all(|row| row.cells.len() == sheet.header.len()));
            let texts: usize = sheet.rows.iter().flat_map(|row| row.cells.iter()).map(str::len).sum();
            prop_assert!(texts <= 1 << 20);
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    prop_assert!(budget.charged() <= (17 << 20));
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_are_checked_within_budget(bytes in bytes(), start in select(vec!["", "\u{89}PNG", "%PDF-1.7 obj\n", "RIFF"])) {
        check_file(&bytes)?;
        check_file(&[start.as_bytes(), &bytes].concat())?;
        check_file(&[b"\xFF\xD8\xFF".as_slice(), &bytes].concat())?;
        check_file(&[b"\x89PNG\r\n\x1A\n".as_slice(), &bytes].concat())?;
    }

    #[test]
    fn mutated_pictures_are_checked_within_budget(bytes in mutated(pictures())) {
        check_file(&bytes)?;
    }

    #[test]
    fn mutated_documents_are_checked_within_budget(bytes in mutated(documents())) {
        check_file(&bytes)?;
    }

    #[test]
    fn any_bytes_are_read_as_a_table_within_budget(bytes in bytes()) {
        check_table(&bytes)?;
        check_table(&[b"PK\x03\x04".as_slice(), &bytes].concat())?;
    }

    #[test]
    fn any_text_is_read_as_a_table_within_budget(text in "(sep=[;,]\n)?([\"a,;|\t\r\n ]|\\PC){0,200}") {
        check_table(text.as_bytes())?;
    }

    #[test]
    fn mutated_tables_are_read_within_budget(bytes in mutated(tables())) {
        check_table(&bytes)?;
    }
}
