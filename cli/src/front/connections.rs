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

/// Length limit of a request head, in bytes.
pub(super) const MAX_HEAD_BYTES: usize = 16 * 1024;
/// Time in which the head of a request must be complete, from its first byte; for the first one, from the connection's
/// start.
const HEAD_TIMEOUT: Duration = Duration::from_secs(14);
/// Time for which a connection without a request is kept open.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// Time in which a client that is slower than its response must accept [`MIN_ACCEPTED`] bytes.
const ACCEPT_TIMEOUT: Duration = Duration::from_secs(30);
const MIN_ACCEPTED: usize = 16 * 1024;

/// Connections beyond the limit whose first head is read, so that health checks are served even then.
const MAX_SPARE: usize = 4;

/// File descriptors per connection: its own, and both ends of a connection to Rocket.
const DESCRIPTORS_PER_CONNECTION: u64 = 3;
/// File descriptors that are reserved for everything else: database, files, mails.
const RESERVED_DESCRIPTORS: u64 = 256;

/// Returns how many connections the system has file descriptors for, with the soft limit raised to the hard one; at least
/// 16.
pub(super) fn descriptor_limit() -> u32 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(65_536).min(65_536);
    let raised = current.is_some_and(|current| current < wanted)
        && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_ok();
    let limit = if raised { wanted } else { current.unwrap_or(wanted) };
    u32::try_from(limit.saturating_sub(RESERVED_DESCRIPTORS) / DESCRIPTORS_PER_CONNECTION).unwrap_or(u32::MAX).max(16)
}

/// The connections of the front server.
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

    /// Removes a connection that has ended.
    pub(super) fn remove(&self, connection: &Connection) {
        let mut sets = self.lock();
        sets.open.remove(&connection.id);
        sets.spare.remove(&connection.id);
        self.update_open_count(&sets);
    }

    /// Records that Rocket has begun the request of a connection.
    pub(super) fn record_begun(&self, id: u64) {
        let sets = self.lock();
        let connection = sets.open.get(&id).or_else(|| sets.spare.get(&id));
        connection.into_iter().for_each(|connection| connection.lock().head_started_at = None);
    }

    /// Whether a connection has not sent the whole head of its request yet, or Rocket has not begun it.
    pub(super) fn has_outstanding_heads(&self) -> bool {
        self.lock().open.values().any(|connection| connection.lock().head_started_at.is_some())
    }

    /// Whether a request is being answered.
    pub(super) fn is_answering(&self) -> bool {
        self.lock().open.values().any(|connection| connection.is_answering())
    }

    /// Lets all connections end: those without a request now, the others after their response.
    pub(super) fn end(&self) {
        self.lock().open.values().for_each(|connection| connection.last_request.notify_one());
    }

    /// Closes connections that are silent, idle or slow for too long.
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
    pub(super) id: u64,
    /// The client's address and port.
    pub(super) peer: SocketAddr,
    /// Whether it is beyond the limit, and serves health checks only.
    pub(super) is_spare: bool,
    /// The network that the limit per client applies to; none for a trusted proxy.
    client: Option<IpAddr>,
    /// Notified when the connection is to be closed.
    pub(super) closed: Notify,
    /// Notified when the connection is to end after the current request.
    pub(super) last_request: Notify,
    state: Mutex<State>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Between requests, or receiving the head of one. All responses have been sent.
    Waiting,
    /// A request is being answered. `is_first_to_send`: all earlier responses have been sent.
    Answering { is_first_to_send: bool },
    /// The whole response is known, and being sent.
    Sending,
}

struct State {
    phase: Phase,
    /// When the head of a request began that Rocket has not begun yet.
    head_started_at: Option<Instant>,
    /// Bytes received since the last response was sent.
    received: usize,
    /// When bytes were last received or sent.
    last_activity: Instant,
    /// Since when the client has not accepted [`MIN_ACCEPTED`] bytes, and how many it has; none if it keeps up.
    slow_since: Option<(Instant, usize)>,
}

impl Connection {
    fn new(id: u64, peer: SocketAddr, client: Option<IpAddr>, is_spare: bool, now: Instant) -> Self {
        let state = State {
            phase: Phase::Waiting,
            head_started_at: Some(now),
            received: 0,
            last_activity: now,
            slow_since: None,
        };
        let (closed, last_request) = (Notify::new(), Notify::new());
        Self { id, peer, is_spare, client, closed, last_request, state: Mutex::new(state) }
    }

    /// Records that `count` bytes were received from the client.
    pub(super) fn record_received(&self, count: usize, now: Instant) {
        let mut state = self.lock();
        state.last_activity = now;
        if state.phase == Phase::Waiting && count > 0 {
            state.received += count;
            state.head_started_at.get_or_insert(now);
        }
    }

    /// Records that the client accepted `count` bytes; none if it accepts nothing at the moment.
    pub(super) fn record_sent(&self, count: usize, now: Instant) {
        let mut state = self.lock();
        if count > 0 {
            state.last_activity = now;
        }
        state.slow_since = match state.slow_since {
            Some((_, accepted)) if accepted + count >= MIN_ACCEPTED => None,
            Some((since, accepted)) => Some((since, accepted + count)),
            None => (count == 0).then_some((now, 0)),
        };
    }

    /// Records that everything has been sent so far.
    pub(super) fn record_flushed(&self, now: Instant) {
        let mut state = self.lock();
        state.slow_since = None;
        if state.phase == Phase::Sending {
            (state.phase, state.head_started_at, state.received, state.last_activity) = (Phase::Waiting, None, 0, now);
        }
    }

    /// Starts a request, whose head is complete.
    pub(super) fn start_request(&self) {
        let mut state = self.lock();
        state.phase = Phase::Answering { is_first_to_send: state.phase == Phase::Waiting };
        state.head_started_at.get_or_insert_with(Instant::now);
    }

    /// Ends a request: nothing will be added to its response.
    pub(super) fn end_request(&self) {
        let mut state = self.lock();
        (state.phase, state.head_started_at) = (Phase::Sending, None);
    }

    /// Whether a request is being answered, until its response has been sent.
    pub(super) fn is_answering(&self) -> bool {
        self.lock().phase != Phase::Waiting
    }

    /// Whether the next bytes that the client gets are not part of an earlier response.
    pub(super) fn may_be_refused(&self) -> bool {
        matches!(self.lock().phase, Phase::Waiting | Phase::Answering { is_first_to_send: true })
    }

    /// Whether the head that was received last is too large.
    pub(super) fn is_head_too_large(&self) -> bool {
        self.lock().received >= MAX_HEAD_BYTES
    }

    fn idle_since(&self) -> Option<Instant> {
        (!self.is_answering()).then(|| self.lock().last_activity)
    }

    fn is_overdue(&self, now: Instant) -> bool {
        let state = self.lock();
        let has_timed_out = |since: Instant, timeout| now.saturating_duration_since(since) >= timeout;
        // How long a request may take from then on is up to its handler.
        let is_late = state.head_started_at.is_some_and(|since| has_timed_out(since, HEAD_TIMEOUT));
        let is_slow = state.slow_since.is_some_and(|(since, _)| has_timed_out(since, ACCEPT_TIMEOUT));
        let is_idle = state.phase == Phase::Waiting && has_timed_out(state.last_activity, IDLE_TIMEOUT);
        is_late || is_slow || is_idle
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
