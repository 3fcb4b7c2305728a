//! Before a form is read: methods, content types, hosts, closing times, how often; and what is kept apart.

use festival_core::identity;
use jiff::SignedDuration;
use rocket::http::Method;
use serde_json::json;

use super::sent::{Sent, message, patient, received, refused, send_message, set};
use crate::support::{Database, TestApp};

on_both!(what_a_machine_sends_is_kept_apart);

const POSTS: [&str; 6] = ["delegate-form", "changed", "asian-form", "indian-form", "malayalam-form", "contact"];

#[tokio::test]
async fn addresses_answer_posts_with_and_without_a_slash_and_nothing_else() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    for path in POSTS {
        for path in [format!("/api/{path}"), format!("/api/{path}/")] {
            for method in [Method::Get, Method::Head, Method::Put, Method::Delete, Method::Patch, Method::Options] {
                let answer = app.ask(method, &path, &[]).await;
                assert_eq!((answer.status, answer.header("Allow").as_str()), (405, "POST"), "{method} {path}");
            }
            for kind in ["text/plain", "application/x-www-form-urlencoded", "", "image/png"] {
                let headers = if kind.is_empty() { vec![] } else { vec![("Content-Type", kind)] };
                let answer = app.post(&path, &headers, "name=x").await;
                answer.assert_error(415, "unsupported_media_type");
            }
        }
        let wrong = if path == "contact" { "multipart/form-data; boundary=x" } else { "application/json" };
        let answer = app.post(&format!("/api/{path}/"), &[("Content-Type", wrong)], "{}").await;
        answer.assert_error(415, "unsupported_media_type");
        let host = [("Host", "evil.example"), ("Content-Type", wrong)];
        assert!([400, 415].contains(&app.post(&format!("/api/{path}/"), &host, "{}").await.status));
    }
    let document = app.get("/api/openapi.json").await.json();
    for path in POSTS {
        assert!(document["paths"][format!("/{path}/")]["post"]["requestBody"]["content"].is_object(), "{path}");
    }
    received(&Sent::film().to(&app, "/api/changed").await);
    let off = TestApp::without(Database::Sqlite, "forms").await;
    for path in POSTS {
        off.post(&format!("/api/{path}/"), &[], "").await.assert_error(404, "not_found");
    }
}

#[tokio::test]
async fn one_client_may_send_thirty_forms_in_ten_minutes() {
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
    // The same household, another address.
    let answer = send(30, "2001:db8::2").await;
    answer.assert_error(429, "too_many_requests");
    let wait: i64 = answer.header("Retry-After").parse().unwrap();
    assert!((1..=600).contains(&wait), "{wait}");
    assert_eq!(send(30, "2001:db8:0:1::1").await.status, 200);
    // What the client says of itself, to the left of what the proxy saw, does not count.
    assert_eq!(send(31, "203.0.113.1, 2001:db8::1").await.status, 429);
    assert_eq!(app.get_with("/api/site/", &[("X-Forwarded-For", "2001:db8::1")]).await.status, 200);
    app.clock.set(app.app.clock.now() + SignedDuration::from_secs(wait));
    assert_eq!(send(32, "2001:db8::1").await.status, 200);

    let open = TestApp::with(Database::Sqlite, |settings| set(settings, "posts_per_10_minutes", json!(1))).await;
    identity::verify(&open.app.db, &open.app.media).await.unwrap();
    assert_eq!(send_message(&open, &message()).await.status, 200);
    let headers = [("Content-Type", "application/json"), ("X-Forwarded-For", "203.0.113.9")];
    assert_eq!(open.post("/api/contact/", &headers, message().to_string()).await.status, 429, "nobody is trusted");
}

#[tokio::test]
async fn a_form_closes_to_the_second() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        patient(settings);
        // Midnight in Kerala.
        set(settings, "closes_at", json!({ "asian": "2025-11-01T00:00:00", "delegate": "2025-11-01T00:00:00Z" }));
        set(settings, "grace_minutes", json!(1));
    })
    .await;
    let midnight: jiff::Timestamp = "2025-10-31T18:30:00Z".parse().unwrap();
    let after = |seconds: i64| midnight + SignedDuration::from_secs(seconds);
    let late = "SELECT count(*) FROM film_submissions WHERE is_late = 1";
    let film = |title: &str| Sent::film().with("title_english", title);
    app.clock.set(after(60));
    received(&film("In the grace time").to(&app, "/api/asian-form/").await);
    assert_eq!(app.number(late).await, 1);
    app.clock.set(after(61));
    for path in ["/api/asian-form/", "/api/changed/?category=asian"] {
        film("Too late").to(&app, path).await.assert_error(403, "forbidden");
    }
    film("Too late").with("award_category", "asian").to(&app, "/api/changed/").await.assert_error(403, "forbidden");
    // Closed before the body is read: what it holds does not matter.
    app.post("/api/asian-form/", &[("Content-Type", "multipart/form-data; boundary=x")], "nonsense")
        .await
        .assert_error(403, "forbidden");
    received(&film("Another award").to(&app, "/api/indian-form/").await);
    received(&Sent::delegate().to(&app, "/api/delegate-form/").await);
    let rules = app.get("/api/forms/").await.json();
    assert_eq!(rules["forms"][1]["key"], "asian");
    assert_eq!(rules["forms"][1]["closes_at"], "2025-11-01T00:00:00+05:30");
    assert_eq!(rules["forms"][3]["key"], "malayalam");
    assert_eq!(rules["forms"][3]["closes_at"], json!(null));
    assert_eq!(super::sent::files_kept(&app), 14);
}

#[tokio::test]
async fn after_the_editions_deadline_films_are_taken_and_marked() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    app.write("UPDATE editions SET submission_deadline = '2025-09-01' WHERE year = 2025").await;
    for (now, is_late) in [("2025-09-01T18:29:59Z", 0), ("2025-09-01T18:30:00Z", 1)] {
        app.clock.set(now.parse().unwrap());
        let film = Sent::film().with("title_english", now);
        let reference = received(&film.to(&app, "/api/changed/").await);
        let sql = format!("SELECT is_late FROM film_submissions WHERE reference = '{reference}'");
        assert_eq!(app.number(&sql).await, is_late, "{now}");
    }
}

async fn what_a_machine_sends_is_kept_apart(database: Database) {
    let app = TestApp::with(database, patient).await;
    let bots = [Sent::film().with("website", "https://spam.example"), Sent::film().with("elapsed_seconds", "2.9")];
    for (number, bot) in bots.into_iter().enumerate() {
        let bot = bot.with("title_english", &format!("Bot {number}"));
        assert_eq!(received(&bot.to(&app, "/api/changed/").await), format!("FS-2025-{:04}", number + 1));
    }
    let mut message = message();
    message["website"] = json!("x");
    assert_eq!(send_message(&app, &message).await.status, 200);
    assert_eq!(app.number("SELECT count(*) FROM film_submissions WHERE is_quarantined = 1").await, 2);
    assert_eq!(app.number("SELECT count(*) FROM contact_messages WHERE is_quarantined = 1").await, 1);
    assert_eq!(app.number("SELECT count(*) FROM outbox").await, 0);
    // A person who sends the same is not taken for the machine, nor for its double.
    // Nor is one whose clock was set meanwhile.
    for elapsed in ["3", "", "soon", "100000", "0", "0.0", "-5", "NaN"] {
        let film = Sent::film().with("title_english", &format!("Bot 0 {elapsed}")).with("elapsed_seconds", elapsed);
        received(&film.to(&app, "/api/changed/").await);
    }
    received(&Sent::film().with("title_english", "Bot 1").to(&app, "/api/changed/").await);
    assert_eq!(app.number("SELECT count(*) FROM film_submissions WHERE is_quarantined = 0").await, 9);
    assert_eq!(app.number("SELECT count(*) FROM film_submissions WHERE is_possible_duplicate = 1").await, 0);
    assert_eq!(app.number("SELECT count(*) FROM outbox").await, 18);
}

#[tokio::test]
async fn before_the_first_edition_forms_ask_to_come_later() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    app.write("DELETE FROM films").await;
    app.write("DELETE FROM editions").await;
    assert_eq!(Sent::film().to(&app, "/api/changed/").await.status, 503);
    assert_eq!(refused(&Sent::film().without("title_english").to(&app, "/api/changed/").await).0, "title_english");
    assert_eq!(super::sent::files_kept(&app), 0);
}
