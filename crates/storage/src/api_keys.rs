//! The store of API keys, which authenticate requests to the management API.

use std::io;

use async_trait::async_trait;
use toolgate_domain::api_key::{ApiKey, KeyDigest, KeyHash, NewApiKey, ResolvedKey};
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::ApiKeyId;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// The outcome of [`ApiKeyStore::set_first_bootstrap_key`].
#[derive(Debug)]
pub enum FirstKeyOutcome {
    /// The key is the bootstrap key.
    Stored,
    /// The database already has users, so `prepare` was not called.
    HasUsers,
    /// `prepare` failed, so the key was not stored.
    NotPrepared(io::Error),
}

/// Stores API keys.
#[async_trait]
pub trait ApiKeyStore {
    /// API keys that the caller may see, ordered by id: all, or one page. A user sees only the user's own keys.
    async fn list_api_keys(&self, visibility: Visibility, page: Option<Page>) -> Result<Listing<ApiKey>>;

    /// The key with this hash and its user. Expired keys are included.
    async fn find_api_key(&self, hash: KeyHash) -> Result<Option<ResolvedKey>>;

    /// One API key.
    async fn api_key(&self, visibility: Visibility, id: ApiKeyId) -> Result<ApiKey>;

    /// Stores a key. `NotFound` if its user does not exist.
    async fn create_api_key(&self, actor: &Actor, new: NewApiKey) -> Result<ApiKey>;

    /// Deletes a key, which revokes it immediately, and returns it.
    async fn delete_api_key(&self, actor: &Actor, visibility: Visibility, id: ApiKeyId) -> Result<ApiKey>;

    /// Whether there are no users, which is true only before the first use: the last administrator cannot be deleted.
    async fn has_no_users(&self) -> Result<bool>;

    /// Makes the key with this digest the only bootstrap key: replaces an earlier one and creates the first
    /// administrator if there is none. Does nothing if the key already is the bootstrap key.
    async fn set_bootstrap_key(&self, actor: &Actor, digest: KeyDigest) -> Result<()>;

    /// Like [`ApiKeyStore::set_bootstrap_key`], but replaces no other bootstrap key. Returns whether the key is now the
    /// bootstrap key.
    async fn ensure_bootstrap_key(&self, actor: &Actor, digest: KeyDigest) -> Result<bool>;

    /// Like [`ApiKeyStore::set_bootstrap_key`], but only in a database without users. If several nodes start
    /// concurrently, only one of them calls `prepare` and stores its key: `prepare` runs while the others wait, before
    /// the key is stored. `location` says where the operator finds the key.
    async fn set_first_bootstrap_key(
        &self,
        actor: &Actor,
        digest: KeyDigest,
        location: &str,
        prepare: &(dyn Fn() -> io::Result<()> + Sync),
    ) -> Result<FirstKeyOutcome>;

    /// Where the bootstrap key is, if a node created it.
    async fn bootstrap_key_location(&self) -> Result<Option<String>>;
}
