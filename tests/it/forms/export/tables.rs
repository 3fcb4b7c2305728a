//! Content of exported tables.

use festival_core::db::{Select, Test, snapshot};
use festival_forms::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION};
use serde_json::Value;

use super::*;

on_both!(
    film_export_has_readable_tables_and_raw_json,
    delegate_export_has_the_fee_at_registration,
    exported_texts_equal_the_submitted_ones,
    export_reads_one_consistent_snapshot,
);

/// Inserts four films of this edition and one of another.
async fn films(app: &TestApp) {
    let film = |reference: &str| Row::new(&FILM_SUBMISSION, reference);
    let first = film("ML-2025-0001")
        .text("title_english", "=HYPERLINK(\"https://bad.example\")")
        .text("title_original", "മഴയുടെ വഴി")
        .text("is_first_or_second_feature", "Second")
        .text("declared_feature_label", "No")
        .text("over_long", "biography synopsis_long")
        .flag("is_late")
        .flag("is_possible_duplicate");
    first.insert(app).await;
    let mut second = film("IN-2025-0001")
        .text("award_category", "indian")
        .text("category_source", "referer")
        .text("is_first_or_second_feature", "Indian_Panorama")
        .text("status", "accepted");
    // One minute past midnight of the 21st in the festival's time zone, still the 20th in UTC.
    second.created_at = "2025-10-20T18:31:00.000Z".into();
    second.insert(app).await;
    film("ML-2025-0002").flag("is_quarantined").insert(app).await;
    film("FS-2025-0001").text("award_category", "unclassified").text("category_source", "none").insert(app).await;
    let mut other = film("ML-2024-0001");
    other.year = 2024;
    other.insert(app).await;
}

async fn film_export_has_readable_tables_and_raw_json(database: Database) {
    let app = TestApp::new(database).await;
    films(&app).await;
    let folder = tempfile::tempdir().unwrap();
    let csv = export(&app, folder.path(), &["film", "-o", "-", "--format", "csv"]);
    assert_eq!(
        (csv.code, csv.err.as_str()),
        (0, "3 film submissions written to standard output.\n"),
        "{}",
        csv.transcript()
    );
    snapshot!("forms export film header", csv.out.lines().next().unwrap());
    assert!(csv.out.contains(",\"'=HYPERLINK("), "{}", csv.out);
    assert!(!csv.out.contains("never-outside") && !csv.out.contains("/private"), "{}", csv.out);
    let written = export(&app, folder.path(), &["film", "-o", "films.xlsx"]);
    assert_eq!((written.code, written.out.as_str()), (0, ""), "{}", written.transcript());
    let xlsx = std::fs::read(folder.path().join("films.xlsx")).unwrap();
    for sheet in [read(csv.out.as_bytes(), "films.csv"), read(&xlsx, "films.xlsx")] {
        assert_eq!(column(&sheet, "Reference"), ["ML-2025-0001", "IN-2025-0001", "FS-2025-0001"]);
        assert_eq!(column(&sheet, "Award"), ["Malayalam", "Indian", "Unclassified"]);
        assert_eq!(column(&sheet, "Award found by"), ["the form", "the page before", "not found"]);
        assert_eq!(column(&sheet, "Status"), ["Received", "accepted", "Received"]);
        assert_eq!(column(&sheet, "Payment"), ["Unchecked"; 3]);
        let flags = "late; possible duplicate; declared No; over-long: biography, synopsis long";
        assert_eq!(column(&sheet, "Flags"), [flags, "", ""]);
        let submitted = column(&sheet, "Submitted at (Asia/Kolkata)");
        assert!(submitted[0].starts_with("2025-10-20 12:00") && submitted[1].starts_with("2025-10-21 00:01"));
        assert_eq!(column(&sheet, "Title of the film (original)")[0], "മഴയുടെ വഴി");
        assert_eq!(column(&sheet, "Mobile number of the producer")[0], "+91 98470 12345");
        assert_eq!(column(&sheet, "First or second feature of the director")[1], "Indian Panorama");
        assert_eq!(column(&sheet, "Duration in minutes")[0], "92");
    }
    let json = export(&app, folder.path(), &["film", "-o", "-", "--format", "json", "--quarantined"]);
    let rows: Vec<Value> = serde_json::from_str(&json.out).unwrap();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0]["created_at"], "2025-10-20T06:30:05.000Z");
    assert_eq!((&rows[0]["is_late"], &rows[0]["duration_minutes"]), (&1.into(), &92.into()));
    assert_eq!(rows[0]["title_english"], "=HYPERLINK(\"https://bad.example\")");
    assert_eq!(rows[1]["is_first_or_second_feature"], "Indian_Panorama");
    assert_eq!((&rows[1]["film_poster"], &rows[1]["declared_feature_label"]), (&Value::Null, &Value::Null));
    assert!(!json.out.contains("never-outside"), "{}", json.out);
    let names: Vec<&String> = rows[0].as_object().unwrap().keys().collect();
    snapshot!("forms export film names", format!("{names:#?}"));
    for (filter, references) in [
        (&["--since", "2025-10-21"][..], &["IN-2025-0001"][..]),
        (&["--since", "2025-10-20"], &["ML-2025-0001", "IN-2025-0001", "FS-2025-0001"]),
        (&["--status", "accepted"], &["IN-2025-0001"]),
        (&["--award", "malayalam"], &["ML-2025-0001"]),
        (&["--award", "malayalam", "--quarantined"], &["ML-2025-0001", "ML-2025-0002"]),
        (&["--award", "unclassified"], &["FS-2025-0001"]),
        (&["--edition", "2024"], &["ML-2024-0001"]),
        (&["--status", "nobody's"], &[]),
    ] {
        let arguments = [&["film", "-o", "-", "--format", "json"], filter].concat();
        let rows: Vec<Value> = serde_json::from_str(&export(&app, folder.path(), &arguments).out).unwrap();
        let found: Vec<&str> = rows.iter().filter_map(|row| row["reference"].as_str()).collect();
        assert_eq!(found, references, "{filter:?}");
    }
}

async fn delegate_export_has_the_fee_at_registration(database: Database) {
    let app = TestApp::new(database).await;
    Row::new(&DELEGATE, "DL-2025-0001").text("name", "Uma Rao").insert(&app).await;
    let folder = tempfile::tempdir().unwrap();
    let csv = export(&app, folder.path(), &["delegate", "-o", "-", "--format", "csv", "--bom"]);
    assert!(csv.out.starts_with('\u{feff}'), "{}", csv.transcript());
    snapshot!("forms export delegate", csv.transcript());
}

/// Strings known to break programs: the public list, if available, and our own.
fn naughty() -> Vec<String> {
    let own = ["", "=1+1", "+91", "\t=1", " -1", "＝1", "'=1", "a\r\nb", "മലയാളം", "\u{202e}x", "\"", ",", "_x000D_"];
    let mut strings: Vec<String> = own.map(str::to_owned).into();
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real-data/hostile/blns.json");
    match std::fs::read_to_string(list) {
        Ok(text) => strings.extend(serde_json::from_str::<Vec<String>>(&text).unwrap()),
        Err(_) => println!("skipped: no hostile/blns.json"),
    }
    strings.retain(|string| !string.contains('\0')); // These are rejected on submission.
    strings
}

async fn exported_texts_equal_the_submitted_ones(database: Database) {
    let app = TestApp::new(database).await;
    let naughty = naughty();
    let edition = app.id("editions", "year = 2025").await;
    let mut write = app.app.db.write().await.unwrap();
    for (number, text) in (1..).zip(&naughty) {
        let row = Row::new(&CONTACT_MESSAGE, &format!("CM-2025-{number:04}")).text("message", text);
        row.insert_in_transaction(&mut write, edition).await;
    }
    write.commit().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let json = export(&app, folder.path(), &["contact", "-o", "-", "--format", "json"]);
    let rows: Vec<Value> = serde_json::from_str(&json.out).unwrap();
    assert_eq!(rows.iter().map(|row| row["message"].as_str().unwrap()).collect::<Vec<_>>(), naughty);
    let csv = export(&app, folder.path(), &["contact", "-o", "-", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(csv.out.as_bytes());
    let column = reader.headers().unwrap().iter().position(|title| title == "Message").unwrap();
    let messages: Vec<String> = reader.records().map(|row| row.unwrap()[column].to_owned()).collect();
    for (exported, submitted) in messages.iter().map(|cell| unescape_formula(cell)).zip(&naughty) {
        // An apostrophe that a person typed before a formula looks like the export's own guard.
        assert!(exported == submitted || format!("'{exported}") == *submitted, "{submitted:?} came as {exported:?}");
    }
    assert_eq!(messages.len(), naughty.len());
}

/// All pages of an export read the same snapshot of the database.
async fn export_reads_one_consistent_snapshot(database: Database) {
    let app = TestApp::new(database).await;
    for number in 1..=3 {
        Row::new(&CONTACT_MESSAGE, &format!("CM-2025-000{number}")).insert(&app).await;
    }
    let select = Select::new("contact_messages", vec!["reference", "is_late"]);
    let select = select.filter("is_late", Test::Is, Datum::Integer(0));
    let mut connection = app.app.db.read().await.unwrap();
    let mut reading = snapshot(&mut connection, app.app.db.backend()).await.unwrap();
    assert_eq!(select.count(&mut reading).await.unwrap(), 3);
    let first = select.page(&mut reading, 0, 2).await.unwrap();
    assert_eq!(first.len(), 2);
    assert_eq!(first[0].1, [Datum::Text("CM-2025-0001".into()), Datum::Integer(0)]);
    Row::new(&CONTACT_MESSAGE, "CM-2025-0004").insert(&app).await;
    app.write("UPDATE contact_messages SET reference = 'changed' WHERE reference = 'CM-2025-0003'").await;
    let second = select.page(&mut reading, first[1].0, 2).await.unwrap();
    assert_eq!(second.len(), 1);
    assert_eq!(second[0].1[0], Datum::Text("CM-2025-0003".into()));
    assert!(select.page(&mut reading, second[0].0, 2).await.unwrap().is_empty());
    reading.rollback().await.unwrap();
    assert_eq!(select.count(&mut connection).await.unwrap(), 4);
}
