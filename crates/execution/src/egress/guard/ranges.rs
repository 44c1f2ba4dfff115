//! Classifies addresses by the IANA special-purpose registries of both families, plus the metadata services of the
//! large clouds. Of IPv6 only `2000::/3` is allocated as global unicast, so everything else is refused.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The purpose of an address that is not public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressRange {
    /// 127.0.0.0/8 and `::1`.
    Loopback,
    /// RFC 1918 and unique local IPv6 addresses.
    Private,
    /// Carrier-grade NAT, 100.64.0.0/10.
    Shared,
    /// Documentation, benchmarking, protocol assignments and similar.
    Reserved,
    /// 169.254.0.0/16 and `fe80::/10`.
    LinkLocal,
    /// Cloud services that issue the credentials of the machine.
    Metadata,
    /// 224.0.0.0/4 and `ff00::/8`.
    Multicast,
    /// 0.0.0.0/8 and `::`.
    Unspecified,
    /// 255.255.255.255.
    Broadcast,
    /// Teredo and local NAT64, which can reach any address.
    Tunnel,
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loopback => "a loopback address",
            Self::Private => "a private address",
            Self::Shared => "a shared (carrier-grade NAT) address",
            Self::Reserved => "a reserved address",
            Self::LinkLocal => "a link-local address",
            Self::Metadata => "a cloud metadata address",
            Self::Multicast => "a multicast address",
            Self::Unspecified => "an unspecified address",
            Self::Broadcast => "the broadcast address",
            Self::Tunnel => "a tunnel address",
        })
    }
}

/// Whether an address may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Public,
    /// Refused unless the rule allows it.
    Special(AddressRange),
    /// Refused regardless of the rule.
    Never(AddressRange),
}

const METADATA_V4: [Ipv4Addr; 3] = [
    Ipv4Addr::new(100, 100, 100, 200), // Alibaba
    Ipv4Addr::new(168, 63, 129, 16),   // Azure; an address in its public range
    Ipv4Addr::new(192, 0, 0, 192),     // Oracle
];

const METADATA_V6: [Ipv6Addr; 4] = [
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),      // Amazon
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),       // Google
    Ipv6Addr::new(0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe), // Oracle
    Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42),        // Scaleway
];

/// The address that the system dials for `address`: IPv4-mapped IPv6 (`::ffff:a.b.c.d`) is dialled as IPv4.
pub(super) fn dialled_address(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// The IPv4 address that a translator or a tunnel may extract from `address`, which is still dialled as IPv6.
pub(super) fn embedded_ipv4(address: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(v6) = address else { return None };
    let octets = v6.octets();
    let read_u32 = |at: usize| octets.iter().skip(at).take(4).fold(0, |bits, &octet| bits << 8 | u32::from(octet));
    match v6.segments() {
        // 64:ff9b::a.b.c.d, the well-known NAT64 prefix
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => Some(Ipv4Addr::from(read_u32(12))),
        // ::a.b.c.d, IPv4-compatible, except :: and ::1
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 || low > 1 => Some(Ipv4Addr::from(read_u32(12))),
        // 2002:aabb:ccdd::, 6to4
        [0x2002, ..] => Some(Ipv4Addr::from(read_u32(2))),
        _ => None,
    }
}

/// Classifies an address that [`dialled_address`] returned. An embedded IPv4 address decides for the IPv6 address.
pub(super) fn classify(address: IpAddr) -> Verdict {
    match embedded_ipv4(address).map_or(address, IpAddr::V4) {
        IpAddr::V4(v4) => classify_v4(v4),
        IpAddr::V6(v6) => classify_v6(v6),
    }
}

fn classify_v4(address: Ipv4Addr) -> Verdict {
    if METADATA_V4.contains(&address) {
        return Verdict::Never(AddressRange::Metadata);
    }
    match address.octets() {
        [0, ..] => Verdict::Never(AddressRange::Unspecified),
        [169, 254, 169, 254] => Verdict::Never(AddressRange::Metadata),
        [169, 254, ..] => Verdict::Never(AddressRange::LinkLocal),
        [224..=239, ..] => Verdict::Never(AddressRange::Multicast),
        [255, 255, 255, 255] => Verdict::Never(AddressRange::Broadcast),
        [127, ..] => Verdict::Special(AddressRange::Loopback),
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Verdict::Special(AddressRange::Private),
        [100, 64..=127, ..] => Verdict::Special(AddressRange::Shared),
        [192, 0, 0 | 2, _]                // protocol assignments; TEST-NET-1
        | [192, 31, 196, _]               // AS112
        | [192, 52, 193, _]               // AMT
        | [192, 88, 99, _]                // 6to4 relays, deprecated
        | [192, 175, 48, _]               // AS112
        | [198, 18 | 19, ..]              // benchmarking
        | [198, 51, 100, _]               // TEST-NET-2
        | [203, 0, 113, _]                // TEST-NET-3
        | [240..=255, ..] => Verdict::Special(AddressRange::Reserved),
        _ => Verdict::Public,
    }
}

fn classify_v6(address: Ipv6Addr) -> Verdict {
    if METADATA_V6.contains(&address) {
        return Verdict::Never(AddressRange::Metadata);
    }
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => Verdict::Never(AddressRange::Unspecified),
        [0, 0, 0, 0, 0, 0, 0, 1] => Verdict::Special(AddressRange::Loopback),
        [0xff00..=0xffff, ..] => Verdict::Never(AddressRange::Multicast),
        [0xfe80..=0xfebf, ..] => Verdict::Never(AddressRange::LinkLocal),
        [0x64, 0xff9b, 1, ..] | [0x2001, 0, ..] => Verdict::Never(AddressRange::Tunnel),
        [0xfc00..=0xfdff, ..] => Verdict::Special(AddressRange::Private),
        [0x2001, 0..=0x1ff | 0xdb8, ..]   // protocol assignments (AMT, AS112, ORCHID, DRIP...); documentation
        | [0x2620, 0x4f, 0x8000, ..]      // AS112
        | [0x3fff, 0..=0xfff, ..] => Verdict::Special(AddressRange::Reserved), // documentation
        [0x2000..=0x3fff, ..] => Verdict::Public,
        // Not allocated as global unicast, such as discard-only, segment routing and the former site-local addresses.
        _ => Verdict::Special(AddressRange::Reserved),
    }
}
