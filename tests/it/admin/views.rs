//! Who looked at people: every screen that shows somebody leaves a line in the audit log, before it shows anything.

use festival_core::admin::Role;
use rocket::http::Method;
use serde_json::json;

use super::browser::{Browser, audited, person};
use super::inventory::filled_with_rows;
use crate::forms::sent::{Sent, message, patient, received, send_message};
use crate::support::{Answer, Database, TestApp};

on_both!(whatever_shows_somebody_is_written_down, a_list_says_what_was_asked_for_and_no_name);

/// What tells of somebody, wherever it stands.
const PEOPLE: [&str; 6] =
    ["submitter@example.org", "delegate@example.org", "visitor@example.org", "A Light", "S. Submitter", "ML-2025-"];

/// A site to which people sent everything that can be sent.
async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, patient).await;
    let film = Sent::film().with("award_category", "malayalam");
    received(&film.to(&site, "/api/changed/").await);
    received(&film.with("title_english", "Apart").with("website", "x").to(&site, "/api/changed/").await);
    received(&Sent::delegate().to(&site, "/api/delegate-form/").await);
    assert_eq!(send_message(&site, &message()).await.status, 200);
    site.write(
        "INSERT INTO outbox (kind, to_name, to_address, subject, body_text, created_at, not_before) \
         VALUES ('film-receipt', 'Ravi', 'ravi@example.org', 'Hello', 'Hello', '2025-10-26T06:00:00.000Z', \
         '2099-01-01T00:00:00.000Z')",
    )
    .await;
    site
}

fn shows_people(answer: &Answer) -> bool {
    let is_page = answer.header("Content-Type").starts_with("text/html");
    if !is_page {
        return answer.status == 200;
    }
    let text = answer.text();
    PEOPLE.iter().any(|words| text.contains(words))
}

async fn whatever_shows_somebody_is_written_down(database: Database) {
    let site = site(database).await;
    let owner = Browser::signed_in(&site, &person(&site, Role::Owner).await).await;
    let token = owner.csrf().await;
    let (mut seen, mut posted) = (0, 0);
    for screen in site.app.admin.contents.screens.iter() {
        // What is not about people is asked too: nobody may show them somewhere else.
        if screen.method != Method::Get && !screen.permission.is_personal() {
            continue;
        }
        let path = filled_with_rows(&site, &screen.path.for_openapi()).await;
        let before = site.number("SELECT count(*) FROM admin_audit").await;
        let answer = match screen.method {
            Method::Get => owner.get(&path).await,
            _ => {
                let table = path.split('/').nth(2).unwrap_or_default().replace('-', "_");
                let (row, state) = match table.as_str() {
                    "film_submissions" => (site.id(&table, "is_quarantined = 0").await, "selected"),
                    "delegates" => (site.id(&table, "1 = 1").await, "confirmed"),
                    "contact_messages" => (site.id(&table, "1 = 1").await, "answered"),
                    _ => (0, ""),
                };
                let row = row.to_string();
                let fields = [("csrf", token.as_str()), ("row", &row), ("status", state), ("format", "csv")];
                owner.send(&path, &fields, &[]).await
            }
        };
        assert!(answer.status < 500, "{} {path}: {}", screen.method, answer.text());
        if shows_people(&answer) {
            let after = site.number("SELECT count(*) FROM admin_audit").await;
            assert!(after > before, "{} {path} shows somebody, and nobody knows who looked", screen.method);
            assert!(screen.permission.is_personal(), "{} {path} is not about people", screen.method);
            seen += 1;
            posted += u32::from(screen.method == Method::Post);
        }
    }
    // Three kinds with list, page and files, quarantine, the outbox; exports, questions and refusals of what was sent.
    assert!(seen >= 20 && posted >= 8, "{seen} {posted}");
    let lists =
        "SELECT count(DISTINCT object) FROM admin_audit WHERE action = 'list' AND after_json LIKE '%\"rows\":%'";
    assert_eq!(site.number(lists).await, 5, "three kinds, quarantine, outbox");
}

async fn a_list_says_what_was_asked_for_and_no_name(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &person(&site, Role::Desk).await).await;
    assert_eq!(desk.get("/admin/film-submissions?award=malayalam&q=submitter@example.org").await.status, 200);
    let mut connection = site.app.db.read().await.unwrap();
    let said: String = sqlx::query_scalar("SELECT after_json FROM admin_audit WHERE action = 'list'")
        .fetch_one(&mut *connection)
        .await
        .unwrap();
    drop(connection);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let filters = json!({ "award": "malayalam", "edition": "2025", "searched": true, "status": "" });
    assert_eq!(said, json!({ "rows": 1, "asked": { "page": 1, "filters": filters } }));
    assert_eq!(desk.get("/admin/film-submissions?q=nobody").await.status, 200);
    assert_eq!(audited(&site, "list").await, 1, "an empty list shows nobody");
}
