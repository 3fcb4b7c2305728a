//! Tests of limits and time limits of connections.

use super::*;

fn peer(last: u8) -> SocketAddr {
    SocketAddr::from(([192, 0, 2, last], 40_000))
}

fn is_closed(connections: &Connections, connection: &Connection) -> bool {
    let sets = connections.lock();
    !sets.open.contains_key(&connection.id) && !sets.spare.contains_key(&connection.id)
}

/// Answers a request completely.
fn answer(connection: &Connection, now: Instant) {
    connection.end_request();
    connection.record_flushed(now);
}

#[test]
fn idle_connections_are_closed_at_the_limit_and_active_ones_are_not() -> Result<(), &'static str> {
    let connections = Connections::new(3, 2);
    let admit = |last| connections.admit(peer(last), false).ok_or("refused");
    let admit_active = |last| admit(last).inspect(|connection| connection.start_request());
    let (first, second) = (admit_active(1)?, admit(1)?);
    let third = admit(1)?;
    assert!(
        is_closed(&connections, &second) && !is_closed(&connections, &first),
        "the limit per client closes the client's idle connection"
    );
    third.start_request();
    let other = admit_active(2)?;
    let spare = admit(1)?;
    assert!(spare.is_spare, "all connections of the client are active");
    let spares: Vec<_> = (0..MAX_SPARE).filter_map(|_| admit_active(3).ok()).collect();
    assert_eq!(spares.len(), MAX_SPARE, "the idle spare connection was closed");
    assert!(is_closed(&connections, &spare) && connections.admit(peer(3), false).is_none());
    assert_eq!((connections.counts.open.get(), connections.counts.refused.get()), (3, 1));
    first.end_request();
    assert!(admit(3).is_err(), "its response is still being sent");
    answer(&first, Instant::now());
    assert!(!admit(3)?.is_spare && is_closed(&connections, &first), "it was idle");
    assert!(!is_closed(&connections, &third) && !is_closed(&connections, &other));
    let proxied = Connections::new(8, 2);
    let admitted: Vec<_> = (0..8).filter_map(|_| proxied.admit(peer(1), true)).collect();
    admitted.iter().for_each(|connection| connection.start_request());
    assert_eq!(admitted.len(), 8, "a proxy has no limit per client");
    Ok(())
}

#[test]
fn silent_slow_and_idle_connections_time_out_but_active_requests_do_not() {
    let now = Instant::now();
    let after = |seconds| now + Duration::from_secs(seconds);
    let connection = Connection::new(1, peer(1), None, false, now);
    assert!(!connection.is_overdue(after(13)) && connection.is_overdue(after(15)), "silent from the beginning");
    connection.record_received(1, after(12));
    assert!(connection.is_overdue(after(15)), "single bytes do not extend the time");
    connection.start_request();
    assert!(connection.is_overdue(after(15)), "Rocket waits for the beginning of the body");
    connection.lock().head_started_at = None;
    assert!(!connection.is_overdue(after(600)), "an upload may take long");
    connection.record_sent(0, after(600));
    connection.record_sent(15_000, after(620));
    assert!(!connection.is_overdue(after(629)) && connection.is_overdue(after(630)), "the client reads too slowly");
    connection.record_sent(1_384, after(629));
    assert!(!connection.is_overdue(after(1_000)), "it accepted 16 KiB in 30 seconds");
    answer(&connection, after(1_000));
    assert!(!connection.is_overdue(after(1_059)) && connection.is_overdue(after(1_060)), "kept for the next request");
    connection.record_received(1, after(1_050));
    assert!(!connection.is_overdue(after(1_063)) && connection.is_overdue(after(1_064)), "incomplete second head");
}

#[test]
fn refusals_are_never_sent_into_an_earlier_response() {
    let connection = Connection::new(1, peer(1), None, false, Instant::now());
    connection.start_request();
    assert!(connection.may_be_refused(), "nothing has been sent");
    connection.end_request();
    assert!(!connection.may_be_refused(), "the response is being sent");
    connection.start_request();
    assert!(!connection.may_be_refused(), "the response to the first request is being sent");
    answer(&connection, Instant::now());
    assert!(connection.may_be_refused());
}
