//! The OpenID provider through which people can sign in, and its configuration.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tokio::time::Instant;
use toolgate_auth::jwt::{Claims, IdTokenRules, UnverifiedToken};
use toolgate_domain::oauth::allowed_people::AllowedPeople;
use toolgate_domain::sliding_window::{SlidingWindow, WindowLimits};
use toolgate_domain::sync::lock;
use toolgate_domain::time::Timestamp;
use toolgate_execution::egress::{EgressClient, EgressRule};
use toolgate_execution::issuers::{IssuerClient, IssuerError, IssuerMetadata, VerifyError};
use toolgate_execution::openid::ProviderClient;

use crate::client_network::client_network;
use crate::sign_in_limits::RetryLater;

/// How often sign-ins at the provider may be started; each is stored for some minutes.
const START_LIMITS: WindowLimits = WindowLimits { window: Duration::from_mins(1), per_key_max: 30, total_max: 600 };

/// The configuration of the provider.
#[derive(Clone, Debug)]
pub struct OpenIdConfig {
    /// The issuer of the provider, exactly as its metadata names it.
    pub issuer: String,
    /// The id of this service at the provider.
    pub client_id: String,
    /// The secret of this service at the provider.
    pub client_secret: SecretString,
    /// Who may sign in for the first time.
    pub allow: AllowedPeople,
    /// The name of the provider on pages.
    pub name: String,
    /// The destinations at which the provider may be.
    pub egress_rule: EgressRule,
}

/// The provider, with the clients for requests to it.
pub(crate) struct OpenIdProvider {
    pub(crate) config: OpenIdConfig,
    pub(crate) client: ProviderClient,
    issuers: IssuerClient,
    starts: Mutex<SlidingWindow<IpAddr>>,
}

impl OpenIdProvider {
    /// `is_loopback`: whether the service is reachable only on loopback, so that the provider may be on loopback, too.
    pub(crate) fn new(config: OpenIdConfig, is_loopback: bool) -> Self {
        let egress = EgressClient::new(config.egress_rule.clone());
        Self {
            client: ProviderClient::new(egress.clone()),
            issuers: IssuerClient::new(egress, is_loopback),
            starts: Mutex::new(SlidingWindow::new(START_LIMITS)),
            config,
        }
    }

    /// Counts the start of a sign-in.
    pub(crate) fn admit_start(&self, address: IpAddr) -> Result<(), RetryLater> {
        lock(&self.starts).admit(client_network(address), Instant::now().into_std()).map_err(RetryLater::new)
    }

    /// The metadata of the provider, which may be cached.
    pub(crate) async fn metadata(&self) -> Result<Arc<IssuerMetadata>, IssuerError> {
        self.issuers.metadata(&self.config.issuer).await
    }

    /// The claims of an ID token of this sign-in.
    pub(crate) async fn verify(&self, text: &SecretString, nonce: &str, now: Timestamp) -> Result<Claims, VerifyError> {
        let token = UnverifiedToken::parse(text.expose_secret()).map_err(VerifyError::Token)?;
        let claims = self.issuers.verify(&self.config.issuer, &token).await?;
        let rules = IdTokenRules { issuer: &self.config.issuer, client_id: &self.config.client_id, nonce };
        rules.check(&claims, now).map_err(VerifyError::Token)?;
        Ok(claims)
    }
}
