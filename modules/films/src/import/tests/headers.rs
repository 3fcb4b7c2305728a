//! Meanings of columns.

use festival_core::entity::Field;
use festival_core::importing::{Meaning, header_names, header_sections};

use super::super::picture_names::PICTURES;
use super::*;

fn meaning(header: &str) -> Meaning {
    ListHeaders::of(&FILM).meaning(header)
}

#[test]
fn headers_are_understood_in_several_languages() {
    assert_eq!(
        understand("FILM TITLE,director(s),Countries,Run_Time"),
        ["name=FILM TITLE", "director_name=director(s)", "country=Countries", "duration_minutes=Run_Time"]
    );
    assert_eq!(
        understand("Título,Dirigida por,Año,País,Duración (min.)"),
        ["name=Título", "director_name=Dirigida por", "year=Año", "country=País", "duration_minutes=Duración (min.)"]
    );
    assert_eq!(
        understand("Titre;Réalisateur·trice;Durée;Année;Catégories"),
        [
            "category=Catégories",
            "name=Titre",
            "director_name=Réalisateur·trice",
            "year=Année",
            "duration_minutes=Durée"
        ]
    );
    assert_eq!(
        understand("Titel;Regie;Länge in Minuten;Produktionsjahr;Land"),
        [
            "name=Titel",
            "director_name=Regie",
            "year=Produktionsjahr",
            "country=Land",
            "duration_minutes=Länge in Minuten"
        ]
    );
    assert_eq!(
        understand("शीर्षक,निर्देशक,वर्ष,अवधि"),
        ["name=शीर्षक", "director_name=निर्देशक", "year=वर्ष", "duration_minutes=अवधि"]
    );
    assert_eq!(understand("സിനിമ,സംവിധായകൻ,വർഷം"), ["name=സിനിമ", "director_name=സംവിധായകൻ", "year=വർഷം"]);
}

#[test]
fn column_of_several_fields_is_split() {
    let list = "Title,Country / Year,Runtime\nRiver,\"India, France, 2024\",\nHill,Peru 2023,\nSky,Congo - Kinshasa,\n";
    let unmapped = read_films(text(list), &options(Some("Main"), &[])).unwrap();
    assert_eq!(unmapped.columns[1].why, "country and year in one; map the column to each of them, or split it");
    let mapped = ["country=Country / Year", "year=Country / Year", "duration_minutes="];
    let rows = read_films(text(list), &options(Some("Main"), &mapped)).unwrap().rows;
    assert_eq!(column(&rows, "country"), ["India, France", "Peru", "Congo - Kinshasa"]);
    assert_eq!(column(&rows, "year"), ["2024", "2023", ""]);
    let list = "Title,Info\nRiver,\"Uma Rao, India / 2024 / 92 min\"\n";
    let mapped = ["director_name=Info", "year=Info", "duration_minutes=Info"];
    let rows = read_films(text(list), &options(Some("Main"), &mapped)).unwrap().rows;
    assert_eq!((&*column(&rows, "year"), &*column(&rows, "duration_minutes")), (&["2024"][..], &["92"][..]));
}

/// Tests all synonyms: a new field of films needs no test of its own.
#[test]
fn every_synonym_means_its_field_alone() {
    let fields = fields();
    let names = |section: &str| header_names(&format!("films{section}")).collect::<Vec<_>>();
    for field in &fields {
        assert!(FILM.field(field.name).is_some(), "{} is no field of a film", field.name);
        // Fields that only exports of this program have need no other names, and IMDb is the same in all languages.
        let own = names(&format!(".{}", field.name));
        let count = own.len();
        assert!(
            count == 0 || count > 15 || ["imdb_id", "is_published"].contains(&field.name),
            "{} has names in all languages",
            field.name
        );
        // "Published" alone may be the year of publication in other people's lists.
        let label = Some(field.label).filter(|label| *label != "Published");
        for synonym in own.into_iter().chain(label).chain([field.name]) {
            let meaning = meaning(synonym);
            assert!(
                matches!(meaning, Meaning::Field { field: name, .. } if name == field.name),
                "{synonym} is to mean {}: {meaning:?}",
                field.name
            );
        }
    }
    let words = [
        "yes or no",
        "yes",
        "no",
        "personal",
        "personal words",
        "no meaning",
        "any name",
        "title",
        "languages",
        "shown language",
        "english title",
        "still",
    ];
    let by_cells = [".subtitle_language unless yes or no", ".is_published if yes or no"];
    let known: Vec<String> = fields
        .iter()
        .map(|field| format!(".{}", field.name))
        .chain(PICTURES.map(|picture| format!(".{picture}")))
        .chain(words.map(|word| format!(": {word}")))
        .chain(by_cells.map(str::to_owned))
        .collect();
    let mut sections = header_sections().filter_map(|section| section.strip_prefix("films"));
    let unknown = sections.find(|section| !known.iter().any(|known| known == section));
    assert_eq!(unknown, None, "headers.txt has a section that nothing reads");
    for personal in names(": personal").into_iter().chain(names(": personal words")) {
        assert_eq!(meaning(personal), Meaning::Personal, "{personal}");
    }
    // Every field that organisers fill in by hand can be imported: all but the pictures and the position.
    let listed = |field: &&Field| fields.iter().any(|known| known.name == field.name);
    let missing = FILM.fields.iter().filter(|field| !listed(field));
    let missing: Vec<&str> = missing.map(|field| field.name).collect();
    assert_eq!(missing, ["poster", "still_one", "still_two", "position"]);
}

#[test]
fn headers_are_understood_as_festivals_write_them() {
    for (header, field) in [
        ("Title_EN", "name"),
        ("TITLE (ENG)", "name"),
        ("Mins", "duration_minutes"),
        ("Dir.", "director_name"),
        ("Filmmaker", "director_name"),
        ("Director/s", "director_name"),
        ("Country/ies", "country"),
        ("Country(ies)", "country"),
        ("Paese/i", "country"),
        ("Regisseur/in", "director_name"),
        ("Durata (min)", "duration_minutes"),
        ("Duration (hrs)", "duration_minutes"),
        ("Duration (s)", "duration_minutes"),
        ("Réalisation", "director_name"),
        ("Regie", "director_name"),
        ("导演", "director_name"),
        ("導演", "director_name"),
        ("片名", "name"),
        ("年份", "year"),
        ("监制", "producer_name"),
        ("片长（分钟）", "duration_minutes"),
        ("片名 / Title", "name"),
        ("Director 导演", "director_name"),
        ("監督", "director_name"),
        ("상영시간(분)", "duration_minutes"),
        ("YAPIM YILI", "year"),
        ("Yönetmen", "director_name"),
        ("SÜRE (dk.)", "duration_minutes"),
        ("Режиссёр", "director_name"),
        ("Хронометраж, мин", "duration_minutes"),
        ("المخرج", "director_name"),
        ("Ano de Produção", "year"),
        ("இயக்குனர்", "director_name"),
        ("director.12", "director_name"),
        ("Writer 2", "writer_name"),
        ("Title (fi)", "original_title"),
        ("overview", "synopsis"),
        ("production_countries.name", "country"),
        ("spoken_languages.english_name", "language"),
        ("directorLabel", "director_name"),
        ("runtime.minutes", "duration_minutes"),
        ("acf.director", "director_name"),
        ("title.rendered", "name"),
        ("attributes.synopsis", "synopsis"),
        ("Dur.", "duration_minutes"),
        ("RT", "duration_minutes"),
        ("Prod. Countries", "country"),
        ("Prod. Year", "year"),
        ("Réal.", "director_name"),
        ("LANG", "language"),
        ("itemLabel", "name"),
        ("Film Title (English)", "name"),
        ("Film Title (Original)", "original_title"),
        ("Film Production Year", "year"),
        ("FILM COUNTRY", "country"),
        ("Film Running Time (min)", "duration_minutes"),
        ("Duration in Mts", "duration_minutes"),
        ("Reference No.", "reference"),
    ] {
        let read = meaning(header);
        assert!(matches!(read, Meaning::Field { field: name, .. } if name == field), "{header}: {read:?}");
    }
    for header in [
        "Director / Writer",
        "Production",
        "Budget",
        "Price 2",
        "Titles of the director",
        "Language notes",
        "genres.name",
        "Film No.",
        "Film #",
        "No. of Film",
        "Film School Name",
        "Film / Country",
        "Film / Director Name",
    ] {
        assert_eq!(meaning(header), Meaning::Unknown, "{header}");
    }
    for header in ["Director E-mail", "E-posta", "Телефон", "联系电话 Phone", "Director Bio", "Date of Birth"]
    {
        assert_eq!(meaning(header), Meaning::Personal, "{header}");
    }
}

#[test]
fn subtitles_are_a_language_unless_they_are_yes_or_no() {
    for (header, cells, languages) in [
        ("Subtitles", ["English", ""], ["English", ""]),
        ("Sous-titres", ["anglais, français", "non"], ["anglais, français", "non"]),
        ("സബ്ടൈറ്റിൽ", ["", "ഇംഗ്ലീഷ്"], ["", "ഇംഗ്ലീഷ്"]),
        ("Subtitles", ["Yes", "No"], ["", ""]),
        ("Untertitel", ["ja", ""], ["", ""]),
        ("字幕", ["有", "无"], ["", ""]),
        ("Subtitles", ["", ""], ["", ""]),
    ] {
        let rows =
            films(&format!("Title,Director,{header}\nRiver,Uma Rao,\"{}\"\nHill,Uma Rao,{}\n", cells[0], cells[1]));
        assert_eq!(column(&rows, "subtitle_language"), languages, "{header}: {cells:?}");
    }
    let rows = films("Title,Director,Subtitles,Subtitle language\nRiver,Uma Rao,Electronic,English\n");
    assert_eq!(column(&rows, "subtitle_language"), ["English"]);
}

#[test]
fn several_columns_fill_one_field() {
    let csv = "Title,director.2,director.1,Country,Country,Writer,Synopsis,Log\n               River,Ravi Nair,Uma Rao,India,Nepal,NA,One.,Two.\nHill,NA,Uma Rao,India,,Uma,One.,\n";
    let rows = films(csv);
    assert_eq!(column(&rows, "director_name"), ["Uma Rao, Ravi Nair", "Uma Rao"]);
    assert_eq!(column(&rows, "country"), ["India, Nepal", "India"]);
    assert_eq!(column(&rows, "writer_name"), ["", "Uma"]);
    let with = |mappings: &[&str]| read_films(text(csv), &options(Some("Main"), mappings)).unwrap().rows;
    assert_eq!(column(&with(&["director=director.2..director.1"]), "director_name"), ["Ravi Nair, Uma Rao", "Uma Rao"]);
    assert_eq!(column(&with(&["director=#3, Writer"]), "director_name"), ["Uma Rao", "Uma Rao, Uma"]);
    assert_eq!(column(&with(&["synopsis=Synopsis,Log"]), "synopsis"), ["One.\n\nTwo.", "One."]);
    // Two tables side by side.
    let twice = "Title,Director,Year,,Title,Director,Year\nRiver,Uma Rao,2025,,Hill,Ravi Nair,2024\n";
    assert_eq!(
        refuse(twice, Some("Main"), &[]),
        "the columns \"Title\" and \"Title\" are both taken for Title; say what each column is"
    );
    // One column may fill several fields.
    let rows = with(&["title=Title", "original title=Log"]);
    assert_eq!(column(&rows, "original_title"), ["Two.", ""]);
    assert_eq!(
        refuse(csv, Some("Main"), &["title=#1,#2"]),
        "the columns \"Title\" and \"director.2\" are both taken for Title; say what each column is"
    );
    assert_eq!(
        refuse(csv, Some("Main"), &["director=director.1..director.7"]),
        "--map director_name=director.7: there is no column director.7, did you mean director.1?; columns: \
         Title, director.2, director.1, Country, Country, Writer, Synopsis, Log"
    );
}

#[test]
fn hours_minutes_and_seconds_may_have_columns_of_their_own() {
    let minutes = |header: &str, lengths: [&str; 2]| {
        let rows =
            films(&format!("Title,Director,{header}\nRiver,Uma Rao,{}\nHill,Ravi Nair,{}\n", lengths[0], lengths[1]));
        column(&rows, "duration_minutes").join(" ")
    };
    assert_eq!(minutes("Hours,Minutes", ["1,42", "2,05"]), "102 125");
    assert_eq!(minutes("Runtime Hours,Runtime Minutes,Runtime Seconds", ["1,42,30", "0,5,10"]), "103 5");
    assert_eq!(minutes("Durée (mn),Durée (s)", ["12,34", "2,"]), "13 2");
    assert_eq!(minutes("Hrs.,Mins.", ["1 hr,42 min", ",58"]), "102 58");
    // Each has the whole length.
    assert_eq!(minutes("Duration (hours),Duration (min)", ["1.7,102", "2,120"]), "102 120");
    assert_eq!(minutes("Duration in seconds,Duration in minutes", ["6120,102", "300,5"]), "102 5");
    assert_eq!(minutes("Sec.,Min.", ["Mix,90", "World,95"]), "90 95", "the first is a section");
    let mapped = ["duration=Std,Min."];
    let list = "Title,Director,Std,Min.\nRiver,Uma Rao,1,42\n";
    let rows = read_films(text(list), &options(Some("Main"), &mapped)).unwrap().rows;
    assert_eq!(column(&rows, "duration_minutes"), ["102"]);
}

#[test]
fn personal_columns_are_not_read() {
    let list = read_films(text("Title,Director,Director Email,Phone No.,Country,Country of Origin,Notes\nRiver,Uma Rao,u@example.org,1,India,Nepal,x\n"), &options(Some("Main"), &[])).unwrap();
    assert_eq!(
        left_out(&list),
        [
            ("Director Email", "personal data, not read"),
            ("Phone No.", "personal data, not read"),
            ("Country", "another column fills country"),
            ("Notes", "no field of a film")
        ]
    );
    assert_eq!(&list.rows[0].values["country"], "Nepal");
    assert!(!format!("{:?}", list).contains("example.org"));
}

#[test]
fn mappings_replace_headers_and_are_checked() {
    let csv = "Werk,Title,Wer\nRiver,x,Uma Rao\n";
    let list = read_films(text(csv), &options(Some("Main"), &["name=werk", "director_name=#3"])).unwrap();
    assert_eq!(understood(&list), ["name=Werk", "director_name=Wer"]);
    let list =
        read_films(text("Title,Category,Year\nRiver,Drama,2025\n"), &options(Some("Main"), &["category="])).unwrap();
    assert_eq!(&list.rows[0].values["category"], "Main");
    assert_eq!(left_out(&list), [("Category", "as it was chosen")]);

    let names: Vec<&str> = fields().iter().map(|field| field.name).collect();
    let wrong = |mapping: &str| parsed(mapping).map(|_| ()).unwrap_err();
    assert_eq!(
        wrong("diretcor=Wer"),
        format!(
            "--map diretcor=…: there is no field diretcor, did you mean director_name?; fields: {}",
            names.join(", ")
        )
    );
    assert_eq!(wrong("name"), "--map name: write field=Header or field=#number, for instance name=#2");
    assert_eq!(
        refuse(csv, Some("Main"), &["name=Werck"]),
        "--map name=Werck: there is no column Werck, did you mean Werk?; columns: Werk, Title, Wer"
    );
    assert_eq!(refuse(csv, Some("Main"), &["name=#4"]), "--map name=#4: the columns are #1 to #3");
    assert_eq!(
        refuse(csv, Some("Main"), &["name=#1", "name=#2"]),
        "the columns \"Werk\" and \"Title\" are both taken for Title; say what each column is"
    );
    assert_eq!(
        refuse("A,A\n1,2\n", Some("Main"), &["name=A"]),
        "--map name=A: several columns are called A; name one by number: name=#1"
    );
}

#[test]
fn columns_that_say_whether_a_film_is_public_are_read_by_their_cells() {
    let flags = |header: &str, cells: [&str; 3]| {
        let lines = cells.map(|cell| format!("Film {cell},Uma Rao,{cell}\n")).concat();
        let rows = films(&format!("Title,Director,{header}\n{lines}"));
        column(&rows, "is_published").join(" ")
    };
    assert_eq!(flags("Published", ["yes", "No", "draft"]), "yes No no");
    assert_eq!(flags("Status", ["Draft", "published", "pending"]), "no yes no");
    assert_eq!(flags("Veröffentlicht", ["ja", "nein", "Entwurf"]), "ja nein no");
    // The status of a selection, and the year of publication.
    assert_eq!(flags("Published", ["✓", "n", "x"]), "✓ n x");
    assert_eq!(flags("Published", ["no", "yes", "later"]), "no yes later", "the last is refused");
    assert_eq!(flags("Status", ["selected", "draft", "rejected"]).trim(), "");
    assert_eq!(flags("Published", ["2023", "2024", "no"]).trim(), "");
}

#[test]
fn export_of_submitted_films_is_a_list_of_films() {
    let csv = "Reference,Status,Award,Title of the film (original),Title of the film (English),Language of the film,Duration in \
               minutes,Year of production,Country of origin,Name of the producer,E-mail of the producer,Name of the director,Long \
               synopsis (up to 300 words)\nAS-2026-0001,Selected,Asian,潮の部屋,The Tide,Japanese,92,2025,Japan,Aya Mori,\
               a@example.org,Ken Ito,By the sea.\n";
    let list = read_films(text(csv), &options(Some("Main"), &[])).unwrap();
    let film = film(&list.rows, "The Tide");
    let fields = [
        "original_title",
        "director_name",
        "producer_name",
        "language",
        "duration_minutes",
        "year",
        "country",
        "synopsis",
    ];
    let values = fields.map(|field| &film[field]);
    assert_eq!(values, ["潮の部屋", "Ken Ito", "Aya Mori", "Japanese", "92", "2025", "Japan", "By the sea."]);
    assert!(!understood(&list).iter().any(|column| column.contains("E-mail")));
}

#[test]
fn limits_in_brackets_do_not_belong_to_a_header() {
    for header in [
        "Synopsis (max 60 words)",
        "Synopsis [up to 500 characters]",
        "Sinopsis (máx. 60 palabras)",
        "Синопсис (до 500 знаков)",
        "剧情简介（100字以内）",
        "സംഗ്രഹം (60 വാക്കുകൾ)",
    ] {
        assert!(matches!(meaning(header), Meaning::Field { field: "synopsis", .. }), "{header}");
    }
    assert!(matches!(meaning("Director (2)"), Meaning::Field { field: "director_name", .. }));
    assert_eq!(meaning("Remarks (60 words)"), Meaning::Unknown);
    assert_eq!(meaning("(60 words)"), Meaning::Unknown);
}
