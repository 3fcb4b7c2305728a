//! Files that are uploaded before the form that they belong to.

use festival_core::identity;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::sent::{Sent, files_kept, patient, received, refused, set};
use crate::support::{Database, TestApp};

on_both!(
    a_form_takes_over_the_files_that_it_names,
    a_repeated_form_is_the_same_however_its_files_came,
    a_ticket_is_good_for_one_submission,
    a_ticket_expires_and_belongs_to_its_field,
    a_refused_file_leaves_nothing,
    uploads_are_limited,
    a_sending_that_began_in_time_is_taken,
);

const FILM_FILES: &str = "/api/forms/film/files/";

/// A form without its files, and the header that names them, uploaded one by one.
async fn upload_all(app: &TestApp, form: &Sent, path: &str) -> (Sent, String) {
    let mut texts = form.clone();
    texts.files.clear();
    let mut tickets = Vec::new();
    for (field, name, bytes) in form.files.clone() {
        let one = Sent { texts: Vec::new(), files: vec![(field, name, bytes)] };
        let answer = one.to(app, path).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        let answer = answer.json();
        tickets.push(format!("{}={}", answer["field"].as_str().unwrap(), answer["ticket"].as_str().unwrap()));
    }
    (texts, tickets.join(", "))
}

async fn names_and_sizes(app: &TestApp) -> Vec<(String, String, i64)> {
    sqlx::query_as("SELECT field, name, size FROM submission_files ORDER BY film_submission_id, field")
        .fetch_all(&mut *app.app.db.read().await.unwrap())
        .await
        .unwrap()
}

async fn a_form_takes_over_the_files_that_it_names(database: Database) {
    let app = TestApp::with(database, patient).await;
    received(&Sent::film().with("title_english", "In one").to(&app, "/api/malayalam-form/").await);
    let in_one = names_and_sizes(&app).await;
    let (form, tickets) = upload_all(&app, &Sent::film(), FILM_FILES).await;
    assert_eq!(app.number("SELECT count(*) FROM submission_files").await, 6, "nothing is submitted yet");
    received(&form.to_with(&app, "/api/changed/?category=asian", &[("Staged-Files", &tickets)]).await);
    let both = names_and_sizes(&app).await;
    assert_eq!(both[..6], in_one);
    assert_eq!(both[6..], in_one, "the same files, by whichever way they came");
    assert_eq!(files_kept(&app), 12);
    // Some of them may also be in the body.
    let (_, tickets) = upload_all(&app, &Sent::delegate().without("signature"), "/api/forms/delegate/files/").await;
    let form = Sent::delegate().without("screenshot");
    received(&form.to_with(&app, "/api/delegate-form/", &[("Staged-Files", &tickets)]).await);
}

async fn a_repeated_form_is_the_same_however_its_files_came(database: Database) {
    let app = TestApp::with(database, patient).await;
    let (form, tickets) = upload_all(&app, &Sent::film(), FILM_FILES).await;
    let headers = [("Staged-Files", tickets.as_str()), ("Idempotency-Key", "one")];
    let path = "/api/malayalam-form/";
    let reference = received(&form.to_with(&app, path, &headers).await);
    assert_eq!(received(&form.to_with(&app, path, &headers).await), reference, "the answer was lost");
    assert_eq!(received(&form.to_with(&app, path, &headers[..1]).await), reference, "without a key");
    assert_eq!(received(&Sent::film().to_with(&app, path, &headers[1..]).await), reference, "all in one request");
    assert_eq!(app.number("SELECT count(*) FROM film_submissions").await, 1);
    assert_eq!(files_kept(&app), 6);
}

async fn a_ticket_is_good_for_one_submission(database: Database) {
    let app = TestApp::with(database, patient).await;
    let (form, tickets) = upload_all(&app, &Sent::film(), FILM_FILES).await;
    let headers = [("Staged-Files", tickets.as_str())];
    received(&form.to_with(&app, "/api/malayalam-form/", &headers).await);
    let other = form.with("title_english", "Another film");
    let (field, _) = refused(&other.to_with(&app, "/api/malayalam-form/", &headers).await);
    assert_eq!(field, "Staged-Files");
    assert_eq!(app.number("SELECT count(*) FROM film_submissions").await, 1);
    assert_eq!(files_kept(&app), 6, "the first one keeps its files");
}

async fn a_ticket_expires_and_belongs_to_its_field(database: Database) {
    let app = TestApp::with(database, |settings| {
        patient(settings);
        set(settings, "staged_hours", json!(2));
    })
    .await;
    let (form, tickets) = upload_all(&app, &Sent::film(), FILM_FILES).await;
    let send = async |tickets: &str| form.to_with(&app, "/api/malayalam-form/", &[("Staged-Files", tickets)]).await;
    let crossed = tickets
        .replace("film_poster=", "x=")
        .replace("director_photo=", "film_poster=")
        .replace("x=", "director_photo=");
    for wrong in [crossed.as_str(), "film_poster=0", "film_poster='; --"] {
        assert_eq!(refused(&send(wrong).await).0, "Staged-Files", "{wrong}");
    }
    for malformed in ["film_poster", "title_english=0", "x=1"] {
        assert_eq!(send(malformed).await.status, 400, "{malformed}");
    }
    // Files of another form are not for this one.
    let (_, others) = upload_all(&app, &Sent::delegate(), "/api/forms/delegate/files/").await;
    assert_eq!(refused(&send(&others).await).0, "Staged-Files");
    let begun = app.app.clock.now();
    app.app.clock.set(begun + SignedDuration::from_secs(2 * 3600 + 1));
    assert_eq!(refused(&send(&tickets).await).0, "Staged-Files");
    app.app.clock.set(begun + SignedDuration::from_secs(2 * 3600 - 1));
    received(&send(&tickets).await);
}

async fn a_refused_file_leaves_nothing(database: Database) {
    let app = TestApp::with(database, patient).await;
    let file = |field: &str, bytes: &[u8]| Sent {
        texts: Vec::new(),
        files: vec![(field.into(), "a.png".into(), bytes.to_vec())],
    };
    assert_eq!(refused(&file("film_poster", b"<svg/>").to(&app, FILM_FILES).await).0, "film_poster");
    assert_eq!(file("film_poster", &vec![0; 5 * 1024 * 1024 + 1]).to(&app, FILM_FILES).await.status, 413);
    assert_eq!(file("image", b"x").to(&app, FILM_FILES).await.status, 400, "no field of a film");
    let mut two = Sent::film();
    two.texts.clear();
    assert_eq!(two.to(&app, FILM_FILES).await.status, 400, "one at a time");
    assert_eq!(files_kept(&app), 0);
    assert_eq!(app.number("SELECT count(*) FROM staged_files").await, 0);
}

async fn uploads_are_limited(database: Database) {
    let app = TestApp::with(database, |settings| {
        patient(settings);
        set(settings, "posts_per_10_minutes", json!(1));
    })
    .await;
    identity::verify(&app.app.db, &app.app.media).await.unwrap();
    let signature = Sent { texts: Vec::new(), files: Sent::film().files.into_iter().take(1).collect() };
    let mut statuses = Vec::new();
    for _ in 0..15 {
        statuses.push(signature.to(&app, FILM_FILES).await.status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 14);
    assert_eq!(statuses.last(), Some(&429));
    received(&Sent::film().to(&app, "/api/malayalam-form/").await);

    let full = TestApp::with(database, |settings| {
        patient(settings);
        set(settings, "staged_mib", json!(0));
    })
    .await;
    assert_eq!(signature.to(&full, FILM_FILES).await.status, 503);
    received(&Sent::film().to(&full, "/api/malayalam-form/").await);
}

async fn a_sending_that_began_in_time_is_taken(database: Database) {
    let app = TestApp::with(database, |settings| {
        patient(settings);
        set(settings, "closes_at", json!({ "delegate": "2025-11-01T00:00:00Z" }));
    })
    .await;
    let at = |text: &str| app.app.clock.set(text.parse().unwrap());
    let send = async |tickets: &str, form: &Sent| {
        form.to_with(&app, "/api/delegate-form/", &[("Staged-Files", tickets)]).await
    };
    // The clock of a test stands still: each upload begins and ends in the same second.
    at("2025-10-31T23:59:30Z");
    let files = |name: &str| Sent::delegate().without(if name == "signature" { "screenshot" } else { "signature" });
    let (_, first) = upload_all(&app, &files("signature"), "/api/forms/delegate/files/").await;
    at("2025-11-01T00:00:20Z");
    let (form, second) = upload_all(&app, &files("screenshot"), "/api/forms/delegate/files/").await;
    let tickets = format!("{first}, {second}");
    at("2025-11-01T00:01:21Z");
    let late = send(&tickets, &form).await;
    late.assert_error(403, "forbidden");
    at("2025-11-01T00:01:20Z");
    let answer = send(&tickets, &form).await;
    received(&answer);
    let answer: Value = answer.json();
    assert_eq!((&answer["is_late"], &answer["received_at"]), (&json!(false), &json!("2025-11-01T05:31:20+05:30")));
    assert_eq!(answer["received_text"], "1 November 2025, 5:31 AM (Asia/Kolkata, UTC+05:30)");
    assert_eq!(send("", &Sent::delegate()).await.status, 403, "whoever begins now is too late");
}
