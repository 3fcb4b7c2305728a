//! The program's own front door: it accepts connections, bounds how many there are and how long they may do nothing,
//! and passes the bytes of the others on to Rocket, which listens on this machine only (decision 31).

mod connection;
mod connections;
mod head;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use connections::Connections;
use festival_core::metrics::Metrics;
use festival_core::network::Network;
use festival_core::settings::Settings;
use rocket::fairing::{Fairing, Info, Kind};
use rocket::figment::Figment;
use rocket::figment::providers::Serialized;
use rocket::{Data, Orbit, Request, Rocket};
use tokio::net::TcpListener;
use tokio::sync::Mutex;

/// How often connections that do nothing are looked for.
const SWEEP: Duration = Duration::from_secs(1);
/// How long nobody is let in after the system could not give a connection: most often it has no descriptors left.
const BREATH: Duration = Duration::from_millis(100);

/// The front door, a fairing of the Rocket behind it.
#[derive(Clone)]
pub(crate) struct Front {
    /// Taken by whoever begins to accept.
    listener: Arc<Mutex<Option<TcpListener>>>,
    address: SocketAddr,
    connections: Arc<Connections>,
    trusted_proxies: Arc<[Network]>,
}

impl Front {
    /// Opens the address and port of `figment`; answers what Rocket is to listen on instead.
    ///
    /// # Errors
    /// If the address cannot be had.
    pub(crate) async fn open(figment: Figment, settings: &Settings) -> std::io::Result<(Self, Figment)> {
        let address = figment.extract_inner("address").unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let port: u16 = figment.extract_inner("port").unwrap_or(8000);
        let listener = TcpListener::bind((address, port)).await?;
        let address = listener.local_addr()?;
        let at_once = settings.connections.at_once.min(connections::affordable());
        let front = Self {
            listener: Arc::new(Mutex::new(Some(listener))),
            address,
            connections: Arc::new(Connections::new(at_once, settings.connections.at_once_per_client)),
            trusted_proxies: settings.trusted_proxies.iter().filter_map(|text| Network::parse(text)).collect(),
        };
        let behind =
            figment.merge(Serialized::global("address", Ipv4Addr::LOCALHOST)).merge(Serialized::global("port", 0));
        Ok((front, behind))
    }

    /// Where visitors find it.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Adds the figures of its connections to `metrics`.
    pub(crate) fn count_in(&self, metrics: &Metrics) {
        let counts = self.connections.counts();
        metrics.register(|registry| {
            registry.register("connections", "Connections of visitors", counts.open.clone());
            registry.register("connections_limit", "The most of them", counts.most.clone());
            let words = "Connections that were turned away because there were too many";
            registry.register("connections_refused", words, counts.refused.clone());
        });
    }

    /// Lets visitors in until the server is told to stop.
    async fn accept(self, listener: TcpListener, rocket: SocketAddr) {
        loop {
            let (client, peer) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "no connection can be accepted");
                    tokio::time::sleep(BREATH).await;
                    continue;
                }
            };
            // A proxy counts its own visitors; here it would be one client with all of them.
            let ip = peer.ip().to_canonical();
            let is_proxy = self.trusted_proxies.iter().any(|network| network.contains(ip));
            let connections = self.connections.clone();
            match connections.enter(peer, is_proxy) {
                Some(connection) => drop(tokio::spawn(connection::run(client, connection, connections, rocket))),
                // What does not fit into the connection's own buffer is not waited for.
                None => drop(client.try_write(&head::busy())),
            }
        }
    }
}

#[rocket::async_trait]
impl Fairing for Front {
    fn info(&self) -> Info {
        Info { name: "front door", kind: Kind::Liftoff | Kind::Request }
    }

    async fn on_liftoff(&self, rocket: &Rocket<Orbit>) {
        let Some(listener) = self.listener.lock().await.take() else { return };
        let behind = SocketAddr::from((Ipv4Addr::LOCALHOST, rocket.config().port));
        let (front, connections, shutdown) = (self.clone(), self.connections.clone(), rocket.shutdown());
        let sweep = async move {
            loop {
                tokio::time::sleep(SWEEP).await;
                connections.close_overdue(tokio::time::Instant::now());
            }
        };
        // Who is inside when the server is told to stop is looked after to the end.
        tokio::spawn(sweep);
        tokio::spawn(async move {
            tokio::select! {
                () = front.accept(listener, behind) => {}
                () = shutdown => {}
            }
        });
    }

    /// Rocket sees the visitor, not the door; the door sees that a request is under way.
    async fn on_request(&self, request: &mut Request<'_>, _: &mut Data<'_>) {
        let Some(door) = request.remote().filter(|remote| remote.ip().is_loopback()) else { return };
        let Some(connection) = self.connections.behind(door.port()) else { return };
        request.set_remote(connection.peer);
        request.local_cache(|| connection.under_way());
    }
}
