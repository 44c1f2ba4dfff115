//! The store of OAuth clients.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::OAuthClientId;
use toolgate_domain::oauth::client::{ClientStatus, NewOAuthClient, OAuthClient};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::time::Timestamp;

use crate::error::Result;

/// Stores OAuth clients.
#[async_trait]
pub trait OAuthClientStore {
    /// Stores a client that registered itself. `None` if there are `limit` clients that registered themselves and were
    /// never allowed access.
    async fn register_client(&self, client: NewOAuthClient, limit: u32, now: Timestamp) -> Result<Option<OAuthClient>>;

    /// Stores the client of a metadata document, or replaces its name and redirect URIs.
    async fn save_client_document(&self, client: NewOAuthClient, now: Timestamp) -> Result<OAuthClient>;

    /// Stores a client for an administrator.
    async fn create_client(&self, actor: &Actor, client: NewOAuthClient) -> Result<OAuthClient>;

    /// The client with this `client_id` of the protocol.
    async fn client_by_identifier(&self, client_id: &str) -> Result<Option<OAuthClient>>;

    /// All clients, newest first.
    async fn list_clients(&self, page: Option<Page>) -> Result<Listing<OAuthClient>>;

    /// One client.
    async fn client(&self, id: OAuthClientId) -> Result<OAuthClient>;

    /// Allows or blocks a client. Blocking ends its grants.
    async fn set_client_status(&self, actor: &Actor, id: OAuthClientId, status: ClientStatus) -> Result<OAuthClient>;

    /// Deletes a client and ends its grants.
    async fn delete_client(&self, actor: &Actor, id: OAuthClientId) -> Result<OAuthClient>;

    /// Deletes the clients that registered themselves before `cutoff` and were never allowed access.
    async fn delete_unused_clients(&self, cutoff: Timestamp) -> Result<()>;

    /// Deletes the clients of metadata documents that have no grants: those that were never allowed access and whose
    /// document was fetched before `unused_cutoff`, and those with a document from before `stale_cutoff`, which must
    /// not be used any more. Blocked ones stay, because the next request would bring them back allowed.
    async fn delete_unused_documents(&self, unused_cutoff: Timestamp, stale_cutoff: Timestamp) -> Result<()>;
}
