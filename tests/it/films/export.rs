//! `festival films export`: a list that the import reads back.

use super::add_film;
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(exported_films_import_without_changes);

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
    // The first import normalises what was not written in the import's own form (line ends, "&" between names).
    assert_eq!(run(&app, folder.path(), &["films", "export", "tidy.csv"]).code, 0);
    let tidied = run(&app, folder.path(), &["films", "import", "tidy.csv"]);
    assert!(tidied.out.contains(" 0 new, 1 changed,"), "{}", tidied.transcript());
    for file in ["films.csv", "films.xlsx"] {
        let written = run(&app, folder.path(), &["films", "export", file]);
        let message = format!("{films} films written to {file}.\n");
        assert_eq!((written.code, written.out.as_str(), written.err), (0, "", message));
        let back = run(&app, folder.path(), &["films", "import", file]);
        let nothing = format!("{films} films: 0 new, 0 changed, {films} unchanged; 0 new sections\n");
        assert_eq!((back.code, back.out.as_str()), (0, nothing.as_str()), "{file}: {}", back.transcript());
        assert!(!back.err.contains("left out") && !back.err.contains("note"), "{file}: {}", back.transcript());
    }
    assert_eq!(
        run(&app, folder.path(), &["films", "export", "films.csv"]).code,
        2,
        "an existing file is not overwritten"
    );
    assert_eq!(run(&app, folder.path(), &["films", "export", "films.json"]).code, 2);
    let csv = run(&app, folder.path(), &["films", "export", "-", "--format", "csv", "--edition", "2024"]);
    assert!(csv.out.starts_with("Title,Original title,Director,Section,Country,Year,Duration in minutes,Language"));
    assert_eq!(csv.code, 0, "{}", csv.transcript());
    let help = run(&app, folder.path(), &["films", "export", "--help"]);
    if database == Database::Sqlite {
        snapshot!("films export help", help.transcript());
    }
}
