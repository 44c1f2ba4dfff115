//! The store of endpoint keys, which authenticate clients of one server's MCP endpoint.

use async_trait::async_trait;
use toolgate_domain::api_key::{EndpointKey, EndpointKeyPatch, KeyDigest};
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{EndpointKeyId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// An endpoint key to store.
#[derive(Clone, Debug)]
pub struct NewEndpointKey {
    /// The name that the owner gave it.
    pub name: String,
    /// Hash and hint of the key.
    pub digest: KeyDigest,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// Requests per minute with this key; `None` if only the server's limit holds.
    pub rate_limit_per_min: Option<i64>,
}

impl NewEndpointKey {
    /// A key that does not expire and has no rate limit of its own.
    pub fn new(name: String, digest: KeyDigest) -> Self {
        Self { name, digest, expires_at: None, rate_limit_per_min: None }
    }
}

/// Stores endpoint keys.
#[async_trait]
pub trait EndpointKeyStore {
    /// Keys of a server ordered by id: all, or one page.
    async fn list_endpoint_keys(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<EndpointKey>>;

    /// One key of a server.
    async fn endpoint_key(&self, visibility: Visibility, server_id: ServerId, id: EndpointKeyId)
    -> Result<EndpointKey>;

    /// Stores a key for a server.
    async fn create_endpoint_key(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        new: NewEndpointKey,
    ) -> Result<EndpointKey>;

    /// Changes a key of a server.
    async fn update_endpoint_key(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: EndpointKeyId,
        patch: EndpointKeyPatch,
    ) -> Result<EndpointKey>;

    /// Deletes a key of a server, which revokes it, and returns it.
    async fn delete_endpoint_key(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: EndpointKeyId,
    ) -> Result<EndpointKey>;
}
