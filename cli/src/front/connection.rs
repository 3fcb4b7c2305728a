//! One connection of a visitor: its requests are answered one after another.

use std::error::Error as _;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use festival_core::http::replay;
use festival_core::site::Site;
use http_body_util::{Either, Full};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::client::conn::http1::SendRequest;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, Uri, Version};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::select;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::backend::{Secret, VISITOR, connect};
use super::connections::{Connection, Connections, MAX_HEAD_BYTES};
use super::refusal::Refusal;
use super::stream::VisitorStream;

/// Length limit of an address, in bytes.
const MAX_ADDRESS_BYTES: usize = 8 * 1024;
/// Limit of the number of headers: that of Rocket's HTTP server, less [`VISITOR`].
const MAX_HEADERS: usize = 99;
/// What is kept in memory of a request, and of a response, in bytes.
const BUFFER_BYTES: usize = 32 * 1024;
/// Paths of the health checks, which are answered beyond the limit of connections.
const HEALTH_CHECKS: [&str; 2] = ["/healthz", "/readyz"];
/// Time in which a client must accept a [`Refusal`].
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum of input that is discarded after the last response: closing a socket with unread bytes would reset the
/// connection, and browsers, as well as Apache in front, read the response only after sending everything. It is the most
/// that the shipped configurations of proxies let through.
const MAX_DISCARDED: usize = 200 * 1024 * 1024;
/// Maximum time for discarding, and for waiting for a byte meanwhile.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(20);
const DISCARD_IDLE_TIMEOUT: Duration = Duration::from_secs(1);

/// Headers that are about one connection only (RFC 9110, 7.6.1), and `Expect`: hyper asks for the body itself as soon
/// as Rocket reads it.
const CONNECTION_HEADERS: [&str; 8] =
    ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "expect"];

/// What connections need of the front server.
pub(super) struct Front {
    /// The site whose cached responses are replayed; none for other servers.
    pub(super) site: Option<Arc<Site>>,
    /// The address of Rocket.
    pub(super) backend: SocketAddr,
    pub(super) secret: Arc<Secret>,
    pub(super) connections: Arc<Connections>,
}

/// Serves a connection until it ends or is closed.
pub(super) async fn run(mut client: TcpStream, connection: Arc<Connection>, front: Arc<Front>) {
    select! {
        // A client that disconnects is no error.
        _result = async {
            client.set_nodelay(true)?;
            let first = first_head(&mut client, &connection).await?;
            // In a box, as the answers: a connection that only waits takes little memory.
            let refusal = Box::pin(serve(&mut client, &first, &connection, &front)).await;
            finish(&mut client, &connection, refusal).await
        } => {}
        () = connection.closed.notified() => {}
    }
    front.connections.remove(&connection);
}

/// Reads until the first head is complete, too long or cut off: for a connection without a request, hyper would take four
/// times the memory.
async fn first_head(client: &mut TcpStream, connection: &Connection) -> io::Result<Vec<u8>> {
    client.readable().await?;
    let mut bytes = Vec::with_capacity(512);
    let is_end = |bytes: &[u8]| bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n");
    let mut scanned = 0;
    while bytes.len() < MAX_HEAD_BYTES && !(scanned..=bytes.len()).any(|end| is_end(&bytes[..end])) {
        scanned = bytes.len();
        let count = client.read_buf(&mut bytes).await?;
        if count == 0 {
            break;
        }
        connection.record_received(count, Instant::now());
    }
    Ok(bytes)
}

/// Answers requests until the client or the server wants no more of them. Returns the refusal to end with.
async fn serve(
    client: &mut TcpStream,
    received: &[u8],
    connection: &Arc<Connection>,
    front: &Front,
) -> Option<Refusal> {
    let visitor = Visitor { connection, front, backend: Mutex::new(None) };
    let service = service_fn(|request| {
        connection.start_request();
        visitor.answer(request)
    });
    let stream = TokioIo::new(VisitorStream { stream: client, connection, received });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.half_close(true)
        .header_read_timeout(None) // `Connections` closes overdue connections.
        .keep_alive(!connection.is_spare)
        .max_header_size(MAX_HEAD_BYTES)
        .max_buf_size(BUFFER_BYTES);
    let mut serving = pin!(http.serve_connection(stream, service));
    let result = select! {
        result = serving.as_mut() => result,
        () = connection.last_request.notified() => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    let error = result.err()?;
    let refusal = match error.source().and_then(|source| source.downcast_ref::<Refusal>()) {
        Some(refusal) => *refusal,
        None if !error.is_parse() => return None,
        None if connection.is_head_too_large() => Refusal::TooLarge,
        None => Refusal::Invalid,
    };
    // Not into the middle of an earlier response.
    connection.may_be_refused().then_some(refusal)
}

/// Sends the last bytes, closes the sending side, and discards what the client is still sending, within limits.
async fn finish(client: &mut TcpStream, connection: &Connection, refusal: Option<Refusal>) -> io::Result<()> {
    if let Some(refusal) = refusal {
        timeout(WRITE_TIMEOUT, client.write_all(&refusal.response())).await??;
    }
    // From now on it may be closed to make room.
    connection.end_request();
    connection.record_flushed(Instant::now());
    client.shutdown().await?;
    let mut buffer = vec![0; 16 * 1024];
    let discard = async {
        let mut discarded = 0;
        while discarded < MAX_DISCARDED {
            match timeout(DISCARD_IDLE_TIMEOUT, client.read(&mut buffer)).await {
                Ok(Ok(count)) if count > 0 => discarded += count,
                _ => break,
            }
        }
    };
    let _ = timeout(DISCARD_TIMEOUT, discard).await;
    Ok(())
}

/// Answers the requests of one connection.
struct Visitor<'a> {
    connection: &'a Arc<Connection>,
    front: &'a Front,
    /// The connection to Rocket, from the first forwarded request.
    backend: Mutex<Option<SendRequest<Incoming>>>,
}

impl Visitor<'_> {
    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Answer>, Refusal> {
        if self.connection.is_spare && !is_health_check(&request) {
            self.front.connections.count_refused();
            return Err(Refusal::Unavailable);
        }
        if let Some(site) = &self.front.site
            && let Some(response) = replay(site, self.connection.peer.ip(), &request)
        {
            return Ok(response.map(|content| self.body(Either::Left(Full::new(content)))));
        }
        let request = to_forward(request, self.front.secret.sign(self.connection.id, self.connection.peer))?;
        let response = Box::pin(self.forward(request)).await?;
        let (mut parts, body) = response.into_parts();
        remove_connection_headers(&mut parts.headers);
        Ok(Response::from_parts(parts, self.body(Either::Right(body))))
    }

    fn body(&self, content: Content) -> Answer {
        Answer { content, connection: self.connection.clone() }
    }

    async fn forward(&self, request: Request<Incoming>) -> Result<Response<Incoming>, Refusal> {
        // Never waits: hyper starts a request when the one before has been answered.
        let mut backend = self.backend.lock().await;
        let open = match backend.take() {
            Some(mut open) => open.ready().await.is_ok().then_some(open),
            None => None,
        };
        let mut sender = match open {
            Some(open) => open,
            None => connect(self.front.backend).await.map_err(|error| {
                tracing::error!(%error, "connecting to Rocket failed");
                Refusal::Unavailable
            })?,
        };
        match sender.send_request(request).await {
            Ok(response) => {
                *backend = Some(sender);
                Ok(response)
            }
            // The client sent less than it announced.
            Err(error) if error.is_user() => Err(Refusal::Invalid),
            Err(error) => {
                tracing::error!(%error, "Rocket did not respond");
                Err(Refusal::Unavailable)
            }
        }
    }
}

fn is_health_check(request: &Request<Incoming>) -> bool {
    request.method() == Method::GET && request.uri().query().is_none() && HEALTH_CHECKS.contains(&request.uri().path())
}

/// Returns the request as Rocket receives it.
///
/// # Errors
/// If its head is not acceptable.
fn to_forward(mut request: Request<Incoming>, visitor: Option<HeaderValue>) -> Result<Request<Incoming>, Refusal> {
    let visitor = visitor.ok_or(Refusal::Unavailable)?;
    let Some(address) = request.uri().path_and_query().cloned() else { return Err(Refusal::Invalid) };
    if address.as_str().len() > MAX_ADDRESS_BYTES {
        return Err(Refusal::UriTooLong);
    }
    if request.headers().len() > MAX_HEADERS {
        return Err(Refusal::Invalid);
    }
    // Rocket reads the header only.
    if let Some(authority) = request.uri().authority()
        && !request.headers().get_all(header::HOST).iter().all(|host| is_host(host, authority.as_str()))
    {
        return Err(Refusal::HostMismatch);
    }
    *request.uri_mut() = Uri::from(address);
    *request.version_mut() = Version::HTTP_11;
    remove_connection_headers(request.headers_mut());
    request.headers_mut().insert(VISITOR, visitor);
    Ok(request)
}

fn is_host(header: &HeaderValue, host: &str) -> bool {
    header.as_bytes().trim_ascii().eq_ignore_ascii_case(host.as_bytes())
}

fn remove_connection_headers(headers: &mut HeaderMap) {
    for name in CONNECTION_HEADERS {
        headers.remove(name);
    }
}

/// What is replayed or forwarded.
type Content = Either<Full<Bytes>, Incoming>;

/// The body of a response. While it exists, the request is being answered.
struct Answer {
    content: Content,
    connection: Arc<Connection>,
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.connection.end_request();
    }
}

impl Body for Answer {
    type Data = Bytes;
    type Error = <Content as Body>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Pin::new(&mut self.content).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.content.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.content.size_hint()
    }
}
