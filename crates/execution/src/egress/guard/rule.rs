//! The operator's setting `TOOLGATE_UPSTREAM_ALLOW`: the non-public addresses that tools may call.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net};
use toolgate_domain::host::canonical_name;
use url::Host;

use super::ranges::{AddressRange, Verdict, classify, dialled_address, embedded_ipv4};

/// The non-public addresses that tools may call; empty by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EgressRule {
    items: Vec<EgressRuleItem>,
}

/// One exception, for one port or for all.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EgressRuleItem {
    target: AllowedTarget,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum AllowedTarget {
    Loopback,
    Private,
    Net(IpNet),
    /// Any address of this host name, which is in canonical form.
    Name(String),
}

/// An invalid item of the setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("TOOLGATE_UPSTREAM_ALLOW: {item:?} {problem}")]
pub struct EgressRuleError {
    /// The item as written.
    pub item: String,
    /// What is wrong with it.
    pub problem: BadRuleItem,
}

/// What is wrong with an item of the setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadRuleItem {
    /// Not a keyword, address, network or name.
    #[error("is neither `loopback`, `private`, an IP address, a network such as 10.0.0.0/8, nor a host name")]
    Unknown,
    /// A network whose address or prefix length is wrong.
    #[error("is not a network: write an IP address, a slash and a prefix length, such as 10.0.0.0/8")]
    Network,
    /// A port that is not a number from 1 to 65535.
    #[error("ends in a port that is not a number from 1 to 65535")]
    Port,
    /// A notation such as `0x7f.1`, which URL parsers read as an IPv4 address.
    #[error("is an unusual notation of an IPv4 address: write four decimal numbers, such as 127.0.0.1")]
    UnusualNotation,
}

impl EgressRule {
    /// Public addresses only.
    pub fn none() -> Self {
        Self::default()
    }

    /// Public addresses and loopback.
    pub fn loopback() -> Self {
        Self { items: vec![EgressRuleItem { target: AllowedTarget::Loopback, port: None }] }
    }

    /// Whether an item allows this host or address. The caller has already refused the addresses that no rule can
    /// allow.
    ///
    /// An IPv6 address that embeds an IPv4 address (NAT64, 6to4...) can be a different machine from that IPv4 address,
    /// so only a network that contains the IPv6 address itself allows it.
    pub(super) fn allows(&self, host: Option<&str>, address: IpAddr, port: u16) -> bool {
        let embeds_ipv4 = embedded_ipv4(address).is_some();
        let allows_port = |item: &&EgressRuleItem| item.port.is_none_or(|only| only == port);
        self.items.iter().filter(allows_port).any(|item| match &item.target {
            AllowedTarget::Loopback => !embeds_ipv4 && classify(address) == Verdict::Special(AddressRange::Loopback),
            AllowedTarget::Private => !embeds_ipv4 && classify(address) == Verdict::Special(AddressRange::Private),
            AllowedTarget::Net(net) => net.contains(&address),
            AllowedTarget::Name(name) => !embeds_ipv4 && host.is_some_and(|host| *name == canonical_name(host)),
        })
    }
}

impl FromStr for EgressRule {
    type Err = EgressRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut items = Vec::new();
        for word in text.split([',', ' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()) {
            let item = parse_item(word).map_err(|problem| EgressRuleError { item: word.to_owned(), problem })?;
            if !items.contains(&item) {
                items.push(item);
            }
        }
        Ok(Self { items })
    }
}

fn parse_item(word: &str) -> Result<EgressRuleItem, BadRuleItem> {
    let (target, port) = split_port(word)?;
    let port = port.map(|digits| digits.parse().ok().filter(|&port| port != 0).ok_or(BadRuleItem::Port)).transpose()?;
    Ok(EgressRuleItem { target: parse_target(target)?, port })
}

/// A port after an IPv6 address needs brackets, as in URLs.
fn split_port(word: &str) -> Result<(&str, Option<&str>), BadRuleItem> {
    if let Some((inside, after)) = word.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return match after.strip_prefix(':') {
            Some(port) => Ok((inside, Some(port))),
            None if after.is_empty() => Ok((inside, None)),
            None => Err(BadRuleItem::Unknown),
        };
    }
    let is_ipv6 = word.matches(':').count() > 1;
    Ok(match word.split_once(':') {
        Some((target, port)) if !is_ipv6 => (target, Some(port)),
        _ => (word, None),
    })
}

fn parse_target(text: &str) -> Result<AllowedTarget, BadRuleItem> {
    match text.to_ascii_lowercase().as_str() {
        "loopback" => return Ok(AllowedTarget::Loopback),
        "private" => return Ok(AllowedTarget::Private),
        _ => {}
    }
    if let Ok(address) = text.parse::<IpAddr>() {
        return Ok(AllowedTarget::Net(dialled_address(address).into()));
    }
    if text.contains('/') {
        return text
            .parse()
            .map(|net: IpNet| AllowedTarget::Net(unmap_ipv4(net.trunc())))
            .map_err(|_| BadRuleItem::Network);
    }
    match Host::parse(text) {
        Ok(Host::Domain(name))
            if name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._".contains(letter)) =>
        {
            // A single dot is not a name.
            Some(canonical_name(&name))
                .filter(|name| !name.is_empty())
                .map(AllowedTarget::Name)
                .ok_or(BadRuleItem::Unknown)
        }
        Ok(Host::Ipv4(_)) => Err(BadRuleItem::UnusualNotation),
        _ => Err(BadRuleItem::Unknown),
    }
}

/// Converts networks in `::ffff:0:0/96` to IPv4 networks, because their addresses are compared as IPv4.
fn unmap_ipv4(net: IpNet) -> IpNet {
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

impl fmt::Display for EgressRuleItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = match &self.target {
            AllowedTarget::Loopback => "loopback".to_owned(),
            AllowedTarget::Private => "private".to_owned(),
            AllowedTarget::Net(net) if net.prefix_len() == net.max_prefix_len() => net.addr().to_string(),
            AllowedTarget::Net(net) => net.to_string(),
            AllowedTarget::Name(name) => name.clone(),
        };
        match self.port {
            Some(port) if target.contains(':') => write!(f, "[{target}]:{port}"),
            Some(port) => write!(f, "{target}:{port}"),
            None => f.write_str(&target),
        }
    }
}
