//! The SSRF guard. A tool author or an argument can name any URL, and a name can resolve to any address, so the guard
//! decides by address: public addresses pass, others only if the operator's rule allows them, and cloud metadata
//! addresses never. The guard neither resolves nor dials. DNS rebinding is impossible as long as the checked address is
//! the dialled one.

pub(crate) mod ranges;
pub(crate) mod rule;
#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use toolgate_domain::host::is_localhost;
use url::{Host, Url};

pub use ranges::AddressRange;
use ranges::Verdict;
pub use rule::{BadRuleItem, EgressRule, EgressRuleError};

/// Why a destination is refused.
///
/// Neither the texts nor the advice contain the address: they reach the AI client, which must not learn what internal
/// names resolve to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Blocked {
    /// The URL is neither http nor https.
    #[error("destination not allowed: only http and https URLs can be called, not {scheme}")]
    Scheme {
        /// The scheme of the URL.
        scheme: String,
    },
    /// The URL carries a user name or a password.
    #[error("destination not allowed: the URL contains a user name or password")]
    UserInfo,
    /// The URL has no host.
    #[error("destination not allowed: the URL has no host")]
    NoHost,
    /// An address that is not public and that the rule does not allow.
    #[error("destination not allowed: it is {range}")]
    NotAllowed {
        /// The address.
        address: IpAddr,
        /// Its range.
        range: AddressRange,
    },
    /// An address that no rule can allow.
    #[error("destination not allowed: it is {range}, which tools may never call")]
    Never {
        /// The address.
        address: IpAddr,
        /// Its range.
        range: AddressRange,
    },
}

impl Blocked {
    /// How to fix the problem.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Scheme { .. } => "Use an http or https URL.",
            Self::UserInfo => {
                "Remove the user name and password from the URL and set the tool's authentication instead."
            }
            Self::NoHost => "Use a URL with a host.",
            Self::NotAllowed { .. } => {
                "Use another address, or ask the operator of this service to allow it with TOOLGATE_UPSTREAM_ALLOW."
            }
            Self::Never { .. } => "Use another address: no setting can allow this one.",
        }
    }
}

impl EgressRule {
    /// Checks that `address`, which `host` resolved to, may be dialled at `port`.
    pub fn check_address(&self, host: &str, address: IpAddr, port: u16) -> Result<(), Blocked> {
        self.check_dialled(Some(host), address, port)
    }

    /// Like [`Self::check_address`]; `host` is `None` if the URL contains the address itself.
    fn check_dialled(&self, host: Option<&str>, address: IpAddr, port: u16) -> Result<(), Blocked> {
        let target = ranges::dialled_address(address);
        match ranges::classify(target) {
            Verdict::Public => Ok(()),
            Verdict::Never(range) => Err(Blocked::Never { address, range }),
            Verdict::Special(_) if self.allows(host, target, port) => Ok(()),
            Verdict::Special(range) => Err(Blocked::NotAllowed { address, range }),
        }
    }

    /// Checks that a request to `url` may be attempted. Names are checked after resolution, by [`Self::check_address`].
    pub fn check_url(&self, url: &Url) -> Result<(), Blocked> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Blocked::Scheme { scheme: url.scheme().to_owned() });
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Blocked::UserInfo);
        }
        let port = url.port_or_known_default().unwrap_or_default();
        self.check_host(&url.host().ok_or(Blocked::NoHost)?, port)
    }

    /// Checks that `host` may be called at `port`, as far as that can be decided without resolution.
    pub(super) fn check_host(&self, host: &Host<impl AsRef<str>>, port: u16) -> Result<(), Blocked> {
        match host {
            Host::Ipv4(address) => self.check_dialled(None, (*address).into(), port),
            Host::Ipv6(address) => self.check_dialled(None, (*address).into(), port),
            Host::Domain(name) if is_localhost(name.as_ref()) => self.check_localhost(name.as_ref(), port),
            Host::Domain(_) => Ok(()),
        }
    }

    /// RFC 6761, section 6.3: these names mean loopback, in either address family, regardless of DNS.
    fn check_localhost(&self, name: &str, port: u16) -> Result<(), Blocked> {
        self.check_address(name, Ipv4Addr::LOCALHOST.into(), port)
            .or_else(|blocked| self.check_address(name, Ipv6Addr::LOCALHOST.into(), port).map_err(|_| blocked))
    }
}
