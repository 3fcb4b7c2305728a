//! Tests of the table reader.

use std::io::{Cursor, Write};

use encoding_rs::{EUC_KR, GBK, SHIFT_JIS, WINDOWS_1252};

use super::*;

fn limits() -> Limits {
    Limits::default()
}

fn read_bytes(bytes: &[u8]) -> Result<Sheet, SheetError> {
    read(bytes, "list.csv", &limits())
}

fn read_text(text: &str) -> Sheet {
    read_bytes(text.as_bytes()).unwrap()
}

fn refused(bytes: &[u8]) -> String {
    read_bytes(bytes).unwrap_err().to_string()
}

fn lines(sheet: &Sheet) -> Vec<u64> {
    sheet.rows.iter().map(|row| row.line).collect()
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn rows_have_the_line_numbers_of_the_file() {
    for end in ["\n", "\r\n", "\r"] {
        let text = "a,b\n\n1,\"one\ntwo\"\n,\n2,\"say \"\"x\"\"\"\n\n3,".replace('\n', end);
        let sheet = read_text(&text);
        assert_eq!(lines(&sheet), [3, 6, 8], "{end:?}");
        assert_eq!(sheet.rows[0].cells, ["1", "one\ntwo"]);
        assert_eq!(sheet.rows[1].cells, ["2", "say \"x\""]);
        assert_eq!(sheet.rows[2].cells, ["3", ""]);
    }
}

#[test]
fn delimiter_is_the_one_that_splits_evenly() {
    for (text, delimiter) in [
        ("a,b\n1,2\n", Some(',')),
        ("a;b\nx, y, z;2\nu, v, w;3\n", Some(';')),
        ("a\tb\tc\n1,5\t2,5\t3,5\n", Some('\t')),
        ("a|b\n1|2\n", Some('|')),
        // One comma in every row, semicolons in all but one: that row is wrong, not the delimiter.
        ("name;year;genre\nx;2000;a, b\ny;2001;a, c\nz;2002;a, d\n", Some(';')),
        ("\"a;b;c\",d\n\"1;2;3\",4\n", Some(',')),
        ("no;code,title,year\n1;a,x,2000\n2;b,y,2001\n", Some(',')),
        ("title\nOne, two\nThree, four, five\nSix\n", None),
        ("title\nOne\nTwo\n", None),
        ("sep=;\r\na;b\r\n1;2\r\n", Some(';')),
    ] {
        assert_eq!(read_text(text).delimiter, delimiter, "{text:?}");
    }
    let declared = read_text("sep=;\na;b\n1;2\n");
    assert_eq!((declared.header_line, declared.header, declared.rows[0].line), (2, vec!["a".into(), "b".into()], 3));
}

#[test]
fn encodings_are_detected() {
    let hindi = "शीर्षक,साल\nनदी,2025\n";
    let mut with_bom = vec![0xef, 0xbb, 0xbf];
    with_bom.extend(hindi.as_bytes());
    assert_eq!(read_bytes(&with_bom).unwrap(), read_text(hindi));
    for (encoding, bom, bytes) in [
        ("UTF-16LE", [0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]),
        ("UTF-16BE", [0xfe, 0xff], u16::to_be_bytes),
    ] {
        let plain = utf16(hindi, bytes);
        let with_bom = [&bom[..], &plain].concat();
        for bytes in [plain, with_bom] {
            let sheet = read_bytes(&bytes).unwrap();
            assert_eq!((sheet.encoding, &sheet.rows), (encoding, &read_text(hindi).rows));
        }
    }
    for (encoding, text) in [
        (WINDOWS_1252, "Nom;Réalisateur\nLa forêt;Zoé Béliveau\nL’été;Jérôme Noël\n"),
        (GBK, "片名,导演\n纸船的夏天,王小雨\n没有灯的街道,李明\n远山与邻居,张大伟\n"),
        (SHIFT_JIS, "題名,監督\n雨の町の物語,山田はなこ\nさくらのある風景,鈴木たろう\n"),
        (EUC_KR, "제목,감독\n비 오는 마을,김하나\n작은 배의 여름,이두리\n"),
    ] {
        let (bytes, ..) = encoding.encode(text);
        let sheet = read_bytes(&bytes).unwrap();
        assert_eq!((sheet.encoding, &sheet.rows), (encoding.name(), &read_text(text).rows));
    }
}

/// A single invalid byte must not make a UTF-8 file be decoded as a legacy encoding.
#[test]
fn text_that_was_encoded_twice_is_mended() {
    let garbled = |text: &str| WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned();
    let titles = ["Pärnu", "മഴയുടെ വഴി", "Niño – “años”", "雨🌧"];
    let rows: String = titles.iter().map(|title| format!("{},2025\n", garbled(title))).collect();
    let sheet = read_text(&format!("{},year\n{rows}", garbled("പേര്")));
    assert_eq!(sheet.header, ["പേര്", "year"]);
    assert_eq!(sheet.rows.iter().map(|row| &row.cells[0]).collect::<Vec<_>>(), titles);
    assert_eq!(notes(&sheet), [(Some(2), "\"PÃ¤rnu\" was read as \"Pärnu\"; 4 cells had such letters")]);

    let by_byte: String = "മഴ".bytes().map(char::from).collect();
    assert_eq!(&read_text(&format!("title,year\n{by_byte},2025\n")).rows[0].cells[0], "മഴ");
    let sheet = read_text("title,year\nഒന്ന് Â¥,2025\nPÃ¤rnu,2025\nñ,2025\n");
    assert_eq!((&sheet.rows[1].cells[0], sheet.notes.len()), ("PÃ¤rnu", 0), "others are as they should be");
    for title in ["Pärnu", "CAFÉ™", "« CINÉ »", "Ã la carte", "ÅÄÖ", "മഴ", "São Paulo", "à´®à´´ മഴ"]
    {
        let sheet = read_text(&format!("title,year\n{title},2025\n"));
        assert_eq!((&sheet.rows[0].cells[0], sheet.notes.len()), (title, 0));
    }
}

#[test]
fn invalid_bytes_are_reported_with_their_line() {
    let mut bytes = "शीर्षक,साल\nनदी,2025\nपहाड़,2024\n".as_bytes().to_vec();
    bytes.extend(b"\xff,2023\n");
    assert_eq!(
        refused(&bytes),
        "line 4 holds bytes that are no UTF-8 text; open the list in the program it comes from and save it as CSV UTF-8"
    );
    assert!(refused(b"a,b\n\0\0\x01,\0\n").contains("binary data"));
}

#[test]
fn unbalanced_quotes_are_reported_with_their_line() {
    assert!(
        refused(b"a,b\n1,2\n3,\"open\n4,5\n").starts_with("line 3: a quotation mark opens a cell and is never closed")
    );
    assert!(refused(b"a,b\n1,2\n\"x\" y,3\n").starts_with("line 3: text follows a closing quotation mark"));
    // Within an unquoted cell a quote is an ordinary character: feet, inches, minutes.
    assert_eq!(read_text("a,b\n5\" disc,22'\n").rows[0].cells, ["5\" disc", "22'"]);
}

/// What Word and browsers copy separates cells by tabs and quotes none.
#[test]
fn lists_whose_lines_are_quoted_as_a_whole_are_read() {
    let sheet = read_text("\"title,year\"\r\n\"\"\"Rain, The\"\",2025\"\r\n\r\n\"Sun,2024\"\r\n");
    assert_eq!(
        (&*sheet.header, sheet.rows[0].cells.get(0)),
        (&["title", "year"].map(str::to_owned)[..], Some("Rain, The"))
    );
    assert_eq!((lines(&sheet), &sheet.rows[1].cells[1]), (vec![2, 4], "2024"));
    let column = read_text("\"title\"\n\"One, two\"\n\"Three, four\"\n\"Six\"\n");
    assert_eq!((column.header.len(), &column.rows[0].cells[0]), (1, "One, two"));
}

#[test]
fn quotation_marks_in_lists_with_tabs_belong_to_the_text() {
    let cells = |text: &str| -> Vec<String> {
        read_text(text).rows.iter().map(|row| row.cells.iter().collect::<Vec<_>>().join("|")).collect()
    };
    assert_eq!(cells("a\tb\n\"Jade\" Road\t1\n\"Kelvin\t2\n"), ["\"Jade\" Road|1", "\"Kelvin|2"]);
    assert_eq!(cells("a\tb\tc\n\"Kelvin\tx\t1\nLost\ty\t2\nOne\"\tz\t3\n"), ["\"Kelvin|x|1", "Lost|y|2", "One\"|z|3"]);
    // Spreadsheets quote cells with line breaks.
    assert_eq!(cells("a\tb\n\"River\nbank\"\t\"say \"\"x\"\"\"\n"), ["River\nbank|say \"x\""]);
}

#[test]
fn ragged_rows_are_reported_with_lines_and_counts() {
    let mut text = String::from("a,b\n1,2\n\n1,2,3\n1\n1,2,\n");
    assert_eq!(
        refused(text.as_bytes()),
        "the header has 2 cells, but line 4 has 3, line 5 has 1; put quotation marks around cells that contain the delimiter, or save the list as .xlsx"
    );
    text += &"1,2,3\n".repeat(20);
    text += &"1,2\n".repeat(60);
    assert!(
        refused(text.as_bytes()).contains("line 14 has 3 and 12 more rows do not fit either; put"),
        "{}",
        refused(text.as_bytes())
    );
}

fn is_known(header: &str) -> bool {
    ["title", "title english", "title original", "director", "year", "titel", "regie", "jahr"]
        .contains(&header.to_lowercase().as_str())
}

fn arranged(text: &str) -> Result<Sheet, SheetError> {
    let expected = Expected { known: &is_known, ..Expected::default() };
    read_within(text.as_bytes(), "list.csv", &limits(), &expected, &limits().budget(&Cancellation::default()))
}

fn notes(sheet: &Sheet) -> Vec<(Option<u64>, &str)> {
    sheet.notes.iter().map(|note| (note.line, note.text.as_str())).collect()
}

#[test]
fn header_is_found_below_title_rows_and_in_two_lines() {
    let sheet = arranged("Festival 2026;;\nas of May\n\nTitle;Director;Year\nRiver;Uma;2025\n").unwrap();
    assert_eq!((sheet.header_line, lines(&sheet)), (4, vec![5]));
    assert_eq!(notes(&sheet), [(None, "the header is in line 4; 2 rows above it were left out")]);
    let sheet = arranged("Title;;Year;Notes\nEnglish;Original;;\nRiver;Nadi;2025;x\n").unwrap();
    assert_eq!(sheet.header, ["Title English", "Title Original", "Year", "Notes"]);
    assert_eq!((sheet.rows[0].line, notes(&sheet)), (3, vec![(Some(1), "the header has two lines")]));
    // Without a known header, the first row is the header; without any header, nothing is searched.
    assert_eq!(arranged("a;b\nc;d\n").unwrap().header, ["a", "b"]);
    let expected = Expected { known: &is_known, has_header: false, ..Expected::default() };
    let text = b"River;Uma;2025\nTitle;Director;Year\n";
    let sheet = read_within(text, "", &limits(), &expected, &limits().budget(&Cancellation::default())).unwrap();
    assert_eq!((sheet.header_line, sheet.rows.len()), (1, 1));
}

#[test]
fn repeated_headers_are_left_out() {
    let text = "Title;Director;Year\nRiver;Uma;2025\nTitle;Director;Year\nTitel;Regie;Jahr\nTitle;Uma;2024\n";
    let sheet = arranged(text).unwrap();
    assert_eq!(lines(&sheet), [2, 5]);
    let note = "repeats the header and was left out";
    assert_eq!(notes(&sheet), [(Some(3), note), (Some(4), note)]);
}

#[test]
fn short_rows_are_completed_unless_they_are_halves() {
    let sheet = arranged("Title;Director;Year;Notes\nRiver;Uma\nHill;Ravi;2024\nSky;Uma;2023;;;\n").unwrap();
    assert_eq!(sheet.rows[0].cells, ["River", "Uma", "", ""]);
    assert_eq!(sheet.rows[2].cells.len(), 4);
    let note = "2 rows have fewer cells than the header (line 2, 3); the last ones count as empty";
    assert_eq!(notes(&sheet), [(None, note)]);
    let whole = "Lake;Uma;2020;x\n".repeat(5);
    let cut = format!("Title;Director;Year;Notes\n{whole}River;Uma\nRao;2025;x\n");
    assert_eq!(
        arranged(&cut).unwrap_err(),
        SheetError::Ragged {
            expected: 4,
            rows: vec![RaggedRow { line: 7, cells: 2 }, RaggedRow { line: 8, cells: 3 }],
            total: 2
        }
    );
}

#[test]
fn the_worksheet_that_fits_is_read() {
    let table = |name: &str, rows: &[&[&str]]| {
        let cell = |text: &&str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
        let row = |cells: &&[&str]| {
            format!("<table:table-row>{}</table:table-row>", cells.iter().map(cell).collect::<String>())
        };
        format!("<table:table table:name=\"{name}\">{}</table:table>", rows.iter().map(row).collect::<String>())
    };
    let guests = table("Guests", &[&["Name", "Country"], &["Uma", "India"]]);
    let films = table("Films", &[&["All films"], &["Title", "Year"], &["River", "2025"]]);
    let ods = spreadsheet("", &(guests + &films));
    let from = |worksheet: Option<&str>| {
        let expected = Expected { known: &is_known, worksheet, has_header: true };
        read_within(&ods, "list.ods", &limits(), &expected, &limits().budget(&Cancellation::default()))
    };
    let sheet = from(None).unwrap();
    assert_eq!((sheet.worksheet.as_deref(), &*sheet.other_worksheets), (Some("Films"), &["Guests".to_owned()][..]));
    assert_eq!((sheet.header_line, &sheet.rows[0].cells), (2, &["River", "2025"].into_iter().collect()));
    assert_eq!(from(Some("guests")).unwrap().rows[0].cells, ["Uma", "India"]);
    assert_eq!(
        from(Some("Film")).unwrap_err().to_string(),
        "there is no worksheet \"Film\"; the worksheets are \"Guests\", \"Films\""
    );
}

#[test]
fn other_kinds_of_files_are_rejected_by_name() {
    for (bytes, kind) in [
        (&b"%PDF-1.7 x"[..], "a PDF"),
        (b"\x89PNG\r\n\x1a\n", "an image"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel or Word file, or one with a password"),
        (b"<!DOCTYPE html><table></table>", "a web page or XML"),
        (b"\x1f\x8b\x08", "a packed file"),
        (b"PK\x03\x04nonsense", "a damaged archive or workbook"),
    ] {
        let sentence = read(bytes, "my list.bin", &limits()).unwrap_err().to_string();
        assert!(sentence.starts_with(&format!("my list.bin is {kind}, not a table; ")), "{sentence}");
    }
    for (part, kind) in [
        ("content.xml", "an OpenDocument text or drawing"),
        ("word/document.xml", "a Word document"),
        ("photo.jpg", "a packed file"),
    ] {
        let bytes = archive(&[("mimetype", b"x".to_vec()), (part, b"x".to_vec())]);
        assert!(refused(&bytes).starts_with(&format!("list.csv is {kind}")));
    }
    for nothing in [&b""[..], b" \r\n ", b"\xef\xbb\xbf"] {
        assert_eq!(read_bytes(nothing), Err(SheetError::Empty));
    }
}

#[test]
fn json_lists_are_flattened() {
    let list = "[\n {\"title\": {\"en\": \"Lamp\", \"fi\": \"Lamppu\"}, \"year\": 2024, \"cut\": true},\n {\"year\": null,\n \
                \"title\": {\"en\": \"Quay\"}, \"directors\": [{\"name\": \"Ido Pell\"}, {\"name\": \"Runa, Sast\"}], \"tags\": [\"a\", \"b\"]}\n]";
    let expected = ["title.en", "title.fi", "year", "cut", "directors.name", "tags"];
    let in_utf16 = utf16(list, u16::to_le_bytes);
    let bom: Vec<u8> = [0xff, 0xfe].into_iter().chain(in_utf16).collect();
    for bytes in [list.as_bytes().to_vec(), format!("\u{feff}{list}").into_bytes(), bom] {
        let sheet = read_bytes(&bytes).unwrap();
        assert_eq!((sheet.format, sheet.header_line, lines(&sheet)), (Format::Json, 2, vec![2, 3]));
        assert_eq!(sheet.header, expected);
        assert_eq!(sheet.rows[0].cells, ["Lamp", "Lamppu", "2024", "true", "", ""]);
        assert_eq!(sheet.rows[1].cells, ["Quay", "", "", "", "Ido Pell, Runa, Sast", "a, b"]);
    }
    let wrapped = read_text(r#"[{"node":{"item":{"a":1,"b.c":2}}},{"node":{"item":{"a":3}}}]"#);
    assert_eq!(wrapped.header, ["a", "b.c"]);
    assert_eq!(read_text(r#"[{"title":{"en":1}},{"title":{"en":2}}]"#).header, ["title.en"]);
    let parts = read_text(
        r#"[{"by": [{"first_name": "Uma", "last_name": "Rao"}, {"first": "Ido", "middle": null, "last": "Pell"}],
             "runtime": {"hours": 1, "minutes": 32, "seconds": 0}, "first": "a", "last": "b"}]"#,
    );
    assert_eq!(parts.header, ["by", "runtime", "first", "last"]);
    assert_eq!(parts.rows[0].cells, ["Uma Rao, Ido Pell", "1h 32m", "a", "b"]);
}

#[test]
fn json_list_is_found_inside_objects_or_line_by_line() {
    let inside = r#"{"meta": {"ids": [1, 2, 3]}, "data": {"venues": [{"a": "x"}], "films": [{"a": "1"}, {"a": "2"}]}}"#;
    for text in [inside, "{\"a\": \"1\"}\n{\"a\": \"2\"}\n"] {
        let rows = read_text(text).rows;
        let cells: Vec<_> = rows.iter().flat_map(|row| row.cells.iter()).collect();
        assert_eq!(cells, ["1", "2"], "{text}");
    }
    for text in ["[]", "[1, 2]", "[{}, 1]", "{\"a\": 1}", "[[{\"a\": 1}]]"] {
        assert!(refused(text.as_bytes()).starts_with("the JSON file contains no list of objects"), "{text}");
    }
    let message = refused(b"[\n{\"a\": 1},\n{\"b\": oops}\n]");
    assert!(message.starts_with("line 3: the file is not valid JSON"), "{message}");
    assert_eq!(lines(&read_text(r#"[{"a":1},{"a":2},{"a":3}]"#)), [1, 2, 3]);
    assert_eq!(lines(&read_text("[{\"a\":1},\n{\"a\":2},{\"a\":3}]")), [1, 2, 2]);
}

#[test]
fn json_memory_and_size_are_limited() {
    let many_columns = (0..201).map(|n| format!("\"c{n}\": 1")).collect::<Vec<_>>().join(",");
    assert!(refused(format!("[{{{many_columns}}}]").as_bytes()).contains("201 columns"));
    // Comparing all of these keys with one another would take a minute.
    let many_keys = (0..200_000).map(|n| format!("\"{n}\":1")).collect::<Vec<_>>().join(",");
    assert!(refused(format!("[{{{many_keys}}}]").as_bytes()).contains("201 columns"));
    let deep = format!("[{{\"a\": {}1{}}}]", "[".repeat(100_000), "]".repeat(100_000));
    assert!(refused(deep.as_bytes()).contains("not valid JSON"), "{}", refused(deep.as_bytes()));
    let objects = format!("[{{\"a\": [{}1]}}]", "{},".repeat(4_000_000));
    assert_eq!(read_bytes(objects.as_bytes()), Err(SheetError::BudgetExceeded));
}

#[test]
fn limits_are_enforced() {
    let small =
        Limits { file_bytes: 60, unpacked_bytes: 1000, rows: 2, columns: 3, cells: 8, cell_bytes: 10, ..limits() };
    let refused = |text: &str| read(text.as_bytes(), "", &small).unwrap_err().to_string();
    assert!(read(b"a,b\n1,2\n3,4\n", "", &small).is_ok());
    assert!(refused("a,b\n1,2\n3,4\n5,6\n").starts_with("the table has more than 2 rows or 8 cells"));
    assert!(refused("a,b,c\n1,2,3\n4,5,6\n").starts_with("the table has more than 2 rows or 8 cells"));
    assert!(refused("a,b,c,d\n1,2,3,4\n").starts_with("line 1 has 4 columns, the limit is 3"));
    assert!(refused("a,b\n1,\"0123456789A\"\n").starts_with("line 2, column 2: the cell is larger than 10 bytes"));
    assert!(refused(&"a,b\n".repeat(16)).starts_with("the file has 64 bytes, the limit is 60 bytes"));
}

#[test]
fn without_header_turns_the_first_row_into_data() {
    let sheet = read_text("\n1,x\n2,y\n").without_header();
    assert_eq!(sheet.header, ["#1", "#2"]);
    assert_eq!(lines(&sheet), [2, 3]);
}

fn archive(parts: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A minimal workbook of one worksheet with these XML rows.
fn workbook(rows: &str) -> Vec<u8> {
    let relations = "http://schemas.openxmlformats.org/package/2006/relationships";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let part = |text: String| text.into_bytes();
    archive(&[
        (
            "_rels/.rels",
            part(format!(
                "<Relationships xmlns=\"{relations}\"><Relationship Id=\"r1\" Type=\"{office}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            )),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            part(format!(
                "<Relationships xmlns=\"{relations}\"><Relationship Id=\"r1\" Type=\"{office}/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
            )),
        ),
        (
            "xl/workbook.xml",
            part(format!(
                "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets><sheet name=\"List\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
            )),
        ),
        (
            "xl/worksheets/sheet1.xml",
            part(format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>")),
        ),
    ])
}

fn cell(at: &str, text: &str) -> String {
    format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
}

#[test]
fn workbook_cells_are_read_as_displayed() {
    let rows = format!(
        "<row r=\"2\">{}{}{}</row><row r=\"5\"><c r=\"A5\"><v>2025</v></c><c r=\"B5\"><v>92.5</v></c><c r=\"D5\" t=\"e\"><v>#REF!</v></c></row>",
        cell("A2", "year"),
        cell("B2", "length"),
        cell("C2", "title")
    );
    let sheet = read_bytes(&workbook(&rows)).unwrap();
    assert_eq!((sheet.format, sheet.worksheet.as_deref(), sheet.header_line), (Format::Xlsx, Some("List"), 2));
    assert_eq!(sheet.header, ["year", "length", "title", ""]);
    assert_eq!((sheet.rows.len(), sheet.rows[0].line), (1, 5));
    assert_eq!(sheet.rows[0].cells, ["2025", "92.5", "", "#REF!"]);
}

/// A spreadsheet of these tables and styles.
fn spreadsheet(styles: &str, tables: &str) -> Vec<u8> {
    let media_type = b"application/vnd.oasis.opendocument.spreadsheet".to_vec();
    let names = ["office", "style", "table", "text", "dc"].map(|name| format!(" xmlns:{name}=\"urn:{name}\"")).concat();
    let content = format!(
        "<?xml version=\"1.0\"?><office:document-content{names}><office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    );
    archive(&[("mimetype", media_type), ("content.xml", content.into_bytes())])
}

#[test]
fn spreadsheet_cells_are_read_as_displayed() {
    let hidden = "<style:style style:name=\"ta2\" style:family=\"table\"><style:table-properties table:display=\"false\"/></style:style>";
    let text = |text: &str| format!("<table:table-cell office:value-type=\"string\">{text}</table:table-cell>");
    let value = |kind: &str, name: &str, value: &str| {
        format!(
            "<table:table-cell office:value-type=\"{kind}\" office:{name}=\"{value}\"><text:p>shown</text:p></table:table-cell>"
        )
    };
    let row = |cells: &[String]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let tables = [
        format!("<table:table table:name=\"Old\" table:style-name=\"ta2\">{}</table:table>", row(&[text("<text:p>a</text:p>"), text("<text:p>b</text:p>")])),
        format!("<table:table table:name=\"Notes\">{}</table:table>", row(&[text("<text:p>a note</text:p>")])),
        "<table:table table:name=\"List\"><table:table-header-rows>".to_owned(),
        row(&["year", "length", "title", "date", "start", "open"].map(|name| text(&format!("<text:p>{name}</text:p>")))),
        "</table:table-header-rows><table:table-row table:number-rows-repeated=\"3\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>".to_owned(),
        row(&[
            value("float", "value", "2025"),
            "<table:table-cell/>".to_owned(),
            text("<office:annotation><text:p>not this</text:p></office:annotation><text:p>Tom<text:s text:c=\"2\"/>&amp; J&#233;r<text:span>ôme</text:span></text:p><text:p>line two</text:p>"),
            value("date", "date-value", "2025-10-26T20:30:00"),
            value("time", "time-value", "PT01H32M05S"),
            value("boolean", "boolean-value", "true"),
        ]),
        "<table:table-row table:number-rows-repeated=\"2\"><table:table-cell table:number-columns-repeated=\"2\" office:value-type=\"string\"><text:p>x</text:p></table:table-cell></table:table-row>".to_owned(),
        "<table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row></table:table>".to_owned(),
    ];
    let sheet = read_bytes(&spreadsheet(hidden, &tables.concat())).unwrap();
    assert_eq!((sheet.format, sheet.worksheet.as_deref(), sheet.header_line), (Format::Ods, Some("List"), 1));
    assert_eq!(sheet.header, ["year", "length", "title", "date", "start", "open"]);
    assert_eq!(lines(&sheet), [5, 6, 7]);
    assert_eq!(sheet.rows[0].cells, ["2025", "", "Tom  & Jérôme\nline two", "2025-10-26 20:30", "1:32:05", "TRUE"]);
    assert_eq!(sheet.rows[1].cells, ["x", "x", "", "", "", ""]);
}

#[test]
fn spreadsheet_memory_is_limited() {
    let cell = |repeats: &str| {
        format!(
            "<table:table-cell table:number-columns-repeated=\"{repeats}\" office:value-type=\"string\"><text:p>x</text:p></table:table-cell>"
        )
    };
    let table = |rows: &str, cells: &str| {
        format!(
            "<table:table table:name=\"a\"><table:table-row table:number-rows-repeated=\"{rows}\">{cells}</table:table-row></table:table>"
        )
    };
    for (rows, columns, expected) in [
        ("1", "18446744073709551615", "line 1 has 18446744073709551615 columns"),
        ("18446744073709551615", "2", "the table has more than 100000 rows"),
        ("1048576", "100", "the table has more than 100000 rows or 2000000 cells"),
    ] {
        let message = refused(&spreadsheet("", &table(rows, &cell(columns))));
        assert!(message.starts_with(expected), "{message}");
    }
    let spaces = "<table:table-cell><text:p>x<text:s text:c=\"4000000000\"/>y</text:p></table:table-cell>";
    assert!(refused(&spreadsheet("", &table("1", spaces))).contains("the cell is larger than 66 kB"));
    let small = Limits { unpacked_bytes: 1_000_000, ..limits() };
    let bomb = spreadsheet(&"<style:style/>".repeat(200_000), "");
    assert_eq!(read(&bomb, "", &small), Err(SheetError::UnpackedTooLarge { limit: 1_000_000 }));
    let many = spreadsheet("", &table("1", &spaces.replace("4000000000", "60000").repeat(5_000)));
    assert!(many.len() < 100_000);
    assert!(read_bytes(&many).is_err());
    for length in (0..many.len()).step_by(997) {
        drop(read_bytes(&many[..length]));
    }
}

#[test]
fn workbook_memory_is_limited() {
    // A cell at the far end of the sheet, and a million spaces that compress to a few bytes.
    let far = format!("<row r=\"1\">{}</row><row r=\"1048576\">{}</row>", cell("A1", "a"), cell("XFD1048576", "z"));
    assert!(refused(&workbook(&far)).starts_with("line 1048576 has 16384 columns, the limit is 200"));
    let bomb = workbook(&" ".repeat(2_000_000));
    assert!(bomb.len() < 20_000);
    let small = Limits { unpacked_bytes: 1_000_000, ..limits() };
    assert!(
        read(&bomb, "", &small)
            .unwrap_err()
            .to_string()
            .starts_with("the workbook is larger than 1.0 MB when unpacked")
    );
    assert_eq!(read_bytes(&workbook("")), Err(SheetError::NoWorksheet));
}

#[test]
fn damaged_workbooks_never_panic() {
    let good = workbook(&format!("<row r=\"1\">{}{}</row>", cell("A1", "a"), cell("B1", "b")));
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 0x55;
        let _ = read_bytes(&bytes);
        let _ = read_bytes(&good[..at]);
    }
}

/// Spreadsheets name a section or a day once, in a cell that is merged over its rows.
#[test]
fn cells_that_are_merged_downwards_are_repeated() {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let worksheet = workbook.add_worksheet();
    let long = "a very long text ".repeat(20);
    for (row, cells) in [
        ["Section", "Title", "Notes"],
        ["", "Ghost Lane", ""],
        ["Retro", "Howl Pier", ""],
        ["", "Iron Nap", ""],
        ["", "Jade Clock", ""],
    ]
    .iter()
    .enumerate()
    {
        for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            worksheet.write(row as u32, column as u16, *cell).unwrap();
        }
    }
    let format = rust_xlsxwriter::Format::new();
    worksheet.merge_range(2, 0, 3, 0, "Retro", &format).unwrap();
    worksheet.merge_range(1, 2, 4, 2, &long, &format).unwrap();
    let bytes = workbook.save_to_buffer().unwrap();
    let sheet = read(&bytes, "list.xlsx", &Limits::default()).unwrap();
    let sections: Vec<&str> = sheet.rows.iter().map(|row| &row.cells[0]).collect();
    assert_eq!(sections, ["", "Retro", "Retro", ""]);
    let notes: Vec<bool> = sheet.rows.iter().map(|row| row.cells.get(2) == Some(&long)).collect();
    assert_eq!(notes, [true, false, false, false], "a long text is there once");

    let cell = |text: &str, rows: usize| {
        format!("<table:table-cell table:number-rows-spanned=\"{rows}\"><text:p>{text}</text:p></table:table-cell>")
    };
    let rows = [
        [cell("Section", 1), cell("Title", 1)],
        [cell("Retro", 2), cell("Howl Pier", 1)],
        ["<table:covered-table-cell/>".to_owned(), cell("Iron Nap", 1)],
        ["<table:table-cell/>".to_owned(), cell("Jade Clock", 4_000_000_000)],
    ];
    let rows = rows.map(|cells| format!("<table:table-row>{}</table:table-row>", cells.concat()));
    let tables = format!("<table:table table:name=\"List\">{}</table:table>", rows.concat());
    let sheet = read_bytes(&spreadsheet("", &tables)).unwrap();
    let sections: Vec<&str> = sheet.rows.iter().map(|row| &row.cells[0]).collect();
    assert_eq!(sections, ["Retro", "Retro", ""]);
}
