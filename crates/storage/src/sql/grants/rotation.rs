//! The use of codes and refresh tokens. Each is used under the lock of its grant, so that the second of two concurrent
//! uses sees the first.

use toolgate_domain::api_key::KeyHash;
use toolgate_domain::audit::{Action, Actor};
use toolgate_domain::ids::GrantId;
use toolgate_domain::oauth::grant::{Grant, NewRefreshToken};
use toolgate_domain::time::Timestamp;

use crate::error::Result;
use crate::sql::SqlStorage;
use crate::sql::row::params;
use crate::sql::tx::Tx;

impl SqlStorage {
    pub(super) async fn use_code(&self, hash: &KeyHash, refresh: &NewRefreshToken, now: Timestamp) -> Result<bool> {
        let mut tx = self.db.begin().await?;
        let sql = "SELECT grant_id FROM oauth_codes WHERE hash = $1";
        let Some(grant) = tx.lock_grant_of(sql, hash).await? else { return Ok(false) };
        let sql = "UPDATE oauth_codes SET used_at = $2 WHERE hash = $1 AND used_at IS NULL AND expires_at > $2 \
                   RETURNING grant_id";
        let is_first_use = tx.fetch_optional(sql, params![hash, now]).await?.is_some();
        let is_used = is_first_use && tx.is_grant_permitted(grant.id).await?;
        if is_used {
            tx.insert_refresh_token(grant.id, refresh, None).await?;
        } else {
            tx.end_misused_grant(&grant, !is_first_use, now).await?;
        }
        tx.commit().await?;
        Ok(is_used)
    }

    pub(super) async fn use_refresh_token(
        &self,
        hash: &KeyHash,
        successor: &NewRefreshToken,
        first_use_cutoff: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        let mut tx = self.db.begin().await?;
        let sql = "SELECT grant_id FROM oauth_refresh_tokens WHERE hash = $1";
        let Some(grant) = tx.lock_grant_of(sql, hash).await? else { return Ok(false) };
        let sql = "SELECT expires_at, used_at, (SELECT COUNT(*) FROM oauth_refresh_tokens x \
                   WHERE x.parent = t.hash AND x.used_at IS NOT NULL) AS used_successors \
                   FROM oauth_refresh_tokens t WHERE t.hash = $1";
        let Some(token) = tx.fetch_optional(sql, params![hash]).await? else { return Ok(false) };
        if token.time("expires_at")? <= now {
            return Ok(false);
        }
        let is_reusable = match token.opt_int("used_at")?.map(Timestamp::from_millis) {
            Some(used_at) => used_at > first_use_cutoff && token.int("used_successors")? == 0,
            None => true,
        };
        let is_rotated = is_reusable && tx.is_grant_permitted(grant.id).await?;
        if is_rotated {
            let sql = "UPDATE oauth_refresh_tokens SET used_at = $2 WHERE hash = $1 AND used_at IS NULL";
            tx.execute(sql, params![hash, now]).await?;
            tx.insert_refresh_token(grant.id, successor, Some(hash)).await?;
        } else {
            tx.end_misused_grant(&grant, !is_reusable, now).await?;
        }
        tx.commit().await?;
        Ok(is_rotated)
    }
}

impl Tx {
    /// Locks the grant of a code or token; `sql` selects its `grant_id`. Callers read codes and tokens after the lock,
    /// because rows that were read before may be outdated.
    async fn lock_grant_of(&mut self, sql: &'static str, hash: &KeyHash) -> Result<Option<Grant>> {
        match self.fetch_optional(sql, params![hash]).await? {
            Some(row) => self.lock_grant(GrantId(row.int("grant_id")?)).await,
            None => Ok(None),
        }
    }

    /// Ends a grant whose code or token was used again, or whose person may no longer use the server.
    async fn end_misused_grant(&mut self, grant: &Grant, is_reuse: bool, at: Timestamp) -> Result<()> {
        let action = if is_reuse { Action::Reuse } else { Action::Delete };
        self.end_audited_grant(&Actor::service(at), action, grant).await
    }

    /// Stores a refresh token, which expires no later than its grant ends.
    async fn insert_refresh_token(
        &mut self,
        grant: GrantId,
        token: &NewRefreshToken,
        parent: Option<&KeyHash>,
    ) -> Result<()> {
        let ends_at = self.fetch_one("SELECT ends_at FROM oauth_grants WHERE id = $1", params![grant.0]).await?;
        let expires_at = token.expires_at.min(ends_at.time("ends_at")?);
        let sql = "INSERT INTO oauth_refresh_tokens (hash, grant_id, parent, expires_at) VALUES ($1, $2, $3, $4)";
        self.execute(sql, params![&token.hash, grant.0, parent, expires_at]).await?;
        let sql = "UPDATE oauth_grants SET expires_at = $2 WHERE id = $1";
        self.execute(sql, params![grant.0, expires_at]).await
    }
}
