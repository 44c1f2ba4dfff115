//! The store of endpoint keys in SQL.

use async_trait::async_trait;
use toolgate_domain::api_key::{ENDPOINT_KEYS_MAX, EndpointKey};
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{EndpointKeyId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::locks::{check_capacity, limit_and_offset};
use super::row::{SqlRow, params};
use crate::{EndpointKeyStore, NewEndpointKey, Result, StorageError};

fn from_row(row: &SqlRow) -> Result<EndpointKey> {
    Ok(EndpointKey {
        id: EndpointKeyId(row.int("id")?),
        server_id: ServerId(row.int("server_id")?),
        name: row.text("name")?,
        hint: row.text("hint")?,
        created_at: row.time("created_at")?,
    })
}

#[async_trait]
impl EndpointKeyStore for SqlStorage {
    async fn list_endpoint_keys(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<EndpointKey>> {
        self.db.server_counts(visibility, server_id).await?; // fails if the server is not visible
        let sql = "SELECT COUNT(*) AS total FROM endpoint_keys WHERE server_id = $1";
        let total = self.db.fetch_one(sql, params![server_id.0]).await?.int("total")?;
        let sql = "SELECT id, server_id, name, hint, created_at FROM endpoint_keys WHERE server_id = $1 \
             ORDER BY id LIMIT $2 OFFSET $3";
        let mut params = params![server_id.0];
        params.extend(limit_and_offset(page));
        let rows = self.db.fetch_all(sql, params).await?;
        Ok(Listing { items: rows.iter().map(from_row).collect::<Result<_>>()?, total })
    }

    async fn endpoint_key(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        id: EndpointKeyId,
    ) -> Result<EndpointKey> {
        self.db.server_counts(visibility, server_id).await?; // fails if the server is not visible
        let sql = "SELECT id, server_id, name, hint, created_at FROM endpoint_keys WHERE server_id = $1 AND id = $2";
        let row = self.db.fetch_optional(sql, params![server_id.0, id.0]).await?;
        from_row(&row.ok_or(StorageError::NotFound(ObjectKind::EndpointKey))?)
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
        let sql = "SELECT COUNT(*) AS total FROM endpoint_keys WHERE server_id = $1";
        check_capacity(tx.fetch_one(sql, params![server_id.0]).await?.int("total")?, ENDPOINT_KEYS_MAX, "keys")?;
        let sql = "INSERT INTO endpoint_keys (server_id, name, hash, hint, created_at) VALUES ($1, $2, $3, $4, $5) \
             RETURNING id, server_id, name, hint, created_at";
        let secret = new.secret;
        let values = params![server_id.0, new.name, secret.hash.0.to_vec(), secret.hint, actor.at];
        let key = from_row(&tx.fetch_one(sql, values).await?)?;
        tx.audit(actor, Action::Create, ObjectKind::EndpointKey, key.id.0).await?;
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
        let sql = "DELETE FROM endpoint_keys WHERE server_id = $1 AND id = $2 \
             RETURNING id, server_id, name, hint, created_at";
        let row = tx.fetch_optional(sql, params![server_id.0, id.0]).await?;
        let key = from_row(&row.ok_or(StorageError::NotFound(ObjectKind::EndpointKey))?)?;
        tx.audit(actor, Action::Delete, ObjectKind::EndpointKey, id.0).await?;
        tx.commit().await?;
        Ok(key)
    }
}
