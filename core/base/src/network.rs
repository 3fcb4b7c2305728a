//! IP networks, and which addresses count as one client.

use std::net::{IpAddr, Ipv6Addr};

/// Returns what counts as one client for limits: the IPv4 address itself, or the /64 network of an IPv6 address, which
/// is typically assigned to one household.
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
    }
}

/// An IP network in CIDR notation (`10.0.0.0/8`, `fd00::/8`), or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    /// Parses a network or an address; `None` if `text` is neither.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, bits) = match text.trim().split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u32>().ok()?)),
            None => (text.trim(), None),
        };
        let address: IpAddr = address.parse().ok()?;
        let max_bits = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(max_bits);
        (bits <= max_bits).then_some(Self { address, bits })
    }

    /// Returns whether `address` is in this network. An IPv4 network contains no IPv6 addresses, and vice versa.
    pub fn contains(self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let mask = u32::MAX.checked_shl(32 - self.bits).unwrap_or(0);
                network.to_bits() & mask == address.to_bits() & mask
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let mask = u128::MAX.checked_shl(128 - self.bits).unwrap_or(0);
                network.to_bits() & mask == address.to_bits() & mask
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_clients_are_grouped_by_their_64_bit_network() {
        let network = |text: &str| text.parse().map(client_network).map(|address| address.to_string());
        assert_eq!(network("2001:db8:1:2:3:4:5:6").as_deref(), Ok("2001:db8:1:2::"));
        assert_eq!(network("::ffff:192.0.2.1").as_deref(), Ok("192.0.2.1"));
        assert!(Network::parse("10.0.0.0/33").is_none() && Network::parse("host").is_none());
    }
}
