//! Tests of forms over a real connection.

use std::io::Write as _;
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use rocket::data::ByteUnit;
use rocket::http::{Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request, Response};

use super::*;

#[derive(Clone)]
struct Receive(Arc<Store>);

#[rocket::async_trait]
impl Handler for Receive {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        let headers = request.headers();
        let head = RequestHead {
            content_type: headers.get_one("Content-Type").unwrap_or_default(),
            length: headers.get_one("Content-Length").and_then(|length| length.parse().ok()),
            ..RequestHead::default()
        };
        let body = Body::new(data.open(ByteUnit::max_value()), MAX_FORM_BYTES, Pace::default());
        let accepts = Accepts {
            files: ["a", "b", "c", "d", "e", "f"]
                .map(|field| AcceptedFile::new(field, AcceptedKinds::Picture))
                .to_vec(),
            ..accepts(true)
        };
        let result = self.0.receiver().receive_body(head, body, &accepts, ready(())).await;
        let text =
            result.as_ref().map_or_else(ToString::to_string, |received| format!("{} files", received.files.len()));
        let mut response = Response::build();
        response.status(Status::new(status(&result)));
        Outcome::Success(response.sized_body(text.len(), Cursor::new(text)).finalize())
    }
}

/// Starts a server, which ends with the test.
async fn serve(store: Arc<Store>) -> (SocketAddr, tokio::task::JoinHandle<()>) {
    let address = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let config = rocket::Config {
        port: address.port(),
        log_level: rocket::config::LogLevel::Off,
        shutdown: rocket::config::Shutdown { ctrlc: false, ..Default::default() },
        ..rocket::Config::debug_default()
    };
    let rocket = rocket::custom(config).mount("/", [Route::new(Method::Post, "/", Receive(store))]);
    let server = tokio::spawn(async move { drop(rocket.launch().await) });
    while TcpStream::connect(address).is_err() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    (address, server)
}

async fn in_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("done")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn disconnected_client_leaves_no_file() {
    let store = Arc::new(Store::new());
    let (address, server) = serve(store.clone()).await;
    in_thread(move || {
        let mut stream = TcpStream::connect(address).expect("connected");
        let head =
            format!("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: {CONTENT_TYPE}\r\nContent-Length: 9000000\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("sent");
        let form = Form::default().file("a", "a", vec![b'x'; 1 << 20]).end();
        stream.write_all(&form[..form.len() - 100]).expect("sent");
        thread::sleep(Duration::from_millis(300));
        let _ = stream.shutdown(Shutdown::Both);
    })
    .await;
    let start = Instant::now();
    while !store.files("staging").is_empty() {
        assert!(start.elapsed() < Duration::from_secs(60), "a staged file was not deleted");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    server.abort();
}
