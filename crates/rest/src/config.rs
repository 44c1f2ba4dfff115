//! Configuration of the management API.

use toolgate_auth::TrustedProxies;
use toolgate_domain::node::NodeIdentity;
use toolgate_domain::time::Timestamp;
use toolgate_execution::egress::EgressRule;

use crate::base_url::BaseUrl;

/// Largest `per_page`.
pub(crate) const PER_PAGE_MAX: i64 = 100;

/// Configuration of the management API.
#[derive(Clone, Debug)]
pub struct RestConfig {
    /// First path segment, `wp-json` by default.
    pub prefix: String,
    /// Second path segment, `toolgate` by default; `v1` follows.
    pub namespace: String,
    /// The public URL of the service.
    pub base_url: BaseUrl,
    /// Proxies whose forwarding headers are trusted.
    pub trusted_proxies: TrustedProxies,
    /// Whether other machines can reach the service.
    pub is_exposed: bool,
    /// Allowed CORS origins.
    pub cors_origins: Vec<String>,
    /// The destinations tools may reach in addition to public addresses.
    pub egress: EgressRule,
    /// Private-use schemes that redirect URIs of OAuth clients may have, in addition to known ones.
    pub redirect_schemes: Vec<String>,
    /// Issuer of the OpenID provider with whose accounts people sign in.
    pub openid_issuer: Option<String>,
    /// Days that raw calls are retained.
    pub retention_days: u32,
    /// Version of the service.
    pub version: &'static str,
    /// This node.
    pub node: NodeIdentity,
    /// When this node started.
    pub started_at: Timestamp,
}

impl RestConfig {
    /// `toolgate/v1`.
    pub(crate) fn versioned_namespace(&self) -> String {
        format!("{}/v1", self.namespace)
    }

    /// `/wp-json/toolgate/v1`: the path of `api_base`, the URL to which route paths are relative.
    pub(crate) fn root_path(&self) -> String {
        format!("/{}/{}", self.prefix, self.versioned_namespace())
    }
}
