//! A restart on a listening socket that outlives the process, as systemd provides with `festival.socket`.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::{Server, festival, repository};

/// Time limit for everything.
const PATIENCE: Duration = Duration::from_secs(120);

/// Connects and requests the home page.
fn ask(address: SocketAddr) -> TcpStream {
    let mut connection = TcpStream::connect(address).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    connection.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    connection
}

/// Reads the whole response and returns its status line, or what went wrong.
fn answer(mut connection: TcpStream) -> String {
    let mut bytes = Vec::new();
    if let Err(error) = connection.read_to_end(&mut bytes) {
        return error.to_string();
    }
    let text = String::from_utf8_lossy(&bytes);
    let status = text.lines().next().unwrap_or("no answer").to_owned();
    if text.trim_end().ends_with("</html>") { status } else { format!("{status}, incomplete") }
}

/// Stops the readers, even if the test fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn no_page_view_fails_while_the_program_is_restarted_on_the_same_socket() {
    let directory = tempfile::tempdir().unwrap();
    let seed = repository("config/editions/2025.toml");
    assert_eq!(festival(directory.path(), &["seed", seed.to_str().unwrap()], &[]).code, 0);
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let over = Over(&is_over);
        let mut server = Server::start_on(directory.path(), &socket);
        assert_eq!(server.address, address.to_string(), "it listens on the socket that it was given");
        let readers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut answers = Vec::new();
                    while !is_over.load(Ordering::Relaxed) {
                        answers.push(answer(ask(address)));
                    }
                    answers
                })
            })
            .collect();
        for _ in 0..3 {
            server.terminate();
            assert_eq!(server.wait_for_exit(PATIENCE), Some(0));
            // Only the socket itself listens now.
            let waiting = ask(address);
            server = Server::start_on(directory.path(), &socket);
            assert_eq!(answer(waiting), "HTTP/1.1 200 OK", "asked while there was no process");
        }
        drop(over);
        let answers: Vec<String> = readers.into_iter().flat_map(|reader| reader.join().unwrap()).collect();
        let failed: Vec<&String> = answers.iter().filter(|answer| *answer != "HTTP/1.1 200 OK").collect();
        assert!(failed.is_empty() && answers.len() > 12, "{failed:?} of {}", answers.len());
    });
}
