//! The stream of a visitor's connection, as hyper reads and writes it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::connections::Connection;

/// Records what passes, for the time limits, and drops hyper's own responses to invalid requests, which lack the headers
/// of all others.
pub(super) struct VisitorStream<'a> {
    pub(super) stream: &'a mut TcpStream,
    pub(super) connection: &'a Connection,
    /// What has been received already.
    pub(super) received: &'a [u8],
}

impl AsyncRead for VisitorStream<'_> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if !self.received.is_empty() {
            let (now, later) = self.received.split_at(self.received.len().min(buffer.remaining()));
            buffer.put_slice(now);
            self.received = later;
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut *self.stream).poll_read(cx, buffer))?;
        self.connection.record_received(buffer.filled().len() - before, Instant::now());
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for VisitorStream<'_> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if !self.connection.is_answering() {
            return Poll::Ready(Ok(parts.iter().map(|part| part.len()).sum()));
        }
        let written = Pin::new(&mut *self.stream).poll_write_vectored(cx, parts);
        let accepted = if let Poll::Ready(Ok(count)) = written { count } else { 0 };
        self.connection.record_sent(accepted, Instant::now());
        written
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// hyper calls this only when it has written everything.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.connection.record_flushed(Instant::now());
        Poll::Ready(Ok(()))
    }

    /// The sending side is closed later, after a refusal.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
