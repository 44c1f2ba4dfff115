//! The store of API keys in SQL.

use std::io;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::api_key::{API_KEYS_MAX, ApiKey, KeyDigest, KeyHash, NewApiKey, ResolvedKey, Scope};
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::{ApiKeyId, UserId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::{NewUser, Role, User, Visibility};

use super::SqlStorage;
use super::audit::AuditedObject;
use super::columns::Columns as _;
use super::locks::limit_and_offset;
use super::objects::StoredObject as _;
use super::row::{SqlRow, params};
use super::server_access::caller_param;
use super::tx::Tx;
use crate::api_keys::{ApiKeyStore, FirstKeyOutcome};
use crate::error::{Result, StorageError};

const FIRST_ADMIN_NAME: &str = "admin";
const BOOTSTRAP_KEY_NAME: &str = "bootstrap";

#[async_trait]
impl ApiKeyStore for SqlStorage {
    async fn list_api_keys(&self, visibility: Visibility, page: Option<Page>) -> Result<Listing<ApiKey>> {
        let caller = caller_param(visibility);
        let count = "SELECT COUNT(*) AS total FROM api_keys WHERE $1 IS NULL OR user_id = $1";
        let total = self.db.fetch_one(count, params![caller]).await?.int("total")?;
        let sql = format!(
            "SELECT {} FROM api_keys WHERE $1 IS NULL OR user_id = $1 ORDER BY id LIMIT $2 OFFSET $3",
            ApiKey::list()
        );
        let mut params = params![caller];
        params.extend(limit_and_offset(page));
        let rows = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
        Ok(Listing { items: ApiKey::from_rows(&rows)?, total })
    }

    async fn find_api_key(&self, hash: KeyHash) -> Result<Option<ResolvedKey>> {
        // The columns of the user get other names, because both tables have `id` and `name`.
        let sql = format!(
            "SELECT {}, {} FROM api_keys key JOIN users owner ON owner.id = key.user_id WHERE key.hash = $1",
            ApiKey::list_as("key", ""),
            User::list_as("owner", "owner_")
        );
        let row = self.db.fetch_optional(AssertSqlSafe(sql), params![hash.0.to_vec()]).await?;
        let resolved =
            |row: SqlRow| Ok(ResolvedKey { key: ApiKey::from_row(&row)?, user: User::from_columns(&row, "owner_")? });
        row.map(resolved).transpose()
    }

    async fn api_key(&self, visibility: Visibility, id: ApiKeyId) -> Result<ApiKey> {
        let sql = format!("SELECT {} FROM api_keys WHERE id = $1 AND ($2 IS NULL OR user_id = $2)", ApiKey::list());
        ApiKey::from_found(self.db.fetch_optional(AssertSqlSafe(sql), params![id.0, caller_param(visibility)]).await?)
    }

    async fn create_api_key(&self, actor: &Actor, new: NewApiKey) -> Result<ApiKey> {
        let mut tx = self.db.begin().await?;
        let sql = "SELECT COUNT(*) AS total FROM api_keys WHERE user_id = $1";
        if tx.fetch_one(sql, params![new.user_id.0]).await?.int("total")? >= API_KEYS_MAX {
            let message =
                format!("user_id: the user already has {API_KEYS_MAX} keys, which is the maximum; revoke some.");
            return Err(Fault::new("user_id", FaultKind::TooManyItems, message).into());
        }
        let key = tx.insert_api_key(actor, &new, false).await?;
        tx.commit().await?;
        Ok(key)
    }

    async fn delete_api_key(&self, actor: &Actor, visibility: Visibility, id: ApiKeyId) -> Result<ApiKey> {
        let mut tx = self.db.begin().await?;
        let condition = "id = $1 AND ($2 IS NULL OR user_id = $2)";
        let lock = tx.row_lock_with(" FOR UPDATE");
        let sql = format!("SELECT id FROM api_keys WHERE {condition}{lock}");
        if tx.fetch_optional(AssertSqlSafe(sql), params![id.0, caller_param(visibility)]).await?.is_some() {
            tx.end_sign_ins_of_keys(&[id], actor.at).await?;
        }
        let sql = format!("DELETE FROM api_keys WHERE {condition} RETURNING {}", ApiKey::list());
        let key: ApiKey = tx.change(actor, Action::Delete, sql, params![id.0, caller_param(visibility)]).await?;
        tx.record_keys_change(key.user_id);
        tx.commit().await?;
        Ok(key)
    }

    async fn has_no_users(&self) -> Result<bool> {
        Ok(self.db.fetch_optional("SELECT id FROM users LIMIT 1", vec![]).await?.is_none())
    }

    async fn set_bootstrap_key(&self, actor: &Actor, digest: KeyDigest) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.lock_users_exclusively().await?;
        tx.replace_bootstrap_key(actor, digest, None).await?;
        tx.commit().await
    }

    async fn ensure_bootstrap_key(&self, actor: &Actor, digest: KeyDigest) -> Result<bool> {
        let mut tx = self.db.begin().await?;
        tx.lock_users_exclusively().await?;
        let other_key_sql = "SELECT id FROM api_keys WHERE is_bootstrap = 1 AND hash <> $1";
        if tx.fetch_optional(other_key_sql, params![digest.hash.0.to_vec()]).await?.is_some() {
            return Ok(false);
        }
        tx.replace_bootstrap_key(actor, digest, None).await?;
        tx.commit().await?;
        Ok(true)
    }

    async fn set_first_bootstrap_key(
        &self,
        actor: &Actor,
        digest: KeyDigest,
        location: &str,
        prepare: &(dyn Fn() -> io::Result<()> + Sync),
    ) -> Result<FirstKeyOutcome> {
        let mut tx = self.db.begin().await?;
        tx.lock_users_exclusively().await?;
        if tx.fetch_optional("SELECT id FROM users LIMIT 1", vec![]).await?.is_some() {
            return Ok(FirstKeyOutcome::HasUsers);
        }
        // The lock is held, so no other node prepares a key. A crash before the commit leaves a key that the next
        // start of this node can store.
        if let Err(error) = prepare() {
            return Ok(FirstKeyOutcome::NotPrepared(error));
        }
        tx.replace_bootstrap_key(actor, digest, Some(location)).await?;
        tx.commit().await?;
        Ok(FirstKeyOutcome::Stored)
    }

    async fn bootstrap_key_location(&self) -> Result<Option<String>> {
        let sql = "SELECT location FROM api_keys WHERE is_bootstrap = 1";
        let row = self.db.fetch_optional(sql, vec![]).await?;
        row.map_or(Ok(None), |row| row.opt_text("location"))
    }
}

impl Tx {
    async fn replace_bootstrap_key(&mut self, actor: &Actor, digest: KeyDigest, location: Option<&str>) -> Result<()> {
        let hash = digest.hash.0.to_vec();
        let same_key_sql = "SELECT id FROM api_keys WHERE hash = $1 AND is_bootstrap = 1";
        if self.fetch_optional(same_key_sql, params![hash.clone()]).await?.is_some() {
            return Ok(());
        }
        let user_id = self.first_admin(actor).await?;
        // Also deletes a regular key with the same secret: hashes are unique, and its scopes may be narrower.
        let lock = self.row_lock_with(" FOR UPDATE");
        let sql =
            format!("SELECT id, user_id, name FROM api_keys WHERE is_bootstrap = 1 OR hash = $1 ORDER BY id{lock}");
        let rows = self.fetch_all(AssertSqlSafe(sql), params![hash]).await?;
        let ids = rows.iter().map(|row| row.int("id").map(ApiKeyId)).collect::<Result<Vec<_>>>()?;
        self.end_sign_ins_of_keys(&ids, actor.at).await?;
        for row in rows {
            self.execute("DELETE FROM api_keys WHERE id = $1", params![row.int("id")?]).await?;
            self.record_keys_change(UserId(row.int("user_id")?));
            let object = AuditedObject::without_server(ObjectKind::ApiKey, row.int("id")?, row.text("name")?);
            self.audit(actor, Action::Delete, &object).await?;
        }
        let scopes = [Scope::Admin].into_iter().collect();
        let new = NewApiKey { user_id, name: BOOTSTRAP_KEY_NAME.to_owned(), scopes, expires_at: None, digest };
        let key = self.insert_api_key(actor, &new, true).await?;
        let Some(location) = location else { return Ok(()) };
        self.execute("UPDATE api_keys SET location = $1 WHERE id = $2", params![location, key.id.0]).await
    }

    /// Ends the browser sessions and grants that were opened with locked keys, before the keys are deleted.
    async fn end_sign_ins_of_keys(&mut self, ids: &[ApiKeyId], at: Timestamp) -> Result<()> {
        for id in ids {
            self.lock_sign_ins("key_id", id.0).await?;
        }
        self.end_grants_of_keys(ids, at).await
    }

    async fn insert_api_key(&mut self, actor: &Actor, new: &NewApiKey, is_bootstrap: bool) -> Result<ApiKey> {
        let values = vec![
            ("user_id", new.user_id.0.into()),
            ("name", new.name.as_str().into()),
            ("hash", new.digest.hash.0.to_vec().into()),
            ("hint", new.digest.hint.as_str().into()),
            ("scopes", new.scopes.names().join(" ").into()),
            ("is_bootstrap", i64::from(is_bootstrap).into()),
            ("expires_at", new.expires_at.map(Timestamp::as_millis).into()),
        ];
        self.record_keys_change(new.user_id);
        self.insert(actor, Action::Create, values).await.map_err(|error| {
            if error.is_foreign_key_violation() { StorageError::NotFound(ObjectKind::User) } else { error }
        })
    }

    /// The administrator with the lowest id who is not disabled; creates one if there is none.
    async fn first_admin(&mut self, actor: &Actor) -> Result<UserId> {
        let sql = "SELECT id FROM users WHERE role = 'admin' AND is_disabled = 0 ORDER BY id LIMIT 1";
        if let Some(row) = self.fetch_optional(sql, vec![]).await? {
            return Ok(UserId(row.int("id")?));
        }
        let new = NewUser { name: FIRST_ADMIN_NAME.to_owned(), role: Role::Admin };
        Ok(self.insert_user(actor, &new).await?.id)
    }
}
