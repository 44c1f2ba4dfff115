//! Keys for the management API.

use async_trait::async_trait;
use toolgate_domain::api_key::{ApiKey, KeyDigest, KeyHash, NewApiKey, ResolvedKey};
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::ApiKeyId;
use toolgate_domain::page::{Listing, Page};

use crate::Result;

/// Keys for the management API.
#[async_trait]
pub trait ApiKeyStore {
    /// Keys by id: all, or one page of them.
    async fn list_api_keys(&self, page: Option<Page>) -> Result<Listing<ApiKey>>;

    /// The key of this hash with its user, whether expired or not.
    async fn find_api_key(&self, hash: KeyHash) -> Result<Option<ResolvedKey>>;

    /// One key.
    async fn api_key(&self, id: ApiKeyId) -> Result<ApiKey>;

    /// Stores a key. `NotFound` when its user does not exist.
    async fn create_api_key(&self, actor: &Actor, new: NewApiKey) -> Result<ApiKey>;

    /// Revokes a key at once. Returns what it was.
    async fn delete_api_key(&self, actor: &Actor, id: ApiKeyId) -> Result<ApiKey>;

    /// Whether nobody has been here yet: there is not one user. A database whose keys were all revoked is not untouched.
    async fn has_no_users(&self) -> Result<bool>;

    /// Makes `secret` the one bootstrap key, in place of any earlier one, with the first administrator
    /// made where there is none. The same secret again changes nothing.
    async fn set_bootstrap_key(&self, actor: &Actor, secret: KeyDigest) -> Result<()>;

    /// As [`ApiKeyStore::set_bootstrap_key`], but only in an untouched database; says whether it was one. Of several
    /// nodes that start at once, one is told yes.
    async fn set_first_bootstrap_key(&self, actor: &Actor, secret: KeyDigest) -> Result<bool>;
}
