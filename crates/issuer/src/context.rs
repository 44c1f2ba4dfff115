//! Configuration and state that the handlers of the issuer share.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use http::request::Parts;
use toolgate_auth::{PeerAddr, TrustedProxies};
use toolgate_domain::oauth::identity::Identity;
use toolgate_domain::time::{Clock, Timestamp};
use toolgate_execution::metadata::MetadataClient;
use toolgate_storage::Storage;

use crate::document_cache::DocumentCache;
use crate::issuer_use::IssuerUse;
use crate::openid_provider::{OpenIdConfig, OpenIdProvider};
use crate::page_signer::PageSigner;
use crate::password::PasswordHasher;
use crate::registration_limits::RegistrationLimits;
use crate::sign_in_limits::SignInLimits;

/// The configuration of the issuer.
#[derive(Clone, Debug)]
pub struct IssuerConfig {
    /// The issuer: the public URL of the service, without a slash at its end. `None` if that URL depends on requests or
    /// is neither https nor loopback, so that the service cannot be an issuer.
    pub issuer: Option<String>,
    /// Whether the service is reachable only on loopback.
    pub is_loopback: bool,
    /// Whether clients may register themselves.
    pub is_registration_open: bool,
    /// Schemes of redirect URIs that are allowed in addition to the built-in list.
    pub redirect_schemes: Vec<String>,
    /// Proxies whose forwarding headers are used.
    pub trusted_proxies: TrustedProxies,
    /// The OpenID provider through which people can sign in.
    pub openid: Option<OpenIdConfig>,
}

/// The shared state.
pub struct IssuerContext {
    /// The configuration.
    pub config: IssuerConfig,
    /// The storage.
    pub storage: Arc<dyn Storage>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    pub(crate) issuer_use: Arc<IssuerUse>,
    pub(crate) page_signer: PageSigner,
    pub(crate) password_hasher: PasswordHasher,
    pub(crate) sign_in_limits: SignInLimits,
    pub(crate) registration_limits: RegistrationLimits,
    pub(crate) document_cache: DocumentCache,
    pub(crate) openid_provider: Option<OpenIdProvider>,
}

impl IssuerContext {
    /// The state of a service that has not handled a request yet. Must be called in a Tokio runtime.
    pub fn new(config: IssuerConfig, storage: Arc<dyn Storage>, clock: Arc<dyn Clock>) -> Arc<Self> {
        let issuer_use = Arc::new(IssuerUse::default());
        storage.listen(Arc::<IssuerUse>::clone(&issuer_use));
        let page_signer = PageSigner::new(Arc::clone(&storage));
        let (password_hasher, sign_in_limits) = (PasswordHasher::default(), SignInLimits::default());
        let document_cache = DocumentCache::new(MetadataClient::new(config.is_loopback));
        let openid_provider = config.openid.clone().map(|openid| OpenIdProvider::new(openid, config.is_loopback));
        Arc::new(Self {
            config,
            storage,
            clock,
            issuer_use,
            page_signer,
            password_hasher,
            sign_in_limits,
            registration_limits: RegistrationLimits::default(),
            document_cache,
            openid_provider,
        })
    }

    /// The name of the OpenID provider, if there is one.
    pub(crate) fn provider_name(&self) -> Option<&str> {
        self.openid_provider.as_ref().map(|provider| provider.config.name.as_str())
    }

    /// The issuer of the OpenID provider, if there is one.
    pub(crate) fn provider_issuer(&self) -> Option<&str> {
        self.openid_provider.as_ref().map(|provider| provider.config.issuer.as_str())
    }

    /// Whether an account is one at the OpenID provider that is configured now.
    pub(crate) fn is_of_provider(&self, identity: &Identity) -> bool {
        self.provider_issuer() == Some(identity.issuer.as_str())
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The address of the client of a request; a trusted proxy reports it.
    pub(crate) fn client_address(&self, request: &Parts) -> IpAddr {
        let peer = request.extensions.get::<PeerAddr>();
        let address = peer.map(|PeerAddr(peer)| self.config.trusted_proxies.client_address(*peer, &request.headers));
        // The listener always stores the peer.
        address.unwrap_or(Ipv4Addr::UNSPECIFIED.into())
    }
}
