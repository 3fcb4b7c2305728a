//! Staged files: uploaded before the form that they belong to.

use festival_core::identity;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::requests::{
    FormRequest, assert_received, assert_refused, count_stored_files, lift_limits, set_forms_setting,
};
use crate::support::{Database, TestApp};

on_both!(
    form_adopts_its_staged_files,
    repeated_form_is_recognised_with_staged_or_inline_files,
    upload_ticket_is_single_use,
    upload_ticket_expires_and_belongs_to_its_field,
    rejected_staged_file_leaves_nothing,
    staged_uploads_are_limited,
    form_whose_uploads_started_in_time_is_accepted,
);

const FILM_FILES: &str = "/api/forms/film/files/";

/// Uploads each file of a form; returns the form without files and the header that names them.
async fn upload_all(app: &TestApp, form: &FormRequest, path: &str) -> (FormRequest, String) {
    let mut texts = form.clone();
    texts.files.clear();
    let mut tickets = Vec::new();
    for (field, name, bytes) in form.files.clone() {
        let one = FormRequest { texts: Vec::new(), files: vec![(field, name, bytes)] };
        let response = one.post(app, path).await;
        assert_eq!(response.status, 201, "{}", response.text());
        let response = response.json();
        tickets.push(format!("{}={}", response["field"].as_str().unwrap(), response["ticket"].as_str().unwrap()));
    }
    (texts, tickets.join(", "))
}

async fn names_and_sizes(app: &TestApp) -> Vec<(String, String, i64)> {
    sqlx::query_as("SELECT field, name, size FROM submission_files ORDER BY film_submission_id, field")
        .fetch_all(&mut *app.app.db.read().await.unwrap())
        .await
        .unwrap()
}

async fn form_adopts_its_staged_files(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    assert_received(&FormRequest::film().with("title_english", "In one").post(&app, "/api/malayalam-form/").await);
    let in_one = names_and_sizes(&app).await;
    let (form, tickets) = upload_all(&app, &FormRequest::film(), FILM_FILES).await;
    assert_eq!(app.number("SELECT count(*) FROM submission_files").await, 6, "nothing is submitted yet");
    assert_received(&form.post_with(&app, "/api/changed/?category=asian", &[("Staged-Files", &tickets)]).await);
    let both = names_and_sizes(&app).await;
    assert_eq!(both[..6], in_one);
    assert_eq!(both[6..], in_one, "staged and inline files are stored alike");
    assert_eq!(count_stored_files(&app), 12);
    // Some files may also be sent inline.
    let (_, tickets) =
        upload_all(&app, &FormRequest::delegate().without("signature"), "/api/forms/delegate/files/").await;
    let form = FormRequest::delegate().without("screenshot");
    assert_received(&form.post_with(&app, "/api/delegate-form/", &[("Staged-Files", &tickets)]).await);
}

async fn repeated_form_is_recognised_with_staged_or_inline_files(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let (form, tickets) = upload_all(&app, &FormRequest::film(), FILM_FILES).await;
    let headers = [("Staged-Files", tickets.as_str()), ("Idempotency-Key", "one")];
    let path = "/api/malayalam-form/";
    let reference = assert_received(&form.post_with(&app, path, &headers).await);
    assert_eq!(assert_received(&form.post_with(&app, path, &headers).await), reference, "the answer was lost");
    assert_eq!(assert_received(&form.post_with(&app, path, &headers[..1]).await), reference, "without a key");
    assert_eq!(
        assert_received(&FormRequest::film().post_with(&app, path, &headers[1..]).await),
        reference,
        "all in one request"
    );
    assert_eq!(app.number("SELECT count(*) FROM film_submissions").await, 1);
    assert_eq!(count_stored_files(&app), 6);
}

async fn upload_ticket_is_single_use(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let (form, tickets) = upload_all(&app, &FormRequest::film(), FILM_FILES).await;
    let headers = [("Staged-Files", tickets.as_str())];
    assert_received(&form.post_with(&app, "/api/malayalam-form/", &headers).await);
    let other = form.with("title_english", "Another film");
    let (field, _) = assert_refused(&other.post_with(&app, "/api/malayalam-form/", &headers).await);
    assert_eq!(field, "Staged-Files");
    assert_eq!(app.number("SELECT count(*) FROM film_submissions").await, 1);
    assert_eq!(count_stored_files(&app), 6, "the first one keeps its files");
}

async fn upload_ticket_expires_and_belongs_to_its_field(database: Database) {
    let app = TestApp::with(database, |settings| {
        lift_limits(settings);
        set_forms_setting(settings, "staged_hours", json!(2));
    })
    .await;
    let (form, tickets) = upload_all(&app, &FormRequest::film(), FILM_FILES).await;
    let send = async |tickets: &str| form.post_with(&app, "/api/malayalam-form/", &[("Staged-Files", tickets)]).await;
    let crossed = tickets
        .replace("film_poster=", "x=")
        .replace("director_photo=", "film_poster=")
        .replace("x=", "director_photo=");
    for wrong in [crossed.as_str(), "film_poster=0", "film_poster='; --"] {
        assert_eq!(assert_refused(&send(wrong).await).0, "Staged-Files", "{wrong}");
    }
    for malformed in ["film_poster", "title_english=0", "x=1"] {
        assert_eq!(send(malformed).await.status, 400, "{malformed}");
    }
    // Files of another form are not accepted.
    let (_, others) = upload_all(&app, &FormRequest::delegate(), "/api/forms/delegate/files/").await;
    assert_eq!(assert_refused(&send(&others).await).0, "Staged-Files");
    let uploaded_at = app.app.clock.now();
    app.app.clock.set(uploaded_at + SignedDuration::from_secs(2 * 3600 + 1));
    assert_eq!(assert_refused(&send(&tickets).await).0, "Staged-Files");
    app.app.clock.set(uploaded_at + SignedDuration::from_secs(2 * 3600 - 1));
    assert_received(&send(&tickets).await);
}

async fn rejected_staged_file_leaves_nothing(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let file = |field: &str, bytes: &[u8]| FormRequest {
        texts: Vec::new(),
        files: vec![(field.into(), "a.png".into(), bytes.to_vec())],
    };
    assert_eq!(assert_refused(&file("film_poster", b"<svg/>").post(&app, FILM_FILES).await).0, "film_poster");
    assert_eq!(file("film_poster", &vec![0; 5 * 1024 * 1024 + 1]).post(&app, FILM_FILES).await.status, 413);
    assert_eq!(file("image", b"x").post(&app, FILM_FILES).await.status, 400, "not a field of the film form");
    let mut two = FormRequest::film();
    two.texts.clear();
    assert_eq!(two.post(&app, FILM_FILES).await.status, 400, "one at a time");
    assert_eq!(count_stored_files(&app), 0);
    assert_eq!(app.number("SELECT count(*) FROM staged_files").await, 0);
}

async fn staged_uploads_are_limited(database: Database) {
    let app = TestApp::with(database, |settings| {
        lift_limits(settings);
        set_forms_setting(settings, "posts_per_10_minutes", json!(1));
    })
    .await;
    identity::verify(&app.app.db, &app.app.media).await.unwrap();
    let signature = FormRequest { texts: Vec::new(), files: FormRequest::film().files.into_iter().take(1).collect() };
    let mut statuses = Vec::new();
    for _ in 0..15 {
        statuses.push(signature.post(&app, FILM_FILES).await.status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 14);
    assert_eq!(statuses.last(), Some(&429));
    assert_received(&FormRequest::film().post(&app, "/api/malayalam-form/").await);

    let full = TestApp::with(database, |settings| {
        lift_limits(settings);
        set_forms_setting(settings, "staged_mib", json!(0));
    })
    .await;
    assert_eq!(signature.post(&full, FILM_FILES).await.status, 503);
    assert_received(&FormRequest::film().post(&full, "/api/malayalam-form/").await);
}

async fn form_whose_uploads_started_in_time_is_accepted(database: Database) {
    let app = TestApp::with(database, |settings| {
        lift_limits(settings);
        set_forms_setting(settings, "closes_at", json!({ "delegate": "2025-11-01T00:00:00Z" }));
    })
    .await;
    let at = |text: &str| app.app.clock.set(text.parse().unwrap());
    let send = async |tickets: &str, form: &FormRequest| {
        form.post_with(&app, "/api/delegate-form/", &[("Staged-Files", tickets)]).await
    };
    // The test clock stands still, so each upload begins and ends in the same second.
    at("2025-10-31T23:59:30Z");
    let files =
        |name: &str| FormRequest::delegate().without(if name == "signature" { "screenshot" } else { "signature" });
    let (_, first) = upload_all(&app, &files("signature"), "/api/forms/delegate/files/").await;
    at("2025-11-01T00:00:20Z");
    let (form, second) = upload_all(&app, &files("screenshot"), "/api/forms/delegate/files/").await;
    let tickets = format!("{first}, {second}");
    at("2025-11-01T00:01:21Z");
    let late = send(&tickets, &form).await;
    late.assert_error(403, "forbidden");
    at("2025-11-01T00:01:20Z");
    let response = send(&tickets, &form).await;
    assert_received(&response);
    let response: Value = response.json();
    assert_eq!((&response["is_late"], &response["received_at"]), (&json!(false), &json!("2025-11-01T05:31:20+05:30")));
    assert_eq!(response["received_text"], "1 November 2025, 5:31 AM (Asia/Kolkata, UTC+05:30)");
    assert_eq!(send("", &FormRequest::delegate()).await.status, 403, "a form started now is too late");
}
