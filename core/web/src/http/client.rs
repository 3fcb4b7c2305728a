//! The client's address and protocol, also behind trusted proxies.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Once;

use rocket::Request;

use festival_base::network::parse_network;

/// Returns the client's address: the rightmost address in `X-Forwarded-For` that is not a trusted proxy's.
///
/// An entry of the header counts only if the peer, and every proxy after the one that added it, is among the `trusted`
/// networks ("10.0.0.0/8"). Without such an entry it is the peer's address.
pub fn client_address(request: &Request<'_>, trusted: &[String]) -> IpAddr {
    let peer = peer(request);
    let forwarded: Vec<&str> = request.headers().get("X-Forwarded-For").flat_map(|value| value.split(',')).collect();
    if !forwarded.is_empty() && is_private(peer) && !is_trusted(peer, trusted) {
        static REPORT: Once = Once::new();
        REPORT.call_once(|| {
            tracing::warn!(%peer, "a proxy that trusted_proxies does not name: all visitors behind it count as one");
        });
    }
    rightmost_untrusted(peer, &forwarded, trusted)
}

/// Whether the visitor sent a request over plain HTTP that came from `peer` with these values of `X-Forwarded-Proto`.
///
/// A `trusted` peer says so in `X-Forwarded-Proto`; without the header its visitors are assumed to use https. Any other
/// peer is the visitor, except on the loopback interface: there it is a health check, or a proxy missing from the
/// settings, which a redirect to https would send into a loop. For the same reason "https" in the header is believed
/// from everybody.
pub(super) fn is_plain_http<'v>(peer: IpAddr, protocols: impl Iterator<Item = &'v str>, trusted: &[String]) -> bool {
    let protocols: Vec<&str> = protocols.flat_map(|value| value.split(',')).collect();
    let peer = peer.to_canonical();
    if protocols.iter().any(|protocol| protocol.trim().eq_ignore_ascii_case("https")) {
        false
    } else if is_trusted(peer, trusted) {
        !protocols.is_empty()
    } else {
        !peer.is_loopback()
    }
}

/// As [`is_plain_http`], for a request that Rocket answers.
pub(super) fn came_over_plain_http(request: &Request<'_>, trusted: &[String]) -> bool {
    is_plain_http(peer(request), request.headers().get("X-Forwarded-Proto"), trusted)
}

/// Returns the address at the other end of the connection.
fn peer(request: &Request<'_>) -> IpAddr {
    request.remote().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.ip().to_canonical())
}

/// Whether an address belongs to a machine of the operator's: visitors may write the header as well, and their addresses are
/// not logged.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    }
}

fn is_trusted(address: IpAddr, trusted: &[String]) -> bool {
    trusted.iter().filter_map(|text| parse_network(text)).any(|network| network.contains(&address))
}

fn rightmost_untrusted(peer: IpAddr, forwarded: &[&str], trusted: &[String]) -> IpAddr {
    let mut address = peer.to_canonical();
    for entry in forwarded.iter().rev() {
        if !is_trusted(address, trusted) {
            break;
        }
        match parse_address(entry.trim()) {
            Some(next) => address = next,
            None => break,
        }
    }
    address
}

/// Parses an address as proxies write it: bare, with a port, or in brackets.
fn parse_address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    let address = text.parse::<SocketAddr>().map(|socket| socket.ip()).or_else(|_| bare.parse::<IpAddr>());
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let trusted: Vec<String> = trusted.iter().map(|text| (*text).to_owned()).collect();
        let peer = peer.parse().unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        rightmost_untrusted(peer, forwarded, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(client("192.0.2.9", &["198.51.100.1"], &[]), "192.0.2.9");
        assert_eq!(client("192.0.2.9", &["198.51.100.1"], &["10.0.0.0/8"]), "192.0.2.9");
        assert_eq!(client("10.1.2.3", &["198.51.100.1"], &["10.0.0.0/8"]), "198.51.100.1");
        // A forged entry of the client is to the left of the proxy's own.
        assert_eq!(client("10.1.2.3", &["203.0.113.5", " 198.51.100.1"], &["10.0.0.0/8"]), "198.51.100.1");
        assert_eq!(client("10.1.2.3", &["198.51.100.1", "10.9.9.9"], &["10.0.0.0/8"]), "198.51.100.1");
        assert_eq!(client("10.1.2.3", &["nonsense"], &["10.0.0.0/8"]), "10.1.2.3");
        assert_eq!(client("::ffff:10.1.2.3", &["[2001:db8::1]:443"], &["10.0.0.0/8"]), "2001:db8::1");
        assert_eq!(client("fd00::1", &["198.51.100.1:80"], &["fd00::/8"]), "198.51.100.1");
        assert_eq!(client("192.0.2.9", &["198.51.100.1"], &["0.0.0.0/0"]), "198.51.100.1");
    }
}
