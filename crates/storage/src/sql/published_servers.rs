//! Reads a published server with seven statements in one snapshot, however many objects the server has. Secrets are
//! opened after the connection is released, so that decryption does not hold it.

use std::collections::HashMap;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::api_key::{Scope, Scopes};
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::ids::{EndpointKeyId, PublicId, UserId};
use toolgate_domain::prompt::Prompt;
use toolgate_domain::resource::Resource;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::server::Server;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::Tool;

use super::SqlStorage;
use super::columns::Columns as _;
use super::database::SqlDatabase;
use super::row::{SqlRow, params};
use super::secrets::{SecretOpener, SecretOwner};
use crate::error::Result;
use crate::published_servers::{OwnerKey, PublishedKey, PublishedServer, PublishedServerReader, UnreadableSecrets};

#[async_trait]
impl PublishedServerReader for SqlStorage {
    async fn published_server(&self, public_id: &PublicId) -> Result<Option<PublishedServer>> {
        let Some((mut published, sealed)) = self.db.sealed_server(public_id).await? else { return Ok(None) };
        let mut opener = SecretOpener::new(self);
        let mut open = |kind: ObjectKind, id: i64| {
            let blob = sealed.get(&(kind.as_str().to_owned(), id));
            let open_blob = |blob: &Vec<u8>| opener.open(SecretOwner(kind, id), blob).map_err(UnreadableSecrets);
            blob.map_or_else(|| Ok(Secrets::default()), open_blob)
        };
        let mut shared = HashMap::new();
        for (tool, secrets) in &mut published.tools {
            *secrets = open(ObjectKind::Tool, tool.id.0);
            if let Some(id) = tool.credential_id {
                // Opened once, however many tools use it.
                let shared = shared.entry(id).or_insert_with(|| open(ObjectKind::ServerCredential, id.0));
                replace_credentials(secrets, shared);
            }
        }
        for (resource, secrets) in &mut published.resources {
            *secrets = open(ObjectKind::Resource, resource.id.0);
        }
        Ok(Some(published))
    }

    async fn owner_keys(&self, user_id: UserId) -> Result<Vec<OwnerKey>> {
        let sql = "SELECT k.hash, k.scopes, k.expires_at, u.is_disabled FROM api_keys k JOIN users u ON u.id = k.user_id \
                   WHERE k.user_id = $1 ORDER BY k.id";
        let mut keys = Vec::new();
        for row in self.db.fetch_all(sql, params![user_id.0]).await? {
            if Scopes::from_stored(&row.text("scopes")?).allow(Scope::Mcp) {
                let expires_at = row.opt_int("expires_at")?.map(Timestamp::from_millis);
                let is_user_disabled = row.int("is_disabled")? != 0;
                keys.push(OwnerKey { hash: row.key_hash("hash")?, expires_at, is_user_disabled });
            }
        }
        Ok(keys)
    }
}

/// The sealed secrets of a server's objects, by kind and id of the object.
type SealedSecrets = HashMap<(String, i64), Vec<u8>>;

impl SqlDatabase {
    /// Reads a server without secrets, and its sealed secrets.
    async fn sealed_server(&self, public_id: &PublicId) -> Result<Option<(PublishedServer, SealedSecrets)>> {
        let mut tx = self.begin_snapshot().await?;
        let sql = format!("SELECT {} FROM servers WHERE public_id = $1", Server::list());
        let Some(row) = tx.fetch_optional(AssertSqlSafe(sql), params![public_id.as_str()]).await? else {
            return Ok(None);
        };
        let server = Server::from_row(&row)?;
        let mut fetch_objects = async |sql: String| tx.fetch_all(AssertSqlSafe(sql), params![server.id.0]).await;
        let tools = fetch_objects(format!(
            "SELECT {} FROM tools WHERE server_id = $1 AND status = 'active' ORDER BY sort_order, id",
            Tool::list()
        ));
        let tools = Tool::from_rows(&tools.await?)?.into_iter().map(without_secrets).collect();
        let paused = "SELECT name FROM tools WHERE server_id = $1 AND status = 'paused' ORDER BY id".to_owned();
        let paused_tool_names =
            fetch_objects(paused).await?.iter().map(|row| row.text("name")).collect::<Result<_>>()?;
        let prompts = format!("SELECT {} FROM prompts WHERE server_id = $1 ORDER BY id", Prompt::list());
        let prompts = Prompt::from_rows(&fetch_objects(prompts).await?)?;
        let resources = format!("SELECT {} FROM resources WHERE server_id = $1 ORDER BY id", Resource::list());
        let resources =
            Resource::from_rows(&fetch_objects(resources).await?)?.into_iter().map(without_secrets).collect();
        let keys =
            "SELECT id, hash, expires_at, rate_limit_per_min FROM endpoint_keys WHERE server_id = $1 ORDER BY id";
        let endpoint_keys = fetch_objects(keys.to_owned()).await?.iter().map(key_from_row).collect::<Result<_>>()?;
        let sealed = "SELECT kind, object_id, sealed FROM secrets WHERE server_id = $1".to_owned();
        let sealed = fetch_objects(sealed).await?.iter().map(sealed_from_row).collect::<Result<_>>()?;
        Ok(Some((PublishedServer { server, tools, paused_tool_names, prompts, resources, endpoint_keys }, sealed)))
    }
}

fn without_secrets<T>(object: T) -> (T, std::result::Result<Secrets, UnreadableSecrets>) {
    (object, Ok(Secrets::default()))
}

/// Replaces the credentials of a tool by those of the credential of its server that it uses.
fn replace_credentials(
    secrets: &mut std::result::Result<Secrets, UnreadableSecrets>,
    shared: &std::result::Result<Secrets, UnreadableSecrets>,
) {
    match (secrets.as_mut(), shared) {
        (Ok(own), Ok(shared)) => own.credentials.clone_from(&shared.credentials),
        (Ok(_), Err(unreadable)) => *secrets = Err(unreadable.clone()),
        (Err(_), _) => {}
    }
}

fn key_from_row(row: &SqlRow) -> Result<PublishedKey> {
    Ok(PublishedKey {
        id: EndpointKeyId(row.int("id")?),
        hash: row.key_hash("hash")?,
        expires_at: row.opt_int("expires_at")?.map(Timestamp::from_millis),
        rate_limit_per_min: row.opt_int("rate_limit_per_min")?,
    })
}

fn sealed_from_row(row: &SqlRow) -> Result<((String, i64), Vec<u8>)> {
    Ok(((row.text("kind")?, row.int("object_id")?), row.bytes("sealed")?))
}
