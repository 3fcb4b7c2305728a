//! Seeding: any number of times, never against an organiser, all or nothing.

use festival_core::Result;
use festival_core::seed::{self, Report, Seed, Tally};

use crate::support::{Database, TestApp, fixture};

on_both!(
    twice_doubles_nothing,
    what_an_organiser_changed_or_deleted_stays,
    what_the_file_changed_is_updated,
    dates_move_by_whole_weeks,
    a_wrong_file_says_where_and_changes_nothing,
    countdowns_keep_their_time,
);

fn text() -> String {
    std::fs::read_to_string(fixture("2025.toml")).unwrap()
}

async fn plant(app: &TestApp, text: String, relative: bool) -> Result<Report> {
    let read = Box::new(|name: &str| std::fs::read(fixture(name)).ok());
    seed::seed(&app.app.records, &app.app.in_force, &Seed { text, read }, relative).await
}

fn of(report: &Report, table: &str) -> Tally {
    report.tables.iter().find(|(name, _)| *name == table).expect(table).1.clone()
}

async fn counts(app: &TestApp) -> Vec<i64> {
    let mut counts = Vec::new();
    for entity in app.app.registry.contributions().iter().flat_map(|c| &c.entities) {
        counts.push(app.number(&format!("SELECT count(*) FROM {}", entity.table)).await);
    }
    counts
}

async fn twice_doubles_nothing(database: Database) {
    let app = TestApp::new(database).await;
    let before = counts(&app).await;
    let films = app.get("/api/selections/").await.json();
    for _ in 0..2 {
        let report = plant(&app, text(), false).await.unwrap();
        for (table, tally) in &report.tables {
            assert_eq!(*tally, Tally { unchanged: tally.unchanged, ..Tally::default() }, "{table}");
        }
        assert_eq!(counts(&app).await, before);
    }
    assert_eq!(app.get("/api/selections/").await.json(), films);
}

async fn what_an_organiser_changed_or_deleted_stays(database: Database) {
    let app = TestApp::new(database).await;
    app.write("UPDATE venues SET place = 'Moved by hand' WHERE name = 'Kera Hall'").await;
    app.write("DELETE FROM guests WHERE is_published = 1").await;
    let report = plant(&app, text(), false).await.unwrap();
    assert_eq!(of(&report, "guests"), Tally { deleted: 1, unchanged: 1, ..Tally::default() });
    // Also where the file changed meanwhile.
    let changed = text()
        .replace("\"Kochi\"\ndescription", "\"Moved by the file\"\ndescription")
        .replace("role = \"Director\"", "role = \"Star\"");
    assert_ne!(changed, text());
    let report = plant(&app, changed, false).await.unwrap();
    assert_eq!(of(&report, "venues"), Tally { kept: 1, unchanged: 1, ..Tally::default() });
    assert_eq!(app.get("/api/venues/").await.json()[0]["place"], "Moved by hand");
    assert_eq!(app.get("/api/guests/").await.json(), serde_json::json!([]));
    // The current edition is the organiser's choice as well.
    app.write("UPDATE editions SET is_current = CASE WHEN year = 2024 THEN 1 ELSE 0 END").await;
    plant(&app, text(), false).await.unwrap();
    assert_eq!(app.get("/api/site/").await.json()["edition"]["year"], 2024);
}

async fn what_the_file_changed_is_updated(database: Database) {
    let app = TestApp::new(database).await;
    let changed = text().replace("role = \"Director\"", "role = \"Star\"")
        + "\n[[guests]]\nname = \"New guest\"\n[[films]]\ncategory = \"empty\"\nname = \"New film\"\n";
    let report = plant(&app, changed.clone(), false).await.unwrap();
    assert_eq!(of(&report, "guests"), Tally { inserted: 1, updated: 1, unchanged: 1, ..Tally::default() });
    assert_eq!(of(&report, "films").inserted, 1);
    let guests = app.get("/api/guests/").await.json();
    assert_eq!((&guests[0]["role"], &guests[1]["name"]), (&"Star".into(), &"New guest".into()));
    assert_eq!(of(&plant(&app, changed, false).await.unwrap(), "guests").unchanged, 3);
}

async fn dates_move_by_whole_weeks(database: Database) {
    let app = TestApp::new(database).await;
    let before = counts(&app).await;
    app.clock.set("2027-03-10T00:00:00Z".parse().unwrap());
    let report = plant(&app, text(), true).await.unwrap();
    assert_eq!(report.moved_days % 7, 0);
    assert_eq!(counts(&app).await, before);
    let edition = app.get("/api/site/").await.json()["edition"].clone();
    // A Friday stays a Friday, about eight weeks from now.
    assert_eq!((&edition["starts_on"], &edition["ends_on"]), (&"2027-05-07".into(), &"2027-05-14".into()));
    assert_eq!(edition["countdown_at"], "2027-03-17T22:00:00");
    assert_eq!(app.get("/api/upcoming-events/").await.json()[0]["event_datetime"], "2027-05-07T18:00:00+05:30");
    // A sister festival moves along.
    assert_eq!(app.get("/api/sessions/isff-2025/").await.json()[0]["day"], "2027-02-19");
    // A year that is history stays; later the dates move on and no row doubles.
    assert_eq!(app.get("/api/history/").await.json()[0]["year"], 2005);
    app.clock.set("2027-06-10T00:00:00Z".parse().unwrap());
    plant(&app, text(), true).await.unwrap();
    assert_eq!(counts(&app).await, before);
    assert_eq!(app.get("/api/upcoming-events/").await.json()[0]["event_datetime"], "2027-08-06T18:00:00+05:30");
}

async fn countdowns_keep_their_time(database: Database) {
    let app = TestApp::new(database).await;
    app.clock.set("2025-09-01T00:00:00Z".parse().unwrap());
    assert_eq!(app.get("/api/site/").await.json()["edition"]["countdown_at"], "2025-09-03T22:00:00");
}

async fn a_wrong_file_says_where_and_changes_nothing(database: Database) {
    let app = TestApp::new(database).await;
    let before = counts(&app).await;
    let more = |rows: &str| format!("{}\n[[guests]]\nname = \"Before the mistake\"\n{rows}", text());
    let mut words = Vec::new();
    for wrong in [
        "edition = 5\n".to_owned(),
        "[edition]\nyear = 2025\n".to_owned(),
        "[[films]\n".to_owned(),
        more("[[flims]]\nname = \"x\"\n"),
        more("[[films]]\ncategory = \"malayalam\"\n"),
        more("[[films]]\ncategory = \"nowhere\"\nname = \"x\"\n"),
        more("[[films]]\ncategory = \"malayalam\"\nname = \"x\"\nyear = 12\ncolour = \"red\"\ncountri = \"India\"\n"),
        more("[[films]]\ncategory = \"malayalam\"\nname = \"x\"\nyear = [1, 2]\n"),
        more("[[films]]\ncategory = \"malayalam\"\nname = \"x\"\nposter = \"pictures/missing.png\"\n"),
        more("[[films]]\ncategory = \"malayalam\"\nname = \"x\"\nposter = \"2024.toml\"\n"),
        more("[[films]]\ncategory = \"malayalam\"\nname = \"Bare\"\n"),
        more("[[upcoming_events]]\nevent = \"x\"\nlocation = \"y\"\nevent_datetime = \"soon\"\n"),
        more("[[guests]]\nname = \"From {2025-13-01}\"\n"),
        more("[settings.api]\nmount = \"/x\"\n"),
        more("[settings.modules.forms]\nenabled = false\ndollar_payment = \"PayPal\"\n"),
        more("[settings.modules.forms]\ndollar_payment = 60\n"),
        more("[settings.product]\nslug = \"No Slug\"\n"),
    ] {
        let error = plant(&app, wrong, false).await.expect_err("a wrong file");
        words.push(error.for_terminal());
        assert_eq!(counts(&app).await, before, "{words:?}");
    }
    snapshot!("core seed wrong files", words.join("\n---\n"));
}
