//! The data that an MCP endpoint needs: its server with all objects, and their decrypted secrets.

use async_trait::async_trait;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::ids::{EndpointKeyId, PublicId, UserId};
use toolgate_domain::prompt::Prompt;
use toolgate_domain::resource::Resource;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::server::Server;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::Tool;

use crate::error::Result;
use crate::sealing::SealError;

/// Secrets exist but cannot be decrypted. Code that needs them must fail instead of continuing without secrets.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the stored secrets cannot be opened: {0}")]
pub struct UnreadableSecrets(pub SealError);

/// A consistent snapshot of a server and its objects.
#[derive(Clone, Debug)]
pub struct PublishedServer {
    /// The server, which may have any status.
    pub server: Server,
    /// Its active tools in their order, with their secrets.
    pub tools: Vec<(Tool, std::result::Result<Secrets, UnreadableSecrets>)>,
    /// The names of its paused tools, which no generated name of an active tool may use.
    pub paused_tool_names: Vec<String>,
    /// Its prompts, ordered by id.
    pub prompts: Vec<Prompt>,
    /// Its resources ordered by id, with their secrets.
    pub resources: Vec<(Resource, std::result::Result<Secrets, UnreadableSecrets>)>,
    /// Its endpoint keys, ordered by id. Expired keys are included.
    pub endpoint_keys: Vec<PublishedKey>,
}

/// An endpoint key as its endpoint checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedKey {
    /// Id.
    pub id: EndpointKeyId,
    /// Hash of the key.
    pub hash: KeyHash,
    /// When it expires, if ever.
    pub expires_at: Option<Timestamp>,
    /// Requests per minute with this key; `None` if only the server's limit holds.
    pub rate_limit_per_min: Option<i64>,
}

/// An API key that also authenticates its user at the MCP endpoints of the user's servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnerKey {
    /// Hash of the key.
    pub hash: KeyHash,
    /// When it expires, if ever.
    pub expires_at: Option<Timestamp>,
    /// Whether its user is disabled, so that it is refused.
    pub is_user_disabled: bool,
}

/// Reads the data of MCP endpoints. A [`ChangeListener`](crate::ChangeListener) is notified when data must be reloaded.
#[async_trait]
pub trait PublishedServerReader {
    /// The server with this public id, read in one consistent snapshot. The number of statements does not depend on the
    /// number of objects.
    async fn published_server(&self, public_id: &PublicId) -> Result<Option<PublishedServer>>;

    /// The API keys of a user that grant the scope `mcp`. Expired keys and those of a disabled user are included.
    async fn owner_keys(&self, user_id: UserId) -> Result<Vec<OwnerKey>>;
}
