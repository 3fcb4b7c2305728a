//! IP networks, and which addresses count as one client.

use std::net::{IpAddr, Ipv6Addr};

pub use ipnet::IpNet;

/// Returns what counts as one client for limits: the IPv4 address itself, or the /64 network of an IPv6 address, which
/// is typically assigned to one household.
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
    }
}

/// Parses a network in CIDR notation (`10.0.0.0/8`, `fd00::/8`) or a single address; `None` if `text` is neither.
pub fn parse_network(text: &str) -> Option<IpNet> {
    let text = text.trim();
    text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_clients_are_grouped_by_their_64_bit_network() {
        let network = |text: &str| text.parse().map(client_network).map(|address| address.to_string());
        assert_eq!(network("2001:db8:1:2:3:4:5:6").as_deref(), Ok("2001:db8:1:2::"));
        assert_eq!(network("::ffff:192.0.2.1").as_deref(), Ok("192.0.2.1"));
    }

    #[test]
    fn networks_and_single_addresses_are_read() {
        let contains = |network: &str, address: &str| {
            parse_network(network)
                .zip(address.parse().ok())
                .map(|(network, address): (_, IpAddr)| network.contains(&address))
        };
        assert_eq!(contains("10.0.0.0/8", "10.9.8.7"), Some(true));
        assert_eq!(contains("10.0.0.1/8", "11.0.0.1"), Some(false));
        assert_eq!(contains(" 192.0.2.7 ", "192.0.2.7"), Some(true));
        assert_eq!(contains("192.0.2.7", "192.0.2.8"), Some(false));
        assert_eq!(contains("fd00::/8", "fd12::1"), Some(true));
        assert_eq!(contains("0.0.0.0/0", "fd12::1"), Some(false));
        assert!(parse_network("10.0.0.0/33").is_none() && parse_network("host").is_none());
    }
}
