//! Keys for the management API.

use async_trait::async_trait;
use domain::api_key::{ApiKey, KeyDigest, KeyHash, KnownKey, NewApiKey};
use domain::audit::Actor;
use domain::ids::ApiKeyId;
use domain::page::{Listing, Page};

use crate::Result;

/// Keys for the management API.
#[async_trait]
pub trait ApiKeys {
    /// Keys by id: all, or one page of them.
    async fn list_api_keys(&self, page: Option<Page>) -> Result<Listing<ApiKey>>;

    /// The key of this hash with its user, whether expired or not.
    async fn find_api_key(&self, hash: KeyHash) -> Result<Option<KnownKey>>;

    /// Stores a key. `NotFound` when its user does not exist.
    async fn create_api_key(&self, actor: &Actor, new: NewApiKey) -> Result<ApiKey>;

    /// Revokes a key at once. Returns what it was.
    async fn delete_api_key(&self, actor: &Actor, id: ApiKeyId) -> Result<ApiKey>;

    /// Whether no key exists yet, as at the very first start.
    async fn has_no_api_keys(&self) -> Result<bool>;

    /// Makes `secret` the one bootstrap key, in place of any earlier one, with the first administrator
    /// made where there is none. The same secret again changes nothing.
    async fn set_bootstrap_key(&self, actor: &Actor, secret: KeyDigest) -> Result<()>;
}
