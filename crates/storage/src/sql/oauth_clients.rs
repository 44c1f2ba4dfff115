//! The SQL implementation.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::OAuthClientId;
use toolgate_domain::oauth::client::{ClientStatus, NewOAuthClient, OAuthClient};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::time::Timestamp;

use super::SqlStorage;
use crate::error::Result;
use crate::oauth_clients::OAuthClientStore;

#[async_trait]
impl OAuthClientStore for SqlStorage {
    async fn register_client(&self, client: NewOAuthClient, limit: u32, now: Timestamp) -> Result<Option<OAuthClient>> {
        todo!()
    }

    async fn save_client_document(&self, client: NewOAuthClient, now: Timestamp) -> Result<OAuthClient> {
        todo!()
    }

    async fn create_client(&self, actor: &Actor, client: NewOAuthClient) -> Result<OAuthClient> {
        todo!()
    }

    async fn client_by_identifier(&self, client_id: &str) -> Result<Option<OAuthClient>> {
        todo!()
    }

    async fn list_clients(&self, page: Option<Page>) -> Result<Listing<OAuthClient>> {
        todo!()
    }

    async fn client(&self, id: OAuthClientId) -> Result<OAuthClient> {
        todo!()
    }

    async fn set_client_status(&self, actor: &Actor, id: OAuthClientId, status: ClientStatus) -> Result<OAuthClient> {
        todo!()
    }

    async fn delete_client(&self, actor: &Actor, id: OAuthClientId) -> Result<OAuthClient> {
        todo!()
    }

    async fn delete_unused_clients(&self, cutoff: Timestamp) -> Result<()> {
        todo!()
    }
}
