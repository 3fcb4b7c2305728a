//! Forwarding of one connection. The head of its first request is read and checked here; all other bytes pass through.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::time::{Instant, timeout};
use tokio::{pin, select};

use super::connections::{Connection, Connections};
use super::head::{HeadStatus, MAX_HEAD_BYTES, bad_request, find_bare_error, health_check_head, service_unavailable};

/// Size of the buffer for each direction, in bytes.
const BUFFER_BYTES: usize = 16 * 1024;
/// Time in which a client must accept one write.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum of input that is discarded after the last response: closing a socket with unread bytes would reset the
/// connection, and browsers read the response only after sending everything.
const MAX_DISCARDED: usize = 48 * 1024 * 1024;
/// Maximum time for discarding, and for waiting for a byte meanwhile.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(20);
const DISCARD_IDLE_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves a connection until it ends or is closed.
pub(super) async fn run(
    mut client: TcpStream,
    connection: Arc<Connection>,
    connections: Arc<Connections>,
    backend: SocketAddr,
) {
    let mut backend_port = None;
    let serving = async {
        let Some(mut head) = read_head(&mut client, &connection).await? else { return Ok(()) };
        if connection.is_spare {
            // Beyond the limit, only health checks are served.
            match health_check_head(&head) {
                Some(closing_head) => head = closing_head,
                None => {
                    connections.count_refused();
                    return send_and_close(&mut client, &service_unavailable()).await;
                }
            }
        }
        let mut server = match TcpStream::connect(backend).await {
            Ok(server) => server,
            Err(error) => {
                tracing::error!(%error, "connecting to Rocket failed");
                return send_and_close(&mut client, &service_unavailable()).await;
            }
        };
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        let port = server.local_addr()?.port();
        backend_port = Some(port);
        connections.set_backend_port(&connection, port);
        server.write_all(&head).await?;
        forward(&mut client, &mut server, &connection).await?;
        send_and_close(&mut client, &[]).await
    };
    select! {
        // A client that disconnects is no error.
        _result = serving => {}
        () = connection.closed.notified() => {}
    }
    connections.remove(&connection, backend_port);
}

/// Reads until the first head is complete. Returns the bytes read; none if the client closed before, or the head was
/// rejected.
async fn read_head(client: &mut TcpStream, connection: &Connection) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    loop {
        let status = HeadStatus::of(&bytes);
        if let Some(response) = status.rejection() {
            send_and_close(client, &response).await?;
            return Ok(None);
        }
        if status == HeadStatus::Complete {
            return Ok(Some(bytes));
        }
        let mut limited = client.take((MAX_HEAD_BYTES + 1024 - bytes.len()) as u64);
        let count = limited.read_buf(&mut bytes).await?;
        if count == 0 {
            return Ok(None);
        }
        connection.record_received(count, Instant::now());
    }
}

/// Forwards bytes in both directions until Rocket closes the connection, or writing to the client fails.
async fn forward(client: &mut TcpStream, server: &mut TcpStream, connection: &Connection) -> io::Result<()> {
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    let upload = forward_requests(from_client, to_server, connection);
    let download = forward_responses(from_server, to_client, connection);
    pin!(upload, download);
    select! {
        result = &mut download => result,
        // A client that has closed its sending side may still read.
        _result = &mut upload => download.await,
    }
}

async fn forward_requests(
    mut client: ReadHalf<'_>,
    mut server: WriteHalf<'_>,
    connection: &Connection,
) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        let allowed = connection.read_allowance(BUFFER_BYTES).await;
        // A failed read ends the requests too, and Rocket must know.
        let count = client.read(&mut buffer[..allowed]).await.unwrap_or(0);
        if count == 0 {
            return server.shutdown().await;
        }
        connection.record_received(count, Instant::now());
        server.write_all(&buffer[..count]).await?;
    }
}

async fn forward_responses(
    mut server: ReadHalf<'_>,
    mut client: WriteHalf<'_>,
    connection: &Connection,
) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        // Rocket closes the connection of a request whose body it did not read to the end. That resets the connection,
        // but only after the response.
        let count = server.read(&mut buffer).await.unwrap_or(0);
        if count == 0 {
            return Ok(());
        }
        let bare_error = find_bare_error(&buffer[..count]);
        timeout(WRITE_TIMEOUT, client.write_all(&buffer[..bare_error.unwrap_or(count)])).await??;
        if bare_error.is_some() {
            timeout(WRITE_TIMEOUT, client.write_all(&bad_request())).await??;
        }
        connection.record_sent(Instant::now());
    }
}

/// Sends the last bytes, closes the sending side, and discards what the client is still sending, within limits.
async fn send_and_close(client: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    timeout(WRITE_TIMEOUT, client.write_all(bytes)).await??;
    client.shutdown().await?;
    let mut buffer = [0; 4096];
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
