//! What the operator decides about the API.

use ipnet::IpNet;
use toolgate_execution::egress::EgressRule;

use crate::base_url::BaseUrl;

/// What the operator decides about the API.
#[derive(Clone, Debug)]
pub struct Config {
    /// First segment of the address, `wp-json` by default.
    pub prefix: String,
    /// Second segment, `toolgate` by default; `v1` follows.
    pub namespace: String,
    /// The public address of the service.
    pub base_url: BaseUrl,
    /// Whose forwarding headers count.
    pub trusted_proxies: Vec<IpNet>,
    /// Origins of web pages that may call the API.
    pub cors_origins: Vec<String>,
    /// What tools may reach beside public addresses.
    pub egress: EgressRule,
    /// How long raw calls are kept.
    pub retention_days: u32,
    /// Version of the service.
    pub version: &'static str,
}

impl Config {
    /// `toolgate/v1`.
    pub(crate) fn namespace(&self) -> String {
        format!("{}/v1", self.namespace)
    }

    /// `/wp-json/toolgate/v1`, to which every path of a route is relative.
    pub(crate) fn root(&self) -> String {
        format!("/{}/{}", self.prefix, self.namespace())
    }
}
