//! The network of a client. Limits count networks, because one client can use many IPv6 addresses.

use std::net::{IpAddr, Ipv6Addr};

/// The address; for IPv6 its /64 network, because one machine usually has all addresses of it.
pub(crate) fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}
