//! Servers as their MCP endpoints need them: everything about one server at once, and secrets in clear.

use async_trait::async_trait;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::ids::{PublicId, UserId};
use toolgate_domain::prompt::Prompt;
use toolgate_domain::resource::Resource;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::server::Server;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::Tool;

use crate::{Result, SealError};

/// Secrets that are there but cannot be opened. Whatever needs them must fail, for "none" would be a lie.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the stored secrets cannot be opened: {0}")]
pub struct UnreadableSecrets(pub SealError);

/// One state of a server and all that belongs to it.
#[derive(Clone, Debug)]
pub struct PublishedServer {
    /// The server, whatever its status.
    pub server: Server,
    /// Its active tools, in their order.
    pub tools: Vec<(Tool, std::result::Result<Secrets, UnreadableSecrets>)>,
    /// The names of its other tools, which nobody else may take.
    pub paused_names: Vec<String>,
    /// Its prompts by id.
    pub prompts: Vec<Prompt>,
    /// Its resources by id.
    pub resources: Vec<(Resource, std::result::Result<Secrets, UnreadableSecrets>)>,
    /// The keys made for its endpoint.
    pub key_hashes: Vec<KeyHash>,
}

/// A management key that its user may also present at the endpoints of the user's servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnerKey {
    /// What the presented key must hash to.
    pub hash: KeyHash,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
}

/// What the MCP endpoint reads. A [`ChangeListener`](crate::ChangeListener) hears when it has to be read again.
#[async_trait]
pub trait PublishedServerReader {
    /// The server of this public id, read in one consistent snapshot and in as many statements for a thousand tools as
    /// for one.
    async fn published_server(&self, public_id: &PublicId) -> Result<Option<PublishedServer>>;

    /// The management keys of a user that grant the scope `mcp`, expired ones included.
    async fn owner_keys(&self, user_id: UserId) -> Result<Vec<OwnerKey>>;
}
