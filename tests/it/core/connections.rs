//! Connections: limits and timeouts on request heads, connection limits, client addresses, early rejection.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use tempfile::tempdir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;

use crate::support::{Server, festival};

/// Opens a connection and sends `bytes` without closing it.
fn connect(server: &Server, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(server.address.parse::<SocketAddr>().unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(90))).unwrap();
    stream.write_all(bytes).unwrap();
    stream
}

/// Reads until the server closes the connection.
fn read_until_closed(mut stream: TcpStream) -> String {
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("the server closes");
    response
}

#[test]
fn silent_and_incomplete_connections_time_out_without_blocking_others() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let started_at = Instant::now();
    let silent: Vec<_> = (0..40).map(|_| connect(&server, b"")).collect();
    let half: Vec<_> = (0..40).map(|_| connect(&server, b"GET / HTTP/1.1\r\nHost: x\r\n")).collect();
    // Rocket itself times out a body that never arrives.
    let announced = connect(&server, b"POST /api/contact/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n");
    assert_eq!(server.get("/healthz").status, 200);
    for stream in silent.into_iter().chain(half).chain([announced]) {
        assert_eq!(read_until_closed(stream), "");
    }
    assert!(started_at.elapsed() > Duration::from_secs(13), "slow clients have time for a request");
}

#[test]
fn oversized_request_head_is_rejected() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let head = |path: &str, header: &str| format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nX-Long: {header}\r\n\r\n");
    for (request, status) in [
        (head("/healthz", &"x".repeat(10_000)), 200),
        (head("/healthz", &"x".repeat(17_000)), 431),
        (head(&format!("/{}", "a".repeat(9_000)), "x"), 414),
        (head("/healthz", "x").replace("X-Long: x", "Content-Length: 1\r\nContent-Length: 2"), 400),
    ] {
        let response = read_until_closed(connect(
            &server,
            request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n").as_bytes(),
        ));
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{status}: {response}");
    }
}

#[test]
fn malformed_requests_get_an_error_with_the_usual_headers() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let wrong = "GET / HTTP/1.1\r\nHost: localhost\r\nX: \u{1}\r\n\r\n";
    let good = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let head = |method: &str, more: &str| {
        format!("{method} /api/site/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n")
    };
    for (case, request, status) in [
        ("no HTTP", "HELO festival\r\n\r\n".to_owned(), "400"),
        ("a header of control characters", wrong.to_owned(), "400"),
        ("the second on a connection", format!("{good}{wrong}"), "400"),
        ("a long head", format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(17_000)), "431"),
        ("another host", "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(), "400"),
        ("no host", head("GET", "").replace("Host: localhost\r\n", ""), "400"),
        ("a folded line", head("GET", "X: a\r\n b\r\n"), "400"),
        ("101 headers", head("GET", &"X: a\r\n".repeat(99)), "400"),
        ("two lengths", head("POST", "Content-Length: 1\r\nContent-Length: 2\r\n"), "400"),
        ("a length that is none", head("POST", "Content-Length: +2\r\n"), "400"),
        ("an encoding that is none", head("POST", "Transfer-Encoding: gzip\r\n"), "400"),
        ("a method of no use", head("TRACE", ""), "405"),
        ("a method for proxies", head("CONNECT", ""), "405"),
        ("a method that is none", head("BREW", ""), "400"),
    ] {
        let response = read_until_closed(connect(&server, request.as_bytes()));
        let (_, response) =
            response.split_once(&format!("HTTP/1.1 {status} ")).unwrap_or_else(|| panic!("{case}: {response}"));
        for header in
            ["X-Request-Id: ", "X-Content-Type-Options: nosniff", "Content-Security-Policy: default-src 'none'"]
        {
            assert!(response.to_lowercase().contains(&header.to_lowercase()), "{case}, {header}: {response}");
        }
    }
}

#[test]
fn truncated_body_is_a_client_error() {
    let directory = tempdir().unwrap();
    assert_eq!(festival(directory.path(), &["seed", "--demo"], &[]).code, 0);
    let server = Server::start(directory.path(), &[]);
    for (address, content_type, body) in [
        ("/api/contact/", "application/json", "{\"name\""),
        ("/api/changed/", "multipart/form-data; boundary=x", "--x\r\n"),
    ] {
        let host = &server.address;
        let stream = connect(
            &server,
            format!("POST {address} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {content_type}\r\nContent-Length: 99\r\n\r\n{body}")
                .as_bytes(),
        );
        stream.shutdown(Shutdown::Write).unwrap();
        let response = read_until_closed(stream);
        assert!(response.starts_with("HTTP/1.1 400"), "{address}: {response}");
    }
}

/// Bodies larger than the head's limit and responses larger than a buffer, one request after another.
#[test]
fn large_requests_pass_over_one_keep_alive_connection() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let mut stream = connect(&server, b"");
    for _ in 0..3 {
        let message = "x".repeat(60_000);
        let length = message.len();
        let head = format!(
            "POST /api/contact/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(message.as_bytes()).unwrap();
        let (mut response, mut part) = (Vec::new(), [0; 4096]);
        while !String::from_utf8_lossy(&response).contains("\"request_id\"") {
            let count = stream.read(&mut part).unwrap();
            assert!(count > 0, "closed after {}", String::from_utf8_lossy(&response));
            response.extend(&part[..count]);
        }
        assert!(response.starts_with(b"HTTP/1.1 400"), "{}", String::from_utf8_lossy(&response));
    }
}

/// Browsers do so. The body is larger than all buffers between the client and Rocket.
#[test]
fn client_that_reads_after_sending_everything_gets_the_response_of_a_rejected_body() {
    let directory = tempdir().unwrap();
    assert_eq!(festival(directory.path(), &["seed", "--demo"], &[]).code, 0);
    let server = Server::start(directory.path(), &[]);
    let (json, multipart) = ("application/json", "multipart/form-data; boundary=x");
    let part = "--x\r\nContent-Disposition: form-data; name=\"film_poster\"; filename=\"a.png\"\r\n\r\n";
    for (address, content_type, begin, status) in [
        ("/api/contact/", json, "", 413),
        ("/api/changed/", json, "", 415),
        ("/api/asian-form/", multipart, part, 413),
        ("/api/nothing-here/", json, "", 404),
        ("/nothing-here", json, "", 404),
        ("/admin/sign-in", json, "", 415),
    ] {
        let (host, body) = (&server.address, begin.to_owned() + &"x".repeat(20_000_000));
        let length = body.len();
        let head = format!(
            "POST {address} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
        );
        let mut stream = connect(&server, head.as_bytes());
        stream.write_all(body.as_bytes()).unwrap_or_else(|error| panic!("{address}: {error}"));
        let response = read_until_closed(stream);
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{address}: {response}");
    }
}

/// Connections are forwarded to Rocket on a loopback address; the client address must be that of the original peer.
#[tokio::test]
async fn client_address_is_the_peer_of_the_connection() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[("FESTIVAL_ADMIN__NETWORKS", r#"["127.0.0.2"]"#)]);
    for (address, status) in [("127.0.0.1:0", 404), ("127.0.0.2:0", 200)] {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(address.parse().unwrap()).unwrap();
        let mut stream = socket.connect(server.address.parse().unwrap()).await.unwrap();
        let head = format!("GET /admin/sign-in HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{address}: {response}");
    }
}

#[test]
fn invalid_sign_in_is_rejected_before_its_body_is_read() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let head = |more: &str| {
        format!(
            "POST /admin/sign-in HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Connection: close\r\n{more}\r\n\r\nemail=owner@example.org",
            server.address
        )
    };
    // The rest of the body never arrives: a server that waits for it would answer 408.
    for (case, more, status) in [
        ("too large", "Cookie: festival-admin=x\r\nContent-Length: 2000000", 413),
        ("no session that the form could be of", "Content-Length: 1000", 403),
        (
            "another site's page",
            "Cookie: festival-admin=x\r\nOrigin: https://evil.example\r\nContent-Length: 1000",
            403,
        ),
    ] {
        let response = read_until_closed(connect(&server, head(more).as_bytes()));
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{case}: {response}");
    }
}

/// Opens a connection from `client` and sends `bytes` without closing it.
async fn connect_from(server: &Server, client: &str, bytes: &str) -> tokio::net::TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{client}:0").parse().unwrap()).unwrap();
    let mut stream = socket.connect(server.address.parse().unwrap()).await.unwrap();
    stream.write_all(bytes.as_bytes()).await.unwrap();
    stream
}

/// The status and the head of the response to a GET request from `client`.
async fn head_for(server: &Server, client: &str, path: &str) -> (String, String) {
    // An idle keep-alive connection may be closed to make room.
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n");
    let mut stream = connect_from(server, client, &request).await;
    let mut response = String::new();
    while !response.contains("\r\n\r\n") {
        let mut part = [0; 4096];
        let count = stream.read(&mut part).await.unwrap();
        assert!(count > 0, "{path} for {client}: {response}");
        response.push_str(&String::from_utf8_lossy(&part[..count]));
    }
    (response.split(' ').nth(1).unwrap().to_owned(), response)
}

/// Waits until a metric of the server has this value.
fn wait_for(server: &Server, metric: &str, count: i64) {
    let until = Instant::now() + Duration::from_secs(60);
    while server.metric(metric) != count {
        assert!(Instant::now() < until, "{}", server.metrics("").text());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_are_limited_per_client_and_in_total_except_for_probes() {
    let directory = tempdir().unwrap();
    assert_eq!(festival(directory.path(), &["seed", "--demo"], &[]).code, 0);
    let server = Server::start(
        directory.path(),
        &[
            ("FESTIVAL_CONNECTIONS__AT_ONCE", "6"),
            ("FESTIVAL_CONNECTIONS__AT_ONCE_PER_CLIENT", "3"),
            ("FESTIVAL_UPLOADS__KEEP_FREE_MIB", "0"),
            ("FESTIVAL_METRICS_ADDRESS", "127.0.0.1:0"),
        ],
    );
    // A connection with an unfinished form is busy and is not closed to make room.
    let form = "POST /api/changed/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n\
                Content-Length: 9999\r\n\r\n--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n";
    let mut arriving = tokio::task::JoinSet::new();
    for (client, in_all) in [("127.0.0.2", 3), ("127.0.0.3", 6)] {
        assert_eq!(head_for(&server, client, "/healthz").await.0, "200");
        for before in in_all - 3..in_all {
            // A connection whose request has not been read yet is idle, and is closed if another one needs its place.
            wait_for(&server, "festival_upload_slots", before);
            wait_for(&server, "festival_connections", before);
            let mut stream = connect_from(&server, client, form).await;
            // A form that stalls would be refused on a slow machine.
            arriving.spawn(async move {
                while stream.write_all(b"x").await.is_ok() {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            });
        }
        wait_for(&server, "festival_upload_slots", in_all);
        // All connections of this client are busy.
        let (status, head) = head_for(&server, client, "/api/site/").await;
        assert!(status == "503" && head.contains("Retry-After: 5"), "{head}");
        assert_eq!(head_for(&server, client, "/healthz").await.0, "200");
    }
    // All connections of the server are busy, and this client has none.
    assert_eq!(head_for(&server, "127.0.0.4", "/api/site/").await.0, "503");
    for probe in ["/healthz", "/readyz"] {
        assert_eq!(head_for(&server, "127.0.0.4", probe).await.0, "200", "{probe}");
    }
    let figure = |name| server.metric(name);
    assert_eq!((figure("festival_connections"), figure("festival_connections_limit")), (6, 6));
    assert_eq!(figure("festival_connections_refused_total"), 3);
    drop(arriving);
    wait_for(&server, "festival_upload_slots", 0);
    assert_eq!(head_for(&server, "127.0.0.4", "/api/site/").await.0, "200");
}

#[test]
fn connection_limit_follows_the_open_file_limit() {
    const FILES: u32 = 400;
    let directory = tempdir().unwrap();
    let server = Server::start_with_files(
        directory.path(),
        &[
            ("ROCKET_PORT", "0"),
            ("FESTIVAL_METRICS_ADDRESS", "127.0.0.1:0"),
            ("FESTIVAL_CONNECTIONS__AT_ONCE_PER_CLIENT", "1000"),
        ],
        FILES,
    );
    // Three files per connection, and 256 for everything else.
    assert_eq!(server.metric("festival_connections_limit"), i64::from((FILES - 256) / 3));
    let silent: Vec<_> =
        (0..200).map(|_| connect(&server, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")).collect();
    assert_eq!(server.get("/healthz").status, 200);
    assert!(server.metric("festival_connections") <= i64::from((FILES - 256) / 3));
    // Idle connections are closed a moment later.
    let until = Instant::now() + Duration::from_secs(60);
    while server.open_files() > FILES as usize - 150 {
        assert!(Instant::now() < until, "{} are open", server.open_files());
        std::thread::yield_now();
    }
    drop(silent);
}
