//! The owner's exceptions, `TOOLGATE_UPSTREAM_ALLOW`: which addresses tools may call beside public ones.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net};
use toolgate_domain::host::canonical_name;
use url::Host;

use super::ranges::{Range, Verdict, dialled, embedded, judge};

/// What may be called beside public addresses; empty by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EgressRule {
    items: Vec<Item>,
}

/// One exception, for one port or for all.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    subject: Subject,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    Loopback,
    Private,
    Net(IpNet),
    /// Wherever this name leads; in its canonical form.
    Name(String),
}

/// An item of the setting that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("TOOLGATE_UPSTREAM_ALLOW: {item:?} {problem}")]
pub struct EgressRuleError {
    /// The item as written.
    pub item: String,
    /// What is wrong with it.
    pub problem: BadItem,
}

/// What is wrong with an item of the setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadItem {
    /// Neither word, address, network nor name.
    #[error("is neither `loopback`, `private`, an IP address, a network such as 10.0.0.0/8, nor a host name")]
    Unknown,
    /// A network whose address or prefix length is wrong.
    #[error("is not a network: write an IP address, a slash and a prefix length, such as 10.0.0.0/8")]
    Network,
    /// A port that is no number from 1 to 65535.
    #[error("ends in a port that is not a number from 1 to 65535")]
    Port,
    /// A number that browsers read as an address.
    #[error("is a number that stands for an IP address: write that address in its usual form")]
    DisguisedAddress,
}

impl EgressRule {
    /// Public addresses only.
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether an item names this host or address. The caller has refused what may never be called.
    ///
    /// An IPv6 address that carries an IPv4 address (NAT64, 6to4...) is another machine than the one the IPv4 address
    /// names, so only a network that contains the IPv6 address itself opens it.
    pub(super) fn allows(&self, host: Option<&str>, address: IpAddr, port: u16) -> bool {
        let is_plain = embedded(address).is_none();
        let names_port = |item: &&Item| item.port.is_none_or(|only| only == port);
        self.items.iter().filter(names_port).any(|item| match &item.subject {
            Subject::Loopback => is_plain && judge(address) == Verdict::Special(Range::Loopback),
            Subject::Private => is_plain && judge(address) == Verdict::Special(Range::Private),
            Subject::Net(net) => net.contains(&address),
            Subject::Name(name) => is_plain && host.is_some_and(|host| *name == canonical_name(host)),
        })
    }
}

impl FromStr for EgressRule {
    type Err = EgressRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut items = Vec::new();
        for word in text.split([',', ' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()) {
            let item = item(word).map_err(|problem| EgressRuleError { item: word.to_owned(), problem })?;
            if !items.contains(&item) {
                items.push(item);
            }
        }
        Ok(Self { items })
    }
}

fn item(word: &str) -> Result<Item, BadItem> {
    let (subject, port) = split_port(word)?;
    let port = port.map(|digits| digits.parse().ok().filter(|&port| port != 0).ok_or(BadItem::Port)).transpose()?;
    Ok(Item { subject: parse_subject(subject)?, port })
}

/// Colons belong to IPv6 addresses first; a port after one needs brackets, as in URLs.
fn split_port(word: &str) -> Result<(&str, Option<&str>), BadItem> {
    if let Some((inside, after)) = word.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return match after.strip_prefix(':') {
            Some(port) => Ok((inside, Some(port))),
            None if after.is_empty() => Ok((inside, None)),
            None => Err(BadItem::Unknown),
        };
    }
    let is_ipv6 = word.matches(':').count() > 1;
    Ok(match word.split_once(':') {
        Some((subject, port)) if !is_ipv6 => (subject, Some(port)),
        _ => (word, None),
    })
}

fn parse_subject(text: &str) -> Result<Subject, BadItem> {
    match text.to_ascii_lowercase().as_str() {
        "loopback" => return Ok(Subject::Loopback),
        "private" => return Ok(Subject::Private),
        _ => {}
    }
    if let Ok(address) = text.parse::<IpAddr>() {
        return Ok(Subject::Net(dialled(address).into()));
    }
    if text.contains('/') {
        return text.parse().map(|net: IpNet| Subject::Net(unmapped(net.trunc()))).map_err(|_| BadItem::Network);
    }
    match Host::parse(text) {
        Ok(Host::Domain(name)) if name.chars().all(|found| found.is_ascii_alphanumeric() || "-._".contains(found)) => {
            // A dot alone is no name.
            Some(canonical_name(&name)).filter(|name| !name.is_empty()).map(Subject::Name).ok_or(BadItem::Unknown)
        }
        Ok(Host::Ipv4(_)) => Err(BadItem::DisguisedAddress),
        _ => Err(BadItem::Unknown),
    }
}

/// Networks in `::ffff:0:0/96` are IPv4 networks, for the addresses in them are compared as IPv4.
fn unmapped(net: IpNet) -> IpNet {
    let IpNet::V6(v6) = net else { return net };
    let v4 = v6.addr().to_ipv4_mapped().zip(v6.prefix_len().checked_sub(96));
    v4.and_then(|(address, len)| Ipv4Net::new(address, len).ok()).map_or(net, IpNet::V4)
}

impl fmt::Display for EgressRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.items.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            item.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = match &self.subject {
            Subject::Loopback => "loopback".to_owned(),
            Subject::Private => "private".to_owned(),
            Subject::Net(net) if net.prefix_len() == net.max_prefix_len() => net.addr().to_string(),
            Subject::Net(net) => net.to_string(),
            Subject::Name(name) => name.clone(),
        };
        match self.port {
            Some(port) if subject.contains(':') => write!(f, "[{subject}]:{port}"),
            Some(port) => write!(f, "{subject}:{port}"),
            None => f.write_str(&subject),
        }
    }
}
