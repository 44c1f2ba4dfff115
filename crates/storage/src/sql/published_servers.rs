//! Reads a published server with seven statements in one snapshot, however many objects the server has. Secrets are
//! opened after the connection is released, so that decryption does not hold it.

use std::collections::HashMap;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::api_key::{KeyHash, Scope, Scopes};
use toolgate_domain::ids::{PublicId, UserId};
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
use crate::published_servers::{OwnerKey, PublishedServer, PublishedServerReader, UnreadableSecrets};

/// A server with its secrets still sealed; `sealed` maps the kind and id of an object to its secret.
struct StoredServer {
    server: Server,
    tools: Vec<Tool>,
    paused_tool_names: Vec<String>,
    prompts: Vec<Prompt>,
    resources: Vec<Resource>,
    key_hashes: Vec<KeyHash>,
    sealed: HashMap<(String, i64), Vec<u8>>,
}

#[async_trait]
impl PublishedServerReader for SqlStorage {
    async fn published_server(&self, public_id: &PublicId) -> Result<Option<PublishedServer>> {
        let stored = self.db.stored_server(public_id).await?;
        Ok(stored.map(|stored| stored.open(&mut SecretOpener::new(self))))
    }

    async fn owner_keys(&self, user_id: UserId) -> Result<Vec<OwnerKey>> {
        let sql = "SELECT hash, scopes, expires_at FROM api_keys WHERE user_id = $1 ORDER BY id";
        let mut keys = Vec::new();
        for row in self.db.fetch_all(sql, params![user_id.0]).await? {
            if Scopes::from_stored(&row.text("scopes")?).allow(Scope::Mcp) {
                let expires_at = row.opt_int("expires_at")?.map(Timestamp::from_millis);
                keys.push(OwnerKey { hash: row.key_hash("hash")?, expires_at });
            }
        }
        Ok(keys)
    }
}

impl StoredServer {
    fn open(self, opener: &mut SecretOpener<'_>) -> PublishedServer {
        let Self { server, tools, paused_tool_names, prompts, resources, key_hashes, sealed } = self;
        let mut open = |owner: SecretOwner| {
            let (kind, id) = owner.kind_and_id();
            let blob = sealed.get(&(kind.to_owned(), id));
            blob.map_or_else(|| Ok(Secrets::default()), |blob| opener.open(owner, blob).map_err(UnreadableSecrets))
        };
        let tools = tools.into_iter().map(|tool| {
            let secrets = open(SecretOwner::Tool(tool.id.0));
            (tool, secrets)
        });
        let tools = tools.collect();
        let resources = resources.into_iter().map(|resource| {
            let secrets = open(SecretOwner::Resource(resource.id.0));
            (resource, secrets)
        });
        let resources = resources.collect();
        PublishedServer { server, tools, paused_tool_names, prompts, resources, key_hashes }
    }
}

impl SqlDatabase {
    async fn stored_server(&self, public_id: &PublicId) -> Result<Option<StoredServer>> {
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
        let tools = Tool::from_rows(&tools.await?)?;
        let paused = "SELECT name FROM tools WHERE server_id = $1 AND status = 'paused' ORDER BY id".to_owned();
        let paused_tool_names =
            fetch_objects(paused).await?.iter().map(|row| row.text("name")).collect::<Result<_>>()?;
        let prompts = format!("SELECT {} FROM prompts WHERE server_id = $1 ORDER BY id", Prompt::list());
        let prompts = Prompt::from_rows(&fetch_objects(prompts).await?)?;
        let resources = format!("SELECT {} FROM resources WHERE server_id = $1 ORDER BY id", Resource::list());
        let resources = Resource::from_rows(&fetch_objects(resources).await?)?;
        let keys = "SELECT hash FROM endpoint_keys WHERE server_id = $1 ORDER BY id".to_owned();
        let key_hashes = fetch_objects(keys).await?.iter().map(|row| row.key_hash("hash")).collect::<Result<_>>()?;
        let sealed = "SELECT kind, object_id, sealed FROM secrets WHERE server_id = $1".to_owned();
        let sealed = fetch_objects(sealed).await?.iter().map(sealed_from_row).collect::<Result<_>>()?;
        Ok(Some(StoredServer { server, tools, paused_tool_names, prompts, resources, key_hashes, sealed }))
    }
}

fn sealed_from_row(row: &SqlRow) -> Result<((String, i64), Vec<u8>)> {
    Ok(((row.text("kind")?, row.int("object_id")?), row.bytes("sealed")?))
}
