//! Responses of the running program as they arrive: unchanged, whole, in order, and counted for the right visitor.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::tempdir;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpSocket;

use crate::support::{Server, festival};

/// A keep-alive connection.
struct KeepAlive(BufReader<TcpStream>);

impl KeepAlive {
    fn open(server: &Server) -> Self {
        let stream = TcpStream::connect(server.address.parse::<SocketAddr>().unwrap()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Self(BufReader::new(stream))
    }

    fn send(&mut self, path: &str, more: &str) {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n");
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
    }

    /// Reads a response: its status, and exactly as many bytes as it announces.
    fn receive(&mut self) -> (String, Vec<u8>) {
        let mut status = String::new();
        self.0.read_line(&mut status).unwrap();
        let mut length = None;
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "closed in the head after {status}");
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = Some(value.trim().parse().unwrap());
            }
        }
        let mut body = vec![0; length.unwrap_or_else(|| panic!("no length: {status}"))];
        self.0.read_exact(&mut body).unwrap();
        (status.trim_end().to_owned(), body)
    }
}

/// Files that look like parts of HTTP, each ending with a response that has no body.
fn files_of_http() -> Vec<Vec<u8>> {
    let bare = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let found = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
    let chunks = "5\r\nhello\r\n1c00\r\n0\r\n\r\n";
    let request =
        "POST /api/contact/ HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello";
    let informational = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 431 Too Large\r\ncontent-length: 0\r\n\r\n";
    [bare, found, chunks, request, informational]
        .map(|part| format!("{}{bare}", part.repeat(100_000 / part.len())).into_bytes())
        .into_iter()
        .chain([bare.as_bytes().to_vec()])
        .collect()
}

#[test]
fn files_made_of_http_syntax_arrive_unchanged_on_keep_alive_connections() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let folder = directory.path().join("data/media/public/documents");
    fs::create_dir_all(&folder).unwrap();
    let files = files_of_http();
    for (number, bytes) in files.iter().enumerate() {
        fs::write(folder.join(format!("{number}.pdf")), bytes).unwrap();
    }
    let mut connection = KeepAlive::open(&server);
    for round in 0..17 {
        for (number, bytes) in files.iter().enumerate() {
            let path = format!("/media/documents/{number}.pdf");
            let last = bytes.len() - 1;
            for (more, status, expected) in [
                (String::new(), "HTTP/1.1 200 OK", &bytes[..]),
                ("Accept-Encoding: gzip, br\r\n".to_owned(), "HTTP/1.1 200 OK", &bytes[..]),
                (format!("Range: bytes=10-{last}\r\n"), "HTTP/1.1 206 Partial Content", &bytes[10..]),
            ] {
                connection.send(&path, &more);
                let (received, body) = connection.receive();
                assert_eq!(received, status, "{path} {more} in round {round}");
                assert!(body == expected, "{path} {more} differs in round {round}");
            }
        }
    }
    // All at once, before the first response is read.
    for _ in 0..20 {
        (0..files.len()).for_each(|number| connection.send(&format!("/media/documents/{number}.pdf"), ""));
    }
    for _ in 0..20 {
        for bytes in &files {
            assert!(connection.receive().1 == *bytes);
        }
    }
}

/// Sends a request, closes the sending side, and returns the response.
fn half_closed(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(server.address.parse::<SocketAddr>().unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

#[test]
fn clients_that_close_their_sending_side_get_the_whole_response() {
    let directory = tempdir().unwrap();
    assert_eq!(festival(directory.path(), &["seed", "--demo"], &[]).code, 0);
    let server = Server::start(directory.path(), &[("FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES", "1000")]);
    for number in 0..200 {
        let page = half_closed(&server, "GET /films HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("</html>\n"), "{number}: {page}");
        let message =
            format!(r#"{{"name":"Asha","email":"asha@example.org","contact":"1","message":"Message {number}"}}"#);
        let post = half_closed(
            &server,
            &format!(
                "POST /api/contact/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{message}",
                message.len()
            ),
        );
        assert!(post.starts_with("HTTP/1.1 ") && post.ends_with('}'), "{number}: {post}");
    }
}

/// A message to the organisers, which names another client.
fn message(number: usize) -> String {
    let json = format!(r#"{{"name":"A","email":"a{number}@example.org","contact":"1","message":"{number}"}}"#);
    format!(
        "POST /api/contact/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         X-Forwarded-For: 198.51.100.{number}\r\nContent-Length: {}\r\n\r\n{json}",
        json.len()
    )
}

/// A site whose proxy is on this machine, as in most installations. A client may send three messages.
fn server_behind_a_proxy(directory: &Path) -> Server {
    assert_eq!(festival(directory, &["seed", "--demo"], &[]).code, 0);
    Server::start(
        directory,
        &[
            ("FESTIVAL_TRUSTED_PROXIES", r#"["127.0.0.1"]"#),
            ("FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES", "3"),
            ("FESTIVAL_METRICS_ADDRESS", "127.0.0.1:0"),
        ],
    )
}

const ACCEPTED: &str = r#"festival_forms_total{outcome="accepted"}"#;

#[tokio::test]
async fn aborted_requests_count_for_the_client_that_sent_them() {
    let directory = tempdir().unwrap();
    let server = server_behind_a_proxy(directory.path());
    for number in 0..60 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
        let mut stream = socket.connect(server.address.parse().unwrap()).await.unwrap();
        stream.write_all(message(number).as_bytes()).await.unwrap();
        // The connection is reset.
        stream.set_zero_linger().unwrap();
    }
    let until = Instant::now() + Duration::from_secs(60);
    while server.metric("festival_connections") > 0 {
        assert!(Instant::now() < until, "{}", server.metrics("").text());
        std::thread::yield_now();
    }
    assert!(server.metric(ACCEPTED) <= 3, "{} of 3 messages", server.metric(ACCEPTED));
}

/// A request whose visitor is unknown must not count as one of the proxy on this machine.
#[test]
fn requests_past_the_front_server_are_those_of_one_stranger() {
    let directory = tempdir().unwrap();
    let server = server_behind_a_proxy(directory.path());
    let public: SocketAddr = server.address.parse().unwrap();
    let others = server.listening_ports().into_iter().filter(|port| *port != public.port());
    let mut sent = 0;
    for port in others {
        for number in 0..10 {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
            stream.write_all(message(number).as_bytes()).unwrap();
            let mut status = String::new();
            BufReader::new(stream).read_line(&mut status).unwrap();
            sent += usize::from(status.starts_with("HTTP/1.1 200") || status.starts_with("HTTP/1.1 429"));
        }
    }
    assert_eq!((sent, server.metric(ACCEPTED)), (10, 3));
}

#[test]
fn every_head_of_a_connection_is_limited_and_names_one_host() {
    let directory = tempdir().unwrap();
    let server = Server::start(directory.path(), &[]);
    let long = format!("X-Long: {}\r\n", "x".repeat(17_000));
    for (path, more, status) in [
        ("/healthz", long.as_str(), "HTTP/1.1 431 Request Header Fields Too Large"),
        (&format!("/{}", "a".repeat(9_000)), "", "HTTP/1.1 414 URI Too Long"),
        ("/healthz", &"X: a\r\n".repeat(120), "HTTP/1.1 400 Bad Request"),
        ("http://evil.example/healthz", "", "HTTP/1.1 400 Bad Request"),
    ] {
        let mut connection = KeepAlive::open(&server);
        connection.send("/healthz", "");
        assert_eq!(connection.receive(), ("HTTP/1.1 200 OK".to_owned(), b"ok\n".to_vec()));
        connection.send(path, more);
        assert_eq!(connection.receive().0, status);
        assert_eq!(connection.0.read(&mut [0]).unwrap(), 0, "the connection ends: {status}");
    }
}
