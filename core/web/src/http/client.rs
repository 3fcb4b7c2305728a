//! Who asks, and how: the client's address and protocol, also behind proxies that we trust.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use rocket::Request;

use festival_base::network::Network;

/// The address that `request` comes from. What `X-Forwarded-For` says counts only where the peer, and each proxy
/// after the one that added an entry, is among `trusted` (networks like `10.0.0.0/8`): the rightmost address that
/// is not a trusted proxy's.
pub fn client_address(request: &Request<'_>, trusted: &[String]) -> IpAddr {
    let peer = peer(request);
    let forwarded: Vec<&str> = request.headers().get("X-Forwarded-For").flat_map(|value| value.split(',')).collect();
    rightmost_untrusted(peer, &forwarded, trusted)
}

/// Whether the visitor sent `request` without TLS, to a site that is behind it.
///
/// Where the peer is among `trusted`, its `X-Forwarded-Proto` says so; a proxy that says nothing is taken to speak
/// for https. Any other peer is a visitor himself, except this machine: what stands there is a probe, or a proxy that
/// the settings forgot, and sending that to https would send it in circles. So would not believing the word "https".
pub(super) fn came_in_the_clear(request: &Request<'_>, trusted: &[String]) -> bool {
    let said: Vec<&str> = request.headers().get("X-Forwarded-Proto").flat_map(|value| value.split(',')).collect();
    let peer = peer(request);
    if said.iter().any(|protocol| protocol.trim().eq_ignore_ascii_case("https")) {
        false
    } else if is_trusted(peer, trusted) {
        !said.is_empty()
    } else {
        !peer.is_loopback()
    }
}

/// Who is at the other end of the connection.
fn peer(request: &Request<'_>) -> IpAddr {
    request.remote().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.ip().to_canonical())
}

fn is_trusted(address: IpAddr, trusted: &[String]) -> bool {
    trusted.iter().filter_map(|text| Network::parse(text)).any(|network| network.contains(address))
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

/// An address as proxies write it: bare, with a port, in brackets.
fn parse_address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    let address = text.parse::<SocketAddr>().map(|socket| socket.ip()).or_else(|_| bare.parse::<IpAddr>());
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let trusted: Vec<String> = trusted.iter().map(|text| (*text).to_owned()).collect();
        let peer = peer.parse().unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        rightmost_untrusted(peer, forwarded, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(seen("192.0.2.9", &["198.51.100.1"], &[]), "192.0.2.9");
        assert_eq!(seen("192.0.2.9", &["198.51.100.1"], &["10.0.0.0/8"]), "192.0.2.9");
        assert_eq!(seen("10.1.2.3", &["198.51.100.1"], &["10.0.0.0/8"]), "198.51.100.1");
        // What the client wrote itself stands to the left of what the proxy saw.
        assert_eq!(seen("10.1.2.3", &["203.0.113.5", " 198.51.100.1"], &["10.0.0.0/8"]), "198.51.100.1");
        assert_eq!(seen("10.1.2.3", &["198.51.100.1", "10.9.9.9"], &["10.0.0.0/8"]), "198.51.100.1");
        assert_eq!(seen("10.1.2.3", &["nonsense"], &["10.0.0.0/8"]), "10.1.2.3");
        assert_eq!(seen("::ffff:10.1.2.3", &["[2001:db8::1]:443"], &["10.0.0.0/8"]), "2001:db8::1");
        assert_eq!(seen("fd00::1", &["198.51.100.1:80"], &["fd00::/8"]), "198.51.100.1");
        assert_eq!(seen("192.0.2.9", &["198.51.100.1"], &["0.0.0.0/0"]), "198.51.100.1");
    }
}
