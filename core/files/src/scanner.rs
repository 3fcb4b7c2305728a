//! Asks clamd whether a file holds malware, by its command INSTREAM.

use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::fs::File;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use festival_base::settings::Scanner;

/// The flag of a file that was kept although the scanner did not answer.
pub const NOT_SCANNED: &str = "not_scanned";

/// What is sent at a time.
const CHUNK: usize = 64 * 1024;
/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: u64 = 1024;
/// The longest name of malware that is repeated, in characters.
const LONGEST_NAME: usize = 80;

trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

/// The name of the malware in the file at `path`; `None`: it found nothing.
///
/// # Errors
/// If the scanner did not scan it to the end, within the time that it has.
pub(crate) async fn scan(settings: &Scanner, path: &Path) -> io::Result<Option<String>> {
    let answer = within(settings, async {
        let mut connection = connect(&settings.address).await?;
        connection.write_all(b"zINSTREAM\0").await?;
        let mut file = File::open(path).await?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = file.read(&mut chunk).await?;
            // A chunk of no bytes is the end.
            connection.write_u32(u32::try_from(count).map_err(io::Error::other)?).await?;
            connection.write_all(&chunk[..count]).await?;
            if count == 0 {
                return answer(connection).await;
            }
        }
    })
    .await?;
    let result = answer.strip_prefix("stream: ").unwrap_or(&answer);
    match result.strip_suffix(" FOUND") {
        Some(name) => Ok(Some(name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect())),
        None if result == "OK" => Ok(None),
        None => Err(io::Error::other(format!("it answered \"{}\"", answer.escape_debug()))),
    }
}

/// Asks whether the scanner is there.
///
/// # Errors
/// If it is not, or is none.
pub async fn ping(settings: &Scanner) -> io::Result<()> {
    let answer = within(settings, async {
        let mut connection = connect(&settings.address).await?;
        connection.write_all(b"zPING\0").await?;
        answer(connection).await
    })
    .await?;
    if answer == "PONG" { Ok(()) } else { Err(io::Error::other(format!("it answered \"{}\"", answer.escape_debug()))) }
}

async fn within<T>(settings: &Scanner, asking: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    timeout(Duration::from_secs(settings.timeout_seconds.into()), asking).await.map_err(io::Error::other)?
}

async fn connect(address: &str) -> io::Result<Box<dyn Connection>> {
    match address.strip_prefix("unix:") {
        #[cfg(unix)]
        Some(path) => Ok(Box::new(tokio::net::UnixStream::connect(path).await?)),
        #[cfg(not(unix))]
        Some(_) => Err(io::ErrorKind::Unsupported.into()),
        None => Ok(Box::new(TcpStream::connect(address).await?)),
    }
}

/// The answer to a command, without the NUL at its end.
async fn answer(mut connection: Box<dyn Connection>) -> io::Result<String> {
    connection.flush().await?;
    let mut bytes = Vec::new();
    connection.take(LONGEST_ANSWER).read_to_end(&mut bytes).await?;
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    Ok(String::from_utf8_lossy(&bytes[..end]).trim().to_owned())
}
