//! The store of OAuth clients in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::OAuthClientId;
use toolgate_domain::oauth::client::{ClientKind, ClientStatus, NewOAuthClient, OAuthClient};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::time::Timestamp;

use super::SqlStorage;
use super::audit::AuditedObject;
use super::columns::{Columns as _, Values};
use super::locks::limit_and_offset;
use super::objects::StoredObject as _;
use super::row::params;
use super::tx::Tx;
use crate::error::Result;
use crate::oauth_clients::OAuthClientStore;

/// A younger client is never deleted to make room for another one: a person may be about to allow it access.
const EVICTION_AGE_MIN_MS: i64 = 10 * 60 * 1000;

/// Clients that registered themselves and were never allowed access; the index has the same condition.
const UNUSED: &str = "kind = 'registered' AND last_consent_at IS NULL";

#[async_trait]
impl OAuthClientStore for SqlStorage {
    async fn register_client(&self, client: NewOAuthClient, limit: u32, now: Timestamp) -> Result<Option<OAuthClient>> {
        let mut tx = self.db.begin().await?;
        let sql = format!("SELECT COUNT(*) AS total FROM oauth_clients WHERE {UNUSED}");
        let count = tx.fetch_one(AssertSqlSafe(sql), vec![]).await?.int("total")?;
        if count >= i64::from(limit) && !tx.evict_unused_client(now).await? {
            return Ok(None);
        }
        let client = tx.insert_client(&client, now, "").await?;
        tx.commit().await?;
        Ok(Some(client))
    }

    async fn save_client_document(&self, client: NewOAuthClient, now: Timestamp) -> Result<OAuthClient> {
        let mut tx = self.db.begin().await?;
        let replace = "ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, \
                       redirect_uris = excluded.redirect_uris, updated_at = excluded.updated_at";
        let client = tx.insert_client(&client, now, replace).await?;
        tx.commit().await?;
        Ok(client)
    }

    async fn create_client(&self, actor: &Actor, client: NewOAuthClient) -> Result<OAuthClient> {
        let mut tx = self.db.begin().await?;
        let client = tx.insert(actor, Action::Create, values(&client)).await?;
        tx.commit().await?;
        Ok(client)
    }

    async fn client_by_identifier(&self, client_id: &str) -> Result<Option<OAuthClient>> {
        let sql = format!("SELECT {} FROM oauth_clients WHERE client_id = $1", OAuthClient::list());
        let row = self.db.fetch_optional(AssertSqlSafe(sql), params![client_id]).await?;
        row.map(|row| OAuthClient::from_row(&row)).transpose()
    }

    async fn list_clients(&self, page: Option<Page>) -> Result<Listing<OAuthClient>> {
        let count = "SELECT COUNT(*) AS total FROM oauth_clients";
        let total = self.db.fetch_one(count, vec![]).await?.int("total")?;
        let sql = format!("SELECT {} FROM oauth_clients ORDER BY id DESC LIMIT $1 OFFSET $2", OAuthClient::list());
        let rows = self.db.fetch_all(AssertSqlSafe(sql), limit_and_offset(page).into()).await?;
        Ok(Listing { items: OAuthClient::from_rows(&rows)?, total })
    }

    async fn client(&self, id: OAuthClientId) -> Result<OAuthClient> {
        self.db.find(id.0).await
    }

    async fn set_client_status(&self, actor: &Actor, id: OAuthClientId, status: ClientStatus) -> Result<OAuthClient> {
        let mut tx = self.db.begin().await?;
        let client = tx.update(actor, id.0, vec![("status", status.as_str().into())]).await?;
        if status == ClientStatus::Blocked {
            tx.end_grants_of_client(id, actor.at).await?;
        }
        tx.commit().await?;
        Ok(client)
    }

    async fn delete_client(&self, actor: &Actor, id: OAuthClientId) -> Result<OAuthClient> {
        let mut tx = self.db.begin().await?;
        let lock = tx.row_lock_with(" FOR UPDATE");
        let sql = format!("SELECT {} FROM oauth_clients WHERE id = $1{lock}", OAuthClient::list());
        let client = OAuthClient::from_found(tx.fetch_optional(AssertSqlSafe(sql), params![id.0]).await?)?;
        tx.end_grants_of_client(id, actor.at).await?;
        tx.execute("DELETE FROM oauth_clients WHERE id = $1", params![id.0]).await?;
        let object = AuditedObject::without_server(ObjectKind::OAuthClient, id.0, client.name.clone());
        tx.audit(actor, Action::Delete, &object).await?;
        tx.commit().await?;
        Ok(client)
    }

    async fn delete_unused_clients(&self, cutoff: Timestamp) -> Result<()> {
        let mut tx = self.db.begin().await?;
        // A client that is locked is about to be allowed access, or another node deletes it.
        let lock = tx.row_lock_with(" FOR UPDATE SKIP LOCKED");
        let sql = format!(
            "DELETE FROM oauth_clients WHERE id IN \
             (SELECT id FROM oauth_clients WHERE {UNUSED} AND created_at < $1{lock})"
        );
        tx.execute(AssertSqlSafe(sql), params![cutoff]).await?;
        tx.commit().await
    }

    async fn delete_unused_documents(&self, unused_cutoff: Timestamp, stale_cutoff: Timestamp) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let lock = tx.row_lock_with(" FOR UPDATE OF c SKIP LOCKED");
        // A consent that commits while this waits is seen in `last_consent_at`, not in `oauth_grants`: PostgreSQL reads
        // only the locked row again.
        let sql = format!(
            "DELETE FROM oauth_clients WHERE id IN (SELECT c.id FROM oauth_clients c \
             WHERE c.kind = $3 AND c.status = $4 AND ((c.last_consent_at IS NULL AND c.updated_at < $1) \
             OR (c.last_consent_at < $2 AND c.updated_at < $2)) \
             AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_id = c.id){lock})"
        );
        let (kind, status) = (ClientKind::MetadataDocument.as_str(), ClientStatus::Allowed.as_str());
        tx.execute(AssertSqlSafe(sql), params![unused_cutoff, stale_cutoff, kind, status]).await?;
        tx.commit().await
    }
}

fn values(client: &NewOAuthClient) -> Values {
    vec![
        ("client_id", client.client_id.as_str().into()),
        ("kind", client.kind.as_str().into()),
        ("status", ClientStatus::Allowed.as_str().into()),
        ("name", client.name.as_str().into()),
        ("redirect_uris", serde_json::to_string(&client.redirect_uris).unwrap_or_default().into()),
        ("auth_method", client.auth_method.as_str().into()),
        ("secret_hash", client.secret_hash.as_ref().into()),
    ]
}

impl Tx {
    /// Inserts a client without an audit row: programs register without a person.
    async fn insert_client(&mut self, client: &NewOAuthClient, now: Timestamp, conflict: &str) -> Result<OAuthClient> {
        let (columns, mut params): (Vec<_>, Vec<_>) = values(client).into_iter().unzip();
        params.push(now.into());
        let sql = format!(
            "INSERT INTO oauth_clients ({}, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) \
             {conflict} RETURNING {}",
            columns.join(", "),
            OAuthClient::list()
        );
        let row = self.fetch_one(AssertSqlSafe(sql), params).await;
        OAuthClient::from_row(&row.map_err(|error| error.or_exists(OAuthClient::KIND, OAuthClient::UNIQUE_FIELD))?)
    }

    /// Deletes the oldest unused client that is old enough. Returns whether there was one.
    async fn evict_unused_client(&mut self, now: Timestamp) -> Result<bool> {
        let lock = self.row_lock_with(" FOR UPDATE SKIP LOCKED");
        let sql = format!(
            "DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients WHERE {UNUSED} AND created_at < $1 \
             ORDER BY created_at LIMIT 1{lock}) RETURNING id"
        );
        let cutoff = now.plus_millis(-EVICTION_AGE_MIN_MS);
        Ok(self.fetch_optional(AssertSqlSafe(sql), params![cutoff]).await?.is_some())
    }
}
