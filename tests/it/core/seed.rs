//! Seeding: repeatable, without overwriting organisers' changes, all or nothing.

use festival_core::Result;
use festival_core::seed::{self, Report, Seed, Tally};

use crate::support::{Database, TestApp, fixture};

on_both!(
    seeding_twice_adds_nothing,
    seeding_keeps_what_organisers_changed_or_deleted,
    seeding_updates_what_the_file_changed,
    relative_dates_move_by_whole_weeks,
    invalid_seed_file_reports_the_place_and_changes_nothing,
    countdown_keeps_its_local_time,
);

fn fixture_text() -> String {
    std::fs::read_to_string(fixture("2025.toml")).unwrap()
}

async fn seed_text(app: &TestApp, text: String, relative: bool) -> Result<Report> {
    let read = Box::new(|name: &str| std::fs::read(fixture(name)).ok());
    seed::seed(&app.app.records, &app.app.in_force, &Seed { text, read }, relative).await
}

fn tally_of(report: &Report, table: &str) -> Tally {
    report.tables.iter().find(|(name, _)| *name == table).expect(table).1.clone()
}

async fn counts(app: &TestApp) -> Vec<i64> {
    let mut counts = Vec::new();
    for entity in app.app.registry.contributions().iter().flat_map(|c| &c.entities) {
        counts.push(app.number(&format!("SELECT count(*) FROM {}", entity.table)).await);
    }
    counts
}

async fn seeding_twice_adds_nothing(database: Database) {
    let app = TestApp::new(database).await;
    let before = counts(&app).await;
    let films = app.get("/api/selections/").await.json();
    for _ in 0..2 {
        let report = seed_text(&app, fixture_text(), false).await.unwrap();
        for (table, tally) in &report.tables {
            assert_eq!(*tally, Tally { unchanged: tally.unchanged, ..Tally::default() }, "{table}");
        }
        assert_eq!(counts(&app).await, before);
    }
    assert_eq!(app.get("/api/selections/").await.json(), films);
}

async fn seeding_keeps_what_organisers_changed_or_deleted(database: Database) {
    let app = TestApp::new(database).await;
    app.write("UPDATE venues SET place = 'Moved by hand' WHERE name = 'Kera Hall'").await;
    app.write("DELETE FROM guests WHERE is_published = 1").await;
    let report = seed_text(&app, fixture_text(), false).await.unwrap();
    assert_eq!(tally_of(&report, "guests"), Tally { deleted: 1, unchanged: 1, ..Tally::default() });
    // Also when the file changed meanwhile.
    let changed = fixture_text()
        .replace("\"Kochi\"\ndescription", "\"Moved by the file\"\ndescription")
        .replace("role = \"Director\"", "role = \"Star\"");
    assert_ne!(changed, fixture_text());
    let report = seed_text(&app, changed, false).await.unwrap();
    assert_eq!(tally_of(&report, "venues"), Tally { kept: 1, unchanged: 1, ..Tally::default() });
    assert_eq!(app.get("/api/venues/").await.json()[0]["place"], "Moved by hand");
    assert_eq!(app.get("/api/guests/").await.json(), serde_json::json!([]));
    // The choice of the current edition is kept as well.
    app.write("UPDATE editions SET is_current = CASE WHEN year = 2024 THEN 1 ELSE 0 END").await;
    seed_text(&app, fixture_text(), false).await.unwrap();
    assert_eq!(app.get("/api/site/").await.json()["edition"]["year"], 2024);
}

async fn seeding_updates_what_the_file_changed(database: Database) {
    let app = TestApp::new(database).await;
    let changed = fixture_text().replace("role = \"Director\"", "role = \"Star\"")
        + "\n[[guests]]\nname = \"New guest\"\n[[films]]\ncategory = \"empty\"\nname = \"New film\"\n";
    let report = seed_text(&app, changed.clone(), false).await.unwrap();
    assert_eq!(tally_of(&report, "guests"), Tally { inserted: 1, updated: 1, unchanged: 1, ..Tally::default() });
    assert_eq!(tally_of(&report, "films").inserted, 1);
    let guests = app.get("/api/guests/").await.json();
    assert_eq!((&guests[0]["role"], &guests[1]["name"]), (&"Star".into(), &"New guest".into()));
    assert_eq!(tally_of(&seed_text(&app, changed, false).await.unwrap(), "guests").unchanged, 3);
}

async fn relative_dates_move_by_whole_weeks(database: Database) {
    let app = TestApp::new(database).await;
    let before = counts(&app).await;
    app.clock.set("2027-03-10T00:00:00Z".parse().unwrap());
    let report = seed_text(&app, fixture_text(), true).await.unwrap();
    assert_eq!(report.moved_days % 7, 0);
    assert_eq!(counts(&app).await, before);
    let edition = app.get("/api/site/").await.json()["edition"].clone();
    // Weekdays are kept; the festival begins about eight weeks from now.
    assert_eq!((&edition["starts_on"], &edition["ends_on"]), (&"2027-05-07".into(), &"2027-05-14".into()));
    assert_eq!(edition["countdown_at"], "2027-03-17T22:00:00");
    assert_eq!(app.get("/api/upcoming-events/").await.json()[0]["event_datetime"], "2027-05-07T18:00:00+05:30");
    // Dates of sister festivals move too.
    assert_eq!(app.get("/api/sessions/isff-2025/").await.json()[0]["day"], "2027-02-19");
    // Years of the history stay; on a later seed dates move again without duplicate rows.
    assert_eq!(app.get("/api/history/").await.json()[0]["year"], 2005);
    app.clock.set("2027-06-10T00:00:00Z".parse().unwrap());
    seed_text(&app, fixture_text(), true).await.unwrap();
    assert_eq!(counts(&app).await, before);
    assert_eq!(app.get("/api/upcoming-events/").await.json()[0]["event_datetime"], "2027-08-06T18:00:00+05:30");
}

async fn countdown_keeps_its_local_time(database: Database) {
    let app = TestApp::new(database).await;
    app.clock.set("2025-09-01T00:00:00Z".parse().unwrap());
    assert_eq!(app.get("/api/site/").await.json()["edition"]["countdown_at"], "2025-09-03T22:00:00");
}

async fn invalid_seed_file_reports_the_place_and_changes_nothing(database: Database) {
    let app = TestApp::new(database).await;
    let before = counts(&app).await;
    let with = |rows: &str| format!("{}\n[[guests]]\nname = \"Before the mistake\"\n{rows}", fixture_text());
    let mut messages = Vec::new();
    for wrong in [
        "edition = 5\n".to_owned(),
        "[edition]\nyear = 2025\n".to_owned(),
        "[[films]\n".to_owned(),
        with("[[flims]]\nname = \"x\"\n"),
        with("[[films]]\ncategory = \"malayalam\"\n"),
        with("[[films]]\ncategory = \"nowhere\"\nname = \"x\"\n"),
        with("[[films]]\ncategory = \"malayalam\"\nname = \"x\"\nyear = 12\ncolour = \"red\"\ncountri = \"India\"\n"),
        with("[[films]]\ncategory = \"malayalam\"\nname = \"x\"\nyear = [1, 2]\n"),
        with("[[films]]\ncategory = \"malayalam\"\nname = \"x\"\nposter = \"pictures/missing.png\"\n"),
        with("[[films]]\ncategory = \"malayalam\"\nname = \"x\"\nposter = \"2024.toml\"\n"),
        with("[[films]]\ncategory = \"malayalam\"\nname = \"Bare\"\n"),
        with("[[upcoming_events]]\nevent = \"x\"\nlocation = \"y\"\nevent_datetime = \"soon\"\n"),
        with("[[guests]]\nname = \"From {2025-13-01}\"\n"),
        with("[settings.api]\nmount = \"/x\"\n"),
        with("[settings.modules.forms]\nenabled = false\ndollar_payment = \"PayPal\"\n"),
        with("[settings.modules.forms]\ndollar_payment = 60\n"),
        with("[settings.product]\nslug = \"No Slug\"\n"),
    ] {
        let error = seed_text(&app, wrong, false).await.expect_err("a wrong file");
        messages.push(error.for_terminal());
        assert_eq!(counts(&app).await, before, "{messages:?}");
    }
    snapshot!("core seed wrong files", messages.join("\n---\n"));
}
