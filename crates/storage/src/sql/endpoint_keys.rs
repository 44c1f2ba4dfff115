//! The store of endpoint keys in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::api_key::{ENDPOINT_KEYS_MAX, EndpointKey};
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{EndpointKeyId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::{Columns as _, insert};
use super::locks::{check_capacity, limit_and_offset};
use super::row::params;
use crate::endpoint_keys::{EndpointKeyStore, NewEndpointKey};
use crate::error::{Result, StorageError};

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
        let sql = format!(
            "SELECT {} FROM endpoint_keys WHERE server_id = $1 ORDER BY id LIMIT $2 OFFSET $3",
            EndpointKey::list()
        );
        let mut params = params![server_id.0];
        params.extend(limit_and_offset(page));
        let rows = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
        Ok(Listing { items: EndpointKey::from_rows(&rows)?, total })
    }

    async fn endpoint_key(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        id: EndpointKeyId,
    ) -> Result<EndpointKey> {
        self.db.server_counts(visibility, server_id).await?;
        let sql = format!("SELECT {} FROM endpoint_keys WHERE server_id = $1 AND id = $2", EndpointKey::list());
        let row = self.db.fetch_optional(AssertSqlSafe(sql), params![server_id.0, id.0]).await?;
        EndpointKey::from_row(&row.ok_or(StorageError::NotFound(ObjectKind::EndpointKey))?)
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
        let values = vec![
            ("server_id", server_id.0.into()),
            ("name", new.name.into()),
            ("hash", new.secret.hash.0.to_vec().into()),
            ("hint", new.secret.hint.into()),
            ("created_at", actor.at.into()),
        ];
        let (sql, params) = insert::<EndpointKey>("endpoint_keys", values);
        let key = EndpointKey::from_row(&tx.fetch_one(sql, params).await?)?;
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
        let sql =
            format!("DELETE FROM endpoint_keys WHERE server_id = $1 AND id = $2 RETURNING {}", EndpointKey::list());
        let row = tx.fetch_optional(AssertSqlSafe(sql), params![server_id.0, id.0]).await?;
        let key = EndpointKey::from_row(&row.ok_or(StorageError::NotFound(ObjectKind::EndpointKey))?)?;
        tx.audit(actor, Action::Delete, ObjectKind::EndpointKey, id.0).await?;
        tx.commit().await?;
        Ok(key)
    }
}
