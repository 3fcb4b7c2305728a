//! Whole files: encodings, delimiters, workbooks, and lists that are refused.

use super::*;

fn list(name: &str, options: &ImportOptions) -> ParsedSheet {
    let list = read_films(read_file(&fixture(name)).unwrap(), options).unwrap();
    assert_eq!(list.errors, [], "{name}");
    list
}

#[test]
fn encoding_and_delimiter_do_not_change_the_films() {
    let utf8 = list("films_utf8_bom_crlf.csv", &options(None, &[]));
    let utf16 = list("films_utf16le_tab.txt", &options(None, &[]));
    let form = |name: &str| read_file(&fixture(name)).map(|sheet| (sheet.encoding, sheet.delimiter)).unwrap();
    assert_eq!(form("films_utf8_bom_crlf.csv"), ("UTF-8", Some(',')));
    assert_eq!(form("films_utf16le_tab.txt"), ("UTF-16LE", Some('\t')));
    assert_eq!(utf8.rows, utf16.rows);
    // The synopsis of the first film has two lines.
    let lines: Vec<u64> = utf8.rows.iter().map(|row| row.line).collect();
    assert_eq!(lines, [2, 4, 5, 6, 7, 8]);
    let lamp = [
        ("cast_details", "Orla Finch"),
        ("category", "World Cinema"),
        ("country", "FRANCE, INDIA"),
        ("director_name", "IDO PELL, RUNA SAST"),
        ("duration_minutes", "120"),
        ("language", "French, Malayalam"),
        ("name", "LAMP, UNLIT"),
        ("original_title", "വിളക്ക്"),
        ("synopsis", "She said \"wait\" and the lamp went out."),
        ("year", "2024"),
    ];
    let lamp: RowValues = lamp.into_iter().map(|(field, value)| (field, value.to_owned())).collect();
    assert_eq!(*film(&utf8.rows, "LAMP, UNLIT"), lamp);
    let boat = film(&utf8.rows, "THE PAPER BOAT");
    assert_eq!(&boat["synopsis"], "A child folds a letter.\nThe river reads it.");
    // Every row of the other file matches its film.
    assert_eq!(pair_rows(&utf8.rows, &utf16.rows), (0..6).map(Pair::Stored).collect::<Vec<_>>());
}

#[test]
fn a_latin_1_list_with_semicolons_is_read() {
    let list = list("films_fr_latin1_semicolon.csv", &options(None, &[]));
    let sheet = read_file(&fixture("films_fr_latin1_semicolon.csv")).unwrap();
    assert_eq!((sheet.encoding, sheet.delimiter), ("windows-1252", Some(';')));
    let quay = film(&list.rows, "Le Quai aux Étoiles");
    assert_eq!(&quay["director_name"], "Élodie Varre, Jean Sorné");
    assert_eq!(&quay["duration_minutes"], "92");
    assert_eq!(&film(&list.rows, "Trois, quatre, cinq")["duration_minutes"], "105");
}

#[test]
fn a_json_list_with_titles_in_two_languages_is_read() {
    let json = r#"{"films": [
        {"id": 7, "title": {"en": "The Lamp", "fi": "Lamppu"}, "director": ["Ido Pell", "Runa Sast"], "duration": "105 min",
         "description": {"en": "It goes out.", "fi": "Se sammuu."}, "screenings": [{"date": "2026-02-04T20:30"}]}
    ]}"#;
    let list = read_films(text(json), &options(Some("Main"), &[])).unwrap();
    assert_eq!(list.errors, []);
    let lamp = film(&list.rows, "The Lamp");
    for (field, value) in [
        ("original_title", "Lamppu"),
        ("director_name", "Ido Pell, Runa Sast"),
        ("duration_minutes", "105"),
        ("synopsis", "It goes out."),
    ] {
        assert_eq!(&lamp[field], value, "{field}");
    }
    let headers: Vec<&str> = left_out(&list).into_iter().map(|(header, _)| header).collect();
    assert_eq!(headers, ["description.fi", "screenings.date"]);
}

#[test]
fn a_workbook_is_read_from_below_its_heading() {
    let list = list("films.xlsx", &options(None, &[]));
    let sheet = read_file(&fixture("films.xlsx")).unwrap();
    assert_eq!((sheet.worksheet.as_deref(), sheet.header_line), (Some("Films"), 3));
    assert_eq!(list.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [4, 6, 7]);
    assert_eq!(column(&list.rows, "name"), ["Glass Orchard", "1917", "Two Lines"]);
    assert_eq!(column(&list.rows, "country"), ["France", "India", ""]);
    assert_eq!(column(&list.rows, "year"), ["2025", "2024", "1999"]);
    assert_eq!(column(&list.rows, "duration_minutes"), ["92", "105", "101"]);
    assert_eq!(&film(&list.rows, "Two Lines")["director_name"], "陳小雨");
}

#[test]
fn a_gbk_list_without_a_header_is_read_by_column_numbers() {
    let sheet = read_file(&fixture("no_header_gbk.csv")).unwrap();
    assert_eq!(sheet.encoding, "GBK");
    let error = read_films(sheet, &options(Some("Main"), &[])).unwrap_err();
    assert!(error.contains("looks like a film, not like a header"), "{error}");
    let mut with = options(Some("Main"), &["name=#2", "year=#3"]);
    with.no_header = true;
    let list = list("no_header_gbk.csv", &with);
    assert_eq!(list.rows.len(), 5);
    assert_eq!(&film(&list.rows, "没有灯的街道")["year"], "2021");
}

#[test]
fn printed_running_times_are_read() {
    let list = list("runtimes_as_printed.csv", &options(Some("Shorts"), &[]));
    assert_eq!(column(&list.rows, "duration_minutes"), ["20", "42", "22", "34", "55", "60", "23", "28"]);
    assert_eq!(&film(&list.rows, "Blue Reed")["country"], "Peru, Bolivia");
}

#[test]
fn ragged_and_unrelated_tables_are_refused() {
    let error = read_file(&fixture("ragged_latin1.csv")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the header has 4 cells, but line 2 has 5, line 4 has 6; put quotation marks around cells that contain the delimiter, or save the list as .xlsx"
    );
    let festivals = read_file(&fixture("festivals_not_films.csv")).unwrap();
    let error = read_films(festivals, &options(Some("Main"), &[])).unwrap_err();
    assert!(error.contains("does not look like a list of films"), "{error}");
}

#[test]
fn a_header_alone_is_an_empty_list() {
    let list = list("sender_columns_header_only.csv", &options(None, &[]));
    assert_eq!(list.rows, []);
    assert_eq!(list.notes[0], "there are no films in it, only a header");
    let personal = left_out(&list).into_iter().filter(|(_, why)| why.starts_with("personal data"));
    let personal: Vec<&str> = personal.map(|(header, _)| header).collect();
    assert_eq!(personal, ["First Name", "Last Name", "Birthdate", "Email", "Phone", "Address"]);
    assert!(understood(&list).contains(&"country=Country of Origin".to_owned()), "{:?}", understood(&list));
}

#[test]
fn twenty_thousand_films_are_read_and_paired() {
    let mut csv = String::from("Title,Original Title,Director,Country,Year,Duration,Section,Synopsis\n");
    for number in 0..20_000 {
        let synopsis = "A long day by the water. ".repeat(12);
        csv += &format!(
            "Film {number},ചിത്രം {number},Uma Rao {number},India,2025,1h 32m,Section {},\"{synopsis}\"\n",
            number % 20
        );
    }
    let start = std::time::Instant::now();
    let list = read_films(text(&csv), &options(None, &[])).unwrap();
    let pairs = pair_rows(&list.rows, &list.rows);
    println!("20,000 films read and paired in {:?}", start.elapsed());
    assert_eq!(pairs, (0..20_000).map(Pair::Stored).collect::<Vec<_>>());
}
