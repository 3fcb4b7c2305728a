//! Addresses and networks of clients.

use std::net::{IpAddr, Ipv6Addr};

/// What counts as one client: an IPv4 address, or the /64 of an IPv6 address, which one household has to itself.
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
    }
}

/// A network: `10.0.0.0/8`, `fd00::/8`, or one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    /// Reads a network; `None` where `text` is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, bits) = match text.trim().split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u32>().ok()?)),
            None => (text.trim(), None),
        };
        let address: IpAddr = address.parse().ok()?;
        let widest = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(widest);
        (bits <= widest).then_some(Self { address, bits })
    }

    /// Whether the address is in it.
    pub fn holds(self, other: IpAddr) -> bool {
        match (self.address, other) {
            (IpAddr::V4(ours), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - self.bits).unwrap_or(0);
                ours.to_bits() & mask == other.to_bits() & mask
            }
            (IpAddr::V6(ours), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - self.bits).unwrap_or(0);
                ours.to_bits() & mask == other.to_bits() & mask
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_household_is_one_client() {
        let network = |text: &str| text.parse().map(client_network).map(|address| address.to_string());
        assert_eq!(network("2001:db8:1:2:3:4:5:6").as_deref(), Ok("2001:db8:1:2::"));
        assert_eq!(network("::ffff:192.0.2.1").as_deref(), Ok("192.0.2.1"));
        assert!(Network::parse("10.0.0.0/33").is_none() && Network::parse("host").is_none());
    }
}
