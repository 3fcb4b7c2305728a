//! The connections to Rocket, and how it recognises the visitor behind a request.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use data_encoding::HEXLOWER;
use festival_core::{Error, Result};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::HeaderValue;
use hyper_util::rt::TokioIo;
use subtle::ConstantTimeEq as _;
use tokio::io::AsyncWrite;
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;

/// Header of a forwarded request: the [`Secret`], the id of the visitor's connection, its address and port.
pub(super) const VISITOR: &str = "festival-visitor";
/// What is kept in memory of a response, in bytes.
const BUFFER_BYTES: usize = 16 * 1024;

/// Known to the front server and the Rocket behind it only.
pub(super) struct Secret(String);

impl Secret {
    /// A random secret.
    pub(super) fn new() -> Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| Error::internal(error.to_string()))?;
        Ok(Self(HEXLOWER.encode(&bytes)))
    }

    /// Returns the value of [`VISITOR`] for requests of `peer` on the connection `id`.
    pub(super) fn sign(&self, id: u64, peer: SocketAddr) -> Option<HeaderValue> {
        HeaderValue::try_from(format!("{} {id} {peer}", self.0)).ok()
    }

    /// Returns connection and visitor of a request by the value of [`VISITOR`]; none if it came past the front server.
    pub(super) fn visitor(&self, value: &str) -> Option<(u64, SocketAddr)> {
        let (secret, visitor) = value.split_once(' ')?;
        let is_right: bool = secret.as_bytes().ct_eq(self.0.as_bytes()).into();
        let (id, peer) = visitor.split_once(' ').filter(|_| is_right)?;
        Some((id.parse().ok()?, peer.parse().ok()?))
    }
}

/// Opens a connection to Rocket.
pub(super) async fn connect(address: SocketAddr) -> io::Result<SendRequest<Incoming>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (reader, writer) = stream.into_split();
    let stream = TokioIo::new(tokio::io::join(reader, Writer(writer)));
    let client = http1::Builder::new().max_buf_size(BUFFER_BYTES).handshake(stream).await;
    let (sender, connection) = client.map_err(io::Error::other)?;
    // Ends when the sender and the response's body are dropped.
    tokio::spawn(connection);
    Ok(sender)
}

/// The sending side. Rocket may respond before it has read the whole request, and then closes the connection: failed
/// writes are ignored, because otherwise hyper would not read that response.
struct Writer(OwnedWriteHalf);

impl AsyncWrite for Writer {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes).map(|written| Ok(written.unwrap_or(bytes.len())))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx).map(|_| Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_requests_with_the_secret_name_their_visitor() {
        let (secret, other) = (Secret::new().unwrap(), Secret::new().unwrap());
        let peer: SocketAddr = "[2001:db8::1]:40000".parse().unwrap();
        let header = secret.sign(7, peer).unwrap();
        let value = header.to_str().unwrap();
        assert_eq!(secret.visitor(value), Some((7, peer)));
        for forged in ["", "127.0.0.1:1", " 7 127.0.0.1:1", other.sign(7, peer).unwrap().to_str().unwrap()] {
            assert_eq!(secret.visitor(forged), None, "{forged}");
        }
    }
}
