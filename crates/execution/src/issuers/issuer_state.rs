//! The cached documents of one issuer, and when they are fetched again.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::Instant;
use toolgate_auth::jwt::JsonWebKeys;
use toolgate_domain::sync::lock;

use super::discovery::Discovery;
use super::error::IssuerError;
use super::metadata_document::IssuerMetadata;

/// Metadata is fetched again after this time.
const METADATA_TTL: Duration = Duration::from_hours(24);
/// Keys are renewed after this time.
const KEYS_TTL: Duration = Duration::from_mins(10);
/// If the issuer does not respond, its last keys are used for this time.
const STALE_KEYS_TTL: Duration = Duration::from_hours(24);
/// The minimum time between two fetches of keys because of tokens with an unknown key.
const UNKNOWN_KEY_INTERVAL: Duration = Duration::from_secs(30);
/// After a failure, nothing is fetched from the issuer for this time.
const FAILURE_PAUSE: Duration = Duration::from_secs(5);

/// A document with the time of its fetch.
struct Dated<T> {
    value: Arc<T>,
    fetched_at: Instant,
}

impl<T> Dated<T> {
    fn new(value: T) -> Arc<Self> {
        Arc::new(Self { value: Arc::new(value), fetched_at: Instant::now() })
    }
}

/// The documents of one issuer.
pub(super) struct IssuerState {
    issuer: String,
    discovery: Arc<Discovery>,
    metadata: ArcSwapOption<Dated<IssuerMetadata>>,
    keys: ArcSwapOption<Dated<JsonWebKeys>>,
    /// Held during a fetch, so that there is one at a time. It holds the last failure, until a fetch succeeds.
    fetching: AsyncMutex<Option<(Instant, IssuerError)>>,
    /// When keys were last fetched because of a token with an unknown key.
    unknown_key_at: Mutex<Option<Instant>>,
}

impl IssuerState {
    pub(super) fn new(issuer: String, discovery: Arc<Discovery>) -> Self {
        Self {
            issuer,
            discovery,
            metadata: ArcSwapOption::empty(),
            keys: ArcSwapOption::empty(),
            fetching: AsyncMutex::new(None),
            unknown_key_at: Mutex::new(None),
        }
    }

    /// Metadata that need not be fetched again.
    pub(super) fn fresh_metadata(&self) -> Option<Arc<IssuerMetadata>> {
        let dated = self.metadata.load();
        let is_fresh = |dated: &&Arc<Dated<_>>| dated.fetched_at.elapsed() < METADATA_TTL;
        dated.as_ref().filter(is_fresh).map(|dated| Arc::clone(&dated.value))
    }

    /// Keys that are not too old to be used.
    pub(super) fn usable_keys(&self) -> Option<Arc<JsonWebKeys>> {
        let dated = self.keys.load();
        let is_usable = |dated: &&Arc<Dated<_>>| dated.fetched_at.elapsed() < STALE_KEYS_TTL;
        dated.as_ref().filter(is_usable).map(|dated| Arc::clone(&dated.value))
    }

    /// When the keys in memory were fetched.
    pub(super) fn keys_fetched_at(&self) -> Option<Instant> {
        self.keys.load().as_ref().map(|dated| dated.fetched_at)
    }

    /// Whether the keys are old, and no renewal is in progress or has failed within [`FAILURE_PAUSE`].
    pub(super) fn must_renew(&self) -> bool {
        let is_old = self.keys_fetched_at().is_some_and(|fetched_at| fetched_at.elapsed() >= KEYS_TTL);
        is_old && self.fetching.try_lock().is_ok_and(|failure| recent_failure(failure.as_ref()).is_none())
    }

    /// Renews keys that are old; a failure leaves the last ones.
    pub(super) async fn renew(&self) {
        let _ = self.read_keys(self.keys_fetched_at()).await;
    }

    /// Metadata from the issuer; an older copy if the issuer does not respond.
    pub(super) async fn read_metadata(&self) -> Result<Arc<IssuerMetadata>, IssuerError> {
        let mut failure = self.fetching.lock().await;
        if let Some(metadata) = self.fresh_metadata() {
            return Ok(metadata);
        }
        if let Some(error) = recent_failure(failure.as_ref()) {
            return self.last_metadata().ok_or_else(|| error.clone());
        }
        match self.fetch_metadata().await {
            Ok(metadata) => Ok(metadata),
            Err(error) => {
                tracing::warn!(issuer = self.issuer, %error, "cannot read the metadata of an issuer");
                *failure = Some((Instant::now(), error.clone()));
                self.last_metadata().ok_or(error)
            }
        }
    }

    /// Keys from the issuer that are newer than those fetched at `seen`. Callers that waited for one fetch share it.
    pub(super) async fn read_keys(&self, seen: Option<Instant>) -> Result<Arc<JsonWebKeys>, IssuerError> {
        let mut failure = self.fetching.lock().await;
        if let Some(dated) = self.keys.load_full().filter(|dated| Some(dated.fetched_at) > seen) {
            return Ok(Arc::clone(&dated.value));
        }
        if let Some(error) = recent_failure(failure.as_ref()) {
            return Err(error.clone());
        }
        // After a failure the metadata is read as well: the issuer may have moved its keys.
        let outcome = self.fetch_keys(failure.is_some()).await;
        if let Err(error) = &outcome {
            let has_keys = self.usable_keys().is_some();
            tracing::warn!(issuer = self.issuer, %error, has_keys, "cannot read the keys of an issuer");
        }
        *failure = outcome.as_ref().err().map(|error| (Instant::now(), error.clone()));
        outcome
    }

    /// Newer keys than `known`, after a token could not be verified with these.
    pub(super) async fn newer_keys(&self, known: &Arc<JsonWebKeys>) -> Option<Arc<JsonWebKeys>> {
        let newer = || self.usable_keys().filter(|keys| !Arc::ptr_eq(keys, known));
        if newer().is_some() {
            return newer();
        }
        if !self.may_fetch_for_unknown_key() {
            // A fetch that is in progress may bring the key.
            drop(self.fetching.lock().await);
            return newer();
        }
        if self.read_keys(self.keys_fetched_at()).await.is_err() {
            // No keys were fetched, so the next unknown key may cause a fetch as soon as the issuer responds again.
            *lock(&self.unknown_key_at) = None;
        }
        newer()
    }

    /// Fetches both documents from the issuer.
    pub(super) async fn check(&self) -> Result<(), IssuerError> {
        let mut failure = self.fetching.lock().await;
        let metadata = self.discovery.metadata(&self.issuer).await?;
        let keys = self.discovery.keys(&metadata).await?;
        if keys.is_empty() {
            return Err(IssuerError::NoUsableKey);
        }
        self.metadata.store(Some(Dated::new(metadata)));
        self.keys.store(Some(Dated::new(keys)));
        *failure = None;
        Ok(())
    }

    fn may_fetch_for_unknown_key(&self) -> bool {
        let mut last = lock(&self.unknown_key_at);
        let is_allowed = last.is_none_or(|at| at.elapsed() >= UNKNOWN_KEY_INTERVAL);
        if is_allowed {
            *last = Some(Instant::now());
        }
        is_allowed
    }

    async fn fetch_keys(&self, rereads_metadata: bool) -> Result<Arc<JsonWebKeys>, IssuerError> {
        let metadata = match self.fresh_metadata().filter(|_| !rereads_metadata) {
            Some(metadata) => metadata,
            None => self.fetch_metadata().await.or_else(|error| self.last_metadata().ok_or(error))?,
        };
        let fetched = self.discovery.keys(&metadata).await?;
        if fetched.is_empty() {
            // A document without usable keys must not replace keys that work.
            return Err(IssuerError::NoUsableKey);
        }
        let dated = Dated::new(fetched);
        let keys = Arc::clone(&dated.value);
        self.keys.store(Some(dated));
        Ok(keys)
    }

    async fn fetch_metadata(&self) -> Result<Arc<IssuerMetadata>, IssuerError> {
        let dated = Dated::new(self.discovery.metadata(&self.issuer).await?);
        self.metadata.store(Some(Arc::clone(&dated)));
        Ok(Arc::clone(&dated.value))
    }

    /// Metadata of any age.
    fn last_metadata(&self) -> Option<Arc<IssuerMetadata>> {
        self.metadata.load().as_ref().map(|dated| Arc::clone(&dated.value))
    }
}

/// The last failure, if it was within [`FAILURE_PAUSE`].
fn recent_failure(failure: Option<&(Instant, IssuerError)>) -> Option<&IssuerError> {
    failure.filter(|(at, _)| at.elapsed() < FAILURE_PAUSE).map(|(_, error)| error)
}
