//! Values derived from several settings.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use secrecy::{ExposeSecret, SecretString};
use toolgate_auth::TrustedProxies;
use toolgate_execution::egress::guard::EgressRule;
use toolgate_rest::BaseUrl;

use super::{PublicUrl, Settings};
use crate::data_dir::DataDir;

/// The non-public addresses that tools may call if only this machine can reach the service.
const LOCAL_EGRESS_RULE: &str = "loopback,private";

impl Settings {
    /// Whether other machines can reach the service: by its socket, or through a proxy or tunnel, which a
    /// public base URL indicates.
    pub(crate) fn is_exposed(&self) -> bool {
        let listens_beyond_loopback = !self.listen.ip().to_canonical().is_loopback();
        let has_public_base_url = self.base_url.as_ref().is_some_and(|url| !url.is_loopback());
        listens_beyond_loopback || has_public_base_url
    }

    /// The non-public addresses that tools may call. If other machines can reach the service, the default allows none.
    pub(crate) fn egress_rule(&self) -> EgressRule {
        match &self.upstream_allow {
            Some(rule) => rule.clone(),
            None if self.is_exposed() => EgressRule::none(),
            None => LOCAL_EGRESS_RULE.parse().unwrap_or_default(),
        }
    }

    /// The proxies whose forwarding headers are trusted.
    pub(crate) fn trusted_proxies(&self) -> TrustedProxies {
        TrustedProxies::new(self.trusted_proxies.clone())
    }

    /// The host names that MCP endpoints accept. To prevent DNS rebinding, the `Host` header is checked if the service
    /// listens on loopback only or has a configured base URL.
    pub(crate) fn host_names(&self, bound: SocketAddr) -> toolgate_mcp::HostNames {
        let checks_host = self.base_url.is_some() || self.listen.ip().to_canonical().is_loopback();
        match self.effective_base_url(bound) {
            BaseUrl::Fixed(url) => toolgate_mcp::HostNames::new(Some(&url), checks_host),
            BaseUrl::FromRequest => toolgate_mcp::HostNames::new(None, checks_host),
        }
    }

    /// The base URL of links: the configured one, else the bound address. If the socket is bound to all addresses,
    /// each request determines the base URL.
    pub(crate) fn effective_base_url(&self, bound: SocketAddr) -> BaseUrl {
        match &self.base_url {
            Some(url) => BaseUrl::Fixed(url.as_str().to_owned()),
            None if bound.ip().is_unspecified() => BaseUrl::FromRequest,
            None => BaseUrl::Fixed(format!("http://{bound}")),
        }
    }

    /// The URL of the built-in OAuth issuer: the base URL, if it is fixed and either https or loopback. Codes and
    /// cookies must not travel in plain text, and the issuer must not depend on a request.
    pub(crate) fn issuer(&self, bound: SocketAddr) -> Option<String> {
        let BaseUrl::Fixed(url) = self.effective_base_url(bound) else { return None };
        let is_loopback = url.parse::<PublicUrl>().is_ok_and(|url| url.is_loopback());
        (is_loopback || url.starts_with("https://")).then_some(url)
    }

    /// The path of the issuer's document on the host, if the base URL has a path: OAuth clients look for it outside the
    /// base URL (RFC 8414, section 3.1).
    pub(crate) fn issuer_path(&self, bound: SocketAddr) -> Option<String> {
        let issuer = url::Url::parse(&self.issuer(bound)?).ok()?;
        let path = issuer.path().trim_end_matches('/');
        (!path.is_empty()).then(|| format!("/.well-known/oauth-authorization-server{path}"))
    }

    /// The base URL for the banner. Without a fixed base URL, it is the address on this machine.
    pub(crate) fn banner_base_url(&self, bound: SocketAddr) -> String {
        match self.effective_base_url(bound) {
            BaseUrl::Fixed(url) => url,
            BaseUrl::FromRequest => format!("http://{}", Self::local_address(bound)),
        }
    }

    /// The address at which this machine reaches its own socket.
    pub(crate) fn local_address(bound: SocketAddr) -> SocketAddr {
        let ip = if bound.ip().is_unspecified() { loopback_for(bound.ip()) } else { bound.ip() };
        SocketAddr::new(ip, bound.port())
    }

    /// The name of this node.
    pub(crate) fn node_name(&self) -> String {
        self.node.clone().unwrap_or_else(super::node_name::from_host)
    }

    /// Path of the management API, without a trailing slash.
    pub(crate) fn api_path(&self) -> String {
        format!("/{}/{}/v1", self.rest_prefix, self.rest_namespace)
    }

    /// The database URL, by default a file in the data folder.
    pub(crate) fn effective_database_url(&self) -> SecretString {
        let default = || format!("sqlite://{}", DataDir::new(&self.data_dir).database_file().display());
        self.database_url.as_ref().map_or_else(default, |url| url.expose_secret().to_owned()).into()
    }

    /// The database file; `None` for PostgreSQL.
    pub(crate) fn database_file(&self) -> Option<PathBuf> {
        self.effective_database_url().expose_secret().strip_prefix("sqlite://").map(PathBuf::from)
    }
}

fn loopback_for(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    }
}
