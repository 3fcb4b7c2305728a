//! The log of the real program: one line per event, with the request that it belongs to.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Database, Server, TestDatabase, festival};

/// A server with its own database that logs JSON.
async fn start_server(database: Database, directory: &std::path::Path) -> (Server, TestDatabase) {
    let copy = database.empty().await;
    let url = copy.url(&directory.join("data"));
    let databases = format!("{{festival={{url=\"{url}\"}}}}");
    let environment = [("ROCKET_DATABASES", &*databases), ("FESTIVAL_LOG__JSON", "true")];
    let seeded = festival(directory, &["seed", "--demo"], &environment);
    assert_eq!(seeded.code, 0, "{}", seeded.transcript());
    (Server::start(directory, &environment), copy)
}

/// Waits for `count` matching log lines and returns them.
fn wait_for_lines(server: &Server, count: usize, matches: impl Fn(&Value) -> bool) -> Vec<Value> {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let log = server.log();
        let lines: Vec<Value> =
            log.iter().filter_map(|line| serde_json::from_str(line).ok()).filter(|line| matches(line)).collect();
        if lines.len() >= count || Instant::now() > until {
            assert_eq!(lines.len(), count, "{log:#?}");
            return lines;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

on_both!(every_request_and_every_mail_is_logged, errors_are_logged_with_their_request_id);

async fn every_request_and_every_mail_is_logged(database: Database) {
    let directory = tempfile::tempdir().unwrap();
    let (server, _copy) = start_server(database, directory.path()).await;
    let server = &server;
    // Concurrent requests: database and log are shared by several threads.
    std::thread::scope(|scope| {
        for client in 0..4 {
            scope.spawn(move || {
                for number in 0..6 {
                    let name = format!("Visitor {client} {number}");
                    let message =
                        json!({ "name": name, "email": format!("visitor-{client}-{number}@example.org"), "message": "When?" }).to_string();
                    let response = server.send(&format!(
                        "POST /api/contact/ HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
                         Content-Length: {}\r\nConnection: close\r\n\r\n{message}",
                        server.address,
                        message.len()
                    ));
                    assert_eq!(response.status, 200, "{}", response.text());
                }
            });
        }
    });
    let requests = wait_for_lines(server, 24, |line| line["method"] == "POST");
    assert!(requests.iter().all(|line| line["status"] == 200 && line["level"] == "INFO"), "{requests:?}");
    // A receipt and a notification for each message, written as files.
    let is_sent = |line: &Value| line["message"] == "mail sent";
    let mails = wait_for_lines(server, 48, is_sent);
    let folder = std::fs::read_dir(directory.path().join("data/mails")).unwrap().count();
    assert_eq!(folder, mails.len());
}

async fn errors_are_logged_with_their_request_id(database: Database) {
    let directory = tempfile::tempdir().unwrap();
    let (server, _copy) = start_server(database, directory.path()).await;
    std::fs::rename(directory.path().join("data/media"), directory.path().join("data/away")).unwrap();
    let response = server.get("/readyz");
    assert_eq!(response.status, 503);
    let id = response.header("X-Request-Id");
    let of_it = |line: &Value| line["span"]["id"] == *id || line["id"] == *id;
    let lines = wait_for_lines(&server, 2, of_it);
    let levels: Vec<&str> = lines.iter().filter_map(|line| line["level"].as_str()).collect();
    assert_eq!(levels, ["WARN", "ERROR"], "{lines:?}");
}

#[test]
fn lines_of_the_last_requests_before_a_stop_are_in_the_log() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(directory.path(), &[]);
    let ids: Vec<String> = (0..200).map(|_| server.get("/healthz").header("X-Request-Id")).collect();
    server.terminate();
    assert_eq!(server.wait_for_exit(Duration::from_secs(60)), Some(0));
    wait_for_end_of_log(&server, ids.len());
    let log = server.log().join("\n");
    for id in ids {
        assert_eq!(log.matches(&id).count(), 1, "{id}");
    }
}

/// Waits until the lines that a server wrote before it ended have been read.
fn wait_for_end_of_log(server: &Server, lines: usize) {
    let until = Instant::now() + Duration::from_secs(60);
    while server.log().iter().filter(|line| line.contains("/healthz")).count() < lines && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
}
