//! `festival films export`: a list that the import reads back.

use super::add_film;
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(
    exported_films_import_without_changes,
    exports_are_imported_completely_into_another_edition,
    films_of_another_edition_in_an_export_are_added_once,
);

fn run(app: &TestApp, folder: &std::path::Path, arguments: &[&str]) -> CommandOutput {
    let url = app.database.url(app.directory.path());
    let environment = [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
        ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
    ];
    festival(folder, arguments, &environment)
}

async fn exported_films_import_without_changes(database: Database) {
    let app = TestApp::new(database).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    let edition = app.number(&format!("SELECT edition_id FROM categories WHERE id = {category}")).await;
    for (name, original, synopsis) in [
        ("The Rain, \"The\" Road", "മഴയുടെ വഴി", "Line one\nline two; with marks"),
        ("2046", "0091", "Numbers are titles, too"),
    ] {
        let columns = [
            ("name", &*format!("'{name}'")),
            ("original_title", &format!("'{original}'")),
            ("director_name", "'Uma Rao, Dev Nair'"),
            ("synopsis", &format!("'{synopsis}'")),
            ("year", "2024"),
            ("duration_minutes", "125"),
            ("country", "'India, France'"),
            ("subtitle_language", "'English, French'"),
        ];
        add_film(&app, &columns).await;
    }
    let films = app.number(&format!("SELECT count(*) FROM films WHERE edition_id = {edition}")).await;
    let folder = tempfile::tempdir().unwrap();
    for file in ["films.csv", "films.xlsx", "films.ods", "films.json"] {
        let written = run(&app, folder.path(), &["films", "export", file]);
        let message = format!("{films} films written to {file}.\n");
        assert_eq!((written.code, written.out.as_str(), written.err), (0, "", message));
        let back = run(&app, folder.path(), &["films", "import", file]);
        let nothing = format!("{films} films: 0 new, 0 changed, {films} unchanged, 0 left out\n");
        assert_eq!((back.code, back.out.as_str()), (0, nothing.as_str()), "{file}: {}", back.transcript());
        assert!(!back.err.contains("left out") && !back.err.contains("note"), "{file}: {}", back.transcript());
    }
    assert_eq!(
        run(&app, folder.path(), &["films", "export", "films.csv"]).code,
        2,
        "an existing file is not overwritten"
    );
    assert_eq!(run(&app, folder.path(), &["films", "export", "films.pdf"]).code, 2);
    let csv = run(&app, folder.path(), &["films", "export", "-", "--format", "csv", "--edition", "2024"]);
    assert!(csv.out.starts_with("Id,Category,Title,Original title,Director,Writer,Producer,"), "{}", csv.out);
    assert_eq!(csv.code, 0, "{}", csv.transcript());
    let help = run(&app, folder.path(), &["films", "export", "--help"]);
    if database == Database::Sqlite {
        snapshot!("films export help", help.transcript());
    }
}

/// Texts that a reader of lists would change, and that spreadsheets damage.
const HARD_TEXTS: [&str; 22] = [
    "-",
    "NA",
    "N/A",
    "null",
    "\\N",
    "'",
    "'tis",
    "'=1",
    "''=1",
    "=1+1",
    "+91 98470 12345",
    "@home",
    "0091",
    "1.0",
    "2025-10-24",
    "Say \"no\", twice; and | more",
    "#REF!",
    "\u{200f}שלום\u{200e} a",
    "👩\u{200d}👩\u{200d}👧 🇫🇷",
    "അവന്\u{200d} ൻ ൺ ക്‌ഷ",
    "a  b\u{a0}c",
    "Rao, Uma & Ravi / Nair",
];

async fn exports_are_imported_completely_into_another_edition(database: Database) {
    let app = TestApp::new(database).await;
    for (index, text) in HARD_TEXTS.iter().enumerate() {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
        let other = HARD_TEXTS[(index + 1) % HARD_TEXTS.len()];
        let long = format!("{text}\n\n{other}\nline {}", "long ".repeat(200)).trim().to_owned();
        let columns = [
            ("name", quoted(text)),
            // The title itself, another one, or one in Latin letters next to one in another script.
            ("original_title", quoted(if index % 2 == 0 { text } else { other })),
            ("director_name", quoted(other)),
            ("country", quoted(text)),
            ("cast_details", quoted(text)),
            ("synopsis", quoted(&long)),
            ("year", "1900".to_owned()),
            ("position", (1000 + index).to_string()),
        ];
        let columns: Vec<(&str, &str)> = columns.iter().map(|(name, value)| (*name, value.as_str())).collect();
        add_film(&app, &columns).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let export = |file: &str, year: &str| {
        let output = run(&app, folder.path(), &["films", "export", file, "--edition", year]);
        assert_eq!(output.code, 0, "{}", output.transcript());
    };
    // The rows of a CSV file without the ids, which differ between editions.
    let rows = |file: &str| -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(folder.path().join(file)).unwrap();
        reader.records().map(|row| row.unwrap().iter().skip(1).map(str::to_owned).collect()).collect()
    };
    let year = app.number("SELECT year FROM editions WHERE is_current = 1").await.to_string();
    export("first.csv", &year);
    let expected = rows("first.csv");
    assert!(expected.len() > HARD_TEXTS.len(), "{expected:?}");
    for (number, format) in ["csv", "xlsx", "ods", "json"].into_iter().enumerate() {
        let other = (2090 + number).to_string();
        add_edition(&app, &other).await;
        let file = format!("list.{format}");
        export(&file, &year);
        let import = run(&app, folder.path(), &["films", "import", &file, "--edition", &other]);
        assert_eq!(import.code, 0, "{}", import.transcript());
        export(&format!("{format}.csv"), &other);
        assert_eq!(rows(&format!("{format}.csv")), expected, "{format}");
        let again = run(&app, folder.path(), &["films", "import", &file, "--edition", &other]);
        let count = expected.len() - 1;
        let nothing = format!("{count} films: 0 new, 0 changed, {count} unchanged, 0 left out\n");
        assert_eq!((again.code, again.out.as_str()), (0, nothing.as_str()), "{format}: {}", again.transcript());
    }
}

/// Adds an edition without content.
async fn add_edition(app: &TestApp, year: &str) {
    app.write(&format!(
        "INSERT INTO editions (year, ordinal, name, starts_on, ends_on, is_current, created_at, updated_at) \
         SELECT {year}, {year} - 2000, name, starts_on, ends_on, 0, created_at, updated_at FROM editions WHERE is_current = 1"
    ))
    .await;
}

async fn films_of_another_edition_in_an_export_are_added_once(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let year = app.number("SELECT year FROM editions WHERE is_current = 1").await.to_string();
    add_edition(&app, "2090").await;
    let list = "Title,Director,Section\nRain,Uma Rao,Malayalam\nSun,Dev Nair,Malayalam\nMoon,Ila,Malayalam\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    assert_eq!(run(&app, folder.path(), &["films", "import", "list.csv", "--edition", "2090"]).code, 0);
    app.write("UPDATE categories SET name = 'Malayalam' WHERE slug = 'malayalam'").await;
    add_film(&app, &[("name", "'Returned'"), ("director_name", "'Uma Rao'"), ("synopsis", "'A river.'")]).await;
    for (file, year) in [("other.csv", "2090"), ("current.csv", &*year)] {
        assert_eq!(run(&app, folder.path(), &["films", "export", file, "--edition", year]).code, 0);
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let current = read("current.csv");
    let returned = current.lines().find(|line| line.contains(",Returned,")).unwrap();
    std::fs::write(folder.path().join("mixed.csv"), format!("{}{returned}\n", read("other.csv"))).unwrap();
    for expected in
        ["4 films: 1 new, 0 changed, 3 unchanged, 0 left out\n", "4 films: 0 new, 0 changed, 4 unchanged, 0 left out\n"]
    {
        let import = run(&app, folder.path(), &["films", "import", "mixed.csv", "--edition", "2090"]);
        assert_eq!(import.code, 0, "{}", import.transcript());
        assert!(import.out.ends_with(expected), "{}", import.transcript());
    }
    assert_eq!(
        app.texts("SELECT name FROM films WHERE name = 'Returned' AND synopsis = 'A river.' ORDER BY id").await,
        ["Returned", "Returned"]
    );
    let again = run(&app, folder.path(), &["films", "export", "again.csv", "--edition", &year]);
    assert_eq!((again.code, read("again.csv")), (0, current), "the film of the other edition stays as it is");
}
