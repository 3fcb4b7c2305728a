//! `festival films export`: a list that the import reads back.

use super::add_film;
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(exported_films_import_without_changes, exports_are_imported_completely_into_another_edition);

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
    assert!(csv.out.starts_with("Title,Original title,Director,Section,Country,Year,Duration in minutes,Language"));
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
        std::fs::read(folder.path().join(file)).unwrap()
    };
    let year = app.number("SELECT year FROM editions WHERE is_current = 1").await.to_string();
    let expected = export("first.csv", &year);
    for (number, format) in ["csv", "xlsx", "ods", "json"].into_iter().enumerate() {
        let other = (2090 + number).to_string();
        app.write(&format!(
            "INSERT INTO editions (year, ordinal, name, starts_on, ends_on, is_current, created_at, updated_at) \
             SELECT {other}, 90 + {number}, name, starts_on, ends_on, 0, created_at, updated_at FROM editions WHERE is_current = 1"
        ))
        .await;
        let file = format!("list.{format}");
        let bytes = export(&file, &year);
        let import = run(&app, folder.path(), &["films", "import", &file, "--edition", &other]);
        assert_eq!(import.code, 0, "{}", import.transcript());
        let again = export(&format!("{format}.csv"), &other);
        assert_eq!(String::from_utf8(again).unwrap(), String::from_utf8(expected.clone()).unwrap(), "{format}");
        assert!(export(&format!("again.{format}"), &other) == bytes, "{format}: other bytes");
    }
}
