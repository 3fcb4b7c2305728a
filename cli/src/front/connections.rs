//! The set of open connections: limits in total and per client, and timeouts of idle ones.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use festival_core::network::client_network;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::head::MAX_HEAD_BYTES;

/// Time in which the head of a request must be complete, from its first byte; for the first one, from the connection's
/// start.
const HEAD_TIMEOUT: Duration = Duration::from_secs(14);
/// Time for which a connection without a request is kept open.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// Bytes that are forwarded before Rocket has started the request: its head, and the beginning of its body.
const MAX_AHEAD_BYTES: usize = MAX_HEAD_BYTES + 1024;

/// Connections beyond the limit whose first head is read, so that health checks are served even then.
const MAX_SPARE: usize = 4;

/// File descriptors per connection: its own, and both ends of the connection to Rocket.
const DESCRIPTORS_PER_CONNECTION: u64 = 3;
/// File descriptors that are reserved for everything else: database, files, mails.
const RESERVED_DESCRIPTORS: u64 = 256;

/// Returns how many connections the system has file descriptors for, after raising the soft limit as far as the hard
/// one allows. At least 16.
#[cfg(unix)]
pub(super) fn descriptor_limit() -> u32 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(65_536).min(65_536);
    let raised = current.is_some_and(|current| current < wanted)
        && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_ok();
    let limit = if raised { wanted } else { current.unwrap_or(wanted) };
    u32::try_from(limit.saturating_sub(RESERVED_DESCRIPTORS) / DESCRIPTORS_PER_CONNECTION).unwrap_or(u32::MAX).max(16)
}

#[cfg(not(unix))]
pub(super) fn descriptor_limit() -> u32 {
    u32::MAX
}

/// The connections of the front proxy.
pub(super) struct Connections {
    limit: usize,
    limit_per_client: usize,
    sets: Mutex<Sets>,
    counts: Counts,
}

/// Metrics of the connections.
#[derive(Default)]
pub(super) struct Counts {
    /// Open connections.
    pub(super) open: Gauge,
    /// The limit of open connections.
    pub(super) limit: Gauge,
    /// Connections that were refused for lack of capacity.
    pub(super) refused: Counter,
}

#[derive(Default)]
struct Sets {
    /// The latest id.
    last_id: u64,
    open: HashMap<u64, Arc<Connection>>,
    /// Connections beyond the limit.
    spare: HashMap<u64, Arc<Connection>>,
    /// Connections that are forwarded, by the port that Rocket sees.
    by_backend_port: HashMap<u16, Arc<Connection>>,
}

impl Connections {
    /// At most `limit` connections, and `limit_per_client` of one client; at least 1 each.
    pub(super) fn new(limit: u32, limit_per_client: u32) -> Self {
        let [limit, limit_per_client] = [limit, limit_per_client].map(|count| count.max(1) as usize);
        let counts = Counts::default();
        counts.limit.set(i64::try_from(limit).unwrap_or(i64::MAX));
        Self { limit, limit_per_client, sets: Mutex::default(), counts }
    }

    /// Admits a connection; none if it is refused.
    ///
    /// At a limit, the connection that has been idle for the longest time is closed. If all are active, the new one
    /// becomes a spare connection, which serves health checks only, or is refused if there are too many of those. The
    /// limit per client does not apply to a trusted proxy (`is_proxy`).
    pub(super) fn admit(&self, peer: SocketAddr, is_proxy: bool) -> Option<Arc<Connection>> {
        let client = (!is_proxy).then(|| client_network(peer.ip()));
        let mut sets = self.lock();
        let of_client = || sets.open.values().filter(|other| client.is_some() && other.client == client);
        let to_close = if of_client().count() >= self.limit_per_client {
            Some(longest_idle(of_client()))
        } else if sets.open.len() >= self.limit {
            Some(longest_idle(sets.open.values()))
        } else {
            None
        };
        let is_spare = matches!(to_close, Some(None));
        let to_close = match to_close {
            Some(None) if sets.spare.len() >= MAX_SPARE => match longest_idle(sets.spare.values()) {
                Some(idle) => Some(idle),
                None => {
                    self.count_refused();
                    return None;
                }
            },
            to_close => to_close.flatten(),
        };
        if let Some(idle) = to_close {
            sets.open.remove(&idle.id);
            sets.spare.remove(&idle.id);
            idle.closed.notify_one();
        }
        sets.last_id += 1;
        let connection = Arc::new(Connection::new(sets.last_id, peer, client, is_spare, Instant::now()));
        let set = if is_spare { &mut sets.spare } else { &mut sets.open };
        set.insert(connection.id, connection.clone());
        self.update_open_count(&sets);
        Some(connection)
    }

    /// Counts a refused connection.
    pub(super) fn count_refused(&self) {
        self.counts.refused.inc();
    }

    /// The metrics.
    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    fn update_open_count(&self, sets: &Sets) {
        self.counts.open.set(i64::try_from(sets.open.len()).unwrap_or(i64::MAX));
    }

    /// Finds the connection that Rocket sees as coming from `port` of the loopback interface.
    pub(super) fn by_backend_port(&self, port: u16) -> Option<Arc<Connection>> {
        self.lock().by_backend_port.get(&port).cloned()
    }

    /// Records that `connection` is forwarded to Rocket from `port`.
    pub(super) fn set_backend_port(&self, connection: &Arc<Connection>, port: u16) {
        self.lock().by_backend_port.insert(port, connection.clone());
    }

    /// Removes a connection that has ended; `backend_port` is the one it was forwarded from, if it was.
    pub(super) fn remove(&self, connection: &Connection, backend_port: Option<u16>) {
        let mut sets = self.lock();
        sets.open.remove(&connection.id);
        sets.spare.remove(&connection.id);
        self.update_open_count(&sets);
        if let Some(port) = backend_port
            && sets.by_backend_port.get(&port).is_some_and(|other| other.id == connection.id)
        {
            sets.by_backend_port.remove(&port);
        }
    }

    /// Whether a connection has not sent the whole head of its request yet, or Rocket has not started it.
    pub(super) fn has_outstanding_heads(&self) -> bool {
        self.lock().open.values().any(|connection| connection.lock().head_started_at.is_some())
    }

    /// Closes connections whose head or idle time has timed out.
    pub(super) fn close_overdue(&self, now: Instant) {
        let sets = self.lock();
        for connection in sets.open.values().chain(sets.spare.values()).filter(|connection| connection.is_overdue(now))
        {
            connection.closed.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Sets> {
        self.sets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn longest_idle<'a>(connections: impl Iterator<Item = &'a Arc<Connection>>) -> Option<Arc<Connection>> {
    let idle = connections.filter_map(|connection| Some((connection.idle_since()?, connection)));
    idle.min_by_key(|(since, _)| *since).map(|(_, connection)| connection.clone())
}

/// One connection and its state.
pub(super) struct Connection {
    id: u64,
    /// The client's address and port.
    pub(super) peer: SocketAddr,
    /// Whether it is beyond the limit, and serves health checks only.
    pub(super) is_spare: bool,
    /// The network that the limit per client applies to; none for a trusted proxy.
    client: Option<IpAddr>,
    /// Notified when the connection is to be closed.
    pub(super) closed: Notify,
    /// Notified when a request starts or ends.
    request_changed: Notify,
    state: Mutex<State>,
}

struct State {
    /// Requests that Rocket has started and not completely answered.
    active_requests: usize,
    /// When the head of a request began that Rocket has not started yet.
    head_started_at: Option<Instant>,
    /// When bytes were last received or sent.
    last_activity: Instant,
    /// Bytes that may still be received before Rocket starts a request.
    allowance: usize,
}

impl Connection {
    fn new(id: u64, peer: SocketAddr, client: Option<IpAddr>, is_spare: bool, now: Instant) -> Self {
        let state =
            State { active_requests: 0, head_started_at: Some(now), last_activity: now, allowance: MAX_AHEAD_BYTES };
        Self {
            id,
            peer,
            is_spare,
            client,
            closed: Notify::new(),
            request_changed: Notify::new(),
            state: Mutex::new(state),
        }
    }

    /// Records that `count` bytes were received from the client.
    pub(super) fn record_received(&self, count: usize, now: Instant) {
        let mut state = self.lock();
        state.last_activity = now;
        if state.active_requests == 0 {
            state.allowance = state.allowance.saturating_sub(count);
            state.head_started_at.get_or_insert(now);
        }
    }

    /// Records that bytes were sent to the client.
    pub(super) fn record_sent(&self, now: Instant) {
        self.lock().last_activity = now;
    }

    /// Waits until bytes may be received, and returns how many, at most `max`. Between requests no more than
    /// [`MAX_AHEAD_BYTES`] are allowed until Rocket has started the next one.
    pub(super) async fn read_allowance(&self, max: usize) -> usize {
        loop {
            let changed = self.request_changed.notified();
            {
                let state = self.lock();
                let allowed = if state.active_requests > 0 { max } else { state.allowance.min(max) };
                if allowed > 0 {
                    return allowed;
                }
            }
            changed.await;
        }
    }

    /// Starts a request, which lasts until the returned guard is dropped.
    pub(super) fn start_request(self: Arc<Self>) -> RequestGuard {
        {
            let mut state = self.lock();
            state.active_requests += 1;
            state.head_started_at = None;
        }
        self.request_changed.notify_one();
        RequestGuard(self)
    }

    fn idle_since(&self) -> Option<Instant> {
        let state = self.lock();
        (state.active_requests == 0).then_some(state.last_activity)
    }

    fn is_overdue(&self, now: Instant) -> bool {
        let state = self.lock();
        let has_timed_out = |since: Instant, timeout| now.saturating_duration_since(since) >= timeout;
        let head_is_late = state.head_started_at.is_some_and(|since| has_timed_out(since, HEAD_TIMEOUT));
        state.active_requests == 0 && (head_is_late || has_timed_out(state.last_activity, IDLE_TIMEOUT))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps the connection active while a request lasts.
pub(super) struct RequestGuard(Arc<Connection>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.active_requests -= 1;
        (state.head_started_at, state.allowance, state.last_activity) = (None, MAX_AHEAD_BYTES, Instant::now());
        drop(state);
        // The next head may be read.
        self.0.request_changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(last: u8) -> SocketAddr {
        SocketAddr::from(([192, 0, 2, last], 40_000))
    }

    fn is_closed(connections: &Connections, connection: &Connection) -> bool {
        let sets = connections.lock();
        !sets.open.contains_key(&connection.id) && !sets.spare.contains_key(&connection.id)
    }

    #[test]
    fn idle_connections_are_closed_at_the_limit_and_active_ones_are_not() -> Result<(), &'static str> {
        let connections = Connections::new(3, 2);
        let admit = |last| connections.admit(peer(last), false).ok_or("refused");
        let (first, second) = (admit(1)?, admit(1)?);
        let active = first.clone().start_request();
        let third = admit(1)?;
        assert!(
            is_closed(&connections, &second) && !is_closed(&connections, &first),
            "the limit per client closes the client's idle connection"
        );
        let others = [third.clone().start_request(), admit(2)?.start_request()];
        let spare = admit(1)?;
        assert!(spare.is_spare, "all connections of the client are active");
        let spares: Vec<_> = (0..MAX_SPARE).filter_map(|_| Some(admit(3).ok()?.start_request())).collect();
        assert_eq!(spares.len(), MAX_SPARE, "the idle spare connection was closed");
        assert!(is_closed(&connections, &spare) && connections.admit(peer(3), false).is_none());
        assert_eq!((connections.counts.open.get(), connections.counts.refused.get()), (3, 1));
        drop((active, spares));
        assert!(!admit(3)?.is_spare);
        assert!(is_closed(&connections, &first), "it was idle");
        drop(others);
        let proxied = Connections::new(8, 2);
        let admitted: Vec<_> = (0..8).filter_map(|_| Some(proxied.admit(peer(1), true)?.start_request())).collect();
        assert_eq!(admitted.len(), 8, "a proxy has no limit per client");
        Ok(())
    }

    #[test]
    fn idle_connections_and_incomplete_heads_time_out_but_active_requests_do_not() {
        let now = Instant::now();
        let after = |seconds| now + Duration::from_secs(seconds);
        let connection = Arc::new(Connection::new(1, peer(1), None, false, now));
        assert!(!connection.is_overdue(after(13)) && connection.is_overdue(after(15)), "silent from the beginning");
        connection.record_received(1, after(12));
        assert!(connection.is_overdue(after(15)), "single bytes do not extend the time");
        let request = connection.clone().start_request();
        assert!(!connection.is_overdue(after(600)), "an upload may take long");
        drop(request);
        let ended = connection.lock().last_activity;
        let later = |seconds| ended + Duration::from_secs(seconds);
        assert!(!connection.is_overdue(later(59)) && connection.is_overdue(later(60)), "kept for the next request");
        connection.record_sent(later(50));
        assert!(!connection.is_overdue(later(100)), "a response is still being sent");
        connection.record_received(1, later(100));
        assert!(!connection.is_overdue(later(113)) && connection.is_overdue(later(115)), "incomplete second head");
    }

    #[tokio::test]
    async fn no_more_than_a_head_is_read_before_a_request_starts() {
        let connection = Arc::new(Connection::new(1, peer(1), None, false, Instant::now()));
        assert_eq!(connection.read_allowance(1 << 20).await, MAX_AHEAD_BYTES);
        connection.record_received(MAX_AHEAD_BYTES, Instant::now());
        tokio::select! {
            biased;
            allowed = connection.read_allowance(100) => assert_eq!(allowed, 0, "nothing may be read"),
            () = std::future::ready(()) => {}
        }
        let request = connection.clone().start_request();
        assert_eq!(connection.read_allowance(1 << 20).await, 1 << 20);
        drop(request);
        assert_eq!(connection.read_allowance(1 << 20).await, MAX_AHEAD_BYTES, "the next head may be read");
    }
}
