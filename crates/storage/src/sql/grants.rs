//! The SQL implementation.

use async_trait::async_trait;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{GrantId, ServerId, UserId};
use toolgate_domain::oauth::grant::{EndedGrant, Grant, NewGrant, NewRefreshToken, StoredCode, StoredRefreshToken};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use crate::error::Result;
use crate::grants::GrantStore;

#[async_trait]
impl GrantStore for SqlStorage {
    async fn create_grant(&self, actor: &Actor, grant: NewGrant) -> Result<GrantId> {
        todo!()
    }

    async fn code(&self, hash: &KeyHash) -> Result<Option<StoredCode>> {
        todo!()
    }

    async fn take_code(&self, hash: &KeyHash, refresh: NewRefreshToken, now: Timestamp) -> Result<bool> {
        todo!()
    }

    async fn refresh_token(&self, hash: &KeyHash) -> Result<Option<StoredRefreshToken>> {
        todo!()
    }

    async fn rotate_refresh_token(
        &self,
        hash: &KeyHash,
        successor: NewRefreshToken,
        reusable_since: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        todo!()
    }

    async fn grants_of_server(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Grant>> {
        todo!()
    }

    async fn grants_of_user(&self, user_id: UserId, page: Option<Page>) -> Result<Listing<Grant>> {
        todo!()
    }

    async fn grant_of_server(&self, visibility: Visibility, server_id: ServerId, id: GrantId) -> Result<Grant> {
        todo!()
    }

    async fn grant_of_user(&self, user_id: UserId, id: GrantId) -> Result<Grant> {
        todo!()
    }

    async fn end_grant(&self, actor: &Actor, id: GrantId) -> Result<Grant> {
        todo!()
    }

    async fn ended_grants(&self, since: Timestamp, limit: u32) -> Result<Vec<EndedGrant>> {
        todo!()
    }

    async fn delete_expired_grants(&self, now: Timestamp, ended_before: Timestamp) -> Result<()> {
        todo!()
    }

    async fn record_grant_uses(&self, uses: &[(GrantId, Timestamp)]) -> Result<()> {
        todo!()
    }

    async fn tokens_valid_since(&self) -> Result<Option<Timestamp>> {
        todo!()
    }
}
