//! Submitted values appear in no log line and no error response: unique marker words are sent and searched for.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::requests::FormRequest;
use crate::support::{Server, festival, fixture};

/// Part of every value and every file name.
const MARKER: &str = "zebrafinch";

fn value(name: &str) -> String {
    match name {
        name if name.ends_with("email") => format!("{MARKER}.{name}@example.org"),
        name if name.ends_with("link") => format!("https://{MARKER}.example.org/{name}"),
        "mobile" | "contact" | "producer_mobile" | "director_mobile" | "correspondence_contact" => {
            format!("+91 98470 11223 {MARKER}")
        }
        "age" | "duration_minutes" | "year_of_production" => format!("33 {MARKER}"),
        _ => format!("{MARKER} {name}"),
    }
}

/// A form with the marker in every value and every file name.
fn with_marker(mut form: FormRequest) -> FormRequest {
    for (name, text) in &mut form.texts {
        *text = value(name);
    }
    for (field, file, _) in &mut form.files {
        *file = format!("{MARKER}-{field}.png");
    }
    form
}

fn message() -> serde_json::Value {
    ["name", "email", "contact", "message"].map(|name| (name, json!(value(name)))).into_iter().collect()
}

/// Starts the program with a seeded site.
fn start_seeded_server(directory: &Path) -> Server {
    let data = directory.to_str().unwrap();
    let seed = festival(directory, &["seed", fixture("2025.toml").to_str().unwrap()], &[("FESTIVAL_DATA_DIR", data)]);
    assert_eq!(seed.code, 0, "{}", seed.transcript());
    let settings = [
        ("FESTIVAL_DATA_DIR", data),
        ("FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES", "10000"),
        ("FESTIVAL_UPLOADS__KEEP_FREE_MIB", "0"),
    ];
    Server::start(directory, &settings)
}

/// Posts a form, asserts that the response does not repeat the input, and returns the status.
fn send(server: &Server, path: &str, content_type: &str, body: &[u8]) -> u16 {
    let response = server.post(path, content_type, body);
    let text = response.text().to_lowercase();
    assert!(!text.contains(MARKER), "{path} {}: {text}", response.status);
    response.status
}

/// Waits until the log has this number of requests, and asserts that it does not contain the marker.
fn assert_log_is_clean(server: &Server, requests: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let log = server.log();
        let found = log.iter().filter(|line| line.contains("POST") && line.contains("status")).count();
        if found >= requests || Instant::now() > deadline {
            assert!(found >= requests, "{found} of {requests} requests: {log:#?}");
            let leaked: Vec<_> = log.iter().filter(|line| line.to_lowercase().contains(MARKER)).collect();
            assert!(leaked.is_empty(), "{leaked:#?}");
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn submitted_values_never_appear_in_logs_or_errors() {
    let directory = tempfile::tempdir().unwrap();
    let server = start_seeded_server(directory.path());
    let multipart = FormRequest::content_type();
    let large = vec![b'x'; (5 << 20) + 1];
    let forms = ["/api/changed/", "/api/asian-form/", "/api/indian-form/", "/api/malayalam-form/"];
    let forms = forms.map(|path| (path, with_marker(FormRequest::film()), "film_poster", "producer_email"));
    let forms: Vec<_> = forms
        .into_iter()
        .chain([("/api/delegate-form/", with_marker(FormRequest::delegate()), "signature", "email")])
        .collect();
    let mut requests = 0;
    let mut post = |path: &str, content_type: &str, body: &[u8], expected: u16| {
        requests += 1;
        let status = send(&server, path, content_type, body);
        // All server errors are treated alike.
        let status = if status > 500 { 500 } else { status };
        assert_eq!(status, expected, "{path}");
    };
    for (path, form, file, email) in &forms {
        post(path, &multipart, &form.body(), 201);
        for wrong in [
            form.clone().without(file),
            form.clone().with(email, &format!("{MARKER} is no address")),
            form.clone().with(email, &format!("{MARKER}\u{1}")),
            form.clone().with_file(file, &format!("{MARKER}.svg"), b"<svg>zebrafinch</svg>".to_vec()),
            form.clone().with(&format!("{MARKER}_field"), MARKER).without(email),
        ] {
            post(path, &multipart, &wrong.body(), 422);
        }
        post(path, &multipart, &form.clone().with_file(file, &format!("{MARKER}.png"), large.clone()).body(), 413);
        post(path, &multipart, &form.clone().with(email, &MARKER.repeat(10_000)).body(), 413);
        let body = form.body();
        post(path, &multipart, &body[..body.len() - 20], 400);
    }
    let mut file = with_marker(FormRequest::film());
    file.texts.clear();
    file.files.truncate(1);
    post("/api/forms/film/files/", &multipart, &file.body(), 201);
    let mut wrong = message();
    post("/api/contact/", "application/json", wrong.to_string().as_bytes(), 200);
    wrong["email"] = json!(format!("{MARKER} is no address"));
    post("/api/contact/", "application/json", wrong.to_string().as_bytes(), 422);
    wrong["message"] = json!([MARKER]);
    post("/api/contact/", "application/json", wrong.to_string().as_bytes(), 422);
    post("/api/contact/", "application/json", format!("{{\"name\": {MARKER}").as_bytes(), 400);
    post("/api/contact/", "application/json", json!({ "message": MARKER.repeat(20_000) }).to_string().as_bytes(), 413);

    // Server-side failures: first the store, then the database.
    let private = directory.path().join("media/private");
    std::fs::rename(&private, directory.path().join("away")).unwrap();
    std::fs::write(&private, "no folder").unwrap();
    for (path, form, ..) in &forms {
        let other = form.clone().with("title_english", "Zebrafinch again").with("transaction_details", MARKER);
        post(path, &multipart, &other.body(), 500);
    }
    std::fs::remove_file(&private).unwrap();
    std::fs::rename(directory.path().join("away"), &private).unwrap();
    let database = format!("sqlite://{}", directory.path().join("festival.db").display());
    let mut connection = <sqlx::SqliteConnection as sqlx::Connection>::connect(&database).await.unwrap();
    for table in ["submission_files", "contact_messages"] {
        // A row that cannot be inserted, with the values already bound.
        let trigger =
            format!("CREATE TRIGGER refuse_{table} BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'refused'); END");
        sqlx::query(sqlx::AssertSqlSafe(trigger)).execute(&mut connection).await.unwrap();
    }
    for (path, form, ..) in &forms {
        let other =
            form.clone().with("title_english", "Zebrafinch once more").with("transaction_details", "Zebrafinch");
        post(path, &multipart, &other.body(), 500);
    }
    wrong = message();
    wrong["message"] = json!("Zebrafinch once more");
    post("/api/contact/", "application/json", wrong.to_string().as_bytes(), 500);
    assert_log_is_clean(&server, requests);
}
