//! Work in place of waiting: how many people behind one address get past the limit on forms.

use festival_core::identity;
use festival_core::settings::Settings;
use jiff::SignedDuration;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::sent::{Sent, message, picture, set};
use crate::support::{Answer, Database, TestApp};

on_both!(many_people_behind_one_address_pass, a_solution_is_good_for_one_form_on_every_server);

const HEADER: &str = "Proof-Of-Work";

/// One form in ten minutes.
fn narrow(settings: &mut Settings) {
    set(settings, "posts_per_10_minutes", json!(1));
    settings.uploads.keep_free_mib = 0;
}

async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, narrow).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    site
}

async fn send(app: &TestApp, text: &str, solution: Option<&str>) -> Answer {
    let mut message = message();
    message["message"] = json!(text);
    let mut headers = vec![("Content-Type", "application/json")];
    headers.extend(solution.map(|solution| (HEADER, solution)));
    app.post("/api/contact/", &headers, message.to_string()).await
}

/// The challenge of a refused form.
fn challenge(answer: &Answer) -> Value {
    answer.assert_error(429, "too_many_requests");
    assert!(answer.header("Retry-After").parse::<u32>().is_ok_and(|seconds| (1..=600).contains(&seconds)));
    assert_eq!(answer.header("Cache-Control"), "no-store");
    answer.json()["challenge"].clone()
}

/// Does the work, as the description of the API says it.
fn solve(challenge: &Value) -> String {
    let text = |name: &str| challenge[name].as_str().unwrap();
    let hash = |number: &u64| {
        let digest = Sha256::digest(format!("{}:{number}", text("salt")));
        digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let number = (0..challenge["max_number"].as_u64().unwrap()).find(|number| hash(number) == text("hash")).unwrap();
    format!("{}:{number}:{}", text("salt"), text("signature"))
}

async fn many_people_behind_one_address_pass(database: Database) {
    let app = site(database).await;
    assert_eq!(send(&app, "The first", None).await.status, 200);
    for person in 0..30 {
        let text = format!("Person {person}");
        let solution = solve(&challenge(&send(&app, &text, None).await));
        assert_eq!(send(&app, &text, Some(&solution)).await.status, 200, "{text}");
    }
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 31);
    // Who does no work waits.
    challenge(&send(&app, "The last", None).await);
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 31);
}

async fn a_solution_is_good_for_one_form_on_every_server(database: Database) {
    let app = site(database).await;
    assert_eq!(send(&app, "The first", None).await.status, 200);
    let solution = solve(&challenge(&send(&app, "The second", None).await));
    assert_eq!(send(&app, "The second", Some(&solution)).await.status, 200);
    send(&app, "The third", Some(&solution)).await.assert_error(403, "forbidden");

    let (directory, copy) = app.stop().await;
    let app = TestApp::on(directory, copy, &festival_cli::modules::modules(), narrow).await;
    let again = send(&app, "The third", Some(&solution)).await;
    again.assert_error(403, "forbidden");
    assert!(again.json()["error"].as_str().unwrap().starts_with("This solution has been used."));
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 2);
    assert_eq!(app.number("SELECT count(*) FROM spent_challenges").await, 1);
}

#[tokio::test]
async fn what_solves_nothing_is_refused_and_nothing_else_happens() {
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
        // What is between salt and number cannot be moved.
        format!("{salt}{number}::{signature}"),
        format!("{purpose}.{later}.{nonce}:{number}:{signature}"),
        format!("delegates.{rest}:{number}:{signature}"),
    ] {
        send(&app, "The second", Some(&wrong)).await.assert_error(403, "forbidden");
    }
    // A message's solution passes no registration, and is not spent by it.
    let other = Sent::delegate().to_with(&app, "/api/delegate-form/", &[(HEADER, &solution)]).await;
    other.assert_error(403, "forbidden");
    assert_eq!(app.number("SELECT count(*) FROM spent_challenges").await, 0);
    assert_eq!(send(&app, "The second", Some(&solution)).await.status, 200);

    let solution = solve(&self::challenge(&send(&app, "The third", None).await));
    app.clock.set(app.app.clock.now() + SignedDuration::from_mins(10));
    let expired = send(&app, "The third", Some(&solution)).await;
    assert!(expired.json()["error"].as_str().unwrap().starts_with("This challenge has expired."), "{}", expired.text());
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 2);
    assert_eq!(send(&app, "The third", None).await.status, 200, "ten minutes are over");
    // What has expired need not be remembered.
    let solution = solve(&self::challenge(&send(&app, "The fourth", None).await));
    app.clock.set(app.app.clock.now() + SignedDuration::from_secs(1));
    assert_eq!(send(&app, "The fourth", Some(&solution)).await.status, 200);
    assert_eq!(app.number("SELECT count(*) FROM spent_challenges").await, 1);
}

#[tokio::test]
async fn films_registrations_and_single_files_pass_too() {
    let app = site(Database::Sqlite).await;
    for (path, form) in [("/api/changed/", Sent::film()), ("/api/delegate-form/", Sent::delegate())] {
        let solution = solve(&challenge(&match form.to(&app, path).await {
            // The limit is one for all forms.
            taken if taken.status == 201 => form.to(&app, path).await,
            refused => refused,
        }));
        let form = form.with("occupation", "Another").with("title_english", "Another");
        assert_eq!(form.to_with(&app, path, &[(HEADER, &solution)]).await.status, 201, "{path}");
    }
    let mut file = Sent::film();
    file.texts.clear();
    file.files.clear();
    let file = file.with_file("film_poster", "poster.png", picture());
    let path = "/api/forms/film/files/";
    for _ in 0..14 {
        assert_eq!(file.to(&app, path).await.status, 201);
    }
    let solution = solve(&challenge(&file.to(&app, path).await));
    assert_eq!(file.to_with(&app, path, &[(HEADER, &solution)]).await.status, 201);
    file.to_with(&app, path, &[(HEADER, &solution)]).await.assert_error(403, "forbidden");
}
