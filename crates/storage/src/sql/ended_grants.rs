//! The end of grants. Every change that takes access away ends the grants in its own transaction.
//!
//! A grant is locked after its server, user, key and client, and before its codes and tokens, which change only under
//! the lock of their grant. Several grants are locked in the order of their ids (see `locks.rs`).

use sqlx::AssertSqlSafe;
use toolgate_domain::ids::{ApiKeyId, GrantId, OAuthClientId, ServerId, UserId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::oauth::grant::EndedGrant;
use toolgate_domain::oauth::settings::OAuthSettings;
use toolgate_domain::server::EndpointAuth;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Role;

use super::row::{Param, SqlRow, params};
use super::tx::Tx;
use crate::changes::ChangeEvent;
use crate::error::Result;

/// The most grants of one statement.
const GRANTS_MAX: usize = 500;

/// The columns that decide whether a person may use a server, for a join of `servers s` and `users u`.
pub(super) const ACCESS_COLUMNS: &str = "u.role, u.is_disabled, s.auth_type, s.settings, \
     CAST(CASE WHEN s.user_id = u.id THEN 1 ELSE 0 END AS BIGINT) AS is_owner, \
     (SELECT COUNT(*) FROM server_members m WHERE m.server_id = s.id AND m.user_id = u.id) AS is_member";

/// Whether the person may use the server, according to [`ACCESS_COLUMNS`].
pub(super) fn has_access(row: &SqlRow) -> Result<bool> {
    let auth_type = row.parsed("auth_type", EndpointAuth::parse)?;
    let settings = row.opt_text("settings")?.map(JsonObject::from_stored);
    let is_admitted = OAuthSettings::from_settings(settings.as_ref()).admits(
        row.parsed("role", Role::parse)?,
        row.int("is_owner")? != 0,
        row.int("is_member")? != 0,
    );
    Ok(is_admitted && auth_type == EndpointAuth::OAuth && row.int("is_disabled")? == 0)
}

impl Tx {
    /// Ends the grants of a server that is deleted.
    pub(super) async fn end_grants_of_server(&mut self, id: ServerId, at: Timestamp) -> Result<()> {
        self.end_grants_where("g.server_id = $1", params![id.0], at).await
    }

    /// Ends the grants of a user who is deleted.
    pub(super) async fn end_grants_of_user(&mut self, id: UserId, at: Timestamp) -> Result<()> {
        self.end_grants_where("g.user_id = $1", params![id.0], at).await
    }

    /// Ends the grants of sign-ins with keys that are deleted.
    pub(super) async fn end_grants_of_keys(&mut self, ids: &[ApiKeyId], at: Timestamp) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let ids = ids.iter().map(ApiKeyId::to_string).collect::<Vec<_>>().join(", ");
        self.end_grants_where(&format!("g.key_id IN ({ids})"), vec![], at).await
    }

    /// Ends the grants of a client that is blocked or deleted.
    pub(super) async fn end_grants_of_client(&mut self, id: OAuthClientId, at: Timestamp) -> Result<()> {
        self.end_grants_where("g.client_id = $1", params![id.0], at).await
    }

    /// Ends the grants of people who may no longer use a changed server.
    pub(super) async fn end_forbidden_grants_of_server(&mut self, id: ServerId, at: Timestamp) -> Result<()> {
        self.end_forbidden_grants("g.server_id = $1", id.0, at).await
    }

    /// Ends the grants of a changed user for servers that the user may no longer use.
    pub(super) async fn end_forbidden_grants_of_user(&mut self, id: UserId, at: Timestamp) -> Result<()> {
        self.end_forbidden_grants("g.user_id = $1", id.0, at).await
    }

    /// Ends the grants that fulfil a condition on `oauth_grants g`.
    pub(super) async fn end_grants_where(&mut self, condition: &str, params: Vec<Param>, at: Timestamp) -> Result<()> {
        let lock = self.row_lock_with(" FOR UPDATE");
        let sql = format!("SELECT g.id FROM oauth_grants g WHERE {condition} ORDER BY g.id{lock}");
        let rows = self.fetch_all(AssertSqlSafe(sql), params).await?;
        let ids = rows.iter().map(|row| row.int("id").map(GrantId)).collect::<Result<Vec<_>>>()?;
        self.end_locked_grants(&ids, at).await
    }

    async fn end_forbidden_grants(&mut self, condition: &str, id: i64, at: Timestamp) -> Result<()> {
        let lock = self.row_lock_with(" FOR UPDATE OF g");
        let sql = format!(
            "SELECT g.id, {ACCESS_COLUMNS} FROM oauth_grants g JOIN servers s ON s.id = g.server_id \
             JOIN users u ON u.id = g.user_id WHERE {condition} ORDER BY g.id{lock}"
        );
        let mut ids = Vec::new();
        for row in self.fetch_all(AssertSqlSafe(sql), params![id]).await? {
            if !has_access(&row)? {
                ids.push(GrantId(row.int("id")?));
            }
        }
        self.end_locked_grants(&ids, at).await
    }

    /// Ends grants that this transaction has locked. The commit publishes their end.
    pub(super) async fn end_locked_grants(&mut self, ids: &[GrantId], at: Timestamp) -> Result<()> {
        for ids in ids.chunks(GRANTS_MAX) {
            let list = ids.iter().map(GrantId::to_string).collect::<Vec<_>>().join(", ");
            let insert = format!(
                "INSERT INTO ended_grants (id, ended_at) SELECT id, $1 FROM oauth_grants WHERE id IN ({list}) \
                 ON CONFLICT (id) DO NOTHING"
            );
            self.execute(AssertSqlSafe(insert), params![at]).await?;
            let delete = format!("DELETE FROM oauth_grants WHERE id IN ({list})");
            self.execute(AssertSqlSafe(delete), vec![]).await?;
        }
        for id in ids {
            self.record_change(ChangeEvent::GrantEnded(EndedGrant { id: *id, ended_at: at }));
        }
        Ok(())
    }
}
