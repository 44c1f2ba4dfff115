//! The addresses of clients that are recorded with their calls.

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;
use toolgate_auth::TrustedProxies;

use crate::settings::Settings;

/// Determines the addresses to record.
pub(super) struct ClientAddresses {
    /// `None` if no addresses are recorded.
    trusted_proxies: Option<TrustedProxies>,
}

impl ClientAddresses {
    pub(super) fn new(settings: &Settings) -> Self {
        Self { trusted_proxies: settings.record_client_address.then(|| settings.trusted_proxies()) }
    }

    /// Records no addresses.
    pub(super) fn unrecorded() -> Self {
        Self { trusted_proxies: None }
    }

    /// The address to record for a request from `peer`.
    pub(super) fn address(&self, peer: SocketAddr, headers: &HeaderMap) -> Option<IpAddr> {
        self.trusted_proxies.as_ref().map(|proxies| proxies.client_address(peer, headers))
    }
}
