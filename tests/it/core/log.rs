//! The log of the real program: a line for each thing that happened, and the request that it belongs to.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Copy, Database, Server, festival};

/// A server with a database of its own that writes its log as JSON.
async fn serving(database: Database, directory: &std::path::Path) -> (Server, Copy) {
    let copy = database.empty().await;
    let url = copy.url(&directory.join("data"));
    let databases = format!("{{festival={{url=\"{url}\"}}}}");
    let environment = [("ROCKET_DATABASES", &*databases), ("FESTIVAL_LOG__JSON", "true")];
    let seeded = festival(directory, &["seed", "--demo"], &environment);
    assert_eq!(seeded.code, 0, "{}", seeded.whole());
    (Server::start(directory, &environment), copy)
}

/// The lines of the log that `is_one` takes, once there are `count`.
fn lines(server: &Server, count: usize, is_one: impl Fn(&Value) -> bool) -> Vec<Value> {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let log = server.log();
        let lines: Vec<Value> =
            log.iter().filter_map(|line| serde_json::from_str(line).ok()).filter(|line| is_one(line)).collect();
        if lines.len() >= count || Instant::now() > until {
            assert_eq!(lines.len(), count, "{log:#?}");
            return lines;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

on_both!(every_request_and_every_mail_has_its_line, trouble_names_its_request);

async fn every_request_and_every_mail_has_its_line(database: Database) {
    let directory = tempfile::tempdir().unwrap();
    let (server, _copy) = serving(database, directory.path()).await;
    let server = &server;
    // Several at a time: threads of the server take turns with the database and the log.
    std::thread::scope(|scope| {
        for client in 0..4 {
            scope.spawn(move || {
                for number in 0..6 {
                    let name = format!("Visitor {client} {number}");
                    let message =
                        json!({ "name": name, "email": "visitor@example.org", "message": "When?" }).to_string();
                    let answer = server.send(&format!(
                        "POST /api/contact/ HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
                         Content-Length: {}\r\nConnection: close\r\n\r\n{message}",
                        server.address,
                        message.len()
                    ));
                    assert_eq!(answer.status, 200, "{}", answer.text());
                }
            });
        }
    });
    let asked = lines(server, 24, |line| line["method"] == "POST");
    assert!(asked.iter().all(|line| line["status"] == 200 && line["level"] == "INFO"), "{asked:?}");
    // A receipt and a note to the office for each; what is in the folder was sent.
    let is_sent = |line: &Value| line["message"] == "mail sent";
    let mails = lines(server, 48, is_sent);
    let folder = std::fs::read_dir(directory.path().join("data/mails")).unwrap().count();
    assert_eq!(folder, mails.len());
}

async fn trouble_names_its_request(database: Database) {
    let directory = tempfile::tempdir().unwrap();
    let (server, _copy) = serving(database, directory.path()).await;
    std::fs::rename(directory.path().join("data/media"), directory.path().join("data/away")).unwrap();
    let answer = server.get("/readyz");
    assert_eq!(answer.status, 503);
    let id = answer.header("X-Request-Id");
    let of_it = |line: &Value| line["span"]["id"] == *id || line["id"] == *id;
    let lines = lines(&server, 2, of_it);
    let levels: Vec<&str> = lines.iter().filter_map(|line| line["level"].as_str()).collect();
    assert_eq!(levels, ["WARN", "ERROR"], "{lines:?}");
}
