//! What follows from several settings together.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use secrecy::{ExposeSecret, SecretString};
use toolgate_execution::egress::guard::EgressRule;
use toolgate_rest::BaseUrl;

use super::Settings;
use crate::data_dir::DataDir;

/// What a service that only this machine can reach may call, beside public addresses.
const LOCAL_EGRESS_RULE: &str = "loopback,private";

impl Settings {
    /// Whether others than this machine can reach the service: by its socket, or through a proxy or
    /// tunnel, of which a public base URL tells.
    pub(crate) fn is_exposed(&self) -> bool {
        let listens_widely = !self.listen.ip().to_canonical().is_loopback();
        let is_public = self.base_url.as_ref().is_some_and(|url| !url.is_loopback());
        listens_widely || is_public
    }

    /// What tools may call beside public addresses. Nothing by default once strangers may be calling.
    pub(crate) fn egress(&self) -> EgressRule {
        match &self.upstream_allow {
            Some(rule) => rule.clone(),
            None if self.is_exposed() => EgressRule::none(),
            None => LOCAL_EGRESS_RULE.parse().unwrap_or_default(),
        }
    }

    /// Under which names the MCP endpoint answers. Where only this machine can reach it, or its public address is
    /// known, no page can rebind a name of its own to it.
    pub(crate) fn names(&self, bound: SocketAddr) -> toolgate_mcp::HostNames {
        let checks_host = self.base_url.is_some() || self.listen.ip().to_canonical().is_loopback();
        match self.public_base(bound) {
            BaseUrl::Fixed(url) => toolgate_mcp::HostNames::new(Some(&url), checks_host),
            BaseUrl::FromRequest => toolgate_mcp::HostNames::new(None, checks_host),
        }
    }

    /// Where the service says that it can be reached, once the socket is bound.
    pub(crate) fn public_base(&self, bound: SocketAddr) -> BaseUrl {
        match &self.base_url {
            Some(url) => BaseUrl::Fixed(url.as_str().to_owned()),
            None if bound.ip().is_unspecified() => BaseUrl::FromRequest,
            None => BaseUrl::Fixed(format!("http://{bound}")),
        }
    }

    /// An address for the banner, callable from this machine where no other is known.
    pub(crate) fn banner_base(&self, bound: SocketAddr) -> String {
        match self.public_base(bound) {
            BaseUrl::Fixed(url) => url,
            BaseUrl::FromRequest => format!("http://{}", Self::local_address(bound)),
        }
    }

    /// Where this machine itself reaches a socket.
    pub(crate) fn local_address(bound: SocketAddr) -> SocketAddr {
        let ip = if bound.ip().is_unspecified() { loopback_for(bound.ip()) } else { bound.ip() };
        SocketAddr::new(ip, bound.port())
    }

    /// Path of the management API, without a slash at its end.
    pub(crate) fn api_path(&self) -> String {
        format!("/{}/{}/v1", self.rest_prefix, self.rest_namespace)
    }

    /// The database, by default a file in the data folder.
    pub(crate) fn database(&self) -> SecretString {
        let default = || format!("sqlite://{}", DataDir::new(&self.data_dir).database().display());
        self.database_url.as_ref().map_or_else(default, |url| url.expose_secret().to_owned()).into()
    }

    /// The file of the database; none where it is PostgreSQL.
    pub(crate) fn database_file(&self) -> Option<PathBuf> {
        self.database().expose_secret().strip_prefix("sqlite://").map(PathBuf::from)
    }
}

fn loopback_for(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    }
}
