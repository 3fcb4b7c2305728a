//! One connection, from its first byte to its end: its first head is read here, everything else goes through.

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
use super::head::{Beginning, LARGEST_HEAD, bare_answer, busy, not_understood, probe};

/// What is passed on at a time.
const CHUNK: usize = 16 * 1024;
/// How long a visitor may take to accept one chunk.
const LONGEST_WRITE: Duration = Duration::from_secs(30);
/// How long we read on after the last answer: a connection that is closed with bytes unread loses the answer.
const LINGER: Duration = Duration::from_secs(1);

/// Looks after `connection` until it ends or is told to.
pub(super) async fn run(
    mut client: TcpStream,
    connection: Arc<Connection>,
    connections: Arc<Connections>,
    rocket: SocketAddr,
) {
    let mut port = None;
    let serving = async {
        let Some(mut beginning) = read_head(&mut client, &connection).await? else { return Ok(()) };
        if connection.is_spare {
            // Beyond the limit there is room for whoever watches over the site, and for nobody else.
            match probe(&beginning) {
                Some(head) => beginning = head,
                None => {
                    connections.refuse();
                    return last_words(&mut client, &busy()).await;
                }
            }
        }
        let mut server = match TcpStream::connect(rocket).await {
            Ok(server) => server,
            Err(error) => {
                tracing::error!(%error, "the way to the server is closed");
                return last_words(&mut client, &busy()).await;
            }
        };
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        let through = server.local_addr()?.port();
        port = Some(through);
        connections.pass_on(&connection, through);
        server.write_all(&beginning).await?;
        pass(&mut client, &mut server, &connection).await?;
        last_words(&mut client, &[]).await
    };
    select! {
        // That a visitor went is nothing to write down.
        _ended = serving => {}
        () = connection.closed.notified() => {}
    }
    connections.leave(&connection, port);
}

/// Reads until the first head is whole; `None` where there was none, or it was refused.
async fn read_head(client: &mut TcpStream, connection: &Connection) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    loop {
        let beginning = Beginning::of(&bytes);
        if let Some(refusal) = beginning.refusal() {
            last_words(client, &refusal).await?;
            return Ok(None);
        }
        if beginning == Beginning::Whole {
            return Ok(Some(bytes));
        }
        let mut limited = client.take((LARGEST_HEAD + 1024 - bytes.len()) as u64);
        let count = limited.read_buf(&mut bytes).await?;
        if count == 0 {
            return Ok(None);
        }
        connection.came(count, Instant::now());
    }
}

/// Passes bytes on in both directions until Rocket closes, or one of the two is gone.
async fn pass(client: &mut TcpStream, server: &mut TcpStream, connection: &Connection) -> io::Result<()> {
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    let (up, down) = (up(from_client, to_server, connection), down(from_server, to_client, connection));
    pin!(up, down);
    select! {
        ended = &mut down => ended,
        // Who has said everything may still listen.
        _said = &mut up => down.await,
    }
}

async fn up(mut client: ReadHalf<'_>, mut server: WriteHalf<'_>, connection: &Connection) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let room = connection.room(CHUNK).await;
        // A visitor who breaks off has said everything too: Rocket must know.
        let count = client.read(&mut chunk[..room]).await.unwrap_or(0);
        if count == 0 {
            return server.shutdown().await;
        }
        connection.came(count, Instant::now());
        server.write_all(&chunk[..count]).await?;
    }
}

async fn down(mut server: ReadHalf<'_>, mut client: WriteHalf<'_>, connection: &Connection) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = server.read(&mut chunk).await?;
        if count == 0 {
            return Ok(());
        }
        let bare = bare_answer(&chunk[..count]);
        timeout(LONGEST_WRITE, client.write_all(&chunk[..bare.unwrap_or(count)])).await??;
        if bare.is_some() {
            timeout(LONGEST_WRITE, client.write_all(&not_understood())).await??;
        }
        connection.went(Instant::now());
    }
}

/// Says the last of it, and waits a moment until the visitor closes too.
async fn last_words(client: &mut TcpStream, words: &[u8]) -> io::Result<()> {
    timeout(LONGEST_WRITE, client.write_all(words)).await??;
    client.shutdown().await?;
    let mut rest = [0; 4096];
    let read_on = async { while client.read(&mut rest).await.is_ok_and(|count| count > 0) {} };
    let _ = timeout(LINGER, read_on).await;
    Ok(())
}
