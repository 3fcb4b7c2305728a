//! Values as people write them.

use super::*;

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
        assert_eq!(super::super::film_list::article_first(text.to_owned()), expected);
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
fn footnotes_are_left_out_with_their_marks() {
    let list = "Title,Director,Country\nRiver*,Uma Rao,India\nHill,Ravi Nair,Nepal†\n* Indian premiere,,\n† With the guest,,\n";
    let read = read_films(text(list), &options(Some("Main"), &[])).unwrap();
    assert_eq!(column(&read.rows, "name"), ["River", "Hill"]);
    assert_eq!(column(&read.rows, "country"), ["India", "Nepal"]);
    assert_eq!(read.notes[0], "line 4: \"* Indian premiere\" is a footnote; it was left out, as were its marks");
    assert_eq!(column(&films("Title,Director\nRiver*,Uma Rao\n"), "name"), ["River*"]);
}

#[test]
fn title_that_a_workbook_took_for_a_date_is_refused() {
    let list = || text("Title,Director,Ref No\n2026-09-11,Uma Rao,2026-02-01\n1917,Ravi Nair,3/4\n");
    let read = read_films(Sheet { format: sheet::Format::Xlsx, ..list() }, &options(Some("Main"), &[])).unwrap();
    let errors: Vec<String> = read.errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "line 2, Title: \"2026-09-11\", expected a text; the cell holds a date",
            "line 2, Ref No: \"2026-02-01\", expected a text; the cell holds a date"
        ]
    );
    assert_eq!(read_films(list(), &options(Some("Main"), &[])).unwrap().errors, []);
}

#[test]
fn imdb_ids_are_read_from_addresses_and_nothing_else() {
    let list = "Title,Director,IMDb\nRiver,Uma Rao,https://m.imdb.com/title/tt0048473/?ref_=nv\nHill,Ravi Nair,7.8\n\
                Sky,Ido Pell,Link\n";
    let read = read_films(text(list), &options(Some("Main"), &[])).unwrap();
    assert_eq!(column(&read.rows, "imdb_id"), ["tt0048473", "", ""]);
    assert_eq!(read.notes, ["line 3: IMDb: \"7.8\" is no id such as tt0048473 and was left out, and 1 more like it"]);
}

#[test]
fn email_addresses_beside_names_are_left_out() {
    let list = "Title,Director,Cast\nRiver,\"Uma Rao <uma@film.example>, Ravi Nair (ravi@film.example)\",Lena\nHill,@home,Mo\n";
    let read = read_films(text(list), &options(Some("Main"), &[])).unwrap();
    assert_eq!(column(&read.rows, "director_name"), ["Uma Rao, Ravi Nair", "@home"]);
    assert_eq!(read.notes, ["line 2: Director: e-mail addresses were left out"]);
}

#[test]
fn numbers_before_all_titles_are_left_out() {
    let titles = |titles: [&str; 3]| {
        let rows: String = titles.iter().map(|title| format!("{title},Uma Rao\n")).collect();
        column(&films(&format!("Title,Director\n{rows}")), "name").join("|")
    };
    assert_eq!(titles(["1. River", "2. Hill", "3. Sky"]), "River|Hill|Sky");
    assert_eq!(titles(["1) River", "1) 2. Hill", "2) Sky"]), "River|2. Hill|Sky");
    for other in [["1. River", "Hill", "2. Sky"], ["2. River", "3. Hill", "4. Sky"], ["1.5", "2. Hill", "3. Sky"]] {
        assert_eq!(titles(other), other.join("|"));
    }
}

#[test]
fn references_to_notes_are_left_out() {
    let rows =
        films("Title,Director,Country\nRiver[3],Uma Rao[4] and Ravi Nair[5],India[12]\n[REC] [2],Ido Pell,Nepal\n");
    assert_eq!(column(&rows, "name"), ["River", "[REC] [2]"]);
    assert_eq!(column(&rows, "director_name"), ["Uma Rao, Ravi Nair", "Ido Pell"]);
    assert_eq!(column(&rows, "country"), ["India", "Nepal"]);
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
fn title_in_two_spellings_is_one_film() {
    let errors = |first: &str, second: &str| {
        let list = format!("Title,Director,Section,Year\n{first}\n{second}\n");
        let read = read_films(text(&list), &options(None, &[])).unwrap();
        assert_eq!(read.rows.len() + read.errors.len(), 2);
        read.errors.iter().map(ToString::to_string).collect::<Vec<_>>().concat()
    };
    let same = "expected the same as in line 2: it is the same film in the same section";
    for (first, second) in [
        ("Sea Part II", "Sea Part 2"),
        ("Sea: Part Two", "SEA - PART 2"),
        ("Sea Vol. 2", "Sea (Vol. Two)"),
        ("Sea II", "Sea 2"),
        ("The Sea", "Sea"),
    ] {
        let expected = format!("line 3, Title: \"{second}\", {same}");
        assert_eq!(errors(&format!("{first},Uma Rao,Mix,2024"), &format!("{second},Uma Rao,Mix,2024")), expected);
    }
    assert_eq!(errors("Sea,Uma Rao,Mix,2024", "Sea,Uma Rao,Mix,"), format!("line 3, Year: \"\", {same}"));
    for other in ["Sea Part One,Uma Rao,Mix,2024", "Sea Part II,Uma Rao,Mix,2023", "Sea Part II,Uma Rao,World,2024"] {
        assert_eq!(errors("Sea Part 2,Uma Rao,Mix,2024", other), "", "{other}");
    }
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
fn markup_of_web_pages_is_read() {
    let list = "Title,Director,Synopsis\n\
                Caf&eacute; &#8220;Sol&#8221;,M&uuml;ller &amp; Rao,<p>A <b>river</b>.</p><p>Two &lt; three.</p>\n\
                R&B,Uma Rao,One & two; 3 < 4\nLove </3,Uma Rao,A <b>sea</b>.\n";
    let rows = films(list);
    assert_eq!(column(&rows, "name"), ["Café “Sol”", "R&B", "Love </3"]);
    assert_eq!(column(&rows, "director_name"), ["Müller, Rao", "Uma Rao", "Uma Rao"]);
    assert_eq!(column(&rows, "synopsis"), ["A river.\nTwo < three.", "One & two; 3 < 4", "A sea."]);
}

#[test]
fn names_of_columns_in_cells_are_left_out() {
    let list =
        "Title,Director,Year,Duration,Country\nFilm: a life,Dir: Uma Rao,Year: 2024,Duration: 1:32:00,Country: India\n";
    let rows = films(list);
    let read = ["name", "director_name", "year", "duration_minutes", "country"].map(|field| &rows[0].values[field]);
    assert_eq!(read, ["Film: a life", "Uma Rao", "2024", "92", "India"]);
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
