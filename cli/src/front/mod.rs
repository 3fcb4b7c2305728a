//! The front server: accepts connections, limits their number and idle time, and forwards their requests to Rocket, which
//! listens on the loopback interface only (decision 75).

mod backend;
mod connection;
mod connections;
mod refusal;
mod stream;

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use backend::{Secret, VISITOR};
use connection::Front;
use connections::Connections;
use festival_core::metrics::Metrics;
use festival_core::network::{IpNet, parse_network};
use festival_core::settings::Settings;
use festival_core::site::Site;
use festival_core::{Error, Result};
use listenfd::ListenFd;
use refusal::Refusal;
use rocket::fairing::{Fairing, Info, Kind};
use rocket::figment::Figment;
use rocket::figment::providers::Serialized;
use rocket::{Data, Orbit, Request, Rocket};
use tokio::net::TcpListener;
use tokio::sync::Mutex;

/// Interval between checks for overdue connections.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);
/// Time that connections have to send the head of their request when the server is told to stop.
const LAST_HEADS_TIMEOUT: Duration = Duration::from_secs(2);
/// Time that responses have to be sent after Rocket has ended.
const LAST_RESPONSES_TIMEOUT: Duration = Duration::from_secs(2);
/// Interval between checks whether they have.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Pause after the system could not accept a connection, most often for lack of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// The front server, attached as a fairing to the Rocket behind it.
#[derive(Clone)]
pub(crate) struct FrontServer {
    /// Taken when accepting begins.
    listener: Arc<Mutex<Option<TcpListener>>>,
    address: SocketAddr,
    connections: Arc<Connections>,
    trusted_proxies: Arc<[IpNet]>,
    secret: Arc<Secret>,
    site: Option<Arc<Site>>,
}

impl FrontServer {
    /// Listens on the socket that the service manager passed (socket activation), or else on the address and port of
    /// `figment`. Returns the configuration for Rocket, with another address to listen on. Cached responses of `site` are
    /// replayed.
    ///
    /// # Errors
    /// If address or port are invalid, or listening on them fails.
    pub(crate) async fn open(
        figment: Figment,
        settings: &Settings,
        site: Option<Arc<Site>>,
    ) -> Result<(Self, Figment)> {
        let invalid = |error| Error::BadRequest(format!("address and port of Rocket: {error}"));
        let address: IpAddr = figment.extract_inner("address").map_err(invalid)?;
        let port: u16 = figment.extract_inner("port").map_err(invalid)?;
        let listener = match inherited_listener()? {
            Some(listener) => listener,
            None => TcpListener::bind((address, port)).await.map_err(|error| match error.kind() {
                ErrorKind::AddrInUse => Error::BadRequest(format!(
                    "port {port} is in use by another program; choose another one: ROCKET_PORT=8001"
                )),
                _ => Error::BadRequest(format!("cannot listen on {address}, port {port}: {error}")),
            })?,
        };
        let address = listener.local_addr().map_err(Error::internal)?;
        let at_once = settings.connections.at_once.min(connections::descriptor_limit());
        let server = Self {
            listener: Arc::new(Mutex::new(Some(listener))),
            address,
            connections: Arc::new(Connections::new(at_once, settings.connections.at_once_per_client)),
            trusted_proxies: settings.trusted_proxies.iter().filter_map(|text| parse_network(text)).collect(),
            secret: Arc::new(Secret::new()?),
            site,
        };
        let backend = figment
            .merge(Serialized::global("address", Ipv4Addr::LOCALHOST))
            .merge(Serialized::global("port", 0))
            // Signals stop the front first.
            .merge(Serialized::global("shutdown.ctrlc", false))
            .merge(Serialized::global("shutdown.signals", [(); 0]));
        Ok((server, backend))
    }

    /// The address that visitors connect to.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Registers the metrics of its connections.
    pub(crate) fn register_metrics(&self, metrics: &Metrics) {
        let counts = self.connections.counts();
        metrics.register(|registry| {
            registry.register("connections", "Connections of visitors", counts.open.clone());
            registry.register("connections_limit", "Maximum number of connections", counts.limit.clone());
            let help = "Connections that were refused because there were too many";
            registry.register("connections_refused", help, counts.refused.clone());
        });
    }

    /// Waits until no request is being answered, for a moment.
    pub(crate) async fn finish(&self) {
        let finished = async {
            while self.connections.is_answering() {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        };
        let _ = tokio::time::timeout(LAST_RESPONSES_TIMEOUT, finished).await;
    }

    /// Accepts connections until the server shuts down.
    async fn accept(self, listener: TcpListener, backend: SocketAddr) {
        let front = Arc::new(Front { site: self.site, backend, secret: self.secret, connections: self.connections });
        loop {
            let (client, peer) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "accepting a connection failed");
                    tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                    continue;
                }
            };
            // All visitors behind a trusted proxy share its address, so it has no limit per client.
            let ip = peer.ip().to_canonical();
            let is_proxy = self.trusted_proxies.iter().any(|network| network.contains(&ip));
            match front.connections.admit(peer, is_proxy) {
                Some(connection) => drop(tokio::spawn(connection::run(client, connection, front.clone()))),
                // Sent only as far as it fits into the socket's buffer, without waiting.
                None => drop(client.try_write(&Refusal::Unavailable.response())),
            }
        }
    }
}

/// Returns the listening socket that the service manager passed, as systemd does for `festival.socket`.
///
/// # Errors
/// If what it passed is no TCP socket that listens.
fn inherited_listener() -> Result<Option<TcpListener>> {
    let invalid = |error| Error::BadRequest(format!("the socket of the service manager (LISTEN_FDS): {error}"));
    let Some(listener) = ListenFd::from_env().take_tcp_listener(0).map_err(invalid)? else { return Ok(None) };
    listener.set_nonblocking(true).and_then(|()| TcpListener::from_std(listener)).map(Some).map_err(invalid)
}

/// Returns a future that waits for the signal to stop: SIGTERM, or Ctrl-C. Signals are caught from now on, not only
/// when it is polled for the first time: one that comes between would end the program at once.
fn stop_signal() -> impl Future<Output = ()> + Send {
    use tokio::signal::unix::{Signal, SignalKind, signal};
    async fn received(signal: std::io::Result<Signal>) {
        match signal {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    }
    let (interrupt, terminate) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    async {
        tokio::select! {
            () = received(interrupt) => {}
            () = received(terminate) => {}
        }
    }
}

#[rocket::async_trait]
impl Fairing for FrontServer {
    fn info(&self) -> Info {
        Info { name: "front server", kind: Kind::Liftoff | Kind::Request }
    }

    async fn on_liftoff(&self, rocket: &Rocket<Orbit>) {
        let Some(listener) = self.listener.lock().await.take() else { return };
        let backend = SocketAddr::from((Ipv4Addr::LOCALHOST, rocket.config().port));
        let (server, connections, shutdown) = (self.clone(), self.connections.clone(), rocket.shutdown());
        let sweep = async move {
            loop {
                tokio::time::sleep(SWEEP_INTERVAL).await;
                connections.close_overdue(tokio::time::Instant::now());
            }
        };
        // Keeps running during shutdown, for the connections that are still open.
        tokio::spawn(sweep);
        let stopped = stop_signal();
        tokio::spawn(async move {
            let connections = server.connections.clone();
            tokio::select! {
                () = server.accept(listener, backend) => {}
                () = stopped => {}
                () = shutdown.clone() => {}
            }
            // Accepted connections are answered; new ones wait in the socket for the next process, if it was inherited.
            let heads_came = async {
                while connections.has_outstanding_heads() {
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            };
            let _ = tokio::time::timeout(LAST_HEADS_TIMEOUT, heads_came).await;
            connections.end();
            shutdown.notify();
        });
    }

    /// Sets the visitor's address instead of the front server's, and records that the request has begun.
    async fn on_request(&self, request: &mut Request<'_>, _: &mut Data<'_>) {
        match request.headers().get_one(VISITOR).and_then(|value| self.secret.visitor(value)) {
            Some((connection, peer)) => {
                request.set_remote(peer);
                self.connections.record_begun(connection);
            }
            // By a program on this machine, past the front server: a stranger, because the loopback address could be that
            // of a trusted proxy.
            None => request.set_remote(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0))),
        }
    }
}
