//! All connections: how many there are, whose they are, and which of them do nothing.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use festival_core::network::client_network;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::head::LARGEST_HEAD;

/// How long the head of a request may take, from its first byte; on a new connection from the connection on.
const LONGEST_HEAD: Duration = Duration::from_secs(14);
/// How long a connection is kept on which nothing moves between two requests.
const LONGEST_IDLE: Duration = Duration::from_secs(60);
/// What is passed on of a request before Rocket knows it: its head, and a beginning of its body.
const BEFORE_REQUEST: usize = LARGEST_HEAD + 1024;

/// Connections beyond the limit of which the first head is read: a probe finds room among them.
const SPARE: usize = 4;

/// The file descriptors that a connection needs: its own, and both ends of the way to Rocket.
const DESCRIPTORS: u64 = 3;
/// The file descriptors that are left for everything else: database, files that are read and written, mails.
const OTHER_DESCRIPTORS: u64 = 256;

/// As many connections as the system has descriptors for. Raises the soft limit to what the hard one allows.
#[cfg(unix)]
pub(super) fn affordable() -> u32 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(65_536).min(65_536);
    let raised = current.is_some_and(|current| current < wanted)
        && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_ok();
    let limit = if raised { wanted } else { current.unwrap_or(wanted) };
    u32::try_from(limit.saturating_sub(OTHER_DESCRIPTORS) / DESCRIPTORS).unwrap_or(u32::MAX).max(16)
}

#[cfg(not(unix))]
pub(super) fn affordable() -> u32 {
    u32::MAX
}

/// The connections of the front door.
pub(super) struct Connections {
    most: usize,
    most_per_client: usize,
    all: Mutex<All>,
    counts: Counts,
}

/// Figures of the connections.
#[derive(Default)]
pub(super) struct Counts {
    /// Those that are open.
    pub(super) open: Gauge,
    /// The most that there may be.
    pub(super) most: Gauge,
    /// Those that were turned away.
    pub(super) refused: Counter,
}

#[derive(Default)]
struct All {
    next: u64,
    open: HashMap<u64, Arc<Connection>>,
    /// Those beyond the limit.
    spare: HashMap<u64, Arc<Connection>>,
    /// Those that were passed on, by the port that Rocket sees.
    behind: HashMap<u16, Arc<Connection>>,
}

impl Connections {
    pub(super) fn new(most: u32, most_per_client: u32) -> Self {
        let [most, most_per_client] = [most, most_per_client].map(|count| count.max(1) as usize);
        let counts = Counts::default();
        counts.most.set(i64::try_from(most).unwrap_or(i64::MAX));
        Self { most, most_per_client, all: Mutex::default(), counts }
    }

    /// Lets a connection in. Where there are too many, the one that has done nothing for the longest time gives way;
    /// where all are at work, the new one is a spare one, or there is no room for it at all. `is_proxy`: it has no share
    /// of its own.
    pub(super) fn enter(&self, peer: SocketAddr, is_proxy: bool) -> Option<Arc<Connection>> {
        let client = (!is_proxy).then(|| client_network(peer.ip()));
        let mut all = self.lock();
        let own = || all.open.values().filter(|other| client.is_some() && other.client == client);
        let crowd = if own().count() >= self.most_per_client {
            Some(longest_idle(own()))
        } else if all.open.len() >= self.most {
            Some(longest_idle(all.open.values()))
        } else {
            None
        };
        let is_spare = matches!(crowd, Some(None));
        let gives_way = match crowd {
            Some(None) if all.spare.len() >= SPARE => match longest_idle(all.spare.values()) {
                Some(idle) => Some(idle),
                None => {
                    self.refuse();
                    return None;
                }
            },
            crowd => crowd.flatten(),
        };
        if let Some(gives_way) = gives_way {
            all.open.remove(&gives_way.id);
            all.spare.remove(&gives_way.id);
            gives_way.closed.notify_one();
        }
        all.next += 1;
        let connection = Arc::new(Connection::new(all.next, peer, client, is_spare, Instant::now()));
        let among = if is_spare { &mut all.spare } else { &mut all.open };
        among.insert(connection.id, connection.clone());
        self.count(&all);
        Some(connection)
    }

    /// One more was turned away.
    pub(super) fn refuse(&self) {
        self.counts.refused.inc();
    }

    /// The figures.
    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    fn count(&self, all: &All) {
        self.counts.open.set(i64::try_from(all.open.len()).unwrap_or(i64::MAX));
    }

    /// The connection that Rocket sees at `port` of this machine.
    pub(super) fn behind(&self, port: u16) -> Option<Arc<Connection>> {
        self.lock().behind.get(&port).cloned()
    }

    /// `connection` is passed on to Rocket through `port`.
    pub(super) fn pass_on(&self, connection: &Arc<Connection>, port: u16) {
        self.lock().behind.insert(port, connection.clone());
    }

    /// `connection` is over; it was passed on through `port`.
    pub(super) fn leave(&self, connection: &Connection, port: Option<u16>) {
        let mut all = self.lock();
        all.open.remove(&connection.id);
        all.spare.remove(&connection.id);
        self.count(&all);
        if let Some(port) = port
            && all.behind.get(&port).is_some_and(|other| other.id == connection.id)
        {
            all.behind.remove(&port);
        }
    }

    /// Closes what has done nothing for too long.
    pub(super) fn close_overdue(&self, now: Instant) {
        let all = self.lock();
        for connection in all.open.values().chain(all.spare.values()).filter(|connection| connection.is_overdue(now)) {
            connection.closed.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn longest_idle<'a>(connections: impl Iterator<Item = &'a Arc<Connection>>) -> Option<Arc<Connection>> {
    let idle = connections.filter_map(|connection| Some((connection.idle_since()?, connection)));
    idle.min_by_key(|(since, _)| *since).map(|(_, connection)| connection.clone())
}

/// One connection, and what is known of it.
pub(super) struct Connection {
    id: u64,
    /// Who is at its other end.
    pub(super) peer: SocketAddr,
    /// It is beyond the limit: only a probe is answered.
    pub(super) is_spare: bool,
    client: Option<IpAddr>,
    /// It is to be closed.
    pub(super) closed: Notify,
    /// A request began to be under way.
    begun: Notify,
    state: Mutex<State>,
}

struct State {
    /// Requests that Rocket knows and has not answered to their end.
    under_way: usize,
    /// When the head of a request began that is not under way yet.
    head_since: Option<Instant>,
    /// When something moved.
    moved: Instant,
    /// So many bytes may still come before a request is under way.
    room: usize,
}

impl Connection {
    fn new(id: u64, peer: SocketAddr, client: Option<IpAddr>, is_spare: bool, now: Instant) -> Self {
        let state = State { under_way: 0, head_since: Some(now), moved: now, room: BEFORE_REQUEST };
        Self { id, peer, is_spare, client, closed: Notify::new(), begun: Notify::new(), state: Mutex::new(state) }
    }

    /// So many bytes came from the visitor.
    pub(super) fn came(&self, count: usize, now: Instant) {
        let mut state = self.lock();
        state.moved = now;
        if state.under_way == 0 {
            state.room = state.room.saturating_sub(count);
            state.head_since.get_or_insert(now);
        }
    }

    /// Something went to the visitor.
    pub(super) fn went(&self, now: Instant) {
        self.lock().moved = now;
    }

    /// How much may come now, up to `most`. While no request is under way that is a head; then it waits for Rocket.
    pub(super) async fn room(&self, most: usize) -> usize {
        loop {
            let begun = self.begun.notified();
            {
                let state = self.lock();
                let room = if state.under_way > 0 { most } else { state.room.min(most) };
                if room > 0 {
                    return room;
                }
            }
            begun.await;
        }
    }

    /// A request is under way until what is answered here is dropped.
    pub(super) fn under_way(self: Arc<Self>) -> InFlight {
        {
            let mut state = self.lock();
            state.under_way += 1;
            state.head_since = None;
        }
        self.begun.notify_one();
        InFlight(self)
    }

    fn idle_since(&self) -> Option<Instant> {
        let state = self.lock();
        (state.under_way == 0).then_some(state.moved)
    }

    fn is_overdue(&self, now: Instant) -> bool {
        let state = self.lock();
        let long = |since: Instant, longest| now.saturating_duration_since(since) >= longest;
        let head_is_late = state.head_since.is_some_and(|since| long(since, LONGEST_HEAD));
        state.under_way == 0 && (head_is_late || long(state.moved, LONGEST_IDLE))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is under way.
pub(super) struct InFlight(Arc<Connection>);

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.under_way -= 1;
        (state.head_since, state.room, state.moved) = (None, BEFORE_REQUEST, Instant::now());
        drop(state);
        // Whoever waits with a new head may go on.
        self.0.begun.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(last: u8) -> SocketAddr {
        SocketAddr::from(([192, 0, 2, last], 40_000))
    }

    fn is_over(connections: &Connections, connection: &Connection) -> bool {
        let all = connections.lock();
        !all.open.contains_key(&connection.id) && !all.spare.contains_key(&connection.id)
    }

    #[test]
    fn what_does_nothing_gives_way_and_what_works_does_not() -> Result<(), &'static str> {
        let connections = Connections::new(3, 2);
        let enter = |last| connections.enter(peer(last), false).ok_or("turned away");
        let (first, second) = (enter(1)?, enter(1)?);
        let at_work = first.clone().under_way();
        let third = enter(1)?;
        assert!(is_over(&connections, &second) && !is_over(&connections, &first), "a client has its share");
        let others = [third.clone().under_way(), enter(2)?.under_way()];
        let spare = enter(1)?;
        assert!(spare.is_spare, "all of its own are at work");
        let spares: Vec<_> = (0..SPARE).filter_map(|_| Some(enter(3).ok()?.under_way())).collect();
        assert_eq!(spares.len(), SPARE, "all are at work; the idle spare one gave way");
        assert!(is_over(&connections, &spare) && connections.enter(peer(3), false).is_none());
        assert_eq!((connections.counts.open.get(), connections.counts.refused.get()), (3, 1));
        drop((at_work, spares));
        assert!(!enter(3)?.is_spare);
        assert!(is_over(&connections, &first), "it had been quiet");
        drop(others);
        let proxied = Connections::new(8, 2);
        let inside: Vec<_> = (0..8).filter_map(|_| Some(proxied.enter(peer(1), true)?.under_way())).collect();
        assert_eq!(inside.len(), 8, "a proxy has no share");
        Ok(())
    }

    #[test]
    fn silence_and_half_heads_have_an_end_and_work_has_none() {
        let now = Instant::now();
        let after = |seconds| now + Duration::from_secs(seconds);
        let connection = Arc::new(Connection::new(1, peer(1), None, false, now));
        assert!(!connection.is_overdue(after(13)) && connection.is_overdue(after(15)), "silent from the beginning");
        connection.came(1, after(12));
        assert!(connection.is_overdue(after(15)), "a byte now and then buys no time");
        let request = connection.clone().under_way();
        assert!(!connection.is_overdue(after(600)), "a form may take long");
        drop(request);
        let ended = connection.lock().moved;
        let later = |seconds| ended + Duration::from_secs(seconds);
        assert!(!connection.is_overdue(later(59)) && connection.is_overdue(later(60)), "kept for the next request");
        connection.went(later(50));
        assert!(!connection.is_overdue(later(100)), "an answer is still on its way");
        connection.came(1, later(100));
        assert!(!connection.is_overdue(later(113)) && connection.is_overdue(later(115)), "half a second head");
    }

    #[tokio::test]
    async fn no_more_than_a_head_comes_before_a_request() {
        let connection = Arc::new(Connection::new(1, peer(1), None, false, Instant::now()));
        assert_eq!(connection.room(1 << 20).await, BEFORE_REQUEST);
        connection.came(BEFORE_REQUEST, Instant::now());
        tokio::select! {
            biased;
            room = connection.room(100) => assert_eq!(room, 0, "nothing may come"),
            () = std::future::ready(()) => {}
        }
        let request = connection.clone().under_way();
        assert_eq!(connection.room(1 << 20).await, 1 << 20);
        drop(request);
        assert_eq!(connection.room(1 << 20).await, BEFORE_REQUEST, "the next one has room again");
    }
}
