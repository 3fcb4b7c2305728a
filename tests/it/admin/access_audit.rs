//! Audit of access to personal data: every screen that shows a person writes an audit entry before it responds.

use festival_core::admin::OWNER;
use festival_forms::DESK;
use rocket::http::Method;
use serde_json::json;

use super::browser::{Browser, count_audited, create_account};
use super::permissions::fill_path_with_rows;
use crate::forms::requests::{FormRequest, assert_received, lift_limits, message, send_message};
use crate::support::{Database, Response, TestApp};

on_both!(every_view_of_personal_data_is_audited, audited_list_view_records_filters_but_no_search_text);

/// Texts that identify people in the fixtures.
const PEOPLE: [&str; 4] = ["submitter@example.org", "delegate@example.org", "visitor@example.org", "S. Submitter"];
/// Texts by which submissions are known.
const FILMS: [&str; 2] = ["A Light", "ML-2025-"];

/// A site with one submission of every kind.
async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, lift_limits).await;
    let film = FormRequest::film().with("award_category", "malayalam");
    assert_received(&film.post(&site, "/api/changed/").await);
    assert_received(&film.with("title_english", "Apart").with("website", "x").post(&site, "/api/changed/").await);
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    assert_eq!(send_message(&site, &message()).await.status, 200);
    site.write(
        "INSERT INTO outbox (kind, to_name, to_address, subject, body_text, created_at, not_before) \
         VALUES ('film-receipt', 'Ravi', 'ravi@example.org', 'Hello', 'Hello', '2025-10-26T06:00:00.000Z', \
         '2099-01-01T00:00:00.000Z')",
    )
    .await;
    site
}

/// Whether a response shows something about people. Assignments name entries by titles and reference numbers, and nothing
/// else of them.
fn shows_people(path: &str, response: &Response) -> bool {
    let is_page = response.header("Content-Type").starts_with("text/html");
    if !is_page {
        return response.status == 200;
    }
    let text = response.text();
    let films = if path.starts_with("/admin/selection-assignments") { &[][..] } else { &FILMS };
    PEOPLE.iter().chain(films).any(|text_of_person| text.contains(text_of_person))
}

async fn every_view_of_personal_data_is_audited(database: Database) {
    let site = site(database).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let token = owner.csrf_token().await;
    let (mut seen, mut posted) = (0, 0);
    for screen in site.app.admin.contents.screens.iter() {
        // Screens that are not marked as personal are requested too: they must not show people.
        if screen.method != Method::Get && !screen.permission.is_personal() {
            continue;
        }
        let path = fill_path_with_rows(&site, &screen.path.for_openapi()).await;
        let before = site.number("SELECT count(*) FROM admin_audit").await;
        let response = match screen.method {
            Method::Get => owner.get(&path).await,
            _ => {
                let table = path.split('/').nth(2).unwrap_or_default().replace('-', "_");
                let (row, state) = match table.as_str() {
                    "film_submissions" => (site.id(&table, "is_quarantined = 0").await, "selected"),
                    "delegates" => (site.id(&table, "1 = 1").await, "confirmed"),
                    "contact_messages" => (site.id(&table, "1 = 1").await, "answered"),
                    _ => (0, ""),
                };
                let (row, action) = (row.to_string(), format!("status:{state}"));
                let fields = [
                    ("csrf", token.as_str()),
                    ("row", &row),
                    ("status", state),
                    ("action", &action),
                    ("format", "csv"),
                ];
                owner.send(&path, &fields, &[]).await
            }
        };
        assert!(response.status < 500, "{} {path}: {}", screen.method, response.text());
        if shows_people(&path, &response) {
            let after = site.number("SELECT count(*) FROM admin_audit").await;
            assert!(after > before, "{} {path} shows personal data without an audit entry", screen.method);
            assert!(screen.permission.is_personal(), "{} {path} is not marked as personal", screen.method);
            seen += 1;
            posted += u32::from(screen.method == Method::Post);
        }
    }
    // Three kinds with list, page and files, quarantine, the outbox; exports, confirmations and rejections.
    assert!(seen >= 18 && posted >= 8, "{seen} {posted}");
    let lists =
        "SELECT count(DISTINCT object) FROM admin_audit WHERE action = 'list' AND after_json LIKE '%\"rows\":%'";
    assert_eq!(site.number(lists).await, 5, "three kinds, quarantine, outbox");
}

async fn audited_list_view_records_filters_but_no_search_text(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    assert_eq!(desk.get("/admin/film-submissions?award=malayalam&q=submitter@example.org").await.status, 200);
    let mut connection = site.app.db.read().await.unwrap();
    let recorded: String = sqlx::query_scalar("SELECT after_json FROM admin_audit WHERE action = 'list'")
        .fetch_one(&mut *connection)
        .await
        .unwrap();
    drop(connection);
    let recorded: serde_json::Value = serde_json::from_str(&recorded).unwrap();
    let filters = json!({ "award": "malayalam", "edition": "2025", "searched": true, "status": "" });
    assert_eq!(recorded, json!({ "rows": 1, "query": { "page": 1, "filters": filters } }));
    assert_eq!(desk.get("/admin/film-submissions?q=nobody").await.status, 200);
    assert_eq!(count_audited(&site, "list").await, 1, "an empty list shows nobody");
}
