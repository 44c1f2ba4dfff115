//! The SQL implementation.

use async_trait::async_trait;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::UserId;
use toolgate_domain::oauth::sign_in::{BrowserSession, NewBrowserSession, NewSignInLink, SignInLink, StoredPassword};
use toolgate_domain::time::Timestamp;

use super::SqlStorage;
use crate::error::Result;
use crate::sign_in::SignInStore;

#[async_trait]
impl SignInStore for SqlStorage {
    async fn create_browser_session(&self, actor: &Actor, session: NewBrowserSession) -> Result<()> {
        todo!()
    }

    async fn browser_session(&self, hash: &KeyHash, now: Timestamp) -> Result<Option<BrowserSession>> {
        todo!()
    }

    async fn delete_browser_session(&self, hash: &KeyHash) -> Result<()> {
        todo!()
    }

    async fn record_failed_sign_in(&self, actor: &Actor, user_id: UserId) -> Result<()> {
        todo!()
    }

    async fn create_sign_in_link(&self, actor: &Actor, link: NewSignInLink) -> Result<()> {
        todo!()
    }

    async fn sign_in_link(&self, hash: &KeyHash, now: Timestamp) -> Result<Option<SignInLink>> {
        todo!()
    }

    async fn take_sign_in_link(&self, hash: &KeyHash, now: Timestamp) -> Result<Option<SignInLink>> {
        todo!()
    }

    async fn password(&self, user_name: &str) -> Result<Option<StoredPassword>> {
        todo!()
    }

    async fn set_password(&self, actor: &Actor, user_id: UserId, phc: &str) -> Result<()> {
        todo!()
    }

    async fn delete_expired_sign_ins(&self, now: Timestamp) -> Result<()> {
        todo!()
    }
}
