//! Values as people write them.

use festival_core::importing::duration;

use super::super::{cells, codes, country};
use super::*;

fn minutes(text: &str) -> Result<i64, String> {
    let (clock, _) = duration::clock("Duration", [text].into_iter());
    duration::minutes(text, clock)
}

#[test]
fn running_times_are_read_to_whole_minutes() {
    for (text, expected) in [
        ("1h 32m", 92),
        ("2h", 120),
        ("58m", 58),
        ("92 min", 92),
        ("105 minutes", 105),
        ("22'", 22),
        ("55’", 55),
        ("34m", 34),
        ("28", 28),
        ("1h32", 92),
        ("PT1H32M", 92),
        ("٩٢ دقيقة", 92),
        ("൯൨ മിനിറ്റ്", 92),
        ("90 mins.", 90),
        ("1 hr, 32 mins", 92),
        ("1 h. 32 min.", 92),
        ("1 hour and 32 minutes", 92),
        ("1:32:10", 92),
        ("0:58:40", 59),
        ("22' 30\"", 23),
        ("1h32'", 92),
        ("92.0", 92),
        ("1.5 hours", 90),
        ("1,5 h", 90),
        ("75'", 75),
        ("2 heures 5 minutes", 125),
        ("61′", 61),
        ("0:20:24", 20),
        ("20 sec", 1),
        ("1h 16m 40s", 77),
        ("1:45 h", 105),
        ("23:15'", 23),
        ("92 MIN", 92),
        ("14h 28m", 868),
        ("5520 s", 92),
        ("1 h 32", 92),
        ("01h 32m 10s", 92),
        ("92′", 92),
        ("92分钟", 92),
        ("1小时32分", 92),
        ("92 dk.", 92),
        ("1 ч 32 мин", 92),
    ] {
        assert_eq!(minutes(text), Ok(expected), "{text}");
    }
    for text in [
        "", "0", "1.32", "abc", "90 days", "16h", "1000", "1h 90m", "32m 1h", "20:75", "92:00:00", "1:2:3:4", "-90",
        "90 90", "h", "1h 2h",
    ] {
        assert!(minutes(text).is_err(), "{text}: {:?}", minutes(text));
    }
}

/// From 5:00 on they are minutes and seconds, below that hours and minutes; in a column with both the latter are
/// refused.
#[test]
fn the_column_decides_between_hours_and_minutes() {
    let read = |header: &str, cells: &[&str]| -> Vec<Result<i64, String>> {
        let (clock, _) = duration::clock(header, cells.iter().copied());
        cells.iter().map(|cell| duration::minutes(cell, clock)).collect()
    };
    assert_eq!(read("Duration", &["20:24", "5:10"]), [Ok(20), Ok(5)]);
    assert_eq!(read("Duration", &["01:45", "2:05"]), [Ok(105), Ok(125)]);
    assert_eq!(read("Duration (mm:ss)", &["01:45", "20:24"]), [Ok(2), Ok(20)]);
    assert_eq!(read("Duration (hh:mm)", &["01:45", "5:10"]), [Ok(105), Ok(310)]);
    let mixed = read("Duration", &["01:45", "20:24"]);
    assert_eq!(mixed[1], Ok(20));
    assert!(mixed[0].as_ref().is_err_and(|text| text.starts_with("1h 45m or 1 min 45 s")), "{mixed:?}");
}

#[test]
fn years_are_read_from_years_and_dates() {
    for (text, expected) in [
        ("2025", 2025),
        ("1880", 1880),
        ("2027", 2027),
        ("2025.0", 2025),
        ("2025-03-01", 2025),
        ("2025-03-01 10:00", 2025),
        ("01/03/2025", 2025),
        ("1.3.2025", 2025),
        ("2019.", 2019),
        ("©1999", 1999),
        ("(c) 1999", 1999),
        ("[2001]", 2001),
        ("2004年", 2004),
        ("2004-05", 2004),
        ("April 25, 2019", 2019),
        ("25 Apr 2019", 2019),
        ("२०२४", 2024),
        ("45717", 2025),
        ("2024[1]", 2024),
        ("2024.00", 2024),
        ("٢٠٢٤", 2024),
        ("２０２５", 2025),
    ] {
        assert_eq!(cells::year(text, 2026), Ok(cells::Year { year: expected, is_exact: text != "2004-05" }), "{text}");
    }
    for (text, expected) in [
        ("c. 1975", 1975),
        ("ca. 1975", 1975),
        ("1975-76", 1975),
        ("1975/1976", 1975),
        ("1999–00", 1999),
        ("2024 (premiere)", 2024),
    ] {
        assert_eq!(cells::year(text, 2026), Ok(cells::Year { year: expected, is_exact: false }), "{text}");
    }
    for text in [
        "1879",
        "2028",
        "2024-27",
        "2024/22",
        "25",
        "1975?",
        "1975 or 1976",
        "1990s",
        "20255",
        "March",
        "-2025",
        "+2025",
        "2019 (restored 2021)",
    ] {
        let error = cells::year(text, 2026).unwrap_err();
        assert_eq!(error, "one year from 1880 to 2027, for instance 2026", "{text}");
    }
}

#[test]
fn country_codes_and_flags_become_names() {
    for (text, expected) in [
        ("IT,FR", "Italy, France"),
        ("IN", "India"),
        ("🇫🇷 France", "France"),
        ("🇫🇷", "France"),
        ("🇫🇷🇧🇪", "France, Belgium"),
        ("Peru- Venezuela", "Peru, Venezuela"),
        ("Guinea-Bissau", "Guinea-Bissau"),
        ("Canada / China", "Canada, China"),
        ("Bosnia and Herzegovina", "Bosnia and Herzegovina"),
        ("Bosnia & Herzegovina", "Bosnia & Herzegovina"),
        ("Spain & Portugal", "Spain, Portugal"),
        ("D/A/CH", "Germany, Austria, Switzerland"),
        ("F/B", "France, Belgium"),
        ("UK/IRL", "UK, Ireland"),
        ("UK", "UK"),
        ("India | Nepal", "India, Nepal"),
        ("SU", "Soviet Union"),
        ("FRA, IND", "France, India"),
        ("in|np", "India, Nepal"),
        ("FRANCE, USA", "FRANCE, USA"),
        ("France, France, Italy", "France, Italy"),
        ("Congo - Kinshasa", "Congo - Kinshasa"),
        ("France - Congo - Brazzaville", "France, Congo - Brazzaville"),
    ] {
        assert_eq!(country::names(text), expected, "{text}");
    }
}

#[test]
fn language_codes_become_names() {
    for (text, expected) in [
        ("ml", "Malayalam"),
        ("EN; fra", "English, French"),
        ("ger/hi", "German, Hindi"),
        ("Ewe, Lao", "Ewe, Lao"),
        ("Hindi, ta", "Hindi, ta"),
        ("no", "no"),
        ("no, sv", "Norwegian, Swedish"),
        ("Hindi | Tamil", "Hindi, Tamil"),
    ] {
        assert_eq!(codes::languages(text), expected, "{text}");
    }
}

#[test]
fn names_are_joined_by_commas() {
    assert_eq!(cells::people("UMA RAO AND RAVI NAIR"), "UMA RAO, RAVI NAIR");
    assert_eq!(cells::people("Uma Rao & Ravi Nair; Anders And"), "Uma Rao, Ravi Nair, Anders");
    assert_eq!(cells::people("Uma Rao\nRavi  Nair"), "Uma Rao, Ravi Nair");
    assert_eq!(cells::people("Sandra Andrews"), "Sandra Andrews");
    assert_eq!(cells::people("王小明、李华"), "王小明, 李华");
    assert_eq!(cells::names("Hindi | Tamil"), "Hindi, Tamil");
    for text in
        ["M/s. Green Chillies", "M/S Prathama Films", "C/o Ravi Films", "24/7 Films", "AC/DC Kumar", "A/B Writers Room"]
    {
        assert_eq!(cells::people(text), text);
    }
    assert_eq!(cells::people("Ferdinand Lapuz / Pelikula"), "Ferdinand Lapuz, Pelikula");
    assert_eq!(cells::people("Uma Rao/Ravi Nair"), "Uma Rao, Ravi Nair");
    assert_eq!(cells::people("王小明/李华"), "王小明, 李华");
    assert_eq!(cells::names("Bengali w/ English subtitles/Hindi"), "Bengali w/ English subtitles, Hindi");
}

#[test]
fn names_of_people_are_not_split() {
    assert_eq!(cells::people("Wong, Kar-wai; Lee, Ang"), "Kar-wai Wong, Ang Lee");
    assert_eq!(cells::people("Doe, John & Roe, Jane"), "John Doe, Jane Roe");
    assert_eq!(cells::people("Uma Rao, Ravi Nair & Leela Menon"), "Uma Rao, Ravi Nair, Leela Menon");
    assert_eq!(cells::people("Joel and Ethan Coen"), "Joel and Ethan Coen");
    assert_eq!(cells::people("A & B Brothers; Uma Rao and Anil"), "A & B Brothers, Uma Rao, Anil");
    assert_eq!(cells::people("Sreejesh, Uma Rao; Anil"), "Sreejesh, Uma Rao, Anil");
}

#[test]
fn rows_that_are_only_numbered_are_left_out() {
    let read = read_films(text("No,Title,Year\n1,Sun,2020\n2,,\n3,,\n"), &options(Some("Main"), &[])).unwrap();
    assert_eq!((read.rows.len(), read.errors.len()), (1, 0));
    assert_eq!(read.notes, ["line 3: nothing is in the columns that are read; it was left out, and 1 more like it"]);
}

#[test]
fn trailing_articles_are_moved_to_the_front_of_titles() {
    for (text, expected) in [
        ("Rain Road, The", "The Rain Road"),
        ("Étranger, L'", "L'Étranger"),
        ("Red, White, A", "Red, White, A"),
        ("Good, the Bad", "Good, the Bad"),
    ] {
        assert_eq!(cells::article_first(text.to_owned()), expected);
    }
}

/// Only where the whole column has this form: "Rao, Uma" alone may be two people.
#[test]
fn leading_surnames_are_moved_to_the_end() {
    let list = |directors: &[&str]| {
        let rows: String = directors.iter().enumerate().map(|(n, name)| format!("Film {n};{name}\n")).collect();
        read_films(text(&format!("Title;Director\n{rows}")), &options(Some("Main"), &[])).unwrap()
    };
    let turned = list(&["Almodóvar, Pedro", "García Márquez, Rodrigo | Rao, Uma", "", "Varda, Agnès"]);
    assert_eq!(
        column(&turned.rows, "director_name"),
        ["Pedro Almodóvar", "Rodrigo García Márquez, Uma Rao", "", "Agnès Varda"]
    );
    assert_eq!(
        turned.notes[0],
        "Director: surnames that stand first were put last; \"Almodóvar, Pedro\" was read as \"Pedro Almodóvar\""
    );
    let mixed = list(&["Almodóvar, Pedro", "Uma Rao", "Varda, Agnès", "Nair, Ravi"]);
    assert_eq!(column(&mixed.rows, "director_name")[0], "Almodóvar, Pedro");
    let pairs = list(&["Uma Rao, Ravi Nair", "Ido Pell, Runa Sast", "Orla Finch, Uma Rao"]);
    assert_eq!(column(&pairs.rows, "director_name")[0], "Uma Rao, Ravi Nair");
}

#[test]
fn na_is_missing_where_a_list_writes_it_so() {
    let rows = films("Title,Original title,Year,Director\nNA,,2024,Uma\n");
    assert_eq!(column(&rows, "name"), ["NA"]);
    let rows = films("Title,Original title,Year,Director\nRiver,NA,2024,NA\n");
    assert_eq!(column(&rows, "original_title"), [""]);
}

#[test]
fn na_is_namibia_among_codes_of_countries() {
    let rows = films("Title,Country,Year\nRiver,NA,2024\nHill,ZA,2024\nSky,\"{us, gb}\",2024\n");
    assert_eq!(column(&rows, "country"), ["Namibia", "South Africa", "United States, United Kingdom"]);
}

#[test]
fn equal_rows_with_ids_of_another_program_are_one_film() {
    let list = "id,Title,Director,Section,Year\n176,Tide,Uma Rao,Mix,2022\n178,Tide,Uma Rao,Mix,2022\n186,Tide,Uma Rao,Mix,2022\n";
    let read = read_films(text(list), &options(None, &[])).unwrap();
    assert_eq!(column(&read.rows, "name"), ["Tide"]);
    assert_eq!(read.notes, ["line 3: repeats line 2 and was left out", "line 4: repeats line 2 and was left out"]);
}

#[test]
fn placeholders_count_as_missing_values() {
    let rows = films("Title,Director,Year,Duration,Country\nNil,\\N,null,-,N/A\nUnknown,—,,NA,None\n");
    for name in ["Nil", "Unknown"] {
        let film = film(&rows, name);
        assert_eq!(film.iter().map(|(field, _)| field).collect::<Vec<_>>(), ["category", "name"]);
    }
}

#[test]
fn errors_name_line_column_and_value() {
    let list = read_films(
        text("Title,Year,Run time\nRiver,2025,90\n\nHill,soon,ninety\n,2025,80\nSky,2025,#REF!\n"),
        &options(Some("Main"), &[]),
    )
    .unwrap();
    let errors: Vec<String> = list.errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "line 4, Year: \"soon\", expected one year from 1880 to 2027, for instance 2026",
            "line 4, Run time: \"ninety\", expected a running time of up to 15 hours, for instance 1h 32m, 92 min or 92",
            "line 5, Title: \"\", expected the title of the film",
            "line 6, Run time: \"#REF!\", expected a value; the spreadsheet has an error here",
        ]
    );
    assert_eq!(list.rows.len(), 1);
}

#[test]
fn the_title_in_latin_letters_is_shown() {
    let rows =
        films("Title,Original Title,Year\nRiver,നദി,2025\nपहाड़,Pahad,2024\n,ಗಮನ,2023\nSky,Sky,2022\nWOOD,-,2021\n");
    assert_eq!(column(&rows, "name"), ["River", "Pahad", "ಗಮನ", "Sky", "WOOD"]);
    assert_eq!(column(&rows, "original_title"), ["നദി", "पहाड़", "", "", ""]);
}

#[test]
fn texts_in_title_columns_are_reported() {
    let long = "word ".repeat(80);
    let list = read_films(
        text(&format!("Title,Tamil Title,Year\nRiver,{long},2025\n{long},,2025\n")),
        &options(Some("Main"), &[]),
    )
    .unwrap();
    assert_eq!(film(&list.rows, "River").get("original_title"), None);
    assert!(list.notes.len() == 1 && list.notes[0].starts_with("line 2: Tamil Title: "), "{:?}", list.notes);
    assert_eq!(list.errors.iter().map(|error| error.line).collect::<Vec<_>>(), [3]);
}

#[test]
fn repeated_rows_are_left_out_and_contradictions_are_errors() {
    let csv = "Title,Director,Year,Duration\nRiver,Uma Rao,2025,90\nRiver,Uma Rao,2025,90\nRIVER,\"Rao, Uma\",2025,91\nRiver,Ravi Nair,2025,90\nTitle,Director,Year,Duration\nHill,,2020,80\nHill!,,2020,81\nHill!,,2020,81\n";
    let list = read_films(text(csv), &options(Some("Main"), &[])).unwrap();
    assert_eq!(list.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 5, 7, 8]);
    assert_eq!(list.errors.iter().map(|error| error.line).collect::<Vec<_>>(), [4]);
    let lines: Vec<&str> = list.notes.iter().filter_map(|note| note.split(':').next()).collect();
    assert_eq!(lines, ["line 6", "line 3", "line 5", "line 8", "line 9"]);
    assert_eq!(list.notes[2], "line 5: has the title of line 2, and another director; both will be films");
}

#[test]
fn formula_guards_of_exports_are_removed() {
    let rows = films("Title,Director,Year\n'+1,'@home,2025\n'Round Midnight,Anna,2024\n");
    assert_eq!(&film(&rows, "+1")["director_name"], "@home");
    // An apostrophe that belongs to the title is kept.
    film(&rows, "'Round Midnight");
}

#[test]
fn section_for_all_reaches_rows_with_the_numbers_of_other_programs() {
    let rows = films("id,title,director,year\n1848,Tide,Anu Babu,2025\n");
    assert_eq!(column(&rows, "category"), ["Main"]);
}
