//! The store of endpoint keys in SQL.

use async_trait::async_trait;
use toolgate_domain::api_key::{ENDPOINT_KEYS_MAX, EndpointKey, EndpointKeyPatch};
use toolgate_domain::audit::{Action, Actor};
use toolgate_domain::change;
use toolgate_domain::ids::{EndpointKeyId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::Columns as _;
use super::locks::check_capacity;
use super::row::params;
use crate::endpoint_keys::{EndpointKeyStore, NewEndpointKey};
use crate::error::Result;

const COUNT: &str = "SELECT COUNT(*) AS total FROM endpoint_keys WHERE server_id = $1";

#[async_trait]
impl EndpointKeyStore for SqlStorage {
    async fn list_endpoint_keys(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<EndpointKey>> {
        self.db.server_counts(visibility, server_id).await?; // fails if the server is not visible
        let total = self.db.fetch_one(COUNT, params![server_id.0]).await?.int("total")?;
        Ok(Listing { items: self.db.list_in_server(server_id, page).await?, total })
    }

    async fn endpoint_key(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        id: EndpointKeyId,
    ) -> Result<EndpointKey> {
        self.db.server_counts(visibility, server_id).await?;
        self.db.find_in_server(server_id, id.0).await
    }

    async fn create_endpoint_key(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        new: NewEndpointKey,
    ) -> Result<EndpointKey> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        check_capacity(tx.fetch_one(COUNT, params![server_id.0]).await?.int("total")?, ENDPOINT_KEYS_MAX, "keys")?;
        let values = vec![
            ("server_id", server_id.0.into()),
            ("name", new.name.into()),
            ("hash", new.digest.hash.0.to_vec().into()),
            ("hint", new.digest.hint.into()),
            ("expires_at", new.expires_at.map(Timestamp::as_millis).into()),
            ("rate_limit_per_min", new.rate_limit_per_min.into()),
        ];
        let key = tx.insert(actor, Action::Create, values).await?;
        tx.commit().await?;
        Ok(key)
    }

    async fn update_endpoint_key(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: EndpointKeyId,
        patch: EndpointKeyPatch,
    ) -> Result<EndpointKey> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        let mut key: EndpointKey = tx.find_in_server(server_id, id.0).await?;
        change::set(&mut key.name, patch.name);
        patch.expires_at.apply_to(&mut key.expires_at);
        patch.rate_limit_per_min.apply_to(&mut key.rate_limit_per_min);
        // Does not write `last_used_at`, which other transactions write without the lock on the server.
        let sql = format!(
            "UPDATE endpoint_keys SET name = $2, expires_at = $3, rate_limit_per_min = $4 WHERE id = $1 RETURNING {}",
            EndpointKey::list()
        );
        let params = params![id.0, key.name, key.expires_at.map(Timestamp::as_millis), key.rate_limit_per_min];
        let key = tx.change(actor, Action::Update, sql, params).await?;
        tx.commit().await?;
        Ok(key)
    }

    async fn delete_endpoint_key(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: EndpointKeyId,
    ) -> Result<EndpointKey> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        let key = tx.delete_in_server(actor, server_id, id.0).await?;
        tx.commit().await?;
        Ok(key)
    }
}
