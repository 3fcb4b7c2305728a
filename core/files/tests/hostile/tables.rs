//! Workbooks and other tables.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use festival_files::sheet::{self, Limits, Sheet, SheetError};
use zip::write::SimpleFileOptions;

use super::{alone, measured};

fn archive(parts: &[(&str, String)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default().compression_level(Some(1))).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A workbook of `sheets` worksheets that are all the same part, and additional parts.
fn workbook(sheets: usize, rows: &str, additional: &[(&str, String)]) -> Vec<u8> {
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
    parts.extend(additional.iter().cloned());
    archive(&parts)
}

/// Reads a table with a low limit of memory and returns the result and its peak memory in MB.
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
fn workbook_texts_are_limited() {
    let _alone = alone();
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
fn declared_workbook_sizes_are_not_trusted() {
    let _alone = alone();
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
fn workbook_styles_are_limited() {
    let _alone = alone();
    let formats = format!("<numFmts><numFmt numFmtId=\"200\" formatCode=\"{}\"/></numFmts>", "0".repeat(1_000_000));
    let xfs = "<xf numFmtId=\"200\"/>".repeat(1000);
    let styles = format!("<styleSheet>{formats}<cellXfs>{xfs}</cellXfs></styleSheet>");
    let (read, peak) = read(&workbook(1, CELL, &[("xl/styles.xml", styles), strings(1, "a", "")]));
    assert!(is_too_large(read));
    assert!(peak < 100, "{peak} MB");
}

#[test]
fn archive_with_too_many_parts_is_rejected() {
    let _alone = alone();
    let names: Vec<_> = (0..40_000).map(|number| number.to_string()).collect();
    let parts: Vec<_> = names.iter().map(|name| (name.as_str(), String::new())).collect();
    let (read, peak) = read(&archive(&parts));
    assert!(read.is_err());
    assert!(peak < 100, "{peak} MB");
}

#[test]
fn repeated_reading_of_a_worksheet_is_limited() {
    let _alone = alone();
    let (read, _) = read(&workbook(300, &" ".repeat(10_000_000), &[]));
    assert!(is_too_large(read));
}

#[test]
fn endless_line_of_cells_is_rejected_in_little_memory() {
    let _alone = alone();
    let (read, peak) = read("a,".repeat(2 << 20).as_bytes());
    assert!(matches!(read, Err(SheetError::TooManyColumns { columns: 2_097_153, .. })), "{:?}", read.err());
    assert!(peak < 20, "{peak} MB");
}

#[test]
fn padding_of_short_rows_takes_little_memory() {
    let _alone = alone();
    let wide = format!("<row>{}</row>", "<c><v>1</v></c>".repeat(200));
    let (read, peak) = read(&workbook(1, &(wide + &"<row><c><v>1</v></c></row>".repeat(20_000)), &[]));
    let sheet = read.unwrap();
    assert_eq!((sheet.rows.len(), sheet.rows[9_999].cells.len()), (20_000, 200));
    assert!(peak < 100, "{peak} MB");
}

#[test]
fn largest_tables_are_read() {
    let _alone = alone();
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
