//! Tests of exported tables: values survive a round trip, and no cell is executed as a formula.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::sheet;

/// Whether a spreadsheet may take this cell for a formula, implemented independently of the code.
fn begins_like_formula(cell: &str) -> bool {
    let blank = |letter: char| letter.is_whitespace() || letter.is_control();
    let skipped: String = cell.chars().take_while(|letter| blank(*letter)).collect();
    let rest = &cell[skipped.len()..];
    skipped.contains(['\t', '\r', '\0']) || rest.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}

/// Whether a spreadsheet would compute something in this cell.
fn is_executable(cell: &str) -> bool {
    let is_telephone = cell.starts_with('+')
        && cell.chars().nth(1).is_some_and(|second| second.is_ascii_digit())
        && cell[1..].chars().all(|letter| letter.is_ascii_digit() || letter == ' ');
    let is_amount = cell.starts_with('-')
        && cell.chars().nth(1).is_some_and(|second| second.is_ascii_digit())
        && cell[1..].chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    begins_like_formula(cell) && !is_telephone && !is_amount
}

fn assert_round_trip(texts: &[String]) {
    let bytes = csv(texts);
    let rows = read_csv(&bytes);
    assert_eq!(rows.len(), texts.len() + 1);
    assert_eq!(rows[0], ["Text", "Number"]);
    for (number, (text, row)) in texts.iter().zip(&rows[1..]).enumerate() {
        assert!(!is_executable(&row[0]), "{text:?} would be executed as {:?}", row[0]);
        let is_escaped =
            is_executable(text) || text.starts_with('\'') && begins_like_formula(text.trim_start_matches('\''));
        let expected = if is_escaped { format!("'{text}") } else { text.clone() };
        assert_eq!(row[0], expected, "{text:?}");
        assert_eq!(row[1], number.to_string(), "numbers are not escaped");
        assert_eq!(unescape_formula(&row[0]), text);
    }
}

#[test]
fn random_cells_round_trip_and_none_is_executable() {
    let mut random = Random(0x2025_1024);
    let texts: Vec<String> = (0..10_000).map(|_| random.text()).collect();
    assert!(texts.iter().filter(|text| is_executable(text)).count() > 500, "many of them would be executed");
    assert_round_trip(&texts);
}

#[test]
fn naughty_strings_and_injections_round_trip_and_none_is_executable() {
    if let Some(text) = real("hostile/blns.json") {
        assert_round_trip(&serde_json::from_str::<Vec<String>>(&text).unwrap());
    }
    if let Some(text) = real("hostile/csv-injection-payloadbox.txt") {
        assert_round_trip(&text.lines().map(str::to_owned).collect::<Vec<_>>());
    }
}

#[test]
fn telephone_numbers_and_amounts_are_exported_as_they_are() {
    for (text, cell) in [
        ("+91 98470 12345", "+91 98470 12345"),
        ("+919847012345", "+919847012345"),
        ("-20000.00", "-20000.00"),
        ("-2+3", "'-2+3"),
        ("0484 2345678", "0484 2345678"),
        ("+91-98470-12345", "'+91-98470-12345"),
        ("+91 98470 12345+cmd", "'+91 98470 12345+cmd"),
        ("+", "'+"),
        ("++91", "'++91"),
        ("+91\t2", "'+91\t2"),
        (" +91", "' +91"),
        ("-91 98470", "'-91 98470"),
        ("'+91 98470 12345", "''+91 98470 12345"),
    ] {
        assert_eq!(escape_formula(text), cell, "{text:?}");
        assert_eq!(unescape_formula(cell), text, "{cell:?}");
    }
    // Exports of earlier versions have an apostrophe in front of every number with a plus sign.
    assert_eq!(unescape_formula("'+91 98470 12345"), "+91 98470 12345");
    assert_eq!([r#"="0012""#, r#"="a" & "b""#, "'83"].map(unescape_formula), ["0012", r#"="a" & "b""#, "'83"]);
}

#[test]
fn csv_conforms_to_rfc_4180() {
    let texts = ["plain", "two, parts", "a \"quoted\" word", "line\nbreak", "+91 98470 12345", "'=1", " =1", "മലയാളം"];
    let text = String::from_utf8(csv(&texts.map(str::to_owned))).unwrap();
    assert_eq!(
        text,
        "Text,Number\r\nplain,0\r\n\"two, parts\",1\r\n\"a \"\"quoted\"\" word\",2\r\n\"line\nbreak\",3\r\n\
         +91 98470 12345,4\r\n''=1,5\r\n' =1,6\r\nമലയാളം,7\r\n"
    );
    let columns = [Column::new("a", "=A"), Column::new("b", "B")];
    let mut table = TableWriter::csv(Vec::new(), &columns, true).unwrap();
    let time = "2025-10-24T18:00:05".parse().unwrap();
    table.row(&[Cell::Empty, Cell::DateTime(time)]).unwrap();
    table.row(&[Cell::text(""), Cell::Number(-5)]).unwrap();
    assert!(table.row(&[Cell::Empty]).is_err(), "a row has a cell for each column");
    let text = String::from_utf8(table.finish().unwrap()).unwrap();
    assert_eq!(text, "\u{feff}'=A,B\r\n,2025-10-24 18:00:05\r\n,-5\r\n");
}

#[test]
fn json_is_a_list_of_objects_with_typed_values() {
    let columns = [Column::new("text", "Text"), Column::new("number", "Number"), Column::new("moment", "Moment")];
    let table = TableWriter::new(Format::Json, Vec::new(), &columns, false, Path::new("")).unwrap();
    assert_eq!(table.finish().unwrap(), b"[]\n");
    let mut random = Random(7);
    let texts: Vec<String> = (0..1_000).map(|_| random.text()).collect();
    let mut table = TableWriter::new(Format::Json, Vec::new(), &columns, false, Path::new("")).unwrap();
    let time = "2025-10-24T18:00:05".parse().unwrap();
    for text in &texts {
        table.row(&[Cell::text(text), Cell::Number(i64::MIN), Cell::DateTime(time)]).unwrap();
    }
    table.row(&[Cell::Empty, Cell::Empty, Cell::Empty]).unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&table.finish().unwrap()).unwrap();
    for (text, row) in texts.iter().zip(&rows) {
        assert_eq!(*row, json!({ "text": text, "number": i64::MIN, "moment": "2025-10-24T18:00:05" }));
    }
    assert_eq!(rows[1_000], json!({ "text": null, "number": null, "moment": null }));
}

/// A workbook and the XML of its worksheet.
fn workbook(rows: &[[Cell; 3]]) -> (Vec<u8>, String, u64) {
    let folder = tempfile::tempdir().unwrap();
    let columns =
        [Column::new("text", "Text"), Column::new("number", "Number").width(9), Column::new("moment", "=Moment")];
    let mut table = TableWriter::new(Format::Xlsx, Vec::new(), &columns, false, folder.path()).unwrap();
    for row in rows {
        table.row(row).unwrap();
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the buffer file has no name");
    let truncated = table.truncated();
    let bytes = table.finish().unwrap();
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(&bytes)).unwrap();
    let xml = std::io::read_to_string(zip.by_name("xl/worksheets/sheet1.xml").unwrap()).unwrap();
    (bytes, xml, truncated)
}

#[test]
fn workbook_has_typed_cells_and_a_frozen_header() {
    let time: jiff::civil::DateTime = "2025-10-24T18:00:00".parse().unwrap();
    let texts = ["=1+1", "+91 98470 12345", "0091", "@SUM(1)", "മലയാളം\nലൈൻ", "_x0041_", "<&>\"", " blank "];
    let mut rows: Vec<[Cell; 3]> =
        texts.iter().map(|text| [Cell::text(*text), Cell::Number(92), Cell::DateTime(time)]).collect();
    let early = "1850-01-01T00:00:00".parse().unwrap();
    rows.push([Cell::Empty, Cell::Number(i64::MAX), Cell::DateTime(early)]);
    let (bytes, xml, truncated) = workbook(&rows);
    assert_eq!(truncated, 0);
    assert!(!xml.contains("<f>") && !xml.contains("<f "), "no cell is a formula");
    assert!(xml.contains("state=\"frozen\"") && xml.contains("ySplit=\"1\""), "{xml}");
    let read = sheet::read(&bytes, "a.xlsx", &sheet::Limits::default()).unwrap();
    assert_eq!(read.header, ["Text", "Number", "=Moment"]);
    for (text, row) in texts.iter().zip(&read.rows) {
        assert_eq!(row.cells, [*text, "92", "2025-10-24 18:00"]);
    }
    assert_eq!(read.rows[texts.len()].cells, ["", "9223372036854775807", "1850-01-01T00:00:00"]);
}

#[test]
fn too_long_workbook_texts_are_truncated_and_counted() {
    let long = "𝒳".repeat(20_000);
    let row = |text: &str| [Cell::text(text), Cell::Empty, Cell::Empty];
    let (bytes, _, truncated) = workbook(&[row(&long), row(&"a".repeat(32_767))]);
    assert_eq!(truncated, 1);
    let limits = sheet::Limits { cell_bytes: 1 << 20, ..sheet::Limits::default() };
    let read = sheet::read(&bytes, "a.xlsx", &limits).unwrap();
    assert_eq!(read.rows[0].cells[0], "𝒳".repeat(16_383));
    assert_eq!(read.rows[1].cells[0].len(), 32_767);
}

/// Spreadsheet programs differ; LibreOffice is tested if it is installed.
#[test]
fn libreoffice_reads_escaped_formulas_as_text() {
    let office = std::process::Command::new("soffice").arg("--version").output();
    if office.is_err() {
        println!("skipped: soffice is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let texts = ["=1+1", "+91 98470 12345", "-1", "@SUM(1)", "\t=1+1", "＝1+1"].map(str::to_owned);
    std::fs::write(folder.path().join("in.csv"), csv(&texts)).unwrap();
    let profile = format!("-env:UserInstallation=file://{}/profile", folder.path().display());
    let output = std::process::Command::new("soffice")
        .args([&profile, "--headless", "--infilter=CSV:44,34,76", "--convert-to", "xlsx", "in.csv"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success());
    let bytes = std::fs::read(folder.path().join("in.xlsx")).unwrap();
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(&bytes)).unwrap();
    let xml = std::io::read_to_string(zip.by_name("xl/worksheets/sheet1.xml").unwrap()).unwrap();
    assert!(!xml.contains("<f"), "a cell became a formula");
    let read = sheet::read(&bytes, "in.xlsx", &sheet::Limits::default()).unwrap();
    for (text, row) in texts.iter().zip(&read.rows) {
        assert_eq!(unescape_formula(&row.cells[0]).trim(), text.trim());
    }
}

#[test]
fn spreadsheet_cells_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let time: jiff::civil::DateTime = "2025-10-24T18:00:00".parse().unwrap();
    let columns = [Column::new("text", "=Text & <b>"), Column::new("number", "Number"), Column::new("time", "Time")];
    let mut table = TableWriter::new(Format::Ods, Vec::new(), &columns, false, folder.path()).unwrap();
    let long = "word ".repeat(12_000) + ".";
    let texts = [
        "=1+1",
        "'=1",
        "'tis",
        "0091",
        "-",
        "NA",
        "മലയാളം\n\nലൈൻ",
        "<&>\"]]>",
        "  two  spaces ",
        "a\tb",
        &long,
        "ന്\u{200d}",
    ];
    for text in texts {
        table.row(&[Cell::text(text), Cell::Number(-92), Cell::DateTime(time)]).unwrap();
    }
    table.row(&[Cell::Empty, Cell::Number(i64::MAX), Cell::Empty]).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the buffer file has no name");
    let bytes = table.finish().unwrap();
    assert_eq!(&bytes[30..84], b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet");
    let sheet = sheet::read(&bytes, "a.ods", &sheet::Limits::default()).unwrap();
    assert_eq!(sheet.header, ["=Text & <b>", "Number", "Time"]);
    for (text, row) in texts.iter().zip(&sheet.rows) {
        assert_eq!(row.cells, [*text, "-92", "2025-10-24 18:00"]);
    }
    assert_eq!(sheet.rows[texts.len()].cells, ["", &i64::MAX.to_string(), ""]);
}

/// A text as a field stores it: on trimmed lines, without control characters.
fn stored_text() -> impl Strategy<Value = String> {
    let hard = [
        "-",
        "NA",
        "'",
        "'=1",
        "''=1",
        "=1+1",
        "0091",
        "1.0",
        "TRUE",
        "2025-10-24",
        "\"a",
        "a,b;c\td|e",
        "one\n\ntwo",
        "\u{200f}שלום",
        "👩\u{200d}👩\u{200d}👧",
        "അവന്\u{200d}",
        "_x0041_",
        "]]>&amp;<b>",
        "a  b\u{a0}c",
        "sep=;",
        "#REF!",
    ];
    let long = "[a-z ,\"']{3000,9000}";
    let text = prop_oneof![4 => proptest::sample::select(hard.to_vec()).prop_map(str::to_owned), 4 => any::<String>(), 1 => long];
    let stored = text.prop_map(|text| {
        let text = text.replace(|c: char| c.is_control() && c != '\n' || matches!(c, '\u{fffe}' | '\u{ffff}'), "");
        text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').to_owned()
    });
    // Quotation marks alone in a cell are ditto marks.
    stored.prop_filter("ditto marks", |text| {
        let has_mark = text.contains(['"', '”', '″', '〃']) || text.contains("''");
        !has_mark || text.contains(char::is_alphanumeric)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_format_returns_the_texts_that_were_written(
        rows in proptest::collection::vec((stored_text(), stored_text()), 1..12)
    ) {
        let folder = tempfile::tempdir().unwrap();
        let columns = [Column::new("number", "Number"), Column::new("one", "One"), Column::new("two", "Two")];
        for format in Format::ALL {
            let write = || {
                let mut table = TableWriter::new(format, Vec::new(), &columns, true, folder.path()).unwrap();
                for (number, (one, two)) in (0..).zip(&rows) {
                    let cell = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty()).into();
                    table.row(&[Cell::Number(number), cell(one), cell(two)]).unwrap();
                }
                table.finish().unwrap()
            };
            let bytes = write();
            prop_assert!(bytes == write(), "{:?}: the same table is the same file", format);
            let sheet = sheet::read(&bytes, "list", &sheet::Limits::default()).unwrap();
            let read: Vec<Vec<String>> = sheet.rows.iter().map(|row| row.cells.iter().map(str::to_owned).collect()).collect();
            let is_csv = format == Format::Csv;
            let text = |cell: &String| if is_csv { unescape_formula(cell).to_owned() } else { cell.clone() };
            let read: Vec<Vec<String>> = read.iter().map(|row| row.iter().map(text).collect()).collect();
            let expected: Vec<Vec<String>> =
                (0..).zip(&rows).map(|(number, (one, two)): (u64, _)| vec![number.to_string(), one.clone(), two.clone()]).collect();
            prop_assert_eq!(read, expected, "{:?}", format);
        }
    }
}
