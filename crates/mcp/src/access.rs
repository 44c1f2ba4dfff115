//! Access to a server. With `api-key`, a caller needs a key of that server, or a management key of its owner with the
//! scope `mcp`. Keys are looked up by hash, which prevents timing attacks, and are never sent upstream.

use http::HeaderMap;
use http::{HeaderValue, StatusCode};
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::call::CallCredential;
use toolgate_domain::ids::{EndpointKeyId, UserId};
use toolgate_domain::server::EndpointAuth;

use crate::catalog::snapshot::ServerSnapshot;
use crate::jsonrpc::error::RpcError;
use crate::service::McpService;

/// The challenge for a missing or wrong key. It has no `resource_metadata`, which would make clients start OAuth.
pub(crate) const CHALLENGE: HeaderValue = HeaderValue::from_static("Bearer realm=\"toolgate\"");

/// The caller of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum McpCaller {
    /// A caller without a key.
    Anonymous,
    /// The holder of a key of the server's endpoint.
    EndpointKey(EndpointKeyId, KeyHash),
    /// A user with a management key.
    User(UserId, KeyHash),
}

impl McpCaller {
    /// Identifies the caller, to bind a request state to it.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.key_hash().map_or(&[], |hash| &hash.0)
    }

    /// The hash of the caller's key.
    pub(crate) fn key_hash(&self) -> Option<&KeyHash> {
        match self {
            Self::Anonymous => None,
            Self::EndpointKey(_, hash) | Self::User(_, hash) => Some(hash),
        }
    }

    /// The credential that is recorded with a call.
    pub(crate) fn credential(&self) -> CallCredential {
        match self {
            Self::Anonymous => CallCredential::None,
            Self::EndpointKey(id, _) => CallCredential::EndpointKey(*id),
            Self::User(id, _) => CallCredential::User(*id),
        }
    }
}

/// Hashes of the keys in a request; empty if the server requires no key.
pub(crate) fn presented_key_hashes(snapshot: &ServerSnapshot, headers: &HeaderMap) -> Vec<KeyHash> {
    if is_open(snapshot) {
        return Vec::new();
    }
    toolgate_auth::presented_keys(headers).map(toolgate_auth::hash_key).collect()
}

/// The caller, if one of its keys has access to the server.
pub(crate) async fn admit(
    service: &McpService,
    snapshot: &ServerSnapshot,
    key_hashes: &[KeyHash],
) -> Result<McpCaller, RpcError> {
    if is_open(snapshot) {
        return Ok(McpCaller::Anonymous);
    }
    let endpoint_key = |hash: &KeyHash| snapshot.keys.get(hash).map(|id| McpCaller::EndpointKey(*id, *hash));
    if let Some(caller) = key_hashes.iter().find_map(endpoint_key) {
        return Ok(caller);
    }
    if key_hashes.is_empty() {
        return Err(unauthorized());
    }
    let owner = snapshot.server.user_id;
    let owner_keys = service.catalog.owner_keys(owner).await.map_err(|error| {
        tracing::error!(%error, "cannot read the keys of an owner");
        RpcError::http(StatusCode::SERVICE_UNAVAILABLE, "Keys cannot be checked at the moment; try again")
    })?;
    let now = service.clock.now();
    key_hashes
        .iter()
        .find(|hash| owner_keys.accepts(hash, now))
        .map(|hash| McpCaller::User(owner, *hash))
        .ok_or_else(unauthorized)
}

fn is_open(snapshot: &ServerSnapshot) -> bool {
    snapshot.server.spec.auth_type == EndpointAuth::None
}

fn unauthorized() -> RpcError {
    let message = "Unauthorized: send a key of this server as 'Authorization: Bearer <key>' or 'X-API-Key: <key>'";
    RpcError::http(StatusCode::UNAUTHORIZED, message)
}
