//! The rules of the forms: what must be there, and what it must be.

use festival_core::entity::Field;
use festival_forms::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION};
use serde_json::json;

use super::sent::{Sent, patient, received, refused};
use crate::support::{Database, TestApp};

fn required(fields: &'static [Field]) -> Vec<&'static str> {
    let defaults = ["screener_link_password", "presentation_format"];
    fields.iter().filter(|f| f.required && !defaults.contains(&f.name)).map(|f| f.name).collect()
}

fn sentence(name: &str) -> String {
    format!("Please fill in {}", name.replace('_', " "))
}

#[test]
fn the_order_is_that_of_the_specification() {
    let delegate = "name email mobile address age occupation category transaction_details screenshot signature";
    assert_eq!(required(DELEGATE.fields).join(" "), delegate);
    let film = required(FILM_SUBMISSION.fields).join(" ");
    assert!(
        film.starts_with("title_original title_english film_language subtitles film_type is_first_or_second_feature")
    );
    assert!(film.ends_with("film_poster director_photo producer_consent documentation signature screenshot"));
}

#[tokio::test]
async fn each_missing_field_is_named_and_the_first_one_first() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    let forms = [
        ("/api/delegate-form/", Sent::delegate(), required(DELEGATE.fields)),
        ("/api/changed/?category=asian", Sent::film(), required(FILM_SUBMISSION.fields)),
        ("/api/changed/?category=indian", Sent::film(), required(FILM_SUBMISSION.fields)),
        ("/api/changed/?category=malayalam", Sent::film(), required(FILM_SUBMISSION.fields)),
        ("/api/changed/", Sent::film(), required(FILM_SUBMISSION.fields)),
    ];
    for (path, form, names) in forms {
        for (place, name) in names.iter().enumerate() {
            let is_file = form.files.iter().any(|(field, _, _)| field == name);
            let empty =
                if is_file { form.clone().with_file(name, "", Vec::new()) } else { form.clone().with(name, " \t ") };
            for sent in [form.clone().without(name), empty] {
                assert_eq!(refused(&sent.to(&app, path).await), ((*name).to_owned(), sentence(name)), "{path}");
            }
            // Everything from here on is missing: all are named, in order.
            let rest = names[place..].iter().fold(form.clone(), |form, name| form.without(name));
            let body = rest.to(&app, path).await.json();
            let named: Vec<&str> =
                body["fields"].as_array().unwrap().iter().map(|f| f["field"].as_str().unwrap()).collect();
            assert_eq!(named, names[place..], "{path}");
            assert_eq!(body["error"], sentence(name));
            assert_eq!(body["code"], "invalid");
        }
    }
    assert!(required(CONTACT_MESSAGE.fields).is_empty(), "the specification asks for nothing there");
    assert_eq!(app.number("SELECT count(*) FROM film_submissions").await, 0);
    assert_eq!(super::sent::files_kept(&app), 0);
}

#[tokio::test]
async fn what_is_left_empty_has_its_meaning() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    let film = Sent::film().with("screener_link_password", "  ").without("presentation_format");
    let reference = received(&film.to(&app, "/api/changed/").await);
    let kept = "SELECT count(*) FROM film_submissions WHERE presentation_format = 'DCP' AND title_english = 'A Light' \
                AND over_long = ''";
    assert_eq!(app.number(kept).await, 1);
    let password = app.texts("SELECT screener_link_password FROM film_submissions").await.remove(0);
    assert_eq!(super::sent::password(&app, &reference, &password).as_deref(), Some("NO"));
}

#[tokio::test]
async fn long_texts_are_kept_and_marked_or_refused_where_organisers_want_that() {
    let film = Sent::film().with("biography", &"word ".repeat(201)).with("synopsis_short", &"word ".repeat(100));
    let app = TestApp::with(Database::Sqlite, patient).await;
    received(&film.to(&app, "/api/changed/").await);
    let whole = format!(
        "SELECT count(*) FROM film_submissions WHERE over_long = 'biography' AND length(biography) = {}",
        201 * 5 - 1
    );
    assert_eq!(app.number(&whole).await, 1);
    let film = film.with("biography", &"w".repeat(20_001)).with("title_english", &"t".repeat(301));
    received(&film.to(&app, "/api/changed/").await);
    let flagged = "SELECT count(*) FROM film_submissions WHERE flagged = 'title_english biography' \
                   AND findings LIKE '%Text has 20001 characters%' AND length(biography) = 20001";
    assert_eq!(app.number(flagged).await, 1);

    let strict = TestApp::with(Database::Sqlite, |settings| {
        patient(settings);
        super::sent::set(settings, "hard_word_limits", json!(true));
    })
    .await;
    let film = Sent::film().with("synopsis_short", &"word ".repeat(101));
    let (field, words) = refused(&film.to(&strict, "/api/changed/").await);
    assert_eq!(field, "synopsis_short");
    assert!(words.contains("101 words") && words.contains("at most 100"), "{words}");
}
