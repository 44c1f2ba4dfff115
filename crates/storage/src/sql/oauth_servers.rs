//! Reads the servers whose endpoints accept OAuth tokens.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::ids::PublicId;
use toolgate_domain::oauth::settings::OAuthSettings;
use toolgate_domain::server::{EndpointAuth, Server, ServerStatus};

use super::SqlStorage;
use super::columns::Columns as _;
use super::row::{SqlRow, params};
use crate::error::Result;
use crate::oauth_servers::{OAuthServer, OAuthServerReader};

#[async_trait]
impl OAuthServerReader for SqlStorage {
    async fn oauth_server(&self, public_id: &PublicId) -> Result<Option<OAuthServer>> {
        let sql = format!("{} AND public_id = $2", select());
        let params = params![ServerStatus::Draft.as_str(), public_id.as_str()];
        let row = self.db.fetch_optional(AssertSqlSafe(sql), params).await?;
        row.as_ref().map(from_row).transpose()
    }

    async fn list_oauth_servers(&self, limit: u32) -> Result<Vec<OAuthServer>> {
        let sql = format!("{} ORDER BY name_key, id LIMIT {limit}", select());
        let params = params![ServerStatus::Draft.as_str()];
        let rows = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
        rows.iter().map(from_row).collect()
    }
}

/// The authentication is part of the text: PostgreSQL uses the partial index of these servers only for a constant.
fn select() -> String {
    format!(
        "SELECT {}, (SELECT u.name FROM users u WHERE u.id = servers.user_id) AS owner_name FROM servers \
         WHERE auth_type = '{}' AND status <> $1",
        Server::list(),
        EndpointAuth::OAuth.as_str()
    )
}

fn from_row(row: &SqlRow) -> Result<OAuthServer> {
    let server = Server::from_row(row)?;
    let settings = OAuthSettings::from_settings(server.spec.settings.as_ref());
    Ok(OAuthServer { server, owner_name: row.text("owner_name")?, settings })
}
