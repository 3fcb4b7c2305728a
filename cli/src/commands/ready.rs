//! `festival check --ready`: asks the running server, as a container's health check does.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use festival_core::command::Outcome;
use festival_core::{Result, blocking};
use rocket::figment::Figment;

/// How long the server has to answer; it gives its own database three seconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether the server at the address of `figment` says on this machine that it can work.
pub(super) async fn run(figment: &Figment) -> Result<Outcome> {
    let address = figment.extract_inner("address").unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let port = figment.extract_inner("port").unwrap_or(8000);
    let address = match address {
        IpAddr::V4(all) if all.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(all) if all.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        one => one,
    };
    let asked = blocking(move || Ok(ask(SocketAddr::new(address, port)))).await?;
    Ok(match asked {
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

fn ask(address: SocketAddr) -> std::io::Result<bool> {
    let mut server = TcpStream::connect_timeout(&address, PATIENCE)?;
    server.set_read_timeout(Some(PATIENCE))?;
    server.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    server.take(1024).read_to_end(&mut answer)?;
    Ok(answer.starts_with(b"HTTP/1.1 200 "))
}
