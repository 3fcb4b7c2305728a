//! Tests of the checks of PDFs.

use super::*;

fn inspect(bytes: &[u8]) -> Result<Vec<&'static str>, String> {
    super::inspect(bytes, &budget(bytes.len(), &Cancellation::default()))
}

fn pdf(dictionary: &str) -> Vec<u8> {
    format!("%PDF-1.7\n1 0 obj\n<<{dictionary}>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n").into_bytes()
}

#[test]
fn active_content_is_flagged() {
    for (dictionary, flags) in [
        ("/Type/Catalog", vec![]),
        ("/OpenAction 2 0 R", vec!["active_content"]),
        ("/OpenAction [3 0 R /Fit]", vec![]),
        ("/S/JavaScript/JS(app.alert)", vec!["active_content"]),
        ("/S/J#61vaScr#69pt", vec!["active_content"]),
        ("/S /GoToR /F (other.pdf)", vec!["active_content"]),
        ("/S/GoToE", vec!["active_content"]),
        ("/S/Rendition/OP 0", vec!["active_content"]),
        ("/S/Launch/F(calc.exe)", vec!["active_content"]),
        ("/S/GoTo/D[3 0 R/Fit]", vec![]),
        ("/S/URI/URI(https://example.org)", vec![]),
        ("/AA<</O 3 0 R>>", vec!["active_content"]),
        ("/AAPL/JSON/Launcher", vec![]),
        ("/Encrypt 4 0 R", vec!["may_hide_active_content", "encrypted"]),
    ] {
        assert_eq!(inspect(&pdf(dictionary)), Ok(flags), "{dictionary}");
    }
}

fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}

/// Inspects a document with one stream.
fn inspect_with(dictionary: &str, stream: &[u8]) -> Result<Vec<&'static str>, String> {
    let start = format!("%PDF-1.7\n1 0 obj\n<<{dictionary}>>\nstream\r\n").into_bytes();
    inspect(&[start, stream.to_vec(), b"\nendstream\nendobj\n%%EOF".to_vec()].concat())
}

const SCRIPT: &[u8] = b"7 0 8 20 <</S/JavaScript>>";

#[test]
fn compressed_object_streams_are_inspected() {
    let list = "/Type/ObjStm/N 2/First 9/Filter/FlateDecode";
    assert_eq!(inspect_with(list, &compress(b"7 0 <</Type/Page>>")), Ok(vec![]));
    for dictionary in [
        list,
        "/Type 9 0 R/N 2/First 9/Filter/FlateDecode",
        "/Filter 9 0 R",
        "/Note(stream\n)/Type/ObjStm/N 2/First 9/Filter/FlateDecode",
        "/Type/ObjStm/N 2/First 9/Filter/FlateDecode/Note(endobj\n1 0 obj)",
        "/#54ype/O#62jStm/N 2/F#69rst 9/Filter/FlateDecode",
    ] {
        let flags = inspect_with(dictionary, &compress(SCRIPT)).unwrap_or_default();
        assert!(flags.contains(&"active_content"), "{dictionary}: {flags:?}");
    }
    assert_eq!(inspect_with("/Type/ObjStm/N 2/First 9", SCRIPT), Ok(vec!["active_content"]));
    let hidden = Ok(vec!["may_hide_active_content"]);
    assert_eq!(inspect_with(list, b"not packed so"), hidden);
    assert_eq!(inspect_with(list, &compress(&compress(SCRIPT))), hidden);
    assert_eq!(inspect_with(list, &compress(&[b"7 0 ".as_slice(), &vec![b' '; 20 << 20]].concat())), hidden, "a bomb");
}

#[test]
fn object_streams_with_predictors_are_inspected() {
    // Rows of eight bytes, each the difference to the row above.
    let mut rows = Vec::new();
    let mut above = [0; 8];
    for row in [SCRIPT, b"      "].concat().chunks_exact(8) {
        rows.push(2);
        rows.extend(row.iter().zip(above).map(|(byte, above)| byte.wrapping_sub(above)));
        above.copy_from_slice(row);
    }
    let parameters = "/Type/ObjStm/N 2/First 9/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 8>>";
    assert_eq!(inspect_with(parameters, &compress(&rows)), Ok(vec!["active_content"]));
    let unknown = parameters.replace("/Columns 8", "/Columns 9 0 R");
    assert_eq!(
        inspect_with(&unknown, &compress(&rows)).map(|flags| flags.contains(&"may_hide_active_content")),
        Ok(true)
    );
}

/// Streams that are each compressed so that decompression runs through all that follow, produces next to nothing,
/// and fails.
fn nested(streams: usize, blocks: usize) -> Vec<u8> {
    let next = b"stream\n\x78\x01";
    let mut file = [b"%PDF-1.7\n1 0 obj\n<</Type/ObjStm/N 2/First 9/Filter/FlateDecode>>\n".as_slice(), next].concat();
    for _ in 0..streams {
        // Empty blocks, then one that is the next stream's beginning.
        file.extend(b"\0\0\0\xFF\xFF".repeat(blocks));
        file.extend(b"\0\x09\0\xF6\xFF");
        file.extend(next);
    }
    [file.as_slice(), b"\x07\nendstream\nendobj\n%%EOF"].concat()
}

#[test]
fn failed_decompression_is_charged_and_the_inspection_ends() {
    let inspect = |file: &[u8]| {
        let budget = budget(file.len(), &Cancellation::default());
        (super::inspect(file, &budget), budget.charged())
    };
    let file = nested(1300, 750);
    assert_eq!(file.len() >> 20, 4);
    let (flags, charged) = inspect(&file);
    assert_eq!(flags, Ok(vec!["may_hide_active_content"]));
    let limit = MAX_WORK + file.len() as u64;
    assert!((limit..limit + 2000 * STREAM_WORK).contains(&charged), "{charged}");
    // More ordinary streams than usual stay below the limit.
    let file = pdf("/Type/Catalog");
    let ordinary = [b"<</Length 9>>\nstream\n".as_slice(), &compress(b"BT (words) Tj ET"), b"\nendstream\n"].concat();
    let (flags, charged) = inspect(&[file, ordinary.repeat(50_000), b"%%EOF".to_vec()].concat());
    assert_eq!(flags, Ok(vec![]));
    assert!(charged < 60_000_000, "{charged}");
}

#[test]
fn cancelled_inspection_stops() {
    let waiter = std::sync::Arc::new(());
    let cancellation = Cancellation::when_dropped(std::sync::Arc::downgrade(&waiter));
    drop(waiter);
    let file = nested(1300, 750);
    let budget = budget(file.len(), &cancellation);
    assert!(super::inspect(&file, &budget).is_ok_and(|flags| flags == ["may_hide_active_content"]));
    assert!(budget.charged() < 4_000_000, "{}", budget.charged());
}

#[test]
fn compressed_pixels_are_not_mistaken_for_names() {
    assert_eq!(inspect_with("/Subtype/Image", b"\x80/JS \x90/AA\x00/XFA("), Ok(vec![]));
    assert_eq!(inspect_with("/Subtype/Image", b"\x80/JavaScript "), Ok(vec!["active_content"]));
}

#[test]
fn pdfs_with_leading_or_trailing_bytes_are_accepted() {
    let whole = pdf("/Type/Catalog");
    let with = |before: &[u8], after: &[u8]| inspect(&[before, whole.as_slice(), after].concat());
    assert_eq!(with(b"\xEF\xBB\xBF", b""), Ok(vec![]));
    assert_eq!(with(b"\x1B%-12345X@PJL ENTER LANGUAGE=PDF\r\n", b"\x1B%-12345X"), Ok(vec![]));
    assert_eq!(with(b"", &[0; 10_000]), Ok(vec![]));
    assert_eq!(with(b"", &b"mailed with love\n".repeat(500)), Ok(vec![]));
    let end = whole.len() - b"%%EOF\n".len();
    assert_eq!(
        inspect(&[&whole[..end], b"startxref\n9\n"].concat()),
        Ok(vec![]),
        "startxref without %%EOF is complete"
    );
    assert_eq!(inspect(&whole[..end]), Ok(vec![DAMAGED]));
    assert_eq!(inspect(&[whole.as_slice(), b"2 0 obj\n<</Type/Pa"].concat()), Ok(vec![DAMAGED]));
    assert!(inspect(b"%PDF-").is_err());
}
