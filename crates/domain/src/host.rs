//! Names of this machine. Whether a name means loopback is asked where the service is reached, where pages call it from,
//! and where tools go: the answer has to be the same.

use std::net::IpAddr;

use url::Host;

/// Whether a host is this machine itself, by address or by name.
pub fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => IpAddr::V6(*address).to_canonical().is_loopback(),
        Host::Domain(name) => is_localhost(name),
    }
}

/// RFC 6761, section 6.3: these names mean loopback, whatever a resolver says.
pub fn is_localhost(name: &str) -> bool {
    let name = canonical_name(name);
    name == "localhost" || name.ends_with(".localhost")
}

/// Lower case, without the dot that makes a name absolute.
pub fn canonical_name(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_many_names_and_others_look_like_them() {
        let is_loopback = |text: &str| is_loopback(&url::Url::parse(text).unwrap().host().unwrap());
        for own in
            ["http://localhost", "http://A.LocalHost.", "http://127.8.9.1", "http://[::1]", "http://[::ffff:127.0.0.1]"]
        {
            assert!(is_loopback(own), "{own}");
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
