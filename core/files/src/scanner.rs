//! Client of the virus scanner clamd: scans a file with the command INSTREAM.

use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::fs::File;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;

use festival_base::settings::Scanner;

/// The flag of a file that was accepted although it could not be scanned.
pub const NOT_SCANNED: &str = "not_scanned";

/// Bytes that are sent at a time.
const CHUNK: usize = 64 * 1024;
/// Maximum length of a response, in bytes.
const MAX_RESPONSE: u64 = 1024;
/// Maximum length of a malware's name, in characters; longer ones are cut.
const MAX_NAME: usize = 80;

trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

/// Scans the file at `path` and returns the name of the malware in it, if any.
///
/// # Errors
/// If the scanner cannot be reached, fails, or exceeds the configured timeout.
pub(crate) async fn scan(settings: &Scanner, path: &Path) -> io::Result<Option<String>> {
    let response = with_timeout(settings, async {
        let mut connection = connect(&settings.address).await?;
        connection.write_all(b"zINSTREAM\0").await?;
        let mut file = File::open(path).await?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = file.read(&mut chunk).await?;
            // An empty chunk marks the end.
            connection.write_u32(u32::try_from(count).map_err(io::Error::other)?).await?;
            connection.write_all(&chunk[..count]).await?;
            if count == 0 {
                return read_response(connection).await;
            }
        }
    })
    .await?;
    let result = response.strip_prefix("stream: ").unwrap_or(&response);
    match result.strip_suffix(" FOUND") {
        Some(name) => Ok(Some(name.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect())),
        None if result == "OK" => Ok(None),
        None => Err(io::Error::other(format!("unexpected response \"{}\"", response.escape_debug()))),
    }
}

/// Checks that the scanner responds.
///
/// # Errors
/// If it cannot be reached or does not respond as clamd does.
pub async fn ping(settings: &Scanner) -> io::Result<()> {
    let response = with_timeout(settings, async {
        let mut connection = connect(&settings.address).await?;
        connection.write_all(b"zPING\0").await?;
        read_response(connection).await
    })
    .await?;
    if response == "PONG" {
        Ok(())
    } else {
        Err(io::Error::other(format!("unexpected response \"{}\"", response.escape_debug())))
    }
}

async fn with_timeout<T>(settings: &Scanner, request: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    timeout(Duration::from_secs(settings.timeout_seconds.into()), request).await.map_err(io::Error::other)?
}

async fn connect(address: &str) -> io::Result<Box<dyn Connection>> {
    match address.strip_prefix("unix:") {
        Some(path) => Ok(Box::new(UnixStream::connect(path).await?)),
        None => Ok(Box::new(TcpStream::connect(address).await?)),
    }
}

/// Reads the response to a command, without the trailing NUL.
async fn read_response(mut connection: Box<dyn Connection>) -> io::Result<String> {
    connection.flush().await?;
    let mut bytes = Vec::new();
    connection.take(MAX_RESPONSE).read_to_end(&mut bytes).await?;
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    Ok(String::from_utf8_lossy(&bytes[..end]).trim().to_owned())
}
