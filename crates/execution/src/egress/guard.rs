//! Where tools may not go. A tool author or an argument can name any URL, and a name can resolve to anything, so
//! the decision falls on addresses: public ones pass, all others only by the owner's rule, and those that
//! lead to machine credentials never. Nothing here resolves or dials; rebinding has no window as long as the
//! address checked is the address dialled.

mod ranges;
mod rule;
#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use toolgate_domain::host::is_localhost;
use url::{Host, Url};

pub use ranges::Range;
use ranges::Verdict;
pub use rule::{BadItem, EgressRule, EgressRuleError};

/// Why a destination is refused.
///
/// The texts do not contain the address, nor does the advice: they reach the AI client, and where an internal name leads is none of
/// its business.
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
    /// The URL names no host.
    #[error("destination not allowed: the URL names no host")]
    NoHost,
    /// An address that is not public and that the rule does not name.
    #[error("destination not allowed: it is {range}")]
    NotAllowed {
        /// The address.
        address: IpAddr,
        /// What it is.
        range: Range,
    },
    /// An address that no rule can open.
    #[error("destination not allowed: it is {range}, which tools may never call")]
    Never {
        /// The address.
        address: IpAddr,
        /// What it is.
        range: Range,
    },
}

impl Blocked {
    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Scheme { .. } => "Use an http or https URL.",
            Self::UserInfo => {
                "Take the user name and password out of the URL, and set the tool's authentication instead."
            }
            Self::NoHost => "Use a URL with a host.",
            Self::NotAllowed { .. } => {
                "Use another address, or have whoever runs this service allow it with TOOLGATE_UPSTREAM_ALLOW."
            }
            Self::Never { .. } => "Use another address: no setting can allow this one.",
        }
    }
}

impl EgressRule {
    /// Whether `address`, to which `host` resolved, may be dialled at `port`.
    pub fn check_address(&self, host: &str, address: IpAddr, port: u16) -> Result<(), Blocked> {
        self.check_dialled(Some(host), address, port)
    }

    /// The same; `None` where the address itself was called, and no name.
    fn check_dialled(&self, host: Option<&str>, address: IpAddr, port: u16) -> Result<(), Blocked> {
        let target = ranges::dialled(address);
        match ranges::judge(target) {
            Verdict::Public => Ok(()),
            Verdict::Never(range) => Err(Blocked::Never { address, range }),
            Verdict::Special(_) if self.allows(host, target, port) => Ok(()),
            Verdict::Special(range) => Err(Blocked::NotAllowed { address, range }),
        }
    }

    /// Whether a request to `url` may be attempted; names are decided later, by [`Self::check_address`].
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

    /// Whether `host` may be called at `port`, as far as its spelling tells.
    pub(super) fn check_host(&self, host: &Host<&str>, port: u16) -> Result<(), Blocked> {
        match *host {
            Host::Ipv4(address) => self.check_dialled(None, address.into(), port),
            Host::Ipv6(address) => self.check_dialled(None, address.into(), port),
            Host::Domain(name) if is_localhost(name) => self.check_localhost(name, port),
            Host::Domain(_) => Ok(()),
        }
    }

    /// RFC 6761, section 6.3: these names mean loopback, in either family, whatever a resolver says.
    fn check_localhost(&self, name: &str, port: u16) -> Result<(), Blocked> {
        self.check_address(name, Ipv4Addr::LOCALHOST.into(), port)
            .or_else(|blocked| self.check_address(name, Ipv6Addr::LOCALHOST.into(), port).map_err(|_| blocked))
    }
}
