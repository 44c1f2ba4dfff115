//! Loopback host names. The listener, the Origin check and the egress guard share these rules, because they must agree.

use std::net::IpAddr;

use url::Host;

/// Whether a host is loopback, by address or by name.
pub fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => IpAddr::V6(*address).to_canonical().is_loopback(),
        Host::Domain(name) => is_localhost(name),
    }
}

/// Whether a name is reserved for loopback (RFC 6761, section 6.3), regardless of what a resolver returns.
pub fn is_localhost(name: &str) -> bool {
    let name = canonical_name(name);
    name == "localhost" || name.ends_with(".localhost")
}

/// The name in lower case, without the trailing dot of an absolute name.
pub fn canonical_name(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_names_and_addresses_are_recognised_and_similar_ones_are_not() {
        let is_loopback = |text: &str| is_loopback(&url::Url::parse(text).unwrap().host().unwrap());
        for loopback in
            ["http://localhost", "http://A.LocalHost.", "http://127.8.9.1", "http://[::1]", "http://[::ffff:127.0.0.1]"]
        {
            assert!(is_loopback(loopback), "{loopback}");
        }
        for other in [
            "http://localhost.example",
            "http://mylocalhost",
            "http://10.0.0.1",
            "http://[::2]",
            "http://[64:ff9b::7f00:1]",
        ] {
            assert!(!is_loopback(other), "{other}");
        }
    }
}
