//! What the handlers of the issuer share.

use std::sync::Arc;

use toolgate_auth::TrustedProxies;
use toolgate_domain::time::Clock;
use toolgate_storage::Storage;

/// The configuration of the issuer.
#[derive(Clone, Debug)]
pub struct IssuerConfig {
    /// The issuer: the public URL of the service, without a slash at its end. `None` if that URL depends on requests,
    /// so that the service cannot be an issuer.
    pub issuer: Option<String>,
    /// Whether the service is reachable on loopback alone.
    pub is_loopback: bool,
    /// Whether clients may register themselves.
    pub is_registration_open: bool,
    /// Schemes of redirect URIs that are allowed beside the built-in list.
    pub redirect_schemes: Vec<String>,
    /// Proxies whose forwarding headers are used.
    pub trusted_proxies: TrustedProxies,
}

/// The shared state.
pub struct IssuerContext {
    /// The configuration.
    pub config: IssuerConfig,
    /// The storage.
    pub storage: Arc<dyn Storage>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
}
