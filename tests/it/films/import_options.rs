//! `festival films import`: handling of wrong and empty cells, drafts, and the report as a file.

use std::path::Path;

use super::add_film;
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(
    wrong_values_are_left_empty_on_demand,
    empty_cells_keep_or_clear_stored_values,
    drafts_and_times_of_publication_survive_export_and_import,
    report_is_written_as_a_table,
);

fn run(app: &TestApp, folder: &Path, arguments: &[&str]) -> CommandOutput {
    let url = app.database.url(app.directory.path());
    let environment = [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
        ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
    ];
    festival(folder, &[&["films"], arguments].concat(), &environment)
}

const LIST: &str = "Title,Director,Section,Country,Year,Duration\nRain,Uma Rao,Malayalam,India,2024,92\n\
                    Sun,Dev Nair,Malayalam,India,soon,a while\n,Nobody,Malayalam,India,2024,90\n";

async fn wrong_values_are_left_empty_on_demand(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("list.csv"), LIST).unwrap();
    let refused = run(&app, folder.path(), &["import", "list.csv", "--blank-invalid"]);
    assert_eq!(refused.code, 1, "a film needs a title: {}", refused.transcript());
    assert!(refused.out.contains("line 4, Title") && refused.out.contains("\"soon\""), "{}", refused.transcript());
    std::fs::write(folder.path().join("list.csv"), LIST.rsplit_once("\n,").unwrap().0).unwrap();
    let imported = run(&app, folder.path(), &["import", "list.csv", "--blank-invalid"]);
    assert_eq!(imported.code, 0, "{}", imported.transcript());
    let blanked: Vec<&str> = imported.out.lines().filter(|line| line.ends_with("; left empty")).collect();
    assert_eq!(blanked.len(), 2, "{}", imported.transcript());
    assert!(blanked[0].starts_with("line 3, Year: \"soon\", expected "), "{}", imported.transcript());
    let film = "SELECT coalesce(CAST(year AS TEXT), 'none') || ' ' || coalesce(CAST(duration_minutes AS TEXT), 'none') FROM films \
                WHERE name = 'Sun'";
    assert_eq!(app.texts(film).await, ["none none"]);

    // A wrong value leaves a stored one as it is.
    app.write("UPDATE films SET year = 2023 WHERE name = 'Sun'").await;
    assert_eq!(run(&app, folder.path(), &["import", "list.csv", "--blank-invalid"]).code, 0);
    assert_eq!(app.texts(film).await, ["2023 none"]);
    // Together they lose a row only where it cannot do without the value.
    std::fs::write(folder.path().join("both.csv"), LIST.replace("Rain", "Mist").replace("Sun", "Fog")).unwrap();
    let both = run(
        &app,
        folder.path(),
        &["import", "both.csv", "--blank-invalid", "--skip-invalid", "--on-conflict", "update"],
    );
    assert!(both.out.contains("2 new, 0 changed, 0 unchanged, 1 left out"), "{}", both.transcript());
    assert_eq!(app.number("SELECT count(*) FROM films WHERE name IN ('Mist', 'Fog')").await, 2);
}

async fn empty_cells_keep_or_clear_stored_values(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("full.csv"), LIST.split_inclusive('\n').take(2).collect::<String>()).unwrap();
    std::fs::write(
        folder.path().join("bare.csv"),
        "Title,Director,Section,Country,Year\nRain,Uma Rao,Malayalam,,2024\n",
    )
    .unwrap();
    assert_eq!(run(&app, folder.path(), &["import", "full.csv"]).code, 0);
    let country = "SELECT coalesce(country, 'none') || ' ' || coalesce(CAST(duration_minutes AS TEXT), 'none') FROM films \
                   WHERE name = 'Rain'";
    for (arguments, expected) in
        [(&["--empty", "keep"][..], "India 92"), (&[], "India 92"), (&["--empty", "clear"], "none 92")]
    {
        let import = run(&app, folder.path(), &[&["import", "bare.csv"], arguments].concat());
        assert_eq!(import.code, 0, "{}", import.transcript());
        assert_eq!(app.texts(country).await, [expected], "{arguments:?}");
    }

    // A list that was exported here is complete: what was emptied in it is removed, unless the command says otherwise.
    app.write("UPDATE films SET country = 'India' WHERE name = 'Rain'").await;
    assert_eq!(run(&app, folder.path(), &["export", "films.csv"]).code, 0);
    let list = std::fs::read_to_string(folder.path().join("films.csv")).unwrap();
    let emptied: String = list
        .lines()
        .map(|line| if line.contains(",Rain,") { line.replace(",India,", ",,") } else { line.into() } + "\n")
        .collect();
    std::fs::write(folder.path().join("emptied.csv"), emptied).unwrap();
    for (arguments, expected) in [(&["--empty", "keep"][..], "India 92"), (&[], "none 92")] {
        let import = run(&app, folder.path(), &[&["import", "emptied.csv"], arguments].concat());
        assert_eq!(import.code, 0, "{}", import.transcript());
        assert_eq!(app.texts(country).await, [expected], "{arguments:?}");
    }
}

async fn drafts_and_times_of_publication_survive_export_and_import(database: Database) {
    let app = TestApp::new(database).await;
    add_film(&app, &[("name", "'Draft'"), ("is_published", "0"), ("position", "2000"), ("poster_alt", "'A lamp'")])
        .await;
    add_film(&app, &[("name", "'Later'"), ("is_published", "0"), ("position", "2010")]).await;
    let later = app.id("films", "name = 'Later'").await;
    app.write(&format!(
        "INSERT INTO publications (entity, row_id, publish_at, editor) \
         VALUES ('films', {later}, '2099-12-11T12:30:00.000Z', 'Anu')"
    ))
    .await;
    app.write(
        "INSERT INTO editions (year, ordinal, name, starts_on, ends_on, is_current, created_at, updated_at) \
         SELECT 2091, 91, name, starts_on, ends_on, 0, created_at, updated_at FROM editions WHERE is_current = 1",
    )
    .await;
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&app, folder.path(), &["export", "films.csv"]).code, 0);
    let list = std::fs::read_to_string(folder.path().join("films.csv")).unwrap();
    let state = |title: &str| {
        list.lines().find(|line| line.contains(&format!(",{title},"))).unwrap().rsplit(',').next().unwrap()
    };
    assert_eq!((state("Draft"), state("Later"), state("Bare")), ("no", "2099-12-11T18:00:00", "yes"));

    let import = run(&app, folder.path(), &["import", "films.csv", "--edition", "2091"]);
    assert_eq!(import.code, 0, "{}", import.transcript());
    assert_eq!(run(&app, folder.path(), &["export", "again.csv", "--edition", "2091"]).code, 0);
    let again = std::fs::read_to_string(folder.path().join("again.csv")).unwrap();
    let without_ids = |list: &str| -> Vec<String> {
        list.lines().map(|line| line.split_once(',').map_or(line, |(_, rest)| rest).to_owned()).collect()
    };
    assert_eq!(without_ids(&again), without_ids(&list));

    // A time that is changed in the list, and one that is removed.
    let changed = list.replace("2099-12-11T18:00:00", "2098-01-02 06:00");
    std::fs::write(folder.path().join("films.csv"), &changed).unwrap();
    let import = run(&app, folder.path(), &["import", "films.csv", "--edition", "2091", "--dry-run"]);
    assert!(import.out.contains("Published: 11 Dec 2099, 6:00 PM -> 2 Jan 2098, 6:00 AM"), "{}", import.transcript());
    std::fs::write(folder.path().join("films.csv"), list.replace("2099-12-11T18:00:00", "yes")).unwrap();
    assert_eq!(run(&app, folder.path(), &["import", "films.csv"]).code, 0);
    assert_eq!(app.number("SELECT count(*) FROM publications").await, 1, "that of the other edition");
    assert_eq!(app.number(&format!("SELECT is_published FROM films WHERE id = {later}")).await, 1);

    // Other lists do not say; then the option of the command applies.
    std::fs::write(folder.path().join("list.csv"), LIST.split_inclusive('\n').take(2).collect::<String>()).unwrap();
    assert_eq!(run(&app, folder.path(), &["import", "list.csv", "--as", "draft"]).code, 0);
    assert_eq!(app.number("SELECT is_published FROM films WHERE name = 'Rain'").await, 0);
    assert_eq!(run(&app, folder.path(), &["import", "list.csv", "--as", "published"]).code, 0);
    assert_eq!(app.number("SELECT is_published FROM films WHERE name = 'Rain'").await, 0, "a stored draft stays one");
}

async fn report_is_written_as_a_table(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("list.csv"), LIST).unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let refused = run(&app, folder.path(), &["import", "list.csv", "--report", "wrong.csv"]);
    assert_eq!(refused.code, 1, "{}", refused.transcript());
    let wrong = read("wrong.csv");
    assert!(wrong.starts_with("\u{feff}line,outcome,title,details,field,before,after\r\n"), "{wrong}");
    assert!(wrong.contains("3,error,,,Year,soon,"), "{wrong}");

    assert_eq!(run(&app, folder.path(), &["import", "list.csv", "--skip-invalid"]).code, 1);
    std::fs::write(
        folder.path().join("list.csv"),
        "Title,Director,Section,Year\nRain,Uma Rao,Malayalam,2023\nMoon,Ila,Malayalam,2024\n",
    )
    .unwrap();
    for file in ["changes.json", "changes.xlsx", "changes.ods"] {
        let output = run(&app, folder.path(), &["import", "list.csv", "--dry-run", "--report", file]);
        assert_eq!(output.code, 0, "{}", output.transcript());
        assert!(output.err.contains(&format!("The report is in {file}.")), "{}", output.transcript());
    }
    let changes: serde_json::Value = serde_json::from_str(&read("changes.json")).unwrap();
    let expected = serde_json::json!([
        { "line": 2, "outcome": "changed", "title": "Rain", "details": "Malayalam, Uma Rao", "field": "Year", "before": "2024", "after": "2023" },
        { "line": 3, "outcome": "new", "title": "Moon", "details": "Malayalam, Ila" },
    ]);
    let plain = |value: &serde_json::Value| -> serde_json::Value {
        let rows = value.as_array().unwrap().iter().map(|row| {
            row.as_object()
                .unwrap()
                .iter()
                .filter(|(_, cell)| !cell.is_null())
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect()
        });
        serde_json::Value::Array(rows.collect())
    };
    assert_eq!(plain(&changes), expected);
    let again = run(&app, folder.path(), &["import", "list.csv", "--report", "changes.xlsx"]);
    assert_eq!(
        (again.code, app.number("SELECT count(*) FROM films WHERE name = 'Moon'").await),
        (2, 0),
        "{}",
        again.transcript()
    );
    assert!(again.err.contains("--force"), "{}", again.transcript());
    assert_eq!(run(&app, folder.path(), &["import", "list.csv", "--report", "changes.txt"]).code, 2);
    assert_eq!(run(&app, folder.path(), &["import", "list.csv", "--report", "list.csv", "--force"]).code, 2);
}
