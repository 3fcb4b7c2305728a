//! Limits per client, rejection before the body is read, and forms in flight during shutdown.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use jiff::SignedDuration;

use super::requests::{FormRequest, assert_received, count_stored_files, lift_limits};
use crate::support::{Database, Server, TestApp, festival, fixture};

#[tokio::test]
async fn upload_volume_per_client_and_hour_is_limited() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        lift_limits(settings);
        settings.uploads.mib_per_client_and_hour = 1;
        settings.trusted_proxies = vec!["127.0.0.0/8".into()];
    })
    .await;
    // Data after a JPEG's end is ignored, so the picture can be padded.
    let mut picture = std::fs::read(fixture("pictures/still.jpg")).unwrap();
    picture.resize(600 * 1024, 0);
    let send = async |title: &str, from: &str| {
        let film = FormRequest::film().with("title_english", title).with_file("film_poster", "a.jpg", picture.clone());
        let length = film.body().len().to_string();
        film.post_with(&app, "/api/changed/", &[("X-Forwarded-For", from), ("Content-Length", &length)]).await
    };
    assert_received(&send("One", "2001:db8::1").await);
    let stored = count_stored_files(&app);
    // The same household, then another one.
    let refused = send("Two", "2001:db8::2").await;
    refused.assert_error(507, "insufficient_storage");
    assert_eq!(refused.header("Retry-After"), "3600");
    assert_eq!(count_stored_files(&app), stored);
    assert_received(&send("Three", "2001:db8:0:1::1").await);
    app.clock.set(app.clock.now() + SignedDuration::from_secs(3599));
    assert_eq!(send("Two", "2001:db8::1").await.header("Retry-After"), "1");
    app.clock.set(app.clock.now() + SignedDuration::from_secs(1));
    assert_received(&send("Two", "2001:db8::1").await);
}

/// Starts the program with a seeded site.
fn start_seeded_server(directory: &Path, more: &[(&str, &str)]) -> Server {
    let mut environment = vec![("FESTIVAL_DATA_DIR", directory.to_str().unwrap())];
    let seeded = festival(directory, &["seed", fixture("2025.toml").to_str().unwrap()], &environment);
    assert_eq!(seeded.code, 0, "{}", seeded.transcript());
    environment.extend(more);
    Server::start(directory, &environment)
}

fn count_films(directory: &Path) -> usize {
    let environment = [("FESTIVAL_DATA_DIR", directory.to_str().unwrap())];
    let export = ["forms", "export", "film", "-o", "-", "--format", "json", "--quarantined"];
    let exported = festival(directory, &export, &environment);
    assert_eq!(exported.code, 0, "{}", exported.transcript());
    serde_json::from_str::<Vec<serde_json::Value>>(&exported.out).unwrap().len()
}

/// Opens a connection and sends the head of a request with `body`.
fn start_request(server: &Server, path: &str, content_type: &str, body: &[u8], more: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let (address, length) = (&server.address, body.len());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n{more}\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// Waits until the server has staged a file of the form.
fn wait_until_staged(directory: &Path) {
    let staged = || std::fs::read_dir(directory.join("media/staging")).map_or(0, Iterator::count);
    for _ in 0..6_000 {
        if staged() > 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("no file of the form was staged");
}

fn read_response(mut stream: TcpStream) -> String {
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

#[test]
fn shutdown_waits_for_forms_in_flight() {
    let directory = tempfile::tempdir().unwrap();
    // Longer than the test: the server must not end because the grace period is over.
    let mut server = start_seeded_server(directory.path(), &[("ROCKET_SHUTDOWN", "{grace=600,mercy=1}")]);
    // An idle keep-alive connection does not delay the shutdown.
    let mut idle = TcpStream::connect(&server.address).unwrap();
    idle.write_all(format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).as_bytes()).unwrap();
    let body = FormRequest::film().body();
    let (first, last) = body.split_at(body.len() / 2);
    let mut stream = start_request(&server, "/api/changed/", &FormRequest::content_type(), &body, "");
    stream.write_all(first).unwrap();
    wait_until_staged(directory.path());
    server.terminate();
    assert_eq!(server.wait_for_exit(Duration::from_secs(2)), None, "the server waits for the form");
    assert!(TcpStream::connect(&server.address).is_err(), "new connections are refused");
    stream.write_all(last).unwrap();
    let response = read_response(stream);
    assert!(response.starts_with("HTTP/1.1 201 "), "{response}");
    assert_eq!(server.wait_for_exit(Duration::from_secs(120)), Some(0), "the server stops after the form");
    assert_eq!(count_films(directory.path()), 1);
}

#[test]
fn form_cut_off_by_shutdown_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = start_seeded_server(directory.path(), &[("ROCKET_SHUTDOWN", "{grace=1,mercy=1}")]);
    let body = FormRequest::film().body();
    let mut stream = start_request(&server, "/api/changed/", &FormRequest::content_type(), &body, "");
    stream.write_all(&body[..body.len() / 2]).unwrap();
    wait_until_staged(directory.path());
    server.terminate();
    assert_eq!(server.wait_for_exit(Duration::from_secs(120)), Some(0));
    assert_eq!(count_films(directory.path()), 0);
    let count_files = |folder: &str| std::fs::read_dir(directory.path().join(folder)).map_or(0, Iterator::count);
    assert_eq!((count_files("media/staging"), count_files("media/private")), (0, 0));
}

#[test]
fn aborted_upload_leaves_no_row_no_file_and_no_error() {
    let directory = tempfile::tempdir().unwrap();
    let server = start_seeded_server(directory.path(), &[("FESTIVAL_LOG__JSON", "true")]);
    let body = FormRequest::film().body();
    let mut stream = start_request(&server, "/api/changed/", &FormRequest::content_type(), &body, "");
    stream.write_all(&body[..body.len() / 2]).unwrap();
    wait_until_staged(directory.path());
    drop(stream);
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    let lines = || -> Vec<serde_json::Value> {
        let log = server.log();
        log.iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    while !lines().iter().any(|line| line["message"] == "received an incomplete form") {
        assert!(std::time::Instant::now() < deadline, "{:#?}", server.log());
        std::thread::sleep(Duration::from_millis(10));
    }
    let count_files = |folder: &str| std::fs::read_dir(directory.path().join(folder)).map_or(0, Iterator::count);
    while count_files("media/staging") > 0 {
        assert!(std::time::Instant::now() < deadline, "a staged file is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(count_files("media/private/film-submissions"), 0);
    assert_eq!(count_films(directory.path()), 0);
    let warnings: Vec<_> =
        lines().into_iter().filter(|line| ["WARN", "ERROR"].iter().any(|level| line["level"] == *level)).collect();
    assert!(warnings.is_empty(), "{warnings:#?}");
}

/// Browsers send the whole form before they read: a connection closed earlier would show them no response.
#[test]
fn response_arrives_when_the_body_is_rejected_unread() {
    let directory = tempfile::tempdir().unwrap();
    let server = start_seeded_server(directory.path(), &[("FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES", "1")]);
    let large = vec![b'x'; 12 << 20];
    let form = FormRequest::content_type();
    let send = |content_type: &str, path: &str| {
        let mut stream = start_request(&server, path, content_type, &large, "Connection: close\r\n");
        stream.write_all(&large).expect("the whole body is read");
        read_response(stream)
    };
    // Films, registrations and messages are counted separately.
    for (content_type, path) in
        [(form.as_str(), "/api/changed/"), (&form, "/api/delegate-form/"), ("application/json", "/api/contact/")]
    {
        let first = send(content_type, path);
        assert!(first.starts_with("HTTP/1.1 4") && !first.starts_with("HTTP/1.1 429 "), "{path} {first}");
    }
    for (content_type, path, status) in [
        (form.as_str(), "/api/changed/", 429),
        (form.as_str(), "/api/delegate-form/", 429),
        ("application/json", "/api/contact/", 429),
        ("text/plain", "/api/contact/", 415),
    ] {
        let response = send(content_type, path);
        assert!(
            response.starts_with(&format!("HTTP/1.1 {status} ")) && response.contains("\"error\""),
            "{path} {response}"
        );
    }
}
