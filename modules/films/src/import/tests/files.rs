//! Whole files: encodings, delimiters, workbooks, and lists that are refused.

use super::*;

fn list(name: &str, options: &Options) -> FilmList {
    let list = read_films(read_file(&fixture(name)).unwrap(), options).unwrap();
    assert_eq!(list.report.errors, [], "{name}");
    list
}

#[test]
fn the_same_list_in_two_encodings() {
    let utf8 = list("films_utf8_bom_crlf.csv", &options(None, &[]));
    let utf16 = list("films_utf16le_tab.txt", &options(None, &[]));
    assert_eq!((utf8.report.encoding, utf8.report.delimiter), ("UTF-8", Some(',')));
    assert_eq!((utf16.report.encoding, utf16.report.delimiter), ("UTF-16LE", Some('\t')));
    assert_eq!(utf8.rows, utf16.rows);
    // The synopsis of the first film has two lines.
    let lines: Vec<u64> = utf8.rows.iter().map(|row| row.line).collect();
    assert_eq!(lines, [2, 4, 5, 6, 7, 8]);
    let lamp = film(&utf8.rows, "LAMP, UNLIT");
    assert_eq!(
        *lamp,
        FilmValues {
            name: "LAMP, UNLIT".into(),
            original_title: Some("വിളക്ക്".into()),
            director_name: Some("IDO PELL, RUNA SAST".into()),
            category: "World Cinema".into(),
            country: Some("FRANCE, INDIA".into()),
            year: Some(2024),
            duration_minutes: Some(120),
            language: Some("French, Malayalam".into()),
            synopsis: Some("She said \"wait\" and the lamp went out.".into()),
            cast_details: Some("Orla Finch".into()),
            ..FilmValues::default()
        }
    );
    let boat = film(&utf8.rows, "THE PAPER BOAT");
    assert_eq!(boat.synopsis.as_deref(), Some("A child folds a letter.\nThe river reads it."));
    // Importing it again changes nothing, also from the other file.
    let there: Vec<ExistingFilm> =
        (1..).zip(&utf8.rows).map(|(id, row)| ExistingFilm { id, values: row.values.clone() }).collect();
    assert_eq!(plan(&there, &utf16.rows), (1..=6).map(Action::Unchanged).collect::<Vec<_>>());
}

#[test]
fn french_in_latin_1() {
    let list = list("films_fr_latin1_semicolon.csv", &options(None, &[]));
    assert_eq!((list.report.encoding, list.report.delimiter), ("windows-1252", Some(';')));
    let quay = film(&list.rows, "Le Quai aux Étoiles");
    assert_eq!(quay.director_name.as_deref(), Some("Élodie Varre, Jean Sorné"));
    assert_eq!(quay.duration_minutes, Some(92));
    assert_eq!(film(&list.rows, "Trois, quatre, cinq").duration_minutes, Some(105));
}

#[test]
fn a_workbook() {
    let list = list("films.xlsx", &options(None, &[]));
    assert_eq!((list.report.worksheet.as_deref(), list.report.header_line), (Some("Films"), Some(3)));
    let seen: Vec<_> = list
        .rows
        .iter()
        .map(|row| {
            let values = &row.values;
            (row.line, values.name.as_str(), values.country.as_deref(), values.year, values.duration_minutes)
        })
        .collect();
    assert_eq!(
        seen,
        [
            (4, "Glass Orchard", Some("France"), Some(2025), Some(92)),
            (6, "1917", Some("India"), Some(2024), Some(105)),
            (7, "Two Lines", None, Some(1999), Some(101)),
        ]
    );
    assert_eq!(film(&list.rows, "Two Lines").director_name.as_deref(), Some("陳小雨"));
}

#[test]
fn chinese_without_a_header() {
    let sheet = read_file(&fixture("no_header_gbk.csv")).unwrap();
    assert_eq!(sheet.encoding, "GBK");
    let error = read_films(sheet, &options(Some("Main"), &[])).unwrap_err();
    assert!(matches!(error, ImportError::NoHeader { .. }), "{error}");
    let mut with = options(Some("Main"), &["name=#2", "year=#3"]);
    with.no_header = true;
    let list = list("no_header_gbk.csv", &with);
    assert_eq!(list.rows.len(), 5);
    assert_eq!(film(&list.rows, "没有灯的街道").year, Some(2021));
    assert_eq!(list.report.header_line, None);
}

#[test]
fn running_times_as_printed() {
    let list = list("runtimes_as_printed.csv", &options(Some("Shorts"), &[]));
    let minutes: Vec<_> = list.rows.iter().map(|row| row.values.duration_minutes.unwrap()).collect();
    assert_eq!(minutes, [20, 42, 22, 34, 55, 60, 23, 28]);
    assert_eq!(film(&list.rows, "Blue Reed").country.as_deref(), Some("Peru, Bolivia"));
}

#[test]
fn refused_files() {
    let error = read_file(&fixture("ragged_latin1.csv")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the header has 4 cells, but line 2 has 5, line 4 has 6; put quotation marks around cells that contain the delimiter, or save the list as .xlsx"
    );
    let festivals = read_file(&fixture("festivals_not_films.csv")).unwrap();
    let error = read_films(festivals, &options(Some("Main"), &[])).unwrap_err();
    assert!(matches!(error, ImportError::NotFilms { .. }), "{error}");
}

#[test]
fn a_header_without_films() {
    let list = list("sender_columns_header_only.csv", &options(None, &[]));
    assert_eq!(list.rows, []);
    assert_eq!(list.report.warnings[0].to_string(), "there are no films in it, only a header");
    let personal: Vec<_> = list
        .report
        .ignored
        .iter()
        .filter(|column| column.reason == Reason::Personal)
        .map(|column| column.header.as_str())
        .collect();
    assert_eq!(personal, ["First Name", "Last Name", "Birthdate", "Email", "Phone", "Address"]);
    assert_eq!(understood(&list.report)[4], "country=Country of Origin");
}

/// Twenty thousand films in a moment: the rest of the time is the database's.
#[test]
fn many_films() {
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
    let there: Vec<ExistingFilm> =
        (1..).zip(&list.rows).map(|(id, row)| ExistingFilm { id, values: row.values.clone() }).collect();
    let actions = plan(&there, &list.rows);
    println!("20,000 films read and planned in {:?}", start.elapsed());
    assert!(actions.iter().all(|action| matches!(action, Action::Unchanged(_))));
}
