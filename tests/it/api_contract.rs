//! The API from the point of view of a client that knows only the specification: its entities (section 3) and its calls
//! (section 7).

use rocket::http::Method;
use serde_json::{Value, json};

use crate::forms::requests::{FormRequest, assert_received, lift_limits, message, send_message};
use crate::support::{Database, TestApp, fixture};

on_both!(
    lists_have_the_fields_of_the_specification,
    magazines_are_an_array_or_a_results_page,
    magazine_link_serves_a_pdf,
    registration_is_stored_as_sent,
    message_is_stored_as_sent,
    public_site_needs_no_account_or_cookie
);

/// A field and the type of its value; `?` where it may be null.
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

/// The lists, with the fields of their elements.
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

/// The text fields of a film submission, in the order of the specification.
const FILM_TEXTS: &str = "title_original title_english film_language subtitles film_type is_first_or_second_feature \
    duration_minutes year_of_production country_of_origin technical_features origination_format presentation_format \
    producer_name producer_email producer_mobile director_name director_email director_mobile biography screener_link \
    screener_link_password synopsis_long synopsis_short stills_link cast_and_crew name_of_submitter \
    correspondence_contact correspondence_email";

/// The file fields of a film submission.
const FILM_FILES: &str = "film_poster director_photo producer_consent documentation signature screenshot";

fn names(list: &str) -> Vec<&str> {
    list.split_whitespace().collect()
}

/// Whether a value has the type that the specification gives the field.
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
        other => panic!("{other} is not a known type"),
    }
}

fn assert_shape(element: &Value, shapes: &[Shape], path: &str) {
    for (field, shape) in shapes {
        assert!(fits(element.get(field), shape), "{path}: {field} should be a {shape}: {element}");
    }
}

async fn lists_have_the_fields_of_the_specification(database: Database) {
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

async fn magazines_are_an_array_or_a_results_page(database: Database) {
    let app = TestApp::new(database).await;
    let list = app.get("/api/kottaka-magazines/").await.json();
    assert_eq!(list.as_array().unwrap().len(), 2);
    let page = app.get("/api/kottaka-magazines/?page=1").await.json();
    assert_eq!((&page["count"], &page["results"]), (&json!(2), &list));
}

async fn magazine_link_serves_a_pdf(database: Database) {
    let app = TestApp::new(database).await;
    let list = app.get("/api/kottaka-magazines/").await.json();
    for issue in list.as_array().unwrap() {
        let path = issue["magazine"].as_str().unwrap().replace("http://localhost", "");
        let response = app.get(&path).await;
        assert_eq!((response.status, response.header("Content-Type").as_str()), (200, "application/pdf"));
        assert!(response.body.starts_with(b"%PDF-"));
    }
}

/// The stored value of a field, as text.
async fn stored_value(app: &TestApp, table: &str, reference: &str, field: &str) -> String {
    let sql = format!("SELECT CAST({field} AS TEXT) FROM {table} WHERE reference = $1");
    let mut connection = app.app.db.read().await.unwrap();
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(reference).fetch_one(&mut *connection).await.unwrap()
}

async fn registration_is_stored_as_sent(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let sent = FormRequest::delegate();
    let texts: Vec<&str> = sent.texts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(texts, names("name email mobile address age occupation category transaction_details"));
    for photo in [false, true] {
        let mut form = sent.clone().with("transaction_details", if photo { "UTR 2" } else { "UTR 1" });
        if photo {
            form = form.with_file("image", "me.jpg", std::fs::read(fixture("pictures/still.jpg")).unwrap());
        }
        let reference = assert_received(&form.post(&app, "/api/delegate-form/").await);
        for (name, text) in &form.texts {
            assert_eq!(stored_value(&app, "delegates", &reference, name).await, *text, "{name}");
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

async fn message_is_stored_as_sent(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let sent = message();
    assert_eq!(sent.as_object().unwrap().keys().collect::<Vec<_>>(), names("name email contact message"));
    assert_eq!(send_message(&app, &sent).await.status, 200);
    for (name, text) in sent.as_object().unwrap() {
        assert_eq!(
            stored_value(&app, "contact_messages", "CM-2025-0001", name).await,
            text.as_str().unwrap(),
            "{name}"
        );
    }
}

/// The fields of a film submission; `forms/storage.rs` tests that they are stored as sent.
#[test]
fn film_submission_has_the_fields_of_the_specification() {
    use festival_core::entity::Kind;
    use festival_forms::description::FILM_SUBMISSION;
    let fields: Vec<&str> = FILM_SUBMISSION.fields.iter().map(|field| field.name).collect();
    assert_eq!(fields, [names(FILM_TEXTS), names(FILM_FILES)].concat());
    let sent = FormRequest::film();
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

/// Every call of section 7 is documented with the media type of its body.
#[tokio::test]
async fn openapi_contains_every_call_of_the_specification() {
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

async fn public_site_needs_no_account_or_cookie(database: Database) {
    let app = TestApp::new(database).await;
    let lists = app.endpoints().await.into_iter().map(|path| format!("/api{path}"));
    for path in app.pages().await.into_iter().chain(lists) {
        let response = app.request(Method::Get, &path, &[]).await;
        assert!([200, 404].contains(&response.status), "{path}: {}", response.status);
        assert_eq!(response.status == 404, path == "/404", "{path}");
        assert_eq!(response.header("Set-Cookie"), "", "{path}");
    }
}
