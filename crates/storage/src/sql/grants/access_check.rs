//! Whether a grant can be given or used: what it refers to must exist, and the person must have access to the server.

use sqlx::AssertSqlSafe;
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::ids::{ApiKeyId, GrantId, OAuthClientId};
use toolgate_domain::oauth::client::ClientStatus;
use toolgate_domain::oauth::grant::NewGrant;
use toolgate_domain::time::Timestamp;

use crate::error::{Result, StorageError};
use crate::sql::ended_grants::{ACCESS_COLUMNS, has_access};
use crate::sql::row::{SqlRow, params};
use crate::sql::tx::Tx;

impl Tx {
    /// Locks everything that a new grant refers to, in the order of `locks.rs`, so that no concurrent change takes the
    /// access away unnoticed. Returns the name of the client.
    pub(super) async fn lock_for_new_grant(&mut self, grant: &NewGrant, at: Timestamp) -> Result<String> {
        let sql = format!("SELECT id FROM servers WHERE id = $1{}", self.row_lock());
        found(self.fetch_optional(AssertSqlSafe(sql), params![grant.server_id.0]).await?, ObjectKind::Server)?;
        let sql = format!("SELECT id FROM users WHERE id = $1{}", self.row_lock_with(" FOR SHARE"));
        found(self.fetch_optional(AssertSqlSafe(sql), params![grant.user_id.0]).await?, ObjectKind::User)?;
        if let Some(key) = grant.key_id {
            self.lock_sign_in_key(key).await?;
        }
        let name = self.lock_client_for_consent(grant.client_id, at).await?;
        let sql = format!("SELECT {ACCESS_COLUMNS} FROM servers s, users u WHERE s.id = $1 AND u.id = $2");
        let row = self.fetch_one(AssertSqlSafe(sql), params![grant.server_id.0, grant.user_id.0]).await?;
        if has_access(&row)? { Ok(name) } else { Err(StorageError::NotFound(ObjectKind::Server)) }
    }

    /// Locks the key of a sign-in against its deletion. The user must be locked before.
    pub(in crate::sql) async fn lock_sign_in_key(&mut self, id: ApiKeyId) -> Result<()> {
        let sql = format!("SELECT id FROM api_keys WHERE id = $1{}", self.row_lock_with(" FOR KEY SHARE"));
        found(self.fetch_optional(AssertSqlSafe(sql), params![id.0]).await?, ObjectKind::ApiKey).map(drop)
    }

    /// Stores the time of a consent. `NotFound` if the client is blocked.
    async fn lock_client_for_consent(&mut self, id: OAuthClientId, at: Timestamp) -> Result<String> {
        let sql = "UPDATE oauth_clients SET last_consent_at = $2 WHERE id = $1 AND status = $3 RETURNING name";
        let row = self.fetch_optional(sql, params![id.0, at, ClientStatus::Allowed.as_str()]).await?;
        found(row, ObjectKind::OAuthClient)?.text("name")
    }

    /// Whether the person of a locked grant may still use its server.
    pub(super) async fn is_grant_permitted(&mut self, id: GrantId) -> Result<bool> {
        let sql = format!(
            "SELECT {ACCESS_COLUMNS} FROM oauth_grants g JOIN servers s ON s.id = g.server_id \
             JOIN users u ON u.id = g.user_id WHERE g.id = $1"
        );
        has_access(&self.fetch_one(AssertSqlSafe(sql), params![id.0]).await?)
    }
}

fn found(row: Option<SqlRow>, kind: ObjectKind) -> Result<SqlRow> {
    row.ok_or(StorageError::NotFound(kind))
}
