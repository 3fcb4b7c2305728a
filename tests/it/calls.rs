//! A client that knows the specification's entities (section 3) and calls (section 7) and nothing else.

use rocket::http::Method;
use serde_json::{Value, json};

use crate::forms::sent::{Sent, message, patient, received, send_message};
use crate::support::{Database, TestApp, fixture};

on_both!(
    lists_carry_the_fields_of_their_entities,
    magazines_come_as_an_array_or_as_a_results_page,
    a_magazine_is_a_pdf_that_can_be_fetched,
    a_delegate_is_kept_as_it_was_sent,
    a_message_is_kept_as_it_was_sent,
    nobody_needs_an_account_or_a_cookie
);

/// What a field holds: `?` where it may be null.
type Shape = (&'static str, &'static str);

const FILM: &[Shape] = &[
    ("id", "number"),
    ("name", "text"),
    ("poster", "link?"),
    ("director_name", "text?"),
    ("director", "text?"),
    ("writer_name", "text?"),
    ("producer_name", "text?"),
    ("cast_details", "text?"),
    ("crew_details", "text?"),
    ("synopsis", "text?"),
    ("year", "number?"),
    ("country", "text?"),
    ("still_one", "link?"),
    ("still_two", "link?"),
    ("category_name", "text"),
    ("category_desc", "text?"),
];

const BLOG: &[Shape] =
    &[("id", "number"), ("title", "text"), ("image", "link?"), ("content", "text"), ("created_at", "time")];

/// The lists, and what each of their elements has.
const LISTS: &[(&str, &[Shape])] = &[
    (
        "/upcoming-events/",
        &[("id", "number"), ("event", "text"), ("event_datetime", "time"), ("location", "text"), ("image", "link?")],
    ),
    ("/categories/", &[("id", "number"), ("name", "text")]),
    ("/categories/{id}/films/", FILM),
    ("/posters/", &[("id", "number"), ("title", "text?"), ("image", "link")]),
    ("/screening-schedule/", &[("id", "number"), ("title", "text?"), ("image", "link")]),
    ("/daily-events/", &[("id", "number"), ("title", "text?"), ("image", "link")]),
    (
        "/kottaka-magazines/",
        &[
            ("id", "number"),
            ("name", "text"),
            ("Vol", "text?"),
            ("issue", "text?"),
            ("image", "link?"),
            ("magazine", "link"),
        ],
    ),
    ("/blogs/", BLOG),
];

/// The texts of a film submission, in the order of the specification.
const FILM_TEXTS: &str = "title_original title_english film_language subtitles film_type is_first_or_second_feature \
    duration_minutes year_of_production country_of_origin technical_features origination_format presentation_format \
    producer_name producer_email producer_mobile director_name director_email director_mobile biography screener_link \
    screener_link_password synopsis_long synopsis_short stills_link cast_and_crew name_of_submitter \
    correspondence_contact correspondence_email";

/// Its files.
const FILM_FILES: &str = "film_poster director_photo producer_consent documentation signature screenshot";

fn names(list: &str) -> Vec<&str> {
    list.split_whitespace().collect()
}

/// Whether a value is what the specification says of the field.
fn fits(value: Option<&Value>, shape: &str) -> bool {
    let Some(value) = value else { return false };
    if shape.ends_with('?') && value.is_null() {
        return true;
    }
    match shape.trim_end_matches('?') {
        "number" => value.is_i64(),
        "text" => value.is_string(),
        "link" => value.as_str().is_some_and(|link| link.starts_with("http://localhost/media/")),
        "time" => value.as_str().is_some_and(|time| time.ends_with("+05:30") && time.contains('T')),
        other => panic!("{other} is no shape"),
    }
}

fn assert_shape(element: &Value, shapes: &[Shape], path: &str) {
    for (field, shape) in shapes {
        assert!(fits(element.get(field), shape), "{path}: {field} is to be a {shape}: {element}");
    }
}

async fn lists_carry_the_fields_of_their_entities(database: Database) {
    let app = TestApp::new(database).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    for (path, shapes) in LISTS {
        let path = path.replace("{id}", &category.to_string());
        let list = app.get(&format!("/api{path}")).await.json();
        let elements = list.as_array().unwrap_or_else(|| panic!("{path} is a plain list"));
        assert!(!elements.is_empty(), "{path}");
        for element in elements {
            assert_shape(element, shapes, &path);
            if *shapes == FILM {
                assert_eq!(element["director"], element["director_name"], "{path}");
            }
            if *shapes == BLOG {
                let one = app.get(&format!("/api/blog/{}/", element["id"])).await.json();
                assert_shape(&one, BLOG, "/blog/{id}/");
                assert_eq!(one["id"], element["id"]);
            }
        }
    }
}

async fn magazines_come_as_an_array_or_as_a_results_page(database: Database) {
    let app = TestApp::new(database).await;
    let list = app.get("/api/kottaka-magazines/").await.json();
    assert_eq!(list.as_array().unwrap().len(), 2);
    let page = app.get("/api/kottaka-magazines/?page=1").await.json();
    assert_eq!((&page["count"], &page["results"]), (&json!(2), &list));
}

async fn a_magazine_is_a_pdf_that_can_be_fetched(database: Database) {
    let app = TestApp::new(database).await;
    let list = app.get("/api/kottaka-magazines/").await.json();
    for issue in list.as_array().unwrap() {
        let path = issue["magazine"].as_str().unwrap().replace("http://localhost", "");
        let answer = app.get(&path).await;
        assert_eq!((answer.status, answer.header("Content-Type").as_str()), (200, "application/pdf"));
        assert!(answer.body.starts_with(b"%PDF-"));
    }
}

/// A delegate's row: each field as it was sent.
async fn kept(app: &TestApp, table: &str, reference: &str, field: &str) -> String {
    let sql = format!("SELECT CAST({field} AS TEXT) FROM {table} WHERE reference = $1");
    let mut connection = app.app.db.read().await.unwrap();
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(reference).fetch_one(&mut *connection).await.unwrap()
}

async fn a_delegate_is_kept_as_it_was_sent(database: Database) {
    let app = TestApp::with(database, patient).await;
    let sent = Sent::delegate();
    let texts: Vec<&str> = sent.texts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(texts, names("name email mobile address age occupation category transaction_details"));
    for photo in [false, true] {
        let mut form = sent.clone().with("transaction_details", if photo { "UTR 2" } else { "UTR 1" });
        if photo {
            form = form.with_file("image", "me.jpg", std::fs::read(fixture("pictures/still.jpg")).unwrap());
        }
        let reference = received(&form.to(&app, "/api/delegate-form/").await);
        for (name, text) in &form.texts {
            assert_eq!(kept(&app, "delegates", &reference, name).await, *text, "{name}");
        }
        for field in names("image screenshot signature") {
            let files = format!(
                "SELECT count(*) FROM submission_files f JOIN delegates d ON d.id = f.delegate_id \
                 WHERE f.field = '{field}' AND d.reference = '{reference}'"
            );
            assert_eq!(app.number(&files).await, i64::from(photo || field != "image"), "{field}");
        }
    }
}

async fn a_message_is_kept_as_it_was_sent(database: Database) {
    let app = TestApp::with(database, patient).await;
    let sent = message();
    assert_eq!(sent.as_object().unwrap().keys().collect::<Vec<_>>(), names("name email contact message"));
    assert_eq!(send_message(&app, &sent).await.status, 200);
    for (name, text) in sent.as_object().unwrap() {
        assert_eq!(kept(&app, "contact_messages", "CM-2025-0001", name).await, text.as_str().unwrap(), "{name}");
    }
}

/// What a film submission is, word for word; that it is kept as it was sent, `forms/kept.rs` tests.
#[test]
fn a_film_submission_has_the_fields_of_the_specification() {
    use festival_core::entity::Kind;
    use festival_forms::description::FILM_SUBMISSION;
    let fields: Vec<&str> = FILM_SUBMISSION.fields.iter().map(|field| field.name).collect();
    assert_eq!(fields, [names(FILM_TEXTS), names(FILM_FILES)].concat());
    let sent = Sent::film();
    assert_eq!(sent.texts.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), names(FILM_TEXTS));
    let choices = |name: &str| {
        let field = FILM_SUBMISSION.fields.iter().find(|field| field.name == name).unwrap();
        let Kind::Choice(list) = field.kind else { panic!("{name} is a choice") };
        list.iter().map(|(value, _)| *value).collect::<Vec<_>>()
    };
    assert_eq!(choices("subtitles"), ["Yes", "No"]);
    assert_eq!(
        choices("film_type"),
        ["Fiction", "Experimental", "Documentary", "Short Film", "Feature Film", "Others"]
    );
}

/// Every call of section 7, and how its payload travels.
#[tokio::test]
async fn the_description_holds_every_call_of_the_specification() {
    let app = TestApp::new(Database::Sqlite).await;
    let document = app.get("/api/openapi.json").await.json();
    for (path, _) in LISTS.iter().chain(&[("/blog/{id}/", BLOG)]) {
        assert!(document["paths"][path]["get"].is_object(), "GET {path}");
    }
    let texts = ["name email mobile address age occupation category transaction_details", FILM_TEXTS];
    let files = ["screenshot signature image", FILM_FILES];
    for (path, kind, fields) in [
        ("/delegate-form/", "multipart/form-data", [names(texts[0]), names(files[0])].concat()),
        ("/contact/", "application/json", names("name email contact message")),
        ("/changed/", "multipart/form-data", [names(texts[1]), names(files[1])].concat()),
    ] {
        let mut schema = &document["paths"][path]["post"]["requestBody"]["content"][kind]["schema"];
        if let Some(link) = schema["$ref"].as_str() {
            schema = document.pointer(link.trim_start_matches('#')).unwrap();
        }
        for field in fields {
            assert!(schema["properties"][field].is_object(), "POST {path}: {field} in {schema}");
        }
    }
}

async fn nobody_needs_an_account_or_a_cookie(database: Database) {
    let app = TestApp::new(database).await;
    let lists = app.endpoints().await.into_iter().map(|path| format!("/api{path}"));
    for path in app.pages().await.into_iter().chain(lists) {
        let answer = app.ask(Method::Get, &path, &[]).await;
        assert!([200, 404].contains(&answer.status), "{path}: {}", answer.status);
        assert_eq!(answer.status == 404, path == "/404", "{path}");
        assert_eq!(answer.header("Set-Cookie"), "", "{path}");
    }
}
