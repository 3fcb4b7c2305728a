//! Replays of cached responses by the front server: equal to Rocket's, never outdated, and only where they are right.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use festival_core::http::replay;
use hyper::body::Bytes;
use rocket::http::Method;
use tempfile::tempdir;

use crate::support::{Database, Response, Server, TestApp, festival};

type Replayed = hyper::Response<Bytes>;

const VISITOR: &str = "203.0.113.9";
/// The headers of a usual request.
const USUAL: [(&str, &str); 2] = [("Host", "festival.example"), ("X-Forwarded-Proto", "https")];
/// Headers that differ with every response, or that the HTTP server adds.
const VARYING: [&str; 3] = ["x-request-id", "content-length", "date"];

/// A site behind https, which allows another site to read its API.
async fn site() -> TestApp {
    let app = TestApp::with(Database::Sqlite, |settings| {
        settings.public_url = "https://festival.example".into();
        settings.security_contact = "mailto:office@festival.example".into();
        settings.api.cors_origins = vec!["https://partner.example".into()];
    })
    .await;
    // The first look at the database counts as a change, which outdates responses.
    while app.app.site.db.data_version() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    app
}

/// What the front server answers by itself.
fn replayed(app: &TestApp, method: &str, path: &str, headers: &[(&str, &str)]) -> Option<Replayed> {
    let request = hyper::Request::builder().method(method).uri(path);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    replay(&app.app.site, VISITOR.parse().unwrap(), &request.body(()).unwrap())
}

/// Sorted "name: value" of all headers but those that vary.
fn lines<'h>(headers: impl Iterator<Item = (String, &'h str)>) -> Vec<String> {
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value));
    let kept = headers.filter(|(name, _)| !VARYING.contains(&name.as_str()));
    let mut lines: Vec<String> = kept.map(|(name, value)| format!("{name}: {value}")).collect();
    lines.sort();
    lines
}

fn assert_equal(what: &str, rocket: &Response, front: &Replayed) {
    assert_eq!(front.status().as_u16(), rocket.status, "{what}");
    let of_front = front.headers().iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap()));
    assert_eq!(lines(of_front), lines(rocket.headers()), "{what}");
    let id = front.headers()["x-request-id"].to_str().unwrap();
    assert!(id.len() == 16 && id != rocket.header("X-Request-Id"), "{what}: {id}");
}

#[tokio::test]
async fn replayed_responses_equal_those_of_rocket_at_every_public_address() {
    let app = site().await;
    let mut paths = app.pages().await;
    for path in app.endpoints().await {
        paths.extend([format!("/api{path}/"), format!("/api{path}/?edition=2025")]);
    }
    let documents = app.app.contents.documents.iter().map(|document| document.path.for_openapi());
    paths.extend(documents.filter(|path| !path.contains('{')));
    assert!(paths.len() > 50, "{paths:?}");
    for path in &paths {
        let first = app.request_from(VISITOR, Method::Get, path, &USUAL).await;
        assert!(replayed(&app, "GET", path, &USUAL).is_some(), "{path} is not replayed: {}", first.status);
        for accepted in ["identity", "gzip", "br", "gzip, deflate, br;q=0", "x, br"] {
            let mut headers = [USUAL[0], USUAL[1], ("Accept-Encoding", accepted), ("If-None-Match", "\"other\"")];
            let rocket = app.request_from(VISITOR, Method::Get, path, &headers).await;
            let front = replayed(&app, "GET", path, &headers).expect(path);
            assert_equal(&format!("{path}, {accepted}"), &rocket, &front);
            assert!(front.body()[..] == rocket.body[..], "{path}, {accepted}: the bodies differ");
            let tag = rocket.header("ETag");
            headers[3].1 = &tag;
            let rocket = app.request_from(VISITOR, Method::Get, path, &headers).await;
            let front = replayed(&app, "GET", path, &headers).expect(path);
            assert_eq!((front.status().as_u16(), front.body().len()), (304, 0), "{path}");
            assert_equal(&format!("{path}, {accepted}, 304"), &rocket, &front);
        }
        let rocket = app.request_from(VISITOR, Method::Head, path, &USUAL).await;
        assert_equal(&format!("HEAD {path}"), &rocket, &replayed(&app, "HEAD", path, &USUAL).expect(path));
    }
}

#[tokio::test]
async fn unusual_requests_are_left_to_rocket() {
    let app = site().await;
    for path in ["/", "/api/site/"] {
        assert!(replayed(&app, "GET", path, &USUAL).is_none(), "{path} was never answered before");
        for (name, value) in [("Authorization", "x"), ("Origin", "https://partner.example"), ("Range", "bytes=0-4")] {
            app.request_from(VISITOR, Method::Get, path, &[USUAL[0], USUAL[1], (name, value)]).await;
            assert!(replayed(&app, "GET", path, &USUAL).is_none(), "{path} was answered to a request with {name}");
        }
        app.request_from(VISITOR, Method::Get, path, &USUAL).await;
        assert!(replayed(&app, "GET", path, &USUAL).is_some(), "{path}");
        for (name, value) in [
            ("Cookie", "session=x"),
            ("Authorization", "Bearer x"),
            ("Origin", "https://partner.example"),
            ("Range", "bytes=0-4"),
            ("Content-Length", "0"),
            ("Transfer-Encoding", "chunked"),
            ("Expect", "100-continue"),
            ("Upgrade", "h2c"),
            ("Host", "festival.example"),
        ] {
            assert!(replayed(&app, "GET", path, &[USUAL[0], USUAL[1], (name, value)]).is_none(), "{path} with {name}");
        }
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
            assert!(replayed(&app, method, path, &USUAL).is_none(), "{method} {path}");
        }
        // Over plain HTTP it is a redirect.
        for plain in [&USUAL[..1], &[USUAL[0], ("X-Forwarded-Proto", "http")]] {
            assert_eq!(app.request_from(VISITOR, Method::Get, path, plain).await.status, 308);
            assert!(replayed(&app, "GET", path, plain).is_none(), "{path} over http");
            assert!(replayed(&app, "GET", path, &USUAL).is_some(), "{path} over https, after the redirect");
        }
        for host in ["evil.example", "festival.example:8000"] {
            assert!(replayed(&app, "GET", path, &[("Host", host), USUAL[1]]).is_none(), "{path} of {host}");
        }
        assert!(replayed(&app, "GET", path, &USUAL[1..]).is_none(), "{path} without a host");
        let absolute = format!("https://festival.example{path}");
        assert!(replayed(&app, "GET", &absolute, &USUAL).is_none(), "{absolute}");
    }
    for path in ["/?film=1", "/nothing", "/admin/", "/healthz", "/favicon.svg", "/archive/2024", "/archive/2024/films"]
    {
        app.request_from(VISITOR, Method::Get, path, &USUAL).await;
        assert!(replayed(&app, "GET", path, &USUAL).is_none(), "{path}");
    }
}

#[tokio::test]
async fn outdated_responses_are_never_replayed() {
    let app = site().await;
    for path in ["/api/categories/", "/films"] {
        app.request_from(VISITOR, Method::Get, path, &USUAL).await;
        assert!(replayed(&app, "GET", path, &USUAL).is_some(), "{path}");
    }
    app.write("UPDATE categories SET name = 'Renamed section'").await;
    for path in ["/api/categories/", "/films"] {
        assert!(replayed(&app, "GET", path, &USUAL).is_none(), "{path}: the data has changed");
        app.request_from(VISITOR, Method::Get, path, &USUAL).await;
        let body = replayed(&app, "GET", path, &USUAL).expect(path).into_body();
        assert!(String::from_utf8_lossy(&body).contains("Renamed section"), "{path}");
    }
}

/// Sends a request without a body, as often as a connection allows, and returns the head's lines that do not vary,
/// sorted, and the body.
fn exchange(server: &Server, start: &str, headers: &str) -> (Vec<String>, Vec<u8>) {
    let response = server.send(&format!("{start}\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n", server.address));
    let headers = response.headers().map(|(name, value)| format!("{}: {value}", name.to_lowercase()));
    let mut lines: Vec<String> =
        headers.filter(|line| !line.starts_with("x-request-id") && !line.starts_with("date")).collect();
    lines.push(response.status.to_string());
    lines.sort();
    (lines, response.body)
}

#[test]
fn visitors_cannot_tell_a_replay_from_a_response_of_rocket() {
    let directory = tempdir().unwrap();
    assert_eq!(festival(directory.path(), &["seed", "--demo"], &[]).code, 0);
    let server = Server::start(directory.path(), &[]);
    for path in ["/", "/films", "/api/site/", "/sitemap.xml"] {
        let start = format!("GET {path} HTTP/1.1");
        let tag = server.get(path).header("ETag");
        let known = format!("If-None-Match: {tag}\r\n");
        for (start, headers) in [
            (start.clone(), ""),
            (start.clone(), "Accept-Encoding: gzip\r\n"),
            (start.clone(), known.as_str()),
            (start.replace("GET", "HEAD"), ""),
            (start.replace("GET", "HEAD"), known.as_str()),
            (start.replace("1.1", "1.0"), ""),
        ] {
            let front = exchange(&server, &start, headers);
            let rocket = exchange(&server, &start, &format!("{headers}Cookie: a=b\r\n"));
            assert_eq!(front, rocket, "{start}, {headers}");
        }
    }
}

#[test]
fn replays_need_no_connection_to_rocket() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let request = format!("GET /api/site/ HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let ask = |headers: &str| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.write_all(request.replace("\r\n\r\n", &format!("\r\n{headers}\r\n")).as_bytes()).unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
        stream
    };
    let forwarded: Vec<TcpStream> = (0..20).map(|_| ask("Cookie: a=b\r\n")).collect();
    let with_forwarded = server.open_files();
    assert!(with_forwarded >= 60, "{with_forwarded} files for {} forwarded connections", forwarded.len());
    ask("");
    let before = server.open_files();
    let replayed: Vec<TcpStream> = (0..20).map(|_| ask("")).collect();
    let after = server.open_files();
    assert!(after <= before + 25, "{before} files, {after} with {} replayed connections", replayed.len());
}
