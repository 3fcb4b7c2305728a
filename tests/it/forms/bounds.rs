//! What one client may send, what is refused before it is read, and what happens to forms when the server stops.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use jiff::SignedDuration;

use super::sent::{Sent, files_kept, patient, received};
use crate::support::{Database, Server, TestApp, festival, fixture};

#[tokio::test]
async fn one_client_may_send_so_much_in_an_hour() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        patient(settings);
        settings.uploads.mib_per_client_and_hour = 1;
        settings.trusted_proxies = vec!["127.0.0.0/8".into()];
    })
    .await;
    // The same picture, made longer: what follows its end is nobody's.
    let mut picture = std::fs::read(fixture("pictures/still.jpg")).unwrap();
    picture.resize(600 * 1024, 0);
    let send = async |title: &str, from: &str| {
        let film = Sent::film().with("title_english", title).with_file("film_poster", "a.jpg", picture.clone());
        let length = film.body().len().to_string();
        film.to_with(&app, "/api/changed/", &[("X-Forwarded-For", from), ("Content-Length", &length)]).await
    };
    received(&send("One", "2001:db8::1").await);
    let kept = files_kept(&app);
    // The same household; another one.
    let refused = send("Two", "2001:db8::2").await;
    refused.assert_error(507, "insufficient_storage");
    assert_eq!(refused.header("Retry-After"), "3600");
    assert_eq!(files_kept(&app), kept);
    received(&send("Three", "2001:db8:0:1::1").await);
    app.clock.set(app.clock.now() + SignedDuration::from_secs(3599));
    assert_eq!(send("Two", "2001:db8::1").await.header("Retry-After"), "1");
    app.clock.set(app.clock.now() + SignedDuration::from_secs(1));
    received(&send("Two", "2001:db8::1").await);
}

/// A seeded site as a process of its own.
fn serve(directory: &Path, more: &[(&str, &str)]) -> Server {
    let mut environment = vec![("FESTIVAL_DATA_DIR", directory.to_str().unwrap())];
    let seeded = festival(directory, &["seed", fixture("2025.toml").to_str().unwrap()], &environment);
    assert_eq!(seeded.code, 0, "{}", seeded.whole());
    environment.extend(more);
    Server::start(directory, &environment)
}

fn films(directory: &Path) -> usize {
    let environment = [("FESTIVAL_DATA_DIR", directory.to_str().unwrap())];
    let export = ["forms", "export", "film", "-o", "-", "--format", "json", "--quarantined"];
    let exported = festival(directory, &export, &environment);
    assert_eq!(exported.code, 0, "{}", exported.whole());
    serde_json::from_str::<Vec<serde_json::Value>>(&exported.out).unwrap().len()
}

/// Begins to send `body`, all but its last bytes.
fn begin(server: &Server, path: &str, content_type: &str, body: &[u8], more: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let (address, length) = (&server.address, body.len());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n{more}\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// Waits until the server has begun to put files of a form aside.
fn until_staged(directory: &Path) {
    let staged = || std::fs::read_dir(directory.join("media/staging")).map_or(0, Iterator::count);
    for _ in 0..6_000 {
        if staged() > 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("no file of the form was put aside");
}

fn rest(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_form_on_its_way_arrives_although_the_server_is_stopped() {
    let directory = tempfile::tempdir().unwrap();
    // Longer than anybody waits for this test: that it ends is not the grace's end.
    let mut server = serve(directory.path(), &[("ROCKET_SHUTDOWN", "{grace=600,mercy=1}")]);
    // A visitor whose connection stays open without a request does not keep the server.
    let mut idle = TcpStream::connect(&server.address).unwrap();
    idle.write_all(format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).as_bytes()).unwrap();
    let body = Sent::film().body();
    let (first, last) = body.split_at(body.len() / 2);
    let mut stream = begin(&server, "/api/changed/", &Sent::content_type(), &body, "");
    stream.write_all(first).unwrap();
    until_staged(directory.path());
    server.terminate();
    assert_eq!(server.ended(Duration::from_secs(2)), None, "it waits for the form");
    assert!(TcpStream::connect(&server.address).is_err(), "nobody new is let in");
    stream.write_all(last).unwrap();
    let answer = rest(stream);
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert_eq!(server.ended(Duration::from_secs(120)), Some(0), "it does not wait any longer");
    assert_eq!(films(directory.path()), 1);
}

#[test]
fn who_is_still_sending_when_the_grace_is_over_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = serve(directory.path(), &[("ROCKET_SHUTDOWN", "{grace=1,mercy=1}")]);
    let body = Sent::film().body();
    let mut stream = begin(&server, "/api/changed/", &Sent::content_type(), &body, "");
    stream.write_all(&body[..body.len() / 2]).unwrap();
    until_staged(directory.path());
    server.terminate();
    assert_eq!(server.ended(Duration::from_secs(120)), Some(0));
    assert_eq!(films(directory.path()), 0);
    let left = |folder: &str| std::fs::read_dir(directory.path().join(folder)).map_or(0, Iterator::count);
    assert_eq!((left("media/staging"), left("media/private")), (0, 0));
}

#[test]
fn a_sender_who_goes_leaves_no_row_no_file_and_no_error() {
    let directory = tempfile::tempdir().unwrap();
    let server = serve(directory.path(), &[("FESTIVAL_LOG__JSON", "true")]);
    let body = Sent::film().body();
    let mut stream = begin(&server, "/api/changed/", &Sent::content_type(), &body, "");
    stream.write_all(&body[..body.len() / 2]).unwrap();
    until_staged(directory.path());
    drop(stream);
    let until = std::time::Instant::now() + Duration::from_secs(60);
    let lines = || -> Vec<serde_json::Value> {
        let log = server.log();
        log.iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    while !lines().iter().any(|line| line["message"] == "received an incomplete form") {
        assert!(std::time::Instant::now() < until, "{:#?}", server.log());
        std::thread::sleep(Duration::from_millis(10));
    }
    let left = |folder: &str| std::fs::read_dir(directory.path().join(folder)).map_or(0, Iterator::count);
    while left("media/staging") > 0 {
        assert!(std::time::Instant::now() < until, "a staged file is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(left("media/private/film-submissions"), 0);
    assert_eq!(films(directory.path()), 0);
    let loud: Vec<_> =
        lines().into_iter().filter(|line| ["WARN", "ERROR"].iter().any(|level| line["level"] == *level)).collect();
    assert!(loud.is_empty(), "{loud:#?}");
}

/// Browsers send all of a form before they read; a connection that is closed before that shows them no answer.
#[test]
fn what_is_refused_unread_is_answered_all_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let server = serve(directory.path(), &[("FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES", "1")]);
    let large = vec![b'x'; 12 << 20];
    let form = Sent::content_type();
    let send = |content_type: &str, path: &str| {
        let mut stream = begin(&server, path, content_type, &large, "Connection: close\r\n");
        stream.write_all(&large).expect("all of it is taken");
        rest(stream)
    };
    let first = send(&form, "/api/changed/");
    assert!(first.starts_with("HTTP/1.1 400 "), "{first}");
    for (content_type, path, status) in [
        (form.as_str(), "/api/changed/", 429),
        (form.as_str(), "/api/delegate-form/", 429),
        ("application/json", "/api/contact/", 429),
        ("text/plain", "/api/contact/", 415),
    ] {
        let answer = send(content_type, path);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")) && answer.contains("\"error\""), "{path} {answer}");
    }
}
