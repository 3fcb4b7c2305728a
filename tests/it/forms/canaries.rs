//! What people typed stands in no log and in no error: words that nobody else writes are sent and looked for.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::sent::Sent;
use crate::support::{Server, festival, fixture};

/// Stands in every value and in every file's name.
const CANARY: &str = "zebrafinch";

fn value(name: &str) -> String {
    match name {
        name if name.ends_with("email") => format!("{CANARY}.{name}@example.org"),
        name if name.ends_with("link") => format!("https://{CANARY}.example.org/{name}"),
        "mobile" | "contact" | "producer_mobile" | "director_mobile" | "correspondence_contact" => {
            format!("+91 98470 11223 {CANARY}")
        }
        "age" | "duration_minutes" | "year_of_production" => format!("33 {CANARY}"),
        _ => format!("{CANARY} {name}"),
    }
}

/// A form with the canary in every value and in every file's name.
fn marked(mut form: Sent) -> Sent {
    for (name, text) in &mut form.texts {
        *text = value(name);
    }
    for (field, file, _) in &mut form.files {
        *file = format!("{CANARY}-{field}.png");
    }
    form
}

fn message() -> serde_json::Value {
    ["name", "email", "contact", "message"].map(|name| (name, json!(value(name)))).into_iter().collect()
}

/// A seeded site as a process of its own.
fn serve(directory: &Path) -> Server {
    let data = directory.to_str().unwrap();
    let seed = festival(directory, &["seed", fixture("2025.toml").to_str().unwrap()], &[("FESTIVAL_DATA_DIR", data)]);
    assert_eq!(seed.code, 0, "{}", seed.whole());
    let settings = [
        ("FESTIVAL_DATA_DIR", data),
        ("FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES", "10000"),
        ("FESTIVAL_UPLOADS__KEEP_FREE_MIB", "0"),
    ];
    Server::start(directory, &settings)
}

/// Sends a form, and answers the status; an error's body holds nothing of what was typed.
fn send(server: &Server, path: &str, content_type: &str, body: &[u8]) -> u16 {
    let answer = server.post(path, content_type, body);
    let text = answer.text().to_lowercase();
    assert!(!text.contains(CANARY), "{path} {}: {text}", answer.status);
    answer.status
}

/// Waits until the log tells of so many requests, and looks through all of it.
fn look_through(server: &Server, requests: usize) {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let log = server.log();
        let found = log.iter().filter(|line| line.contains("POST") && line.contains("status")).count();
        if found >= requests || Instant::now() > until {
            assert!(found >= requests, "{found} of {requests} requests: {log:#?}");
            let told: Vec<_> = log.iter().filter(|line| line.to_lowercase().contains(CANARY)).collect();
            assert!(told.is_empty(), "{told:#?}");
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_was_typed_is_in_the_log_or_in_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let server = serve(directory.path());
    let multipart = Sent::content_type();
    let large = vec![b'x'; (5 << 20) + 1];
    let forms = ["/api/changed/", "/api/asian-form/", "/api/indian-form/", "/api/malayalam-form/"];
    let forms = forms.map(|path| (path, marked(Sent::film()), "film_poster", "producer_email"));
    let forms: Vec<_> =
        forms.into_iter().chain([("/api/delegate-form/", marked(Sent::delegate()), "signature", "email")]).collect();
    let mut requests = 0;
    let mut post = |path: &str, content_type: &str, body: &[u8], expected: u16| {
        requests += 1;
        let status = send(&server, path, content_type, body);
        // Which of our failures it is does not matter here.
        let status = if status > 500 { 500 } else { status };
        assert_eq!(status, expected, "{path}");
    };
    for (path, form, file, email) in &forms {
        post(path, &multipart, &form.body(), 201);
        for wrong in [
            form.clone().without(file),
            form.clone().with(email, &format!("{CANARY} is no address")),
            form.clone().with(email, &format!("{CANARY}\u{1}")),
            form.clone().with_file(file, &format!("{CANARY}.svg"), b"<svg>zebrafinch</svg>".to_vec()),
            form.clone().with(&format!("{CANARY}_field"), CANARY).without(email),
        ] {
            post(path, &multipart, &wrong.body(), 422);
        }
        post(path, &multipart, &form.clone().with_file(file, &format!("{CANARY}.png"), large.clone()).body(), 413);
        post(path, &multipart, &form.clone().with(email, &CANARY.repeat(10_000)).body(), 413);
        let body = form.body();
        post(path, &multipart, &body[..body.len() - 20], 400);
    }
    let mut file = marked(Sent::film());
    file.texts.clear();
    file.files.truncate(1);
    post("/api/forms/film/files/", &multipart, &file.body(), 201);
    let mut wrong = message();
    post("/api/contact/", "application/json", wrong.to_string().as_bytes(), 200);
    wrong["email"] = json!(format!("{CANARY} is no address"));
    post("/api/contact/", "application/json", wrong.to_string().as_bytes(), 422);
    wrong["message"] = json!([CANARY]);
    post("/api/contact/", "application/json", wrong.to_string().as_bytes(), 422);
    post("/api/contact/", "application/json", format!("{{\"name\": {CANARY}").as_bytes(), 400);
    post("/api/contact/", "application/json", json!({ "message": CANARY.repeat(20_000) }).to_string().as_bytes(), 413);

    // What fails on our side: the store, then the database.
    let private = directory.path().join("media/private");
    std::fs::rename(&private, directory.path().join("away")).unwrap();
    std::fs::write(&private, "no folder").unwrap();
    for (path, form, ..) in &forms {
        let other = form.clone().with("title_english", "Zebrafinch again").with("transaction_details", CANARY);
        post(path, &multipart, &other.body(), 500);
    }
    std::fs::remove_file(&private).unwrap();
    std::fs::rename(directory.path().join("away"), &private).unwrap();
    let database = format!("sqlite://{}", directory.path().join("festival.db").display());
    let mut connection = <sqlx::SqliteConnection as sqlx::Connection>::connect(&database).await.unwrap();
    for table in ["submission_files", "contact_messages"] {
        // A row that cannot be written, with the values in hand.
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
    look_through(&server, requests);
}
