//! Cached responses: ETag, compression, and invalidation.

use std::time::{Duration, Instant};

use festival_core::admin::OWNER;

use crate::admin::browser::{Browser, create_account};
use crate::forms::requests::{FormRequest, assert_received, lift_limits, message, send_message};
use crate::support::{Database, TestApp, festival, fixture};

on_both!(
    changes_by_this_process_appear_at_once,
    changes_by_another_process_appear,
    rolled_back_change_never_appears,
    private_writes_keep_cached_responses,
    cached_pages_survive_a_database_outage,
);

async fn changes_by_this_process_appear_at_once(database: Database) {
    let app = TestApp::new(database).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    let films = format!("/api/categories/{category}/films/");
    let page = format!("/films/{category}");
    let before = app.get(&films).await;
    assert!(!app.get(&page).await.text().contains("Renamed"));
    app.write("UPDATE films SET name = 'Renamed' WHERE name = 'Bare'").await;
    let after = app.get_with(&films, &[("If-None-Match", &before.header("ETag"))]).await;
    assert_eq!(after.status, 200);
    assert_ne!(after.header("ETag"), before.header("ETag"));
    assert!(after.text().contains("Renamed"));
    assert!(app.get(&page).await.text().contains("Renamed"));
    assert!(app.get("/films").await.text().contains("Renamed"));
    app.write("UPDATE films SET is_published = 0 WHERE name = 'Renamed'").await;
    for path in [films.as_str(), page.as_str(), "/films", "/"] {
        assert!(!app.get(path).await.text().contains("Renamed"), "{path}");
    }
}

/// The delay depends on the polling interval, which is tested where it is set.
async fn changes_by_another_process_appear(database: Database) {
    let app = TestApp::new(database).await;
    assert!(!app.get("/api/posters/").await.text().contains("Poster three"));
    assert!(!app.get("/").await.text().contains("Poster three"));
    let changed = tempfile::tempdir().unwrap();
    let file = changed.path().join("2025.toml");
    let text = std::fs::read_to_string(fixture("2025.toml")).unwrap();
    let more = "\n[[posters]]\ntitle = \"Poster three\"\nimage = \"poster.png\"\n";
    let text = text.replace("\"pictures/", &format!("\"{}/", fixture("pictures").display()));
    std::fs::write(&file, text + more).unwrap();
    std::fs::copy(fixture("pictures/poster.png"), changed.path().join("poster.png")).unwrap();
    let url = app.database.url(app.directory.path());
    let seeded = festival(
        changed.path(),
        &["seed", "2025.toml"],
        &[
            ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
            ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
        ],
    );
    assert_eq!(seeded.code, 0, "{}", seeded.transcript());
    let ended = Instant::now();
    while !app.get("/api/posters/").await.text().contains("Poster three") {
        assert!(ended.elapsed() < Duration::from_secs(60), "the change is not visible");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(app.get("/").await.text().contains("Poster three"));
}

async fn rolled_back_change_never_appears(database: Database) {
    let app = TestApp::new(database).await;
    let before = app.get("/api/posters/").await;
    let mut write = app.app.db.write().await.unwrap();
    sqlx::query("DELETE FROM posters").execute(&mut *write).await.unwrap();
    assert_eq!(app.get("/api/posters/").await.text(), before.text());
    drop(write);
    assert_eq!(app.get("/api/posters/").await.text(), before.text());
    assert!(app.number("SELECT count(*) FROM posters").await > 0);
}

async fn private_writes_keep_cached_responses(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let owner = create_account(&app, &OWNER).await;
    let home = app.get("/").await.text();
    let (version, changes) = (app.app.db.data_version(), app.app.db.changes());
    assert_eq!(send_message(&app, &message()).await.status, 200);
    assert_received(&FormRequest::film().post(&app, "/api/asian-form/").await);
    assert!(Browser::signed_in(&app, &owner).await.is_signed_in().await);
    assert!(app.app.db.changes() > changes, "the mail sender notices the write");
    assert_eq!(app.app.db.data_version(), version);
    assert_eq!(app.get("/").await.text(), home);
    app.write("UPDATE films SET name = name").await;
    assert_eq!(app.app.db.data_version(), version + 1);
}

async fn cached_pages_survive_a_database_outage(database: Database) {
    let app = TestApp::new(database).await;
    let home = app.get("/").await;
    app.write("UPDATE films SET name = 'Renamed' WHERE name = 'Bare'").await;
    app.app.db.close().await;
    let again = app.get("/").await;
    assert_eq!((again.status, again.text()), (200, home.text()));
}

#[tokio::test]
async fn matching_etag_gets_304() {
    let app = TestApp::new(Database::Sqlite).await;
    for path in ["/api/site/", "/", "/api/openapi.json"] {
        for encoding in ["identity", "gzip", "br"] {
            let first = app.get_with(path, &[("Accept-Encoding", encoding)]).await;
            let tag = first.header("ETag");
            assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
            for sent in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".into()] {
                let again = app.get_with(path, &[("Accept-Encoding", encoding), ("If-None-Match", &sent)]).await;
                assert_eq!((again.status, again.body.len()), (304, 0), "{path} {encoding} {sent}");
                assert_eq!(again.header("ETag"), tag);
                assert_eq!(again.header("Cache-Control"), first.header("Cache-Control"));
                assert!(again.header("Vary").contains("Accept-Encoding"));
                // A policy in a 304 would replace that of the page in the browser's cache.
                assert_eq!(again.header("Content-Security-Policy"), "");
            }
            let other = app.get_with(path, &[("Accept-Encoding", encoding), ("If-None-Match", "\"other\"")]).await;
            assert_eq!(other.status, 200, "{path} {encoding}");
        }
    }
    assert_eq!(app.get("/api/site/").await.header("Cache-Control"), "public, max-age=10");
    assert_eq!(app.get("/").await.header("Cache-Control"), "no-cache");
}

#[tokio::test]
async fn compressed_responses_decode_to_the_same_bytes() {
    let app = TestApp::new(Database::Sqlite).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    for path in
        [format!("/api/categories/{category}/films/"), "/api/site/".into(), "/".into(), "/api/openapi.json".into()]
    {
        let plain = app.get(&path).await;
        assert_eq!(plain.header("Content-Encoding"), "");
        assert!(plain.body.len() > 1024, "{path} is too short to be compressed");
        let mut tags = vec![plain.header("ETag")];
        for (accepted, expected) in [
            ("gzip", "gzip"),
            ("br", "br"),
            ("gzip, deflate, br", "br"),
            ("gzip;q=1.0, br;q=0", "gzip"),
            ("identity", ""),
            ("br;q=0, gzip;q=0", ""),
            ("zstd", ""),
        ] {
            let squeezed = app.get_with(&path, &[("Accept-Encoding", accepted)]).await;
            assert_eq!(squeezed.header("Content-Encoding"), expected, "{path} {accepted}");
            assert_eq!(squeezed.unpacked(), plain.body, "{path} {accepted}");
            assert_eq!(squeezed.header("Vary"), "Accept-Encoding");
            if !expected.is_empty() {
                assert!(squeezed.body.len() < plain.body.len());
                tags.push(squeezed.header("ETag"));
            }
        }
        tags.sort();
        tags.dedup();
        assert_eq!(tags.len(), 3, "{path}: each encoding has its own ETag: {tags:?}");
    }
}

#[tokio::test]
async fn countdown_disappears_once_over_in_every_time_zone() {
    let app = TestApp::new(Database::Sqlite).await;
    let set = |moment: &str| app.clock.set(moment.parse().unwrap());
    // It ends at 10 PM of each visitor's local time: last in the time zone twelve hours behind UTC.
    set("2025-09-04T09:59:59Z");
    let shown = async || {
        let html = app.get("/").await.text();
        (html.contains(r#"role="timer""#), app.get("/api/site/").await.json()["edition"]["countdown_at"].is_string())
    };
    assert_eq!(shown().await, (true, true));
    let texts = async || {
        let site = app.get("/api/site/").await.json();
        [site["edition"]["countdown_text"].clone(), site["edition"]["countdown_at_text"].clone()]
    };
    assert_eq!(texts().await, ["until {{z}} & <b>closes</b>", "3 September 2025, 10:00 PM"]);
    let about = app.get("/about-us").await.text();
    assert_eq!(shown().await, (true, true), "also from the cache");
    set("2025-09-04T10:00:00Z");
    assert_eq!(shown().await, (false, false), "cached pages expire with it");
    assert_eq!(texts().await, [serde_json::Value::Null, serde_json::Value::Null]);
    assert!(
        !app.get("/about-us").await.text().contains("2025-09-03T22:00:00") && about.contains("2025-09-03T22:00:00")
    );
}

#[tokio::test]
async fn time_changes_only_time_dependent_responses() {
    let app = TestApp::new(Database::Sqlite).await;
    let names = async |path: &str| -> Vec<String> {
        let events = app.get(path).await.json();
        events.as_array().unwrap().iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
    };
    let (opening, next) = ("Opening {{z}} & <b>lamp</b>", "അടുത്ത വെളിച്ചം");
    app.clock.set("2025-10-24T12:30:00Z".parse().unwrap());
    assert_eq!(names("/api/upcoming-events/").await, [opening, next]);
    app.clock.set("2025-10-24T12:31:00Z".parse().unwrap());
    assert_eq!(names("/api/upcoming-events/").await, [next, opening], "what has begun stands last");
    assert_eq!(names("/api/upcoming-events/?upcoming=1").await, [next]);
    app.clock.set("2025-10-26T06:31:00Z".parse().unwrap());
    assert_eq!(names("/api/upcoming-events/?upcoming=1").await, [""; 0]);
    assert_eq!(names("/api/upcoming-events/").await, [opening, next]);
}
