//! `festival records`: lists of any entity on the command line.

use std::path::Path;

use festival_core::importing::{self, header_sections};

use super::browser::{Browser, site_with_owner};
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(
    exports_of_every_entity_are_read_back_without_changes,
    records_are_imported_with_the_options_of_films,
    columns_are_recognised_by_other_names,
    names_of_people_in_two_columns_are_joined,
    undo_restores_times_of_publication,
    films_stay_drafts_on_another_site,
    unreadable_publication_leaves_a_draft,
    texts_truncated_in_a_workbook_are_reported,
    errors_of_a_spreadsheet_are_reported,
);

pub(crate) fn run(app: &TestApp, folder: &Path, arguments: &[&str]) -> CommandOutput {
    let url = app.database.url(app.directory.path());
    let environment = [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
        ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
    ];
    festival(folder, arguments, &environment)
}

async fn exports_of_every_entity_are_read_back_without_changes(database: Database) {
    let (app, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&app, &owner).await;
    let folder = tempfile::tempdir().unwrap();
    let listed = run(&app, folder.path(), &["records", "list", "--json"]);
    let entities: Vec<serde_json::Value> = serde_json::from_str(&listed.out).unwrap();
    let slugs: Vec<&str> = entities.iter().map(|entity| entity["entity"].as_str().unwrap()).collect();
    let expected: Vec<String> = app.app.records.enabled().map(festival_core::entity::Entity::slug).collect();
    assert_eq!(slugs, expected);
    let mut filled = 0;
    for (index, slug) in slugs.iter().enumerate() {
        // Each format once in four entities: all of them are tried by the round trip in the browser.
        let file = format!("{slug}.{}", ["csv", "xlsx", "ods", "json"][index % 4]);
        let export = run(&app, folder.path(), &["records", "export", slug, &file]);
        assert_eq!(export.code, 0, "{slug}: {}", export.transcript());
        if std::fs::read(folder.path().join(&file)).unwrap().starts_with(b"[]") {
            continue;
        }
        let import = run(&app, folder.path(), &["records", "import", slug, &file]);
        assert_eq!(import.code, 0, "{slug}: {}", import.transcript());
        assert!(import.out.contains(": 0 new, 0 changed, "), "{slug}: {}", import.transcript());
        filled += usize::from(!import.out.starts_with("0 "));
    }
    assert!(filled >= 15, "{filled}");
    assert_eq!(app.number("SELECT count(*) FROM revisions").await, 0);
    // The same file as that of the back office.
    let export = run(&app, folder.path(), &["records", "export", "films", "-", "--format", "csv", "--bom"]);
    let download = browser.post("/admin/films/file", &[("format", "csv")]).await;
    assert_eq!(export.out, download.text());
}

async fn records_are_imported_with_the_options_of_films(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let import = |arguments: &[&str]| run(&app, folder.path(), &[&["records", "import"], arguments].concat());
    write("halls.csv", "Saal,Plaetze,Farbe\nKairali,many,red\nSree,300,blue\n");
    let map = ["--map", "name=Saal", "--map", "capacity=plaetze"];
    let before = app.number("SELECT count(*) FROM halls").await;

    let refused = import(&[&["halls", "halls.csv"], &map[..]].concat());
    assert_eq!(refused.code, 1, "{}", refused.transcript());
    assert!(refused.out.contains("line 2, Plaetze: \"many\", expected "), "{}", refused.transcript());
    assert!(refused.err.contains("is left out: no field of a hall"), "{}", refused.transcript());
    let dry = import(&[&["halls", "halls.csv", "--blank-invalid", "--dry-run", "--json"], &map[..]].concat());
    assert_eq!(dry.code, 0, "{}", dry.transcript());
    let report: serde_json::Value = serde_json::from_str(&dry.out).unwrap();
    assert_eq!(report["changes"]["inserted"], 2);
    assert_eq!(report["report"]["blanked"][0]["value"], "many");
    assert_eq!(app.number("SELECT count(*) FROM halls").await, before);

    let done = import(&[&["halls", "halls.csv", "--blank-invalid", "--report", "report.csv"], &map[..]].concat());
    assert_eq!(done.code, 0, "{}", done.transcript());
    assert!(done.out.ends_with("2 halls: 2 new, 0 changed, 0 unchanged, 0 left out\n"), "{}", done.transcript());
    assert_eq!(app.number("SELECT count(*) FROM halls WHERE name = 'Kairali' AND capacity IS NULL").await, 1);
    let report = std::fs::read_to_string(folder.path().join("report.csv")).unwrap();
    assert!(report.contains("2,left empty,,,Plaetze,many,expected "), "{report}");
    let last = app.number("SELECT max(id) FROM imports").await;
    assert_eq!(run(&app, folder.path(), &["imports", "undo", &last.to_string(), "--yes"]).code, 0);
    assert_eq!(app.number("SELECT count(*) FROM halls").await, before);

    write("blogs.csv", "Title,Text,Date and time of publication\nA lamp,<p>Oil</p>,2025-01-02T10:00\n");
    let draft = import(&["blogs", "blogs.csv", "--as", "draft"]);
    assert_eq!(draft.code, 0, "{}", draft.transcript());
    assert_eq!(app.number("SELECT count(*) FROM blogs WHERE title = 'A lamp' AND is_published = 0").await, 1);

    write("films.csv", "Title,Year\nRiver,2025\n");
    let sentences = [
        (&["film", "halls.csv"][..], "there is no entity film, did you mean films?"),
        (&["halls", "halls.csv", "--map", "nmae=Saal"], "there is no field nmae, did you mean name?"),
        (&["halls", "halls.csv", "--map", "name=Sal"], "there is no column Sal, did you mean Saal?"),
        (&["halls", "halls.csv"], "this does not look like a list of halls"),
        (&["films", "films.csv"], "column  1 \"Title\"                      is name"),
        (&["halls", "missing.csv"], "missing.csv cannot be read"),
        (&["halls", "halls.csv", "--mapping", "Office"], "there is no mapping \"Office\" for halls"),
        (&["halls", "halls.csv", "--default", "name=A"], "--default name=A: write FIELD=VALUE"),
        (&["editions", "halls.csv", "--edition", "2025"], "editions belong to no edition"),
    ];
    for (arguments, sentence) in sentences {
        let refused = import(arguments);
        assert_eq!(refused.code, 2, "{}", refused.transcript());
        assert!(refused.err.contains(sentence), "{sentence}: {}", refused.transcript());
    }
}

async fn columns_are_recognised_by_other_names(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list =
        "Sl. No.;GUEST NAME;Designation;Country\n1;ലീല മേനോൻ;Chair of the jury;India\n2;García, Ana;Actor;Mexico\n";
    std::fs::write(folder.path().join("guests.csv"), list).unwrap();
    let import = run(&app, folder.path(), &["records", "import", "guests", "guests.csv"]);
    assert_eq!(import.code, 0, "{}", import.transcript());
    for left_out in ["Sl. No.", "Country"] {
        let line = import.err.lines().find(|line| line.contains(&format!("\"{left_out}\"")));
        assert!(line.is_some_and(|line| line.contains(" is left out: ")), "{}", import.transcript());
    }
    let guests = app.texts("SELECT name || ': ' || role FROM guests ORDER BY id DESC LIMIT 2").await;
    assert_eq!(guests, ["García, Ana: Actor", "ലീല മേനോൻ: Chair of the jury"]);
    for (number, header) in [
        "Nom;Fonction",
        "Vor- und Nachname;Funktion",
        "Nombre y apellidos;Cargo",
        "Nome e cognome;Ruolo",
        "Nome completo;Função",
        "ФИО;Должность",
        "ADI SOYADI;Görevi",
        "الاسم;الوظيفة",
        "姓名;职务",
        "नाम;पद",
        "പേര്;പദവി",
        "பெயர்;பதவி",
    ]
    .into_iter()
    .enumerate()
    {
        std::fs::write(folder.path().join("guests.csv"), format!("{header}\nGuest {number};Juror {number}\n")).unwrap();
        let import = run(&app, folder.path(), &["records", "import", "guests", "guests.csv"]);
        assert_eq!(import.code, 0, "{}", import.transcript());
        let last = app.texts("SELECT name || ', ' || role FROM guests ORDER BY id DESC LIMIT 1").await;
        assert_eq!(last, [format!("Guest {number}, Juror {number}")], "{header}");
    }

    let list =
        "Guest,Arrival,Departure\nAna García,22-01-2027,23/01/2027\nLeela Menon,22 Jan 2027 6.30 PM,TBA\nRavi,soon,\n";
    std::fs::write(folder.path().join("stays.csv"), list).unwrap();
    let import = run(&app, folder.path(), &["records", "import", "guest-stays", "stays.csv", "--skip-invalid"]);
    let expected = "line 4, Arrival: \"soon\", expected a date and time like 24/10/2025 18:00";
    assert!(import.out.contains(expected), "{}", import.transcript());
    let stays = "SELECT name || ' ' || arrives_at || ' ' || coalesce(leaves_at, '') FROM guest_stays WHERE name IN ('Ana García', 'Leela Menon') ORDER BY name";
    // In the festival's time zone: a day alone is its first minute, or its last for an end.
    let expected =
        ["Ana García 2027-01-21T18:30:00.000Z 2027-01-23T18:29:00.000Z", "Leela Menon 2027-01-22T13:00:00.000Z "];
    assert_eq!(app.texts(stays).await, expected);

    let list = "Guest,Arrival,Departure\nAna Total,22 Jan 2027,\nRavi Total,22 Jan 2027,\nTotal: 2 guests,,\n";
    std::fs::write(folder.path().join("stays.csv"), list).unwrap();
    let import = run(&app, folder.path(), &["records", "import", "guest-stays", "stays.csv", "--dry-run"]);
    let note = "line 4: has nothing but \"Total: 2 guests\", unlike the other lines";
    assert!(import.err.contains(note), "{}", import.transcript());

    let list = "Guest,Arrival date,Arrival time,Date of departure,Time of departure\nMira Das,22/01/2027,6.30 PM,25/01/2027,\n";
    std::fs::write(folder.path().join("stays.csv"), list).unwrap();
    let import = run(&app, folder.path(), &["records", "import", "guest-stays", "stays.csv"]);
    assert_eq!(import.code, 0, "{}", import.transcript());
    let stay = "SELECT arrives_at || ' ' || leaves_at FROM guest_stays WHERE name = 'Mira Das'";
    assert_eq!(app.texts(stay).await, ["2027-01-22T13:00:00.000Z 2027-01-25T18:29:00.000Z"]);

    let field = |table: &str, header: &str| {
        let entity = app.app.records.enabled().find(|entity| entity.table == table).unwrap();
        importing::field_of(None, entity, header)
    };
    let known = [
        ("guests", "Name of the guest", Some("name")),
        ("guests", "Guests", Some("name")),
        ("guests", "Position", Some("position")),
        ("guests", "Remarks", None),
        ("guests", "Guest #", None),
        ("guests", "Guest No.", None),
        ("guests", "---", None),
        ("halls", "Hall", Some("name")),
        ("halls", "Screen", Some("name")),
        ("halls", "No. of seats", Some("capacity")),
        ("halls", "Seating capacity", Some("capacity")),
        ("venues", "Venue", Some("name")),
        ("awards", "Prize money", Some("amount")),
        ("history_years", "Artistic Director", Some("director")),
        ("history_years", "Year", Some("year")),
        ("guest_stays", "Guest Name", Some("name")),
        ("guest_stays", "Date of arrival", Some("arrives_at")),
    ];
    for (table, header, expected) in known {
        assert_eq!(field(table, header), expected, "{header} in {table}");
    }
    let labels: Vec<&str> =
        app.app.records.enabled().flat_map(|entity| entity.columns()).map(|field| field.label).collect();
    // Sections with a point or a colon are of lists of one kind.
    let general = header_sections().filter(|section| !section.contains(['.', ':']));
    let parts_of_names = ["Salutation", "First name", "Middle name", "Last name"];
    for label in general.filter(|label| !parts_of_names.contains(label)) {
        assert!(labels.contains(&label), "no field is called {label}");
    }
}

async fn names_of_people_in_two_columns_are_joined(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let import = |list: &str, more: &[&str]| {
        std::fs::write(folder.path().join("guests.csv"), list).unwrap();
        run(&app, folder.path(), &[&["records", "import", "guests", "guests.csv"], more].concat())
    };
    for (list, name) in [
        ("First Name;Surname;Role\nAnna;Rao;Juror\n", "Anna Rao"),
        ("Nachname;Vorname;Funktion\nSchmidt;Uta;Jurorin\n", "Uta Schmidt"),
        ("Nom;Prénom;Fonction\nDupont;Anne;Jurée\n", "Anne Dupont"),
        ("Nombre;Apellidos;Cargo\nAna;García Ruiz;Jurado\n", "Ana García Ruiz"),
        ("Имя;Фамилия;Должность\nАнна;Орлова;Жюри\n", "Анна Орлова"),
        ("Guest Name;Guest First Name;Guest Last Name;Role\nLeela Menon;Leela;Menon;Juror\n", "Leela Menon"),
        ("First name;Last name;Role\n;Sivan;Juror\n", "Sivan"),
        ("Title;First name;Middle name;Last name;Role\nDr.;Uma;Devi;Rao;Juror\n", "Dr. Uma Devi Rao"),
        ("Salutation;Name;Role\nMs.;Asha Pillai;Juror\n", "Asha Pillai"),
    ] {
        let import = import(list, &[]);
        assert_eq!(import.code, 0, "{list}: {}", import.transcript());
        let last = app.texts("SELECT name FROM guests ORDER BY id DESC LIMIT 1").await;
        assert_eq!(last, [name], "{list}");
    }
    let chosen = import("Rufname,Clan,Land\nMira,Das,India\n", &["--map", "name=Rufname, Clan", "--map", "role=Land"]);
    assert_eq!(chosen.code, 0, "{}", chosen.transcript());
    let last = app.texts("SELECT name || ', ' || role FROM guests ORDER BY id DESC LIMIT 1").await;
    assert_eq!(last, ["Mira Das, India"]);
    // Only texts are joined.
    std::fs::write(folder.path().join("halls.csv"), "Name,Below,Above\nA,100,50\n").unwrap();
    let map = ["records", "import", "halls", "halls.csv", "--map", "capacity=Below, Above"];
    let refused = run(&app, folder.path(), &map);
    assert_eq!(refused.code, 2, "{}", refused.transcript());
    assert!(refused.err.contains("\"Below\" and \"Above\" are both taken for Seats"), "{}", refused.transcript());
}

async fn undo_restores_times_of_publication(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let film = app.id("films", "is_published = 1").await;
    app.write(&format!("UPDATE films SET is_published = 0 WHERE id = {film}")).await;
    let planned = "SELECT publish_at FROM publications";
    app.write(&format!(
        "INSERT INTO publications (entity, row_id, publish_at, editor) \
         VALUES ('films', {film}, '2099-12-11T12:30:00.000Z', 'Anu')"
    ))
    .await;
    for published in ["2099-12-24T18:00", "no", "yes"] {
        std::fs::write(folder.path().join("films.csv"), format!("Id,Published\n{film},{published}\n")).unwrap();
        let import = run(&app, folder.path(), &["records", "import", "films", "films.csv"]);
        assert_eq!(import.code, 0, "{}", import.transcript());
        assert_ne!(app.texts(planned).await, ["2099-12-11T12:30:00.000Z"], "{published}");
        let last = app.number("SELECT max(id) FROM imports").await.to_string();
        let undone = run(&app, folder.path(), &["imports", "undo", &last, "--yes"]);
        assert_eq!(undone.code, 0, "{published}: {}", undone.transcript());
        assert_eq!(app.texts(planned).await, ["2099-12-11T12:30:00.000Z"], "{published}");
        assert_eq!(app.number(&format!("SELECT is_published FROM films WHERE id = {film}")).await, 0);
    }
}

async fn films_stay_drafts_on_another_site(database: Database) {
    let (app, _) = site_with_owner(database).await;
    let folder = tempfile::tempdir().unwrap();
    let films = "Title,Director,Section\nSalt Road,Uma Rao,Main\nRiver,Ravi Nair,Main\n";
    std::fs::write(folder.path().join("new.csv"), films).unwrap();
    let program = |arguments: &[&str]| {
        let done = run(&app, folder.path(), arguments);
        assert_eq!(done.code, 0, "{}", done.transcript());
        done
    };
    app.write(
        "INSERT INTO editions (year, ordinal, name, starts_on, ends_on, is_current, created_at, updated_at) VALUES \
        (2031, 26, 'Next', '2031-10-24', '2031-10-31', 0, '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z')",
    )
    .await;
    program(&["films", "import", "new.csv", "--as", "draft", "--edition", "2031"]);
    let id = app.number("SELECT id FROM editions WHERE year = 2031").await;
    program(&["records", "export", "films", "films.csv", "--edition", "2031"]);
    // As on another site, where the ids belong to no films.
    app.write(&format!("DELETE FROM films WHERE edition_id = {id}")).await;
    let whole = std::fs::read_to_string(folder.path().join("films.csv")).unwrap();
    let without_ids: String = whole.lines().map(|line| format!("{}\n", line.split_once(',').unwrap().1)).collect();
    for list in [whole, without_ids] {
        std::fs::write(folder.path().join("list.csv"), list).unwrap();
        let done = program(&["records", "import", "films", "list.csv", "--edition", "2031"]);
        assert!(done.out.contains("2 films: 2 new"), "{}", done.transcript());
        let drafts = format!("SELECT count(*) FROM films WHERE is_published = 0 AND edition_id = {id}");
        assert_eq!(app.number(&drafts).await, 2, "{}", done.transcript());
        app.write(&format!("DELETE FROM films WHERE edition_id = {id}")).await;
    }
}

async fn unreadable_publication_leaves_a_draft(database: Database) {
    let (app, _) = site_with_owner(database).await;
    let folder = tempfile::tempdir().unwrap();
    let films = "Title,Director,Section,Published on the site\nSalt Road,Uma Rao,Main,maybe\n";
    std::fs::write(folder.path().join("films.csv"), films).unwrap();
    let done = run(&app, folder.path(), &["films", "import", "films.csv", "--blank-invalid"]);
    assert_eq!(done.code, 0, "{}", done.transcript());
    assert_eq!(app.number("SELECT is_published FROM films WHERE name = 'Salt Road'").await, 0);
}

async fn errors_of_a_spreadsheet_are_reported(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("halls.csv"), "Name,Venue\nKairali,#VALUE!\nErr:509,Jetty\n").unwrap();
    let import = run(&app, folder.path(), &["records", "import", "halls", "halls.csv"]);
    assert_eq!(import.code, 1, "{}", import.transcript());
    for cell in ["line 2, Venue: \"#VALUE!\"", "line 3, Name: \"Err:509\""] {
        let expected = format!("{cell}, expected a value; the spreadsheet has an error here");
        assert!(import.out.contains(&expected), "{}", import.transcript());
    }
}

async fn texts_truncated_in_a_workbook_are_reported(database: Database) {
    let (app, _) = site_with_owner(database).await;
    let folder = tempfile::tempdir().unwrap();
    app.write(&format!("UPDATE films SET synopsis = '{}' WHERE id = (SELECT min(id) FROM films)", "a".repeat(32_768)))
        .await;
    for command in [&["films", "export"][..], &["records", "export", "films"]] {
        let export = |file| run(&app, folder.path(), &[command, &[file, "--force"]].concat());
        let cut = export("list.xlsx");
        let sentence = "1 text was too long for a workbook and cut at the end; CSV, ODS and JSON have all of it.";
        assert!(cut.code == 1 && cut.err.ends_with(&format!("{sentence}\n")), "{command:?}: {}", cut.transcript());
        let whole = export("list.ods");
        assert!(whole.code == 0 && !whole.err.contains("cut"), "{command:?}: {}", whole.transcript());
    }
}
