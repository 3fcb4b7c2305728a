//! Proof of work: many people behind one address can exceed the limit on forms.

use festival_core::identity;
use festival_core::settings::Settings;
use jiff::SignedDuration;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::requests::{FormRequest, message, picture, set_forms_setting};
use crate::support::{Database, Response, TestApp};

on_both!(
    proof_of_work_lets_many_people_share_an_address,
    proof_of_work_solution_is_single_use_across_servers,
    proof_of_work_grows_with_use,
);

const HEADER: &str = "Proof-Of-Work";

/// Limits each client to one form in ten minutes.
fn narrow(settings: &mut Settings) {
    set_forms_setting(settings, "posts_per_10_minutes", json!(1));
    settings.uploads.keep_free_mib = 0;
}

async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, narrow).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    site
}

async fn send(app: &TestApp, text: &str, solution: Option<&str>) -> Response {
    let mut message = message();
    message["message"] = json!(text);
    let mut headers = vec![("Content-Type", "application/json")];
    headers.extend(solution.map(|solution| (HEADER, solution)));
    app.post("/api/contact/", &headers, message.to_string()).await
}

/// The challenge in the response to a refused form.
fn challenge(response: &Response) -> Value {
    response.assert_error(429, "too_many_requests");
    assert!(response.header("Retry-After").parse::<u32>().is_ok_and(|seconds| (1..=600).contains(&seconds)));
    assert_eq!(response.header("Cache-Control"), "no-store");
    response.json()["challenge"].clone()
}

/// Solves a challenge as the OpenAPI document describes it.
fn solve(challenge: &Value) -> String {
    let text = |name: &str| challenge[name].as_str().unwrap();
    let hash = |number: &u64| {
        let digest = Sha256::digest(format!("{}:{number}", text("salt")));
        digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let number = (0..challenge["max_number"].as_u64().unwrap()).find(|number| hash(number) == text("hash")).unwrap();
    format!("{}:{number}:{}", text("salt"), text("signature"))
}

async fn proof_of_work_lets_many_people_share_an_address(database: Database) {
    let app = site(database).await;
    assert_eq!(send(&app, "The first", None).await.status, 200);
    for person in 0..30 {
        let text = format!("Person {person}");
        let solution = solve(&challenge(&send(&app, &text, None).await));
        assert_eq!(send(&app, &text, Some(&solution)).await.status, 200, "{text}");
    }
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 31);
    // Without a solution the client has to wait.
    challenge(&send(&app, "The last", None).await);
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 31);
}

async fn proof_of_work_solution_is_single_use_across_servers(database: Database) {
    let app = site(database).await;
    assert_eq!(send(&app, "The first", None).await.status, 200);
    let solution = solve(&challenge(&send(&app, "The second", None).await));
    assert_eq!(send(&app, "The second", Some(&solution)).await.status, 200);
    send(&app, "The third", Some(&solution)).await.assert_error(403, "forbidden");

    let (directory, copy) = app.stop().await;
    let app = TestApp::on_database(directory, copy, &festival::modules(), narrow).await;
    let again = send(&app, "The third", Some(&solution)).await;
    again.assert_error(403, "forbidden");
    assert!(again.json()["error"].as_str().unwrap().starts_with("This solution has been used."));
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 2);
    assert_eq!(app.number("SELECT count(*) FROM spent_challenges").await, 1);
}

/// Also for challenges that were collected while they were easy.
async fn proof_of_work_grows_with_use(database: Database) {
    let app = site(database).await;
    assert_eq!(send(&app, "The first", None).await.status, 200);
    let mut collected = Vec::new();
    for number in 0..61 {
        collected.push(challenge(&send(&app, &format!("Message {number}"), None).await));
    }
    assert!(collected.iter().all(|challenge| challenge["max_number"] == 50_000));
    let last = solve(&collected.pop().unwrap());
    for (number, challenge) in collected.iter().enumerate() {
        assert_eq!(send(&app, &format!("Message {number}"), Some(&solve(challenge))).await.status, 200, "{number}");
    }
    let harder = challenge(&send(&app, "Message 60", Some(&last)).await);
    assert_eq!(harder["max_number"], 150_000);
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 61);
    assert_eq!(send(&app, "Message 60", Some(&solve(&harder))).await.status, 200);
    // The other forms are as easy as before.
    assert_eq!(FormRequest::delegate().post(&app, "/api/delegate-form/").await.status, 201);
    let other = challenge(&FormRequest::delegate().with("age", "34").post(&app, "/api/delegate-form/").await);
    assert_eq!(other["max_number"], 50_000);
}

#[tokio::test]
async fn invalid_solutions_are_rejected_and_spend_nothing() {
    let app = site(Database::Sqlite).await;
    assert_eq!(send(&app, "The first", None).await.status, 200);
    let challenge = challenge(&send(&app, "The second", None).await);
    let solution = solve(&challenge);
    let parts: Vec<&str> = solution.split(':').collect();
    let &[salt, number, signature] = parts.as_slice() else { panic!("{solution}") };
    let (purpose, rest) = salt.split_once('.').unwrap();
    assert_eq!(purpose, "contact_messages");
    let (expires, nonce) = rest.split_once('.').unwrap();
    let later = expires.parse::<i64>().unwrap() + 3600;
    for wrong in [
        String::new(),
        "nonsense".into(),
        format!("{salt}:{number}"),
        format!("{salt}:{number}:"),
        format!("{salt}:{number}:{}", "0".repeat(64)),
        format!("{salt}:{number}:{signature}:"),
        format!("{salt}:{number}0:{signature}"),
        // The boundary between salt and number cannot be moved.
        format!("{salt}{number}::{signature}"),
        format!("{purpose}.{later}.{nonce}:{number}:{signature}"),
        format!("delegates.{rest}:{number}:{signature}"),
    ] {
        send(&app, "The second", Some(&wrong)).await.assert_error(403, "forbidden");
    }
    // A solution for a message is not valid for a registration, and is not spent by the attempt.
    let other = FormRequest::delegate().post_with(&app, "/api/delegate-form/", &[(HEADER, &solution)]).await;
    other.assert_error(403, "forbidden");
    assert_eq!(app.number("SELECT count(*) FROM spent_challenges").await, 0);
    assert_eq!(send(&app, "The second", Some(&solution)).await.status, 200);

    let solution = solve(&self::challenge(&send(&app, "The third", None).await));
    app.clock.set(app.app.clock.now() + SignedDuration::from_mins(10));
    let expired = send(&app, "The third", Some(&solution)).await;
    assert!(expired.json()["error"].as_str().unwrap().starts_with("This challenge has expired."), "{}", expired.text());
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 2);
    assert_eq!(send(&app, "The third", None).await.status, 200, "ten minutes are over");
    // Expired challenges are not remembered.
    let solution = solve(&self::challenge(&send(&app, "The fourth", None).await));
    app.clock.set(app.app.clock.now() + SignedDuration::from_secs(1));
    assert_eq!(send(&app, "The fourth", Some(&solution)).await.status, 200);
    assert_eq!(app.number("SELECT count(*) FROM spent_challenges").await, 1);
}

#[tokio::test]
async fn proof_of_work_covers_films_registrations_and_single_files() {
    let app = site(Database::Sqlite).await;
    for (path, form) in [("/api/changed/", FormRequest::film()), ("/api/delegate-form/", FormRequest::delegate())] {
        let solution = solve(&challenge(&match form.post(&app, path).await {
            taken if taken.status == 201 => form.post(&app, path).await,
            refused => refused,
        }));
        let form = form.with("occupation", "Another").with("title_english", "Another");
        assert_eq!(form.post_with(&app, path, &[(HEADER, &solution)]).await.status, 201, "{path}");
    }
    let mut file = FormRequest::film();
    file.texts.clear();
    file.files.clear();
    let file = file.with_file("film_poster", "poster.png", picture());
    let path = "/api/forms/film/files/";
    for _ in 0..14 {
        assert_eq!(file.post(&app, path).await.status, 201);
    }
    let solution = solve(&challenge(&file.post(&app, path).await));
    assert_eq!(file.post_with(&app, path, &[(HEADER, &solution)]).await.status, 201);
    file.post_with(&app, path, &[(HEADER, &solution)]).await.assert_error(403, "forbidden");
}
