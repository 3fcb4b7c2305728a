//! `festival check --ready`: asks the running server whether it is ready, for the health check of a container.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use festival_core::command::Outcome;
use festival_core::{Result, blocking};
use rocket::figment::Figment;

/// Timeout of the request. The server's own check of its database takes up to three seconds.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Requests `/readyz` from the server at the address and port of `figment`, on this machine.
pub(super) async fn run(figment: &Figment) -> Result<Outcome> {
    let address = figment.extract_inner("address").unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let port = figment.extract_inner("port").unwrap_or(8000);
    let address = match address {
        IpAddr::V4(any) if any.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(any) if any.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        specific => specific,
    };
    let result = blocking(move || Ok(is_ready(SocketAddr::new(address, port)))).await?;
    Ok(match result {
        Ok(true) => Outcome::Done,
        Ok(false) => {
            eprintln!("The server at {address}:{port} is not ready; its log says why.");
            Outcome::Failed
        }
        Err(error) => {
            eprintln!("The server at {address}:{port} does not answer: {error}");
            Outcome::Failed
        }
    })
}

fn is_ready(address: SocketAddr) -> std::io::Result<bool> {
    let mut server = TcpStream::connect_timeout(&address, TIMEOUT)?;
    server.set_read_timeout(Some(TIMEOUT))?;
    server.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut response = Vec::new();
    server.take(1024).read_to_end(&mut response)?;
    Ok(response.starts_with(b"HTTP/1.1 200 "))
}
