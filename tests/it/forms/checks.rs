//! Validation of forms: required fields, defaults, length limits.

use festival_core::entity::Field;
use festival_forms::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION};
use serde_json::json;

use super::requests::{FormRequest, assert_received, assert_refused, lift_limits};
use crate::support::{Database, TestApp};

fn required(fields: &'static [Field]) -> Vec<&'static str> {
    let defaults = ["screener_link_password", "presentation_format"];
    fields.iter().filter(|f| f.required && !defaults.contains(&f.name)).map(|f| f.name).collect()
}

fn sentence(name: &str) -> String {
    format!("Please fill in {}", name.replace('_', " "))
}

#[test]
fn required_fields_have_the_order_of_the_specification() {
    let delegate = "name email mobile address age occupation category transaction_details screenshot signature";
    assert_eq!(required(DELEGATE.fields).join(" "), delegate);
    let film = "title_original title_english film_language subtitles film_type is_first_or_second_feature \
        duration_minutes year_of_production country_of_origin technical_features origination_format producer_name \
        producer_email producer_mobile director_name director_email director_mobile biography screener_link \
        synopsis_long synopsis_short stills_link cast_and_crew name_of_submitter correspondence_contact \
        correspondence_email film_poster director_photo producer_consent documentation signature screenshot";
    assert_eq!(required(FILM_SUBMISSION.fields).join(" "), film);
}

#[tokio::test]
async fn missing_fields_are_reported_in_order() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let forms = [
        ("/api/delegate-form/", FormRequest::delegate(), required(DELEGATE.fields)),
        ("/api/changed/?category=asian", FormRequest::film(), required(FILM_SUBMISSION.fields)),
        ("/api/changed/?category=indian", FormRequest::film(), required(FILM_SUBMISSION.fields)),
        ("/api/changed/?category=malayalam", FormRequest::film(), required(FILM_SUBMISSION.fields)),
        ("/api/changed/", FormRequest::film(), required(FILM_SUBMISSION.fields)),
    ];
    for (path, form, names) in forms {
        for (index, name) in names.iter().enumerate() {
            let is_file = form.files.iter().any(|(field, _, _)| field == name);
            let empty =
                if is_file { form.clone().with_file(name, "", Vec::new()) } else { form.clone().with(name, " \t ") };
            for sent in [form.clone().without(name), empty] {
                assert_eq!(
                    assert_refused(&sent.post(&app, path).await),
                    ((*name).to_owned(), sentence(name)),
                    "{path}"
                );
            }
            // With all fields from here on missing, each is reported, in order.
            let rest = names[index..].iter().fold(form.clone(), |form, name| form.without(name));
            let body = rest.post(&app, path).await.json();
            let named: Vec<&str> =
                body["fields"].as_array().unwrap().iter().map(|f| f["field"].as_str().unwrap()).collect();
            assert_eq!(named, names[index..], "{path}");
            assert_eq!(body["error"], sentence(name));
            assert_eq!(body["code"], "invalid");
        }
    }
    assert!(required(CONTACT_MESSAGE.fields).is_empty(), "contact messages have no required fields");
    assert_eq!(app.number("SELECT count(*) FROM film_submissions").await, 0);
    assert_eq!(super::requests::count_stored_files(&app), 0);
}

#[tokio::test]
async fn empty_optional_fields_get_their_defaults() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let film = FormRequest::film().with("screener_link_password", "  ").without("presentation_format");
    let reference = assert_received(&film.post(&app, "/api/changed/").await);
    let stored = "SELECT count(*) FROM film_submissions WHERE presentation_format = 'DCP' AND title_english = 'A Light' \
                AND over_long = ''";
    assert_eq!(app.number(stored).await, 1);
    let password = app.texts("SELECT screener_link_password FROM film_submissions").await.remove(0);
    assert_eq!(super::requests::decrypt_password(&app, &reference, &password).as_deref(), Some("NO"));
}

#[tokio::test]
async fn long_texts_are_flagged_or_rejected_by_setting() {
    let words = |count: usize| "word ".repeat(count);
    let film = FormRequest::film()
        .with("biography", &words(201))
        .with("synopsis_long", &words(300))
        .with("synopsis_short", &words(100));
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    assert_received(&film.post(&app, "/api/changed/").await);
    let whole = format!(
        "SELECT count(*) FROM film_submissions WHERE over_long = 'biography' AND length(biography) = {}",
        201 * 5 - 1
    );
    assert_eq!(app.number(&whole).await, 1);
    let long = FormRequest::film()
        .with("title_english", "Long synopses")
        .with("biography", &words(200))
        .with("synopsis_long", &words(301))
        .with("synopsis_short", &words(101));
    assert_received(&long.post(&app, "/api/changed/").await);
    let flagged = "SELECT over_long FROM film_submissions WHERE title_english = 'Long synopses'";
    assert_eq!(app.texts(flagged).await, ["synopsis_long synopsis_short"]);
    let film = film.with("biography", &"w".repeat(20_001)).with("title_english", &"t".repeat(301));
    assert_received(&film.post(&app, "/api/changed/").await);
    let flagged = "SELECT count(*) FROM film_submissions WHERE flagged = 'title_english biography' \
                   AND findings LIKE '%Text has 20001 characters%' AND length(biography) = 20001";
    assert_eq!(app.number(flagged).await, 1);

    let strict = TestApp::with(Database::Sqlite, |settings| {
        lift_limits(settings);
        super::requests::set_forms_setting(settings, "hard_word_limits", json!(true));
    })
    .await;
    let film = FormRequest::film().with("synopsis_short", &"word ".repeat(101));
    let (field, message) = assert_refused(&film.post(&strict, "/api/changed/").await);
    assert_eq!(field, "synopsis_short");
    assert!(message.contains("101 words") && message.contains("at most 100"), "{message}");
}
