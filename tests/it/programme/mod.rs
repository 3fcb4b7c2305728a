//! The public pages and API of the module `programme`, its releases and its screens.

mod api;
mod calendar;
mod frab;
mod import;
mod import_columns;
mod pages;
mod plan;
mod print_imports;
mod printed_lists;
mod prints;
mod release;
mod switch;

use festival_core::admin::OWNER;
use festival_core::seed::Seed;

use crate::admin::browser::{Browser, create_account, hidden_value};
use crate::support::{Database, TestApp};

/// Two halls, three screenings, a talk and a screening for the jury, with films of the fixtures.
const ROWS: &str = r#"
[[halls]]
name = "Hall 1"
venue = "Kairali"
capacity = 300
wheelchair_seats = 4
closing_time = "23:30"
map_link = "https://maps.example/1"

[[halls]]
name = "Hall 2"

[[hall_walks]]
hall = "Hall 1"
other_hall = "Hall 2"
minutes = 7

[[screenings]]
code = "A1"
film = "FILM ONE"
hall = "Hall 1"
starts_at = 2025-10-24T18:00:00
minutes = 100
talk_minutes = 20
guests = "Asha Nair\nBiju"
subtitles = "English"

[[screenings]]
code = "A2"
kind = "package"
title = "Night; shorts, \"two\""
film = "FILM ONE"
hall = "Hall 2"
starts_at = 2025-10-25T00:30:00
minutes = 60
audience = "delegates"

[[screening_films]]
screening = "A2"
film = "FILM TWO"

[[screenings]]
code = "B1"
film = "FILM TWO"
hall = "Hall 1"
starts_at = 2025-10-27T11:00:00
minutes = 90

[[screenings]]
code = "T1"
kind = "talk"
title = "A talk"
hall = "Hall 2"
starts_at = 2025-10-27T16:00:00
minutes = 60

[[screenings]]
code = "J1"
film = "FILM TWO"
hall = "Hall 2"
starts_at = 2025-10-28T11:00:00
minutes = 90
audience = "jury"

[[certificates]]
film = "FILM ONE"
status = "certified"

[[certificates]]
film = "FILM TWO"
status = "granted"
"#;

/// A site with the rows above, which are not released.
async fn planned(database: Database) -> TestApp {
    let app = TestApp::new(database).await;
    plan(&app).await;
    app
}

async fn plan(app: &TestApp) {
    let published = "SELECT f.name FROM films f JOIN categories c ON c.id = f.category_id \
                     JOIN editions e ON e.id = f.edition_id \
                     WHERE e.year = 2025 AND f.is_published = 1 AND c.is_published = 1 ORDER BY f.id";
    let quoted = |title: &String| title.replace('\\', "\\\\").replace('"', "\\\"");
    let titles: Vec<String> = app.texts(published).await.iter().map(quoted).collect();
    seed(app, &ROWS.replace("FILM ONE", &titles[0]).replace("FILM TWO", &titles[1])).await;
}

/// Adds rows to those of the fixtures.
async fn seed(app: &TestApp, rows: &str) {
    let text = std::fs::read_to_string(crate::support::fixture("2025.toml")).unwrap() + rows;
    let read = Box::new(|name: &str| std::fs::read(crate::support::fixture(name)).ok());
    let report = festival_core::seed::seed(&app.app.records, &app.app.in_force, &Seed { text, read }, false).await;
    report.unwrap_or_else(|error| panic!("{}", error.for_terminal()));
}

/// A site with the rows above, released.
pub(crate) async fn released(database: Database) -> TestApp {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    release(&Browser::signed_in(&app, &owner).await).await;
    app
}

/// Releases the programme in the back office, and returns the page that confirms it.
pub(crate) async fn release(browser: &Browser<'_>) -> String {
    let form = browser.get(RELEASE).await;
    let fingerprint = hidden_value(&form, "fingerprint").unwrap_or_else(|| panic!("{}", form.text()));
    let done = browser.post(RELEASE, &[("fingerprint", &fingerprint), ("note", "A note")]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    browser.get(RELEASE).await.text()
}

const RELEASE: &str = "/admin/programme/release";
