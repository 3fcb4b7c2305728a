//! Admission of forms before their body is read (method, content type, host, closing time, rate), and quarantine.

use festival_core::identity;
use jiff::SignedDuration;
use rocket::http::Method;
use serde_json::json;

use super::requests::{
    FormRequest, assert_received, assert_refused, lift_limits, message, send_message, set_forms_setting,
};
use super::unusual_values::{CLOSES_AT, closing_site};
use crate::support::{Database, TestApp};

on_both!(suspected_bots_are_quarantined, only_a_form_that_arrives_counts_as_started_before_the_deadline);

const POSTS: [&str; 6] = ["delegate-form", "changed", "asian-form", "indian-form", "malayalam-form", "contact"];

#[tokio::test]
async fn form_addresses_accept_only_posts_of_their_content_type() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    for path in POSTS {
        for path in [format!("/api/{path}"), format!("/api/{path}/")] {
            for method in [Method::Get, Method::Head, Method::Put, Method::Delete, Method::Patch, Method::Options] {
                let response = app.request(method, &path, &[]).await;
                assert_eq!((response.status, response.header("Allow").as_str()), (405, "POST"), "{method} {path}");
            }
            for kind in ["text/plain", "application/x-www-form-urlencoded", "", "image/png"] {
                let headers = if kind.is_empty() { vec![] } else { vec![("Content-Type", kind)] };
                let response = app.post(&path, &headers, "name=x").await;
                response.assert_error(415, "unsupported_media_type");
            }
        }
        let wrong = if path == "contact" { "multipart/form-data; boundary=x" } else { "application/json" };
        let response = app.post(&format!("/api/{path}/"), &[("Content-Type", wrong)], "{}").await;
        response.assert_error(415, "unsupported_media_type");
        let host = [("Host", "evil.example"), ("Content-Type", wrong)];
        assert!([400, 415].contains(&app.post(&format!("/api/{path}/"), &host, "{}").await.status));
    }
    let document = app.get("/api/openapi.json").await.json();
    for path in POSTS {
        assert!(document["paths"][format!("/{path}/")]["post"]["requestBody"]["content"].is_object(), "{path}");
    }
    assert_received(&FormRequest::film().post(&app, "/api/changed").await);
    let off = TestApp::without(Database::Sqlite, "forms").await;
    for path in POSTS {
        off.post(&format!("/api/{path}/"), &[], "").await.assert_error(404, "not_found");
    }
}

#[tokio::test]
async fn forms_are_limited_to_thirty_per_client_in_ten_minutes() {
    let app = TestApp::with(Database::Sqlite, |settings| settings.trusted_proxies = vec!["127.0.0.0/8".into()]).await;
    identity::verify(&app.app.db, &app.app.media).await.unwrap();
    let send = async |number: usize, from: &str| {
        let mut message = message();
        message["message"] = json!(format!("Message {number}"));
        let headers = [("Content-Type", "application/json"), ("X-Forwarded-For", from)];
        app.post("/api/contact/", &headers, message.to_string()).await
    };
    for number in 0..30 {
        assert_eq!(send(number, "2001:db8::1").await.status, 200);
    }
    // Another address of the same household.
    let response = send(30, "2001:db8::2").await;
    response.assert_error(429, "too_many_requests");
    let wait: i64 = response.header("Retry-After").parse().unwrap();
    assert!((1..=600).contains(&wait), "{wait}");
    assert_eq!(send(30, "2001:db8:0:1::1").await.status, 200);
    // Addresses to the left of the one that the proxy added are not trusted.
    assert_eq!(send(31, "203.0.113.1, 2001:db8::1").await.status, 429);
    assert_eq!(app.get_with("/api/site/", &[("X-Forwarded-For", "2001:db8::1")]).await.status, 200);
    // A client without proof of work is told when to come back.
    app.clock.set(app.app.clock.now() + SignedDuration::from_secs(150));
    let response = send(30, "2001:db8::1").await;
    assert_eq!(response.header("Retry-After"), "450");
    let sentence = "Too many forms came from your connection. Please send it again in 8 minutes.";
    assert_eq!(response.json()["error"], sentence);
    // Each kind of form is counted by itself.
    let from = [("X-Forwarded-For", "2001:db8::1")];
    assert_received(&FormRequest::delegate().post_with(&app, "/api/delegate-form/", &from).await);
    assert_received(&FormRequest::film().post_with(&app, "/api/changed/", &from).await);
    app.clock.set(app.app.clock.now() + SignedDuration::from_secs(wait));
    assert_eq!(send(32, "2001:db8::1").await.status, 200);

    let open =
        TestApp::with(Database::Sqlite, |settings| set_forms_setting(settings, "posts_per_10_minutes", json!(1))).await;
    identity::verify(&open.app.db, &open.app.media).await.unwrap();
    assert_eq!(send_message(&open, &message()).await.status, 200);
    let headers = [("Content-Type", "application/json"), ("X-Forwarded-For", "203.0.113.9")];
    assert_eq!(
        open.post("/api/contact/", &headers, message().to_string()).await.status,
        429,
        "without trusted proxies the header is ignored"
    );
}

#[tokio::test]
async fn form_closes_to_the_second() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        lift_limits(settings);
        // Midnight in Kerala.
        set_forms_setting(
            settings,
            "closes_at",
            json!({ "asian": "2025-11-01T00:00:00", "delegate": "2025-11-01T00:00:00Z" }),
        );
        set_forms_setting(settings, "grace_minutes", json!(1));
    })
    .await;
    let midnight: jiff::Timestamp = "2025-10-31T18:30:00Z".parse().unwrap();
    let after = |seconds: i64| midnight + SignedDuration::from_secs(seconds);
    let late = "SELECT count(*) FROM film_submissions WHERE is_late = 1";
    let film = |title: &str| FormRequest::film().with("title_english", title);
    app.clock.set(after(60));
    assert_received(&film("In the grace time").post(&app, "/api/asian-form/").await);
    assert_eq!(app.number(late).await, 1);
    app.clock.set(after(61));
    for path in ["/api/asian-form/", "/api/changed/?category=asian"] {
        film("Too late").post(&app, path).await.assert_error(403, "forbidden");
    }
    film("Too late").with("award_category", "asian").post(&app, "/api/changed/").await.assert_error(403, "forbidden");
    // Rejected before the body is read, so its content does not matter.
    app.post("/api/asian-form/", &[("Content-Type", "multipart/form-data; boundary=x")], "nonsense")
        .await
        .assert_error(403, "forbidden");
    assert_received(&film("Another award").post(&app, "/api/indian-form/").await);
    assert_received(&FormRequest::delegate().post(&app, "/api/delegate-form/").await);
    let rules = app.get("/api/forms/").await.json();
    assert_eq!(rules["forms"][1]["key"], "asian");
    assert_eq!(rules["forms"][1]["closes_at"], "2025-11-01T00:00:00+05:30");
    assert_eq!(rules["forms"][3]["key"], "malayalam");
    assert_eq!(rules["forms"][3]["closes_at"], json!(null));
    assert_eq!(super::requests::count_stored_files(&app), 14);
}

#[tokio::test]
async fn films_after_the_deadline_are_accepted_and_flagged() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    app.write("UPDATE editions SET submission_deadline = '2025-09-01' WHERE year = 2025").await;
    for (now, is_late) in [("2025-09-01T18:29:59Z", 0), ("2025-09-01T18:30:00Z", 1)] {
        app.clock.set(now.parse().unwrap());
        let film = FormRequest::film().with("title_english", now);
        let reference = assert_received(&film.post(&app, "/api/changed/").await);
        let sql = format!("SELECT is_late FROM film_submissions WHERE reference = '{reference}'");
        assert_eq!(app.number(&sql).await, is_late, "{now}");
    }
}

async fn suspected_bots_are_quarantined(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let bots = [
        FormRequest::film().with("website", "https://spam.example"),
        FormRequest::film().with("elapsed_seconds", "2.9"),
    ];
    for (number, bot) in bots.into_iter().enumerate() {
        let bot = bot.with("title_english", &format!("Bot {number}"));
        assert_eq!(assert_received(&bot.post(&app, "/api/changed/").await), format!("FS-2025-{:04}", number + 1));
    }
    let mut message = message();
    message["website"] = json!("x");
    assert_eq!(send_message(&app, &message).await.status, 200);
    assert_eq!(app.number("SELECT count(*) FROM film_submissions WHERE is_quarantined = 1").await, 2);
    assert_eq!(app.number("SELECT count(*) FROM contact_messages WHERE is_quarantined = 1").await, 1);
    assert_eq!(app.number("SELECT count(*) FROM outbox").await, 0);
    // A person who sends the same content is neither quarantined nor marked as a duplicate,
    // nor is one whose clock was changed meanwhile.
    let person = |number: u32| {
        let address = format!("person-{number}@example.org");
        FormRequest::film().with("correspondence_email", &address).with_own_files(number)
    };
    for (elapsed, number) in ["3", "", "soon", "100000", "0", "0.0", "-5", "NaN"].into_iter().zip(2..) {
        let film = person(number).with("title_english", &format!("Bot 0 {elapsed}")).with("elapsed_seconds", elapsed);
        assert_received(&film.post(&app, "/api/changed/").await);
    }
    assert_received(&person(1).with("title_english", "Bot 1").post(&app, "/api/changed/").await);
    assert_eq!(app.number("SELECT count(*) FROM film_submissions WHERE is_quarantined = 0").await, 9);
    assert_eq!(app.number("SELECT count(*) FROM film_submissions WHERE is_possible_duplicate = 1").await, 0);
    assert_eq!(app.number("SELECT count(*) FROM outbox").await, 18);
}

#[tokio::test]
async fn forms_are_503_before_the_first_edition() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    app.write("DELETE FROM films").await;
    app.write("DELETE FROM editions").await;
    assert_eq!(FormRequest::film().post(&app, "/api/changed/").await.status, 503);
    assert_eq!(
        assert_refused(&FormRequest::film().without("title_english").post(&app, "/api/changed/").await).0,
        "title_english"
    );
    assert_eq!(super::requests::count_stored_files(&app), 0);
}

/// A request before the deadline keeps the form open for those only who were sending it, and for as long as that takes.
async fn only_a_form_that_arrives_counts_as_started_before_the_deadline(database: Database) {
    let app = closing_site(database).await;
    let closes_at: jiff::Timestamp = CLOSES_AT.parse().unwrap();
    let path = "/api/asian-form/";
    let content_type = FormRequest::content_type();
    let start = async |key: &str, body: &[u8]| {
        let headers = [("Content-Type", content_type.as_str()), ("Idempotency-Key", key)];
        app.post(path, &headers, body).await.status
    };
    let finish = async |key: &str| {
        let film = FormRequest::film().with("title_english", key);
        film.post_with(&app, path, &[("Idempotency-Key", key)]).await
    };
    let unknown = FormRequest { texts: vec![("unknown".into(), "x".into())], files: Vec::new() }.body();
    let film = FormRequest::film().body();
    app.clock.set(closes_at - SignedDuration::from_secs(1));
    assert_eq!(start("nothing", b"").await, 400);
    assert_eq!(start("no field", &film[..60]).await, 400);
    assert_eq!(start("no field of the form", &unknown).await, 422);
    for key in ["soon", "within ninety minutes", "too late"] {
        assert_eq!(start(key, &film[..film.len() / 2]).await, 400);
    }
    app.clock.set(closes_at + SignedDuration::from_secs(1));
    for key in ["nothing", "no field", "no field of the form", "never seen"] {
        finish(key).await.assert_error(403, "forbidden");
    }
    assert_received(&finish("soon").await);
    app.clock.set(closes_at - SignedDuration::from_secs(1) + SignedDuration::from_mins(90));
    assert_received(&finish("within ninety minutes").await);
    app.clock.set(closes_at + SignedDuration::from_mins(90));
    finish("too late").await.assert_error(403, "forbidden");
    assert_eq!(app.number("SELECT count(*) FROM film_submissions WHERE is_late = 0").await, 2);
}

/// A sender who cannot read the response would take the form for lost and send it again.
#[tokio::test]
async fn form_from_a_page_of_another_site_is_refused_before_it_is_stored() {
    let friend = "https://friend.example";
    let app = TestApp::with(Database::Sqlite, |settings| {
        lift_limits(settings);
        settings.public_url = "https://festival.example".into();
        settings.api.cors_origins = vec![friend.into()];
    })
    .await;
    let send = async |number: usize, headers: &[(&str, &str)]| {
        let mut message = message();
        message["message"] = json!(format!("Number {number}"));
        let mut all = vec![("Content-Type", "application/json"), ("X-Forwarded-Proto", "https")];
        all.extend(headers);
        app.post("/api/contact/", &all, message.to_string()).await
    };
    for (number, headers) in [
        &[("Origin", "https://stranger.example")][..],
        &[("Origin", "null")],
        &[("Origin", "https://friend.example.evil.example"), ("Sec-Fetch-Site", "cross-site")],
        &[("Sec-Fetch-Site", "cross-site")],
    ]
    .into_iter()
    .enumerate()
    {
        send(number, headers).await.assert_error(403, "forbidden");
    }
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 0);
    for (number, headers) in [
        &[][..],
        &[("Origin", "https://festival.example")],
        &[("Origin", "https://festival.example"), ("Sec-Fetch-Site", "same-origin")],
        // A proxy that changes the Host header, at a name that the settings do not have.
        &[("Origin", "https://www.festival.example"), ("Sec-Fetch-Site", "same-origin")],
        &[("Origin", friend), ("Sec-Fetch-Site", "cross-site")],
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(send(number, headers).await.status, 200, "{headers:?}");
    }
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 5);
}
