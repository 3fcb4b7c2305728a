//! The front door: how much of a request is read before it is one, who counts as its sender, and what is refused unread.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use tempfile::tempdir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;

use crate::support::{Server, festival};

/// A connection to `server` that has sent `bytes` and goes on.
fn connect(server: &Server, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(server.address.parse::<SocketAddr>().unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(90))).unwrap();
    stream.write_all(bytes).unwrap();
    stream
}

/// All that comes until the server closes; what it did not close is an error.
fn until_closed(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server closes");
    answer
}

#[test]
fn silence_and_half_heads_are_closed_while_others_are_answered() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let begun = Instant::now();
    let silent: Vec<_> = (0..40).map(|_| connect(&server, b"")).collect();
    let half: Vec<_> = (0..40).map(|_| connect(&server, b"GET / HTTP/1.1\r\nHost: x\r\n")).collect();
    // A body of which nothing comes is waited for by Rocket itself.
    let announced = connect(&server, b"POST /api/contact/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n");
    assert_eq!(server.get("/healthz").status, 200);
    for stream in silent.into_iter().chain(half).chain([announced]) {
        assert_eq!(until_closed(stream), "");
    }
    assert!(begun.elapsed() > Duration::from_secs(13), "a slow phone has time to ask");
}

#[test]
fn a_head_that_is_too_long_is_refused() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let head = |path: &str, header: &str| format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nX-Long: {header}\r\n\r\n");
    for (request, status) in [
        (head("/healthz", &"x".repeat(10_000)), 200),
        (head("/healthz", &"x".repeat(17_000)), 431),
        (head(&format!("/{}", "a".repeat(9_000)), "x"), 414),
        (head("/healthz", "x").replace("X-Long: x", "Content-Length: 1\r\nContent-Length: 2"), 400),
    ] {
        let answer =
            until_closed(connect(&server, request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n").as_bytes()));
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{status}: {answer}");
    }
}

#[test]
fn what_is_no_request_is_answered_like_every_other() {
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
        let answer = until_closed(connect(&server, request.as_bytes()));
        let (_, answer) =
            answer.split_once(&format!("HTTP/1.1 {status} ")).unwrap_or_else(|| panic!("{case}: {answer}"));
        for header in
            ["X-Request-Id: ", "X-Content-Type-Options: nosniff", "Content-Security-Policy: default-src 'none'"]
        {
            assert!(answer.to_lowercase().contains(&header.to_lowercase()), "{case}, {header}: {answer}");
        }
    }
}

#[test]
fn a_body_that_breaks_off_is_its_senders_fault() {
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
        let answer = until_closed(stream);
        assert!(answer.starts_with("HTTP/1.1 400"), "{address}: {answer}");
    }
}

/// Bodies larger than a head, answers larger than any buffer, and one request after the other.
#[test]
fn everything_goes_through_on_one_connection() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let mut stream = connect(&server, b"");
    for _ in 0..3 {
        let message = "x".repeat(200_000);
        let length = message.len();
        let head = format!(
            "POST /api/contact/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(message.as_bytes()).unwrap();
        let (mut answer, mut part) = (Vec::new(), [0; 4096]);
        while !String::from_utf8_lossy(&answer).contains("\"request_id\"") {
            let count = stream.read(&mut part).unwrap();
            assert!(count > 0, "closed after {}", String::from_utf8_lossy(&answer));
            answer.extend(&part[..count]);
        }
        assert!(answer.starts_with(b"HTTP/1.1 413"), "{}", String::from_utf8_lossy(&answer));
    }
}

/// Rocket is behind the door on this machine; whom it answers is whoever stands before it.
#[tokio::test]
async fn the_sender_is_whoever_is_at_the_door() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[("FESTIVAL_ADMIN__NETWORKS", r#"["127.0.0.2"]"#)]);
    for (address, status) in [("127.0.0.1:0", 404), ("127.0.0.2:0", 200)] {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(address.parse().unwrap()).unwrap();
        let mut stream = socket.connect(server.address.parse().unwrap()).await.unwrap();
        let head = format!("GET /admin/sign-in HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{address}: {answer}");
    }
}

#[test]
fn a_sign_in_is_refused_before_its_body_is_read() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let head = |more: &str| {
        format!(
            "POST /admin/sign-in HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Connection: close\r\n{more}\r\n\r\nemail=owner@example.org",
            server.address
        )
    };
    // Nothing more comes: whoever waits for the whole form answers 408.
    for (case, more, status) in [
        ("too large", "Cookie: festival-admin=x\r\nContent-Length: 2000000", 413),
        ("no session that the form could be of", "Content-Length: 1000", 403),
        (
            "another site's page",
            "Cookie: festival-admin=x\r\nOrigin: https://evil.example\r\nContent-Length: 1000",
            403,
        ),
    ] {
        let answer = until_closed(connect(&server, head(more).as_bytes()));
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{case}: {answer}");
    }
}

/// A connection from `client` that has sent `bytes` and goes on.
async fn connect_from(server: &Server, client: &str, bytes: &str) -> tokio::net::TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{client}:0").parse().unwrap()).unwrap();
    let mut stream = socket.connect(server.address.parse().unwrap()).await.unwrap();
    stream.write_all(bytes.as_bytes()).await.unwrap();
    stream
}

/// The status and the headers that `client` gets for a path.
async fn head_for(server: &Server, client: &str, path: &str) -> (String, String) {
    // A client that would stay is no hindrance.
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n");
    let mut stream = connect_from(server, client, &request).await;
    let mut answer = String::new();
    while !answer.contains("\r\n\r\n") {
        let mut part = [0; 4096];
        let count = stream.read(&mut part).await.unwrap();
        assert!(count > 0, "{path} for {client}: {answer}");
        answer.push_str(&String::from_utf8_lossy(&part[..count]));
    }
    (answer.split(' ').nth(1).unwrap().to_owned(), answer)
}

/// Waits until so many forms are arriving.
fn wait_for_forms(server: &Server, count: i64) {
    let until = Instant::now() + Duration::from_secs(60);
    while server.figure("festival_upload_slots") != count {
        assert!(Instant::now() < until, "{}", server.figures("").text());
        std::thread::yield_now();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_and_all_of_them_have_so_many_connections_and_probes_find_room() {
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
    // A form of which the rest does not come is work, and nothing that gives way.
    let form = "POST /api/changed/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n\
                Content-Length: 9999\r\n\r\n--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n";
    let mut arriving = Vec::new();
    for (client, in_all) in [("127.0.0.2", 3), ("127.0.0.3", 6)] {
        assert_eq!(head_for(&server, client, "/healthz").await.0, "200");
        for _ in 0..3 {
            arriving.push(connect_from(&server, client, form).await);
        }
        wait_for_forms(&server, in_all);
        // All of its own are at work.
        let (status, head) = head_for(&server, client, "/api/site/").await;
        assert!(status == "503" && head.contains("Retry-After: 5"), "{head}");
        assert_eq!(head_for(&server, client, "/healthz").await.0, "200");
    }
    // All are at work, and this one has none.
    assert_eq!(head_for(&server, "127.0.0.4", "/api/site/").await.0, "503");
    for probe in ["/healthz", "/readyz"] {
        assert_eq!(head_for(&server, "127.0.0.4", probe).await.0, "200", "{probe}");
    }
    let figure = |name| server.figure(name);
    assert_eq!((figure("festival_connections"), figure("festival_connections_limit")), (6, 6));
    assert_eq!(figure("festival_connections_refused_total"), 3);
    drop(arriving);
    wait_for_forms(&server, 0);
    assert_eq!(head_for(&server, "127.0.0.4", "/api/site/").await.0, "200");
}

#[test]
fn open_files_of_the_system_bound_the_connections() {
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
    // Three for each connection, and 256 for everything else.
    assert_eq!(server.figure("festival_connections_limit"), i64::from((FILES - 256) / 3));
    let silent: Vec<_> =
        (0..200).map(|_| connect(&server, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")).collect();
    assert_eq!(server.get("/healthz").status, 200);
    assert!(server.figure("festival_connections") <= i64::from((FILES - 256) / 3));
    // What gave way is closed a moment later.
    let until = Instant::now() + Duration::from_secs(60);
    while server.open_files() > FILES as usize - 150 {
        assert!(Instant::now() < until, "{} are open", server.open_files());
        std::thread::yield_now();
    }
    drop(silent);
}
