//! Workbooks and spreadsheets.

use std::io::{Cursor, Write};

use super::*;

pub(super) fn archive(parts: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A minimal workbook of one worksheet with these XML rows.
fn workbook(rows: &str) -> Vec<u8> {
    formatted(rows, &[])
}

/// The same; cells of the style 1 have the first of these number formats.
fn formatted(rows: &str, formats: &[&str]) -> Vec<u8> {
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
                "<Relationships xmlns=\"{relations}\"><Relationship Id=\"r1\" Type=\"{office}/worksheet\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"r2\" Type=\"{office}/styles\" Target=\"styles.xml\"/></Relationships>"
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
        ("xl/styles.xml", {
            let codes = (200..).zip(formats);
            let format = |(id, code): (u32, &&str)| format!("<numFmt numFmtId=\"{id}\" formatCode=\"{code}\"/>");
            let style = |(id, _): (u32, &&str)| format!("<xf numFmtId=\"{id}\" applyNumberFormat=\"1\"/>");
            part(format!(
                "<styleSheet xmlns=\"{main}\"><numFmts>{}</numFmts><cellXfs><xf numFmtId=\"0\"/>{}</cellXfs></styleSheet>",
                codes.clone().map(format).collect::<String>(),
                codes.map(style).collect::<String>()
            ))
        }),
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

#[test]
fn number_format_of_a_cell_decides_how_it_is_read() {
    let formats = ["0.00", "000", "h:mm", "[h]:mm:ss", "dd/mm/yyyy", "yyyy-mm-dd hh:mm"];
    let read = |style: usize, value: &str| {
        let rows = format!(
            "<row r=\"1\">{}{}</row><row r=\"2\">{}<c r=\"B2\" s=\"{style}\"><v>{value}</v></c></row>",
            cell("A1", "title"),
            cell("B1", "value"),
            cell("A2", "River")
        );
        read_bytes(&formatted(&rows, &formats)).unwrap().rows[0].cells[1].to_owned()
    };
    for (style, value, expected) in [
        (1, "9.300000000000001", "9.30"),
        (1, "18.3", "18.30"),
        (1, "2024", "2024.00"),
        (1, "92.456", "92.456"),
        (2, "7", "007"),
        (0, "9.3", "9.3"),
        (0, "0.7708333333333334", "0.770833333333333"),
        (3, "0.770833333333333", "18:30"),
        (3, "0.77083", "18:30"),
        (4, "0.21875", "5:15:00"),
        (4, "3.854166666666667", "92:30"),
        (5, "46368", "2026-12-12"),
        (5, "2024", "2024"),
        (5, "98", "98"),
        (6, "46368.77083", "2026-12-12 18:30"),
        (6, "46368.77135416667", "2026-12-12 18:30:45"),
        (6, "46368.77094907407", "2026-12-12 18:30"),
    ] {
        assert_eq!(read(style, value), expected, "{value} as {}", [&["General"], &formats[..]].concat()[style]);
    }
}

#[test]
fn workbook_dates_that_are_written_as_text_have_no_time_zone() {
    let date = |at: &str, value: &str| format!("<c r=\"{at}\" t=\"d\"><v>{value}</v></c>");
    let rows = format!(
        "<row r=\"1\">{}{}</row><row r=\"2\">{}{}</row><row r=\"3\">{}{}</row>",
        cell("A1", "begins"),
        cell("B1", "day"),
        date("A2", "2026-12-12T18:30:00.000Z"),
        date("B2", "2026-12-12T00:00:00Z"),
        date("A3", "2026-12-12T18:30:00"),
        date("B3", "2026-12-12"),
    );
    let sheet = read_bytes(&workbook(&rows)).unwrap();
    assert_eq!(sheet.rows[0].cells, ["2026-12-12 18:30", "2026-12-12"]);
    assert_eq!(sheet.rows[1].cells, ["2026-12-12 18:30", "2026-12-12"]);
}

#[test]
fn formulas_without_a_stored_value_are_named() {
    let rows = format!(
        "<row r=\"1\">{}{}</row><row r=\"2\">{}<c r=\"B2\"><f>60+45</f><v/></c></row><row r=\"3\">{}<c r=\"B3\"><f>1+1</f><v>2</v></c></row>",
        cell("A1", "title"),
        cell("B1", "length"),
        cell("A2", "River"),
        cell("A3", "Hill"),
    );
    let sheet = read_bytes(&workbook(&rows)).unwrap();
    let notes: Vec<String> = sheet.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "line 2: B2 has the formula =60+45 without its value and counts as empty; open the workbook in a spreadsheet program \
          and save it again"
        ]
    );
    assert_eq!(sheet.rows[1].cells, ["Hill", "2"]);
}

#[test]
fn spaces_between_runs_of_formatted_text_are_kept() {
    let rich = "<c r=\"A2\" t=\"inlineStr\"><is><r><rPr><b/></rPr><t>Bold</t></r><r><t> rest</t></r></is></c>";
    let rows = format!(
        "<row r=\"1\">{}{}</row><row r=\"2\">{rich}{}</row>",
        cell("A1", "title"),
        cell("B1", "year"),
        cell("B2", "2024")
    );
    assert_eq!(read_bytes(&workbook(&rows)).unwrap().rows[0].cells, ["Bold rest", "2024"]);
}

#[test]
fn errors_of_newer_programs_are_read_like_others() {
    let error = |name: &str, text: &str| format!("<c r=\"{name}\" t=\"e\"><v>{text}</v></c>");
    let rows = format!(
        "<row r=\"1\">{}{}{}</row><row r=\"2\">{}{}{}</row>",
        cell("A1", "title"),
        cell("B1", "year"),
        cell("C1", "notes"),
        cell("A2", "River"),
        error("B2", "#SPILL!"),
        error("C2", "#REF!")
    );
    assert_eq!(read_bytes(&workbook(&rows)).unwrap().rows[0].cells, ["River", "#SPILL!", "#REF!"]);
}

#[test]
fn spreadsheet_cells_are_read_with_the_digits_that_they_show() {
    let value = |attributes: &str, shown: &str| {
        let cell = format!("<table:table-cell {attributes}><text:p>{shown}</text:p></table:table-cell>");
        let text = |text: &str| {
            format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
        };
        let table = format!(
            "<table:table table:name=\"List\"><table:table-row>{}{}</table:table-row><table:table-row>{}{cell}</table:table-row></table:table>",
            text("title"),
            text("value"),
            text("River")
        );
        read_bytes(&spreadsheet("", &table)).unwrap().rows[0].cells[1].to_owned()
    };
    let float = |value: &str| format!("office:value-type=\"float\" office:value=\"{value}\"");
    assert_eq!(value(&float("9.3"), "9.30"), "9.30");
    assert_eq!(value(&float("9.3"), "9,30"), "9.30");
    assert_eq!(value(&float("7"), "007"), "007");
    assert_eq!(value(&float("92.456"), "92"), "92.456", "no digit is cut");
    let time = |value: &str| format!("office:value-type=\"time\" office:time-value=\"{value}\"");
    assert_eq!(value(&time("PT05H15M00S"), "05:15:00"), "5:15:00");
    assert_eq!(value(&time("PT05H15M00S"), "05:15"), "5:15");
    let date = |value: &str| format!("office:value-type=\"date\" office:date-value=\"{value}\"");
    assert_eq!(value(&date("2026-12-12T18:29:59.9"), "18:30"), "2026-12-12 18:30");
    assert_eq!(value(&date("2026-12-12T23:59:59"), "23:59:59"), "2026-12-12 23:59:59", "the same day");
    assert_eq!(value(&date("2026-12-12T23:59:59.9"), "00:00"), "2026-12-13");
    assert_eq!(value(&date("1905-07-16"), "16/07/1905"), "2024", "a year in a cell for dates");
}

/// A spreadsheet of these tables and styles.
pub(super) fn spreadsheet(styles: &str, tables: &str) -> Vec<u8> {
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
fn hidden_rows_and_columns_are_read_and_named() {
    let note = "lines 2, 4 and the column \"price\": hidden in the spreadsheet, but read; delete there what is not to be imported";
    let row = |number: usize, attributes: &str, cells: [&str; 2]| {
        let cells = [cell(&format!("A{number}"), cells[0]), cell(&format!("B{number}"), cells[1])].concat();
        format!("<row r=\"{number}\"{attributes}>{cells}</row>")
    };
    let hidden = " hidden=\"1\"";
    let rows = [
        row(1, "", ["title", "price"]),
        row(2, hidden, ["River", "10"]),
        row(3, " hidden=\"0\"", ["Sea", "20"]),
        row(4, hidden, ["Lake", "30"]),
        format!("<row r=\"5\"{hidden}/></sheetData><cols><col min=\"2\" max=\"16384\"{hidden}/></cols><sheetData>"),
    ];
    let sheet = read_bytes(&workbook(&rows.concat())).unwrap();
    assert_eq!(lines(&sheet), [2, 3, 4]);
    assert_eq!(notes(&sheet), [(None, note)]);
    assert!(notes(&read_bytes(&workbook(&rows[..1].concat())).unwrap()).is_empty());

    let row = |attributes: &str, cells: [&str; 2]| {
        let cell = |text: &str| {
            format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
        };
        format!("<table:table-row{attributes}>{}</table:table-row>", cells.map(cell).concat())
    };
    let filtered = " table:visibility=\"filter\"";
    let rows = [
        "<table:table-column/><table:table-column table:visibility=\"collapse\" table:number-columns-repeated=\"16383\"/>"
            .to_owned(),
        row("", ["title", "price"]),
        row(filtered, ["River", "10"]),
        row("", ["Sea", "20"]),
        row(filtered, ["Lake", "30"]),
        format!("<table:table-row{filtered}/>"),
    ];
    let table = format!("<table:table table:name=\"List\">{}</table:table>", rows.concat());
    let sheet = read_bytes(&spreadsheet("", &table)).unwrap();
    assert_eq!(lines(&sheet), [2, 3, 4]);
    assert_eq!(notes(&sheet), [(None, note)]);
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
