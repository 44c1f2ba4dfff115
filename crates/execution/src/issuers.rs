//! External issuers of tokens: their metadata and their public keys, fetched when they are needed and cached in memory.
//!
//! The operator's rule for upstreams applies to these requests. Plain http is used only on loopback, and only if the
//! service itself is reachable on loopback alone.

mod discovery;
mod error;
mod issuer_state;
mod issuer_url;
mod metadata_document;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use tokio_util::task::TaskTracker;
use toolgate_auth::jwt::{Claims, JsonWebKeys, JwtError, UnverifiedToken};

use crate::egress::client::EgressClient;
use discovery::Discovery;
use issuer_state::IssuerState;

pub use error::IssuerError;
pub use metadata_document::IssuerMetadata;

/// Maximum number of issuers whose keys are cached.
const ISSUERS_MAX: u64 = 10_000;
/// An issuer that is not used for this time is removed from the cache; its keys would be too old anyway.
const ISSUER_IDLE_TTL: Duration = Duration::from_hours(25);

/// Why a token cannot be verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyError {
    /// The token is at fault.
    Token(JwtError),
    /// The keys of the issuer cannot be read.
    Keys(IssuerError),
}

/// Reads the metadata and the keys of issuers. Use one for all servers, so that each document is fetched once.
pub struct IssuerClient {
    discovery: Arc<Discovery>,
    issuers: moka::sync::Cache<String, Arc<IssuerState>>,
    /// Fetches run in separate tasks, so that a client that disconnects does not cancel them for the others.
    tasks: TaskTracker,
}

impl IssuerClient {
    /// A client that fetches with `egress`. With `allows_loopback_http`, issuers on loopback may use plain http.
    pub fn new(egress: EgressClient, allows_loopback_http: bool) -> Self {
        Self {
            discovery: Arc::new(Discovery::new(egress, allows_loopback_http)),
            issuers: moka::sync::Cache::builder().max_capacity(ISSUERS_MAX).time_to_idle(ISSUER_IDLE_TTL).build(),
            tasks: TaskTracker::new(),
        }
    }

    /// The metadata of an issuer, at most a day old. If the issuer does not respond, an older copy is returned.
    pub async fn metadata(&self, issuer: &str) -> Result<Arc<IssuerMetadata>, IssuerError> {
        let state = self.state(issuer);
        if let Some(metadata) = state.fresh_metadata() {
            return Ok(metadata);
        }
        self.run(async move { state.read_metadata().await }).await
    }

    /// The claims of a token that the issuer signed. If the token names a key that is not known, or names no key and
    /// its signature is wrong, the token is checked once more with newer keys of the issuer.
    pub async fn verify(&self, issuer: &str, token: &UnverifiedToken<'_>) -> Result<Claims, VerifyError> {
        let keys = self.keys(issuer).await.map_err(VerifyError::Keys)?;
        match token.verify(&keys) {
            Err(error) if token.may_need_newer_key(error) => match self.newer_keys(issuer, &keys).await {
                Some(newer) => token.verify(&newer).map_err(VerifyError::Token),
                None => Err(VerifyError::Token(error)),
            },
            outcome => outcome.map_err(VerifyError::Token),
        }
    }

    /// The keys of an issuer. Keys that are older than ten minutes are renewed in the background while they are used;
    /// if that fails, they are used for a day.
    async fn keys(&self, issuer: &str) -> Result<Arc<JsonWebKeys>, IssuerError> {
        let state = self.state(issuer);
        let Some(keys) = state.usable_keys() else {
            let seen = state.keys_fetched_at();
            return self.run(async move { state.read_keys(seen).await }).await;
        };
        if state.must_renew() {
            self.tasks.spawn(async move { state.renew().await });
        }
        Ok(keys)
    }

    /// Newer keys than `known`, after a token could not be verified with these. They are fetched at most once in 30
    /// seconds. `None` if there are no newer ones.
    async fn newer_keys(&self, issuer: &str, known: &Arc<JsonWebKeys>) -> Option<Arc<JsonWebKeys>> {
        let (state, known) = (self.state(issuer), Arc::clone(known));
        self.run(async move { Ok(state.newer_keys(&known).await) }).await.ok().flatten()
    }

    /// Fetches metadata and keys from the issuer even if they are cached, and caches them.
    pub async fn check(&self, issuer: &str) -> Result<(), IssuerError> {
        let state = self.state(issuer);
        self.run(async move { state.check().await }).await
    }

    fn state(&self, issuer: &str) -> Arc<IssuerState> {
        self.issuers.get(issuer).unwrap_or_else(|| {
            let create = || Arc::new(IssuerState::new(issuer.to_owned(), Arc::clone(&self.discovery)));
            self.issuers.get_with(issuer.to_owned(), create)
        })
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, IssuerError>> + Send + 'static,
    ) -> Result<T, IssuerError> {
        self.tasks.spawn(work).await.unwrap_or(Err(IssuerError::Interrupted))
    }
}
