//! Made-up lists in the formats of festivals and databases.

use super::*;

fn read(bytes: &[u8], name: &str, category: Option<&str>) -> ParsedSheet {
    let sheet = read_bytes(bytes, name).unwrap();
    let list = read_films(sheet, &options(category, &[])).unwrap();
    assert_eq!(list.errors, [], "{name}");
    list
}

#[test]
fn a_list_with_26_directors_and_na_everywhere_is_read() {
    let columns = |name: &str, count: usize| (1..=count).map(|n| format!("{name}.{n}")).collect::<Vec<_>>().join(",");
    let mut csv = format!("title,original.title,year,runtime,{},{}\n", columns("director", 26), columns("country", 7));
    for film in 0..9_000 {
        let directors: Vec<String> = (0..26)
            .map(
                |n| if n <= film % 3 || n == 25 && film == 8_999 { format!("Uma {film} {n}") } else { "NA".to_owned() },
            )
            .collect();
        let countries = ["India", "NA", "NA", "NA", "NA", "NA", if film % 2 == 0 { "NA" } else { "Nepal" }];
        let runtime = if film % 5 == 0 { "NA".to_owned() } else { format!("{} min", 60 + film % 60) };
        csv +=
            &format!("Film {film},NA,{},{runtime},{},{}\n", 1960 + film % 60, directors.join(","), countries.join(","));
    }
    let list = read(csv.as_bytes(), "list.csv", Some("Main"));
    assert_eq!((list.rows.len(), &*list.notes), (9_000, &[] as &[String]));
    assert_eq!(&list.rows[1].values["director_name"], "Uma 1 0, Uma 1 1");
    // 8,999 leaves 2 when divided by 3.
    assert_eq!(&list.rows[8_999].values["director_name"], "Uma 8999 0, Uma 8999 1, Uma 8999 2, Uma 8999 25");
    assert_eq!(column(&list.rows[..2], "country"), ["India", "India, Nepal"]);
    assert_eq!(column(&list.rows[..2], "duration_minutes"), ["", "61"]);
    assert!(list.rows.iter().all(|row| !row.values.contains_key("original_title")));
}

#[test]
fn a_list_with_dirty_years_is_read() {
    let years = ["1975", "1975.", "\u{a0}1975\u{a0}", "©1975", "c. 1975", "1975-76", "(1975)", ""];
    let mut csv = String::from("Title;Director;Year;Country\n");
    for film in 0..18_000 {
        csv += &format!("Film\u{a0}{film};Uma\u{a0}Rao;{};India\n", years[film % years.len()]);
    }
    let list = read(csv.as_bytes(), "list.csv", Some("Main"));
    assert_eq!(list.rows.len(), 18_000);
    assert_eq!((&list.rows[7].values["name"], &list.rows[7].values["director_name"]), ("Film 7", "Uma Rao"));
    assert_eq!(column(&list.rows[..8], "year"), ["1975", "1975", "1975", "1975", "1975", "1975", "1975", ""]);
    assert_eq!(list.notes, ["line 6: Year: \"c. 1975\" was read as 1975, and 4499 more like it"]);
}

/// A spreadsheet with these tables.
fn ods(tables: &[(&str, &[&[&str]])]) -> Vec<u8> {
    use std::io::Write as _;
    let names = ["office", "table", "text"].map(|name| format!(" xmlns:{name}=\"urn:{name}\"")).concat();
    let mut xml = format!("<office:document-content{names}><office:body><office:spreadsheet>");
    for (name, rows) in tables {
        xml += &format!("<table:table table:name=\"{name}\">");
        for row in *rows {
            let cell = |text: &&str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
            xml += &format!("<table:table-row>{}</table:table-row>", row.iter().map(cell).collect::<String>());
        }
        xml += "</table:table>";
    }
    xml += "</office:spreadsheet></office:body></office:document-content>";
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let media_type = "application/vnd.oasis.opendocument.spreadsheet";
    for (part, text) in [("mimetype", media_type), ("content.xml", &xml)] {
        zip.start_file(part, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_spreadsheet_with_two_sheets_and_a_repeated_header_is_read() {
    let guests: &[&[&str]] = &[&["Name", "Country", "E-mail"], &["Uma Rao", "India", "u@example.org"]];
    let films: &[&[&str]] = &[
        &["Selection 2026"],
        &["Title", "Title", "Dir.", "Mins", "Section"],
        &["River", "नदी", "Uma Rao", "92′", "Asian"],
        &["Title", "Title", "Dir.", "Mins", "Section"],
        &["Hill", "", "Ravi Nair", "1h32", "World"],
    ];
    let workbook = ods(&[("Guests", guests), ("Films", films)]);
    let sheet = read_bytes(&workbook, "list.ods").unwrap();
    assert_eq!((sheet.worksheet.as_deref(), &*sheet.other_worksheets), (Some("Films"), &["Guests".to_owned()][..]));
    let list = read(&workbook, "list.ods", None);
    assert_eq!(column(&list.rows, "name"), ["River", "Hill"]);
    assert_eq!(column(&list.rows, "duration_minutes"), ["92", "92"]);
    assert_eq!(
        list.notes,
        ["the header is in line 2; 1 row above it was left out", "line 4: repeats the header and was left out"]
    );
}

#[test]
fn a_big5_list_with_chinese_headers_is_read() {
    let text = "片名,導演,年份,片長,國家,監製\n紙船的夏天,王小雨,2024,92分鐘,台灣,陳大文\n沒有燈的街道,李明,2023,1小時45分,香港,\n\
                遠山與鄰居,張大偉,2022,88,台灣,林小姐\n";
    let (bytes, ..) = encoding_rs::BIG5.encode(text);
    let list = read(&bytes, "list.csv", Some("華語"));
    assert_eq!(read_bytes(&bytes, "list.csv").unwrap().encoding, "Big5");
    assert_eq!(column(&list.rows, "name"), ["紙船的夏天", "沒有燈的街道", "遠山與鄰居"]);
    assert_eq!(column(&list.rows, "duration_minutes"), ["92", "105", "88"]);
    assert_eq!(column(&list.rows, "producer_name"), ["陳大文", "", "林小姐"]);
}

#[test]
fn a_turkish_template_with_short_rows_is_read() {
    let text = "FİLM LİSTESİ\n\nFilmin Adı;Yönetmen;Yapım Yılı;Süre (dk);Ülke;Bölüm;Özet\nIrmak;Ayşe Işık;2024;92;Türkiye;Dünya\n\
                Tepe;Işıl Öz;2023\nGök;;2022;88 dk;Türkiye;Dünya;Bir gün.\n";
    let list = read(text.as_bytes(), "list.csv", Some("Ana"));
    assert_eq!(column(&list.rows, "director_name"), ["Ayşe Işık", "Işıl Öz", ""]);
    assert_eq!(column(&list.rows, "category"), ["Dünya", "Ana", "Dünya"]);
    assert_eq!(column(&list.rows, "synopsis"), ["", "", "Bir gün."]);
    assert_eq!(
        list.notes,
        [
            "the header is in line 3; 1 row above it was left out",
            "2 rows have fewer cells than the header (line 4, 5); the last ones count as empty"
        ]
    );
}

/// What FilmFreeway and Festhome export; columns that a film does not need are not read.
#[test]
fn exports_of_submission_platforms_are_read() {
    let csv = "First Name,Last Name,Email,Project Title,Project Title (Original Language),Synopsis,Duration,Country of Origin,Language,\
               Completion Date,Directors,Writers,Producers,Key Cast,Submission Categories,Country,Tracking Number\n\
               Uma,Rao,u@example.org,River,नदी,It flows.,01:24:37,India,Hindi,\"April 25, 2025\",\"Uma Rao, Ravi Nair\",Uma Rao,Anna,\
               Orla Finch,Shorts,Sweden,AB-1\n";
    let list = read(csv.as_bytes(), "filmfreeway.csv", None);
    let film = film(&list.rows, "River");
    for (field, value) in [
        ("original_title", "नदी"),
        ("duration_minutes", "85"),
        ("country", "India"),
        ("year", "2025"),
        ("director_name", "Uma Rao, Ravi Nair"),
        ("category", "Shorts"),
        ("cast_details", "Orla Finch"),
    ] {
        assert_eq!(&film[field], value, "{field}");
    }
    assert!(!format!("{list:?}").contains("example.org"));
    let csv = "Film title;Original title;Director/s;Production country;Production year;Duration (min);Film language;Section;Contact;Phone\n\
               River;Nadi;Uma Rao;India;2025;92;Hindi;Shorts;Uma;1\n";
    let list = read(csv.as_bytes(), "festhome.csv", None);
    assert_eq!(list.rows[0].values.iter().count(), 8);
}
