//! Tests of the table reader.

mod json;
mod workbook;

use encoding_rs::{EUC_KR, GBK, MACINTOSH, SHIFT_JIS, WINDOWS_1252};

use super::*;
use workbook::{archive, spreadsheet};

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

/// Excel on a Macintosh writes CSV in letters that the detector does not know.
#[test]
fn letters_of_the_macintosh_are_detected() {
    let list = "Title,Director\nÉté,José Niño\n";
    let (bytes, ..) = MACINTOSH.encode(list);
    let sheet = read(&bytes, "a.csv", &Limits::default()).unwrap();
    assert_eq!((sheet.encoding, &sheet.rows), ("macintosh", &read_text(list).rows));
    for western in ["Title,Director\nÉté,José Niño\n", "Title,Director\nRock–Roll,It’s “Ann”™\n"] {
        let (bytes, ..) = WINDOWS_1252.encode(western);
        let sheet = read(&bytes, "a.csv", &Limits::default()).unwrap();
        assert_eq!((sheet.encoding, &sheet.rows), ("windows-1252", &read_text(western).rows));
    }
}

/// A single invalid byte must not cause a UTF-8 file to be decoded as a legacy encoding.
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

/// Text copied from Word or browsers separates cells by tabs and quotes none.
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
        refused(text.as_bytes())
            .contains("line 14 has 3 and 12 more rows do not fit either; their cells contain the delimiter"),
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
fn rows_of_a_text_have_any_length_if_the_caller_says_so() {
    let expected = Expected { known: &is_known, has_header: false, is_uneven: true, ..Expected::default() };
    let text = b"Festival;Kochi\nTitle;Director;Year\nRiver;Uma;2025\nPage 1\n";
    let sheet = read_within(text, "", &limits(), &expected, &limits().budget(&Cancellation::default())).unwrap();
    assert_eq!((sheet.header.len(), sheet.rows.len()), (3, 3));
    assert_eq!(sheet.rows[1].cells, ["River", "Uma", "2025"]);
}

#[test]
fn repeated_headers_are_left_out() {
    let text = "Title;Director;Year\nRiver;Uma;2025\nTitle;Director;Year\nTitel;Regie;Jahr\nTitle;Uma;2024\n";
    let sheet = arranged(text).unwrap();
    assert_eq!(lines(&sheet), [2, 5]);
    let note = "repeats the header and was left out";
    assert_eq!(notes(&sheet), [(Some(3), note), (Some(4), note)]);
    // Values would come into the wrong columns.
    let error = arranged("Title;Director;Year\nRiver;Uma;2025\nDirector;Title;Year\nRavi;Hill;2024\n").unwrap_err();
    assert_eq!(error, SheetError::SecondHeader { line: 3 });
}

#[test]
fn ditto_marks_repeat_the_values_above_them() {
    let sheet = arranged("Title;Director;Year\nRiver;Uma;2025\nHill;-do-;-Do-\nSky;〃;2024\nDo;Ravi;\n").unwrap();
    let cells: Vec<Vec<&str>> = sheet.rows.iter().map(|row| row.cells.iter().collect()).collect();
    assert_eq!(cells[1..], [["Hill", "Uma", "2025"], ["Sky", "Uma", "2024"], ["Do", "Ravi", ""]]);
    let note = "has ditto marks, read as the values above them, and 1 more like it";
    assert_eq!(notes(&sheet), [(Some(3), note)]);
    for mark in ["-do-", "- do -", "–do–", "..Do..", "\"", "”", "''", "- \" -"] {
        let cell = mark.replace('"', "\"\"");
        let sheet = arranged(&format!("Title;Director;Year\nRiver;Uma;2025\nHill;\"{cell}\";2024\n")).unwrap();
        assert_eq!(sheet.rows[1].cells.get(1), Some("Uma"), "{mark}");
    }
    let sheet = arranged("Title;Director;Year\nRiver;Uma;2025\nDo.;-;...\n").unwrap();
    assert_eq!(sheet.rows[1].cells.iter().collect::<Vec<_>>(), ["Do.", "-", "..."]);
}

#[test]
fn heading_is_the_only_cell_of_the_row_above_the_header() {
    let heading = |text: &str| arranged(text).unwrap().heading;
    assert_eq!(
        heading("Festival;;\n26 October;;\nTitle;Director;Year\nRiver;Uma;2025\n").as_deref(),
        Some("26 October")
    );
    assert_eq!(heading("26 October;Hall 1;\nTitle;Director;Year\nRiver;Uma;2025\n"), None);
    assert_eq!(heading("Title;Director;Year\nRiver;Uma;2025\n"), None);
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
fn best_fitting_worksheet_is_read() {
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
        let expected = Expected { known: &is_known, worksheet, ..Expected::default() };
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

/// What SheetJS writes in India with `cellDates: true` (findings/sheetjs-ods-moments.sh).
#[test]
fn moments_of_a_spreadsheet_in_utc_are_those_of_the_zone() {
    let cell = |value: &str| {
        format!(
            "<table:table-cell office:value-type=\"date\" office:date-value=\"{value}\"><text:p/></table:table-cell>"
        )
    };
    let text = |text: &str| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
    };
    let rows = [
        text("Day") + &text("Start"),
        cell("2026-11-29T18:30:00.000Z") + &cell("2026-11-30T13:00:00.000Z"),
        cell("2026-11-30") + &text("18:30 Z"),
    ];
    let rows = rows.map(|row| format!("<table:table-row>{row}</table:table-row>")).concat();
    let bytes = spreadsheet("", &format!("<table:table table:name=\"List\">{rows}</table:table>"));
    let sheet =
        read(&bytes, "a.ods", &Limits::default()).unwrap().in_zone(&jiff::tz::TimeZone::get("Asia/Kolkata").unwrap());
    assert_eq!(sheet.rows[0].cells, ["2026-11-30", "2026-11-30 18:30"]);
    assert_eq!(sheet.rows[1].cells, ["2026-11-30", "18:30 Z"]);
}
