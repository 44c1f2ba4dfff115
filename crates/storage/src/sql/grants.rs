//! The store of grants in SQL.

mod access_check;
mod rotation;
mod surplus;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{GrantId, OAuthClientId, ServerId, UserId};
use toolgate_domain::member::ServerRole;
use toolgate_domain::oauth::grant::{EndedGrant, Grant, NewGrant, NewRefreshToken, StoredCode, StoredRefreshToken};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::audit::AuditedObject;
use super::columns::Columns as _;
use super::locks::limit_and_offset;
use super::row::{Param, SqlRow, params};
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::grants::GrantStore;

const COLUMNS: &str = "g.id, g.server_id, s.public_id AS server_public_id, s.name AS server_name, g.user_id, u.name AS user_name, g.client_id, \
     c.client_id AS client_identifier, c.name AS client_name, c.kind AS client_kind, g.redirect_host, g.scopes, \
     g.created_at, g.last_used_at, g.expires_at, g.ends_at";
const JOINS: &str = "JOIN servers s ON s.id = g.server_id JOIN users u ON u.id = g.user_id \
     JOIN oauth_clients c ON c.id = g.client_id";
const NOT_FOUND: StorageError = StorageError::NotFound(ObjectKind::Grant);

#[async_trait]
impl GrantStore for SqlStorage {
    async fn create_grant(&self, actor: &Actor, grant: NewGrant) -> Result<GrantId> {
        let mut tx = self.db.begin().await?;
        let client_name = tx.lock_for_new_grant(&grant, actor.at).await?;
        tx.end_surplus_grants(actor, grant.user_id).await?;
        let id = tx.insert_grant(&grant, actor.at).await?;
        let (kind, server_id) = (ObjectKind::Grant, Some(grant.server_id.0));
        let object = AuditedObject { kind, id: id.0, name: client_name, server_id, owner_id: None };
        let fields = format!("client_id={},scope={}", grant.client_id, grant.scopes.to_text());
        tx.audit(&actor.with_fields(fields), Action::Consent, &object).await?;
        tx.commit().await?;
        Ok(id)
    }

    async fn record_denied_consent(
        &self,
        actor: &Actor,
        client: OAuthClientId,
        server_id: Option<ServerId>,
    ) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let row = tx.fetch_optional("SELECT name FROM oauth_clients WHERE id = $1", params![client.0]).await?;
        let name = row.ok_or(StorageError::NotFound(ObjectKind::OAuthClient))?.text("name")?;
        let (kind, server_id) = (ObjectKind::OAuthClient, server_id.map(|server| server.0));
        let object = AuditedObject { kind, id: client.0, name, server_id, owner_id: None };
        tx.audit(actor, Action::Deny, &object).await?;
        tx.commit().await
    }

    async fn code(&self, hash: &KeyHash) -> Result<Option<StoredCode>> {
        let sql = format!(
            "SELECT {COLUMNS}, o.redirect_uri, o.challenge, o.expires_at AS code_expires_at, o.used_at \
             FROM oauth_codes o JOIN oauth_grants g ON g.id = o.grant_id {JOINS} WHERE o.hash = $1"
        );
        let row = self.db.fetch_optional(AssertSqlSafe(sql), params![hash]).await?;
        let to_code = |row: SqlRow| {
            Ok(StoredCode {
                grant: Grant::from_row(&row)?,
                redirect_uri: row.text("redirect_uri")?,
                challenge: row.text("challenge")?,
                expires_at: row.time("code_expires_at")?,
                is_used: row.opt_int("used_at")?.is_some(),
            })
        };
        row.map(to_code).transpose()
    }

    async fn take_code(&self, hash: &KeyHash, refresh: NewRefreshToken, now: Timestamp) -> Result<bool> {
        self.use_code(hash, &refresh, now).await
    }

    async fn refresh_token(&self, hash: &KeyHash) -> Result<Option<StoredRefreshToken>> {
        let sql = format!(
            "SELECT {COLUMNS}, t.expires_at AS token_expires_at, t.used_at, (SELECT COUNT(*) \
             FROM oauth_refresh_tokens x WHERE x.parent = t.hash AND x.used_at IS NOT NULL) AS used_successors \
             FROM oauth_refresh_tokens t JOIN oauth_grants g ON g.id = t.grant_id {JOINS} WHERE t.hash = $1"
        );
        let row = self.db.fetch_optional(AssertSqlSafe(sql), params![hash]).await?;
        let to_token = |row: SqlRow| {
            Ok(StoredRefreshToken {
                grant: Grant::from_row(&row)?,
                expires_at: row.time("token_expires_at")?,
                used_at: row.opt_int("used_at")?.map(Timestamp::from_millis),
                is_successor_used: row.int("used_successors")? > 0,
            })
        };
        row.map(to_token).transpose()
    }

    async fn rotate_refresh_token(
        &self,
        hash: &KeyHash,
        successor: NewRefreshToken,
        first_use_cutoff: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        self.use_refresh_token(hash, &successor, first_use_cutoff, now).await
    }

    async fn grants_of_server(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Grant>> {
        self.require_server_owner(visibility, server_id).await?;
        self.list_grants("server_id", server_id.0, page).await
    }

    async fn grants_of_user(&self, user_id: UserId, page: Option<Page>) -> Result<Listing<Grant>> {
        self.list_grants("user_id", user_id.0, page).await
    }

    async fn grant_of_server(&self, visibility: Visibility, server_id: ServerId, id: GrantId) -> Result<Grant> {
        self.require_server_owner(visibility, server_id).await?;
        self.find_grant("g.id = $1 AND g.server_id = $2", params![id.0, server_id.0]).await
    }

    async fn grant_of_user(&self, user_id: UserId, id: GrantId) -> Result<Grant> {
        self.find_grant("g.id = $1 AND g.user_id = $2", params![id.0, user_id.0]).await
    }

    async fn end_grant(&self, actor: &Actor, id: GrantId) -> Result<Grant> {
        let mut tx = self.db.begin().await?;
        let grant = tx.lock_grant(id).await?.ok_or(NOT_FOUND)?;
        tx.end_audited_grant(actor, Action::Delete, &grant).await?;
        tx.commit().await?;
        Ok(grant)
    }

    async fn ended_grants(&self, since: Timestamp, limit: u32) -> Result<Vec<EndedGrant>> {
        let sql = "SELECT id, ended_at FROM ended_grants WHERE ended_at >= $1 ORDER BY ended_at DESC, id DESC LIMIT $2";
        let rows = self.db.fetch_all(sql, params![since, i64::from(limit)]).await?;
        let to_grant = |row: &SqlRow| Ok(EndedGrant { id: GrantId(row.int("id")?), ended_at: row.time("ended_at")? });
        rows.iter().map(to_grant).collect()
    }

    async fn delete_expired_grants(&self, now: Timestamp, ended_before: Timestamp) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.end_grants_where("g.expires_at < $1", params![now], now).await?;
        // Tokens are deleted without the lock of their grant, so this must not wait for a transaction that has it.
        let lock = tx.row_lock_with(" FOR UPDATE SKIP LOCKED");
        let sql = format!(
            "DELETE FROM oauth_refresh_tokens WHERE hash IN \
             (SELECT hash FROM oauth_refresh_tokens WHERE expires_at < $1{lock})"
        );
        tx.execute(AssertSqlSafe(sql), params![now]).await?;
        let lock = tx.row_lock_with(" FOR UPDATE SKIP LOCKED");
        let sql =
            format!("DELETE FROM ended_grants WHERE id IN (SELECT id FROM ended_grants WHERE ended_at < $1{lock})");
        tx.execute(AssertSqlSafe(sql), params![ended_before]).await?;
        tx.commit().await
    }

    async fn record_grant_uses(&self, uses: &[(GrantId, Timestamp)]) -> Result<()> {
        let mut uses = uses.to_vec();
        // All transactions lock grants in the order of their ids.
        uses.sort_unstable_by_key(|(id, _)| *id);
        let mut tx = self.db.begin().await?;
        for (id, at) in uses {
            let sql = "UPDATE oauth_grants SET last_used_at = $2 \
                       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
            tx.execute(sql, params![id.0, at]).await?;
        }
        tx.commit().await
    }

    async fn tokens_valid_since(&self) -> Result<Option<Timestamp>> {
        let sql = "SELECT MAX(valid_since) AS valid_since FROM token_validity";
        Ok(self.db.fetch_one(sql, vec![]).await?.opt_int("valid_since")?.map(Timestamp::from_millis))
    }
}

impl SqlStorage {
    async fn require_server_owner(&self, visibility: Visibility, id: ServerId) -> Result<()> {
        let row = self.db.visible_server("servers.id", visibility, id).await?;
        let (role, required) = (row.parsed("caller_role", ServerRole::parse)?, ServerRole::Owner);
        if role < required { Err(StorageError::Forbidden { role, required }) } else { Ok(()) }
    }

    async fn list_grants(&self, column: &str, id: i64, page: Option<Page>) -> Result<Listing<Grant>> {
        let count = format!("SELECT COUNT(*) AS total FROM oauth_grants WHERE {column} = $1");
        let total = self.db.fetch_one(AssertSqlSafe(count), params![id]).await?.int("total")?;
        let mut params = params![id];
        params.extend(limit_and_offset(page));
        let sql = format!(
            "SELECT {COLUMNS} FROM oauth_grants g {JOINS} WHERE g.{column} = $1 ORDER BY g.id DESC LIMIT $2 OFFSET $3"
        );
        Ok(Listing { items: Grant::from_rows(&self.db.fetch_all(AssertSqlSafe(sql), params).await?)?, total })
    }

    async fn find_grant(&self, condition: &str, params: Vec<Param>) -> Result<Grant> {
        let sql = format!("SELECT {COLUMNS} FROM oauth_grants g {JOINS} WHERE {condition}");
        Grant::from_row(&self.db.fetch_optional(AssertSqlSafe(sql), params).await?.ok_or(NOT_FOUND)?)
    }
}

impl Tx {
    /// Locks and reads a grant; `None` if it has ended.
    async fn lock_grant(&mut self, id: GrantId) -> Result<Option<Grant>> {
        let lock = self.row_lock_with(" FOR UPDATE OF g");
        let sql = format!("SELECT {COLUMNS} FROM oauth_grants g {JOINS} WHERE g.id = $1{lock}");
        self.fetch_optional(AssertSqlSafe(sql), params![id.0]).await?.map(|row| Grant::from_row(&row)).transpose()
    }

    /// Ends a locked grant, with an audit row.
    async fn end_audited_grant(&mut self, actor: &Actor, action: Action, grant: &Grant) -> Result<()> {
        let (kind, server_id) = (ObjectKind::Grant, Some(grant.server_id.0));
        let object = AuditedObject { kind, id: grant.id.0, name: grant.client_name.clone(), server_id, owner_id: None };
        let fields = format!("client_id={},user_id={}", grant.client_id, grant.user_id);
        self.audit(&actor.with_fields(fields), action, &object).await?;
        self.end_locked_grants(&[grant.id], actor.at).await
    }

    async fn insert_grant(&mut self, grant: &NewGrant, at: Timestamp) -> Result<GrantId> {
        let sql = "INSERT INTO oauth_grants (server_id, user_id, key_id, client_id, redirect_host, scopes, created_at, \
                   expires_at, ends_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id";
        let values = params![
            grant.server_id.0,
            grant.user_id.0,
            grant.key_id.map(|id| id.0),
            grant.client_id.0,
            grant.redirect_host.as_str(),
            grant.scopes.to_text(),
            at,
            grant.code.expires_at,
            grant.ends_at,
        ];
        let id = GrantId(self.fetch_one(sql, values).await?.int("id")?);
        let code = &grant.code;
        let sql = "INSERT INTO oauth_codes (hash, grant_id, redirect_uri, challenge, expires_at) \
                   VALUES ($1, $2, $3, $4, $5)";
        let values = params![&code.hash, id.0, code.redirect_uri.as_str(), code.challenge.as_str(), code.expires_at];
        self.execute(sql, values).await?;
        Ok(id)
    }
}
