//! The egress guard gives every spelling of an address the same verdict as the address itself. No connection is opened.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use toolgate_execution::egress::guard::AddressRange;
use toolgate_execution::egress::{Blocked, EgressRule};
use url::Url;

const RULES: [&str; 6] =
    ["", "loopback", "private", "loopback:80,10.0.0.0/8", "::1,fc00::/7", "0.0.0.0/0,::/0,localhost"];

/// Checks any text as a host.
pub(crate) fn check_host(host: &str) {
    let Ok(url) = Url::parse(&format!("http://{host}/")) else { return };
    let port = url.port_or_known_default().unwrap_or_default();
    let has_no_userinfo = url.username().is_empty() && url.password().is_none();
    for rule in rules() {
        let verdict = without_address(rule.check_url(&url));
        assert!(has_no_userinfo || verdict.is_err(), "{host:?} under {rule}");
        if let Some(address) = ip_literal(&url).filter(|_| has_no_userinfo) {
            let expected_verdict = without_address(rule.check_address(&address.to_string(), address, port));
            assert_eq!(verdict, expected_verdict, "{host:?} under {rule}");
        }
    }
}

/// Checks the spellings of any IPv4 address.
pub(crate) fn check_ipv4(bits: u32) {
    let address = Ipv4Addr::from(bits);
    let [a, b, c, d] = address.octets();
    let spellings = [
        format!("{address}."),
        format!("{bits}"),
        format!("{bits:#x}"),
        format!("0{bits:o}"),
        format!("{a:#x}.{b:#o}.{c}.{d}").replace("0o", "0"),
        format!("{a}.{}", bits & 0x00ff_ffff),
        format!("{a}.{b}.{:#X}", bits & 0xffff).replace("0X", "0x"),
        format!("[::ffff:{address}]"),
        format!("[0:0:0:0:0:FFFF:{:X}:{:x}]", bits >> 16, bits & 0xffff),
        address.to_string().replace('.', "\u{3002}"),
        address.to_string().replace('1', "%31"),
    ];
    check_spellings(address.into(), &spellings);
}

/// Checks the spellings of any IPv6 address.
pub(crate) fn check_ipv6(bits: u128) {
    let address = Ipv6Addr::from(bits);
    let full = address.segments().map(|segment| format!("{segment:04X}"));
    let [.., a, b, c, d] = address.octets();
    let spellings =
        [format!("[{address}]"), format!("[{}]", full.join(":")), format!("[{}:{a}.{b}.{c}.{d}]", full[..6].join(":"))];
    check_spellings(address.into(), &spellings);
}

fn check_spellings(address: IpAddr, spellings: &[String]) {
    for rule in rules() {
        let expected_verdict = without_address(rule.check_address(&address.to_string(), address, 80));
        for spelling in spellings {
            let url = Url::parse(&format!("http://{spelling}/")).expect("each spelling is a valid host");
            assert_eq!(
                without_address(rule.check_url(&url)),
                expected_verdict,
                "{spelling} is {address}, under {rule}"
            );
        }
    }
}

fn rules() -> impl Iterator<Item = EgressRule> {
    RULES.iter().map(|text| text.parse().expect("the rule is valid"))
}

/// The IP address in the host of a URL, if it is not a domain.
fn ip_literal(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        url::Host::Ipv4(address) => Some(address.into()),
        url::Host::Ipv6(address) => Some(address.into()),
        url::Host::Domain(_) => None,
    }
}

/// The verdict without its address text, which depends on the spelling: the range, and whether no rule can allow it.
fn without_address(verdict: Result<(), Blocked>) -> Result<(), (Option<AddressRange>, bool)> {
    verdict.map_err(|blocked| match blocked {
        Blocked::NotAllowed { range, .. } => (Some(range), false),
        Blocked::Never { range, .. } => (Some(range), true),
        _ => (None, true),
    })
}
