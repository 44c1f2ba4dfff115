//! Access to a server. With `api-key`, a caller needs a key of that server, or a management key of its owner with the
//! scope `mcp`. Keys are looked up by hash, which prevents timing attacks, and are never sent upstream.

use http::HeaderMap;
use http::{HeaderValue, StatusCode};
use toolgate_domain::api_key::KeyHash;
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
    /// The holder of a key.
    Key(KeyHash),
}

impl McpCaller {
    /// Identifies the caller, to bind a request state to it.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Anonymous => &[],
            Self::Key(hash) => &hash.0,
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
    if let Some(hash) = key_hashes.iter().find(|hash| snapshot.keys.contains(*hash)) {
        return Ok(McpCaller::Key(*hash));
    }
    if key_hashes.is_empty() {
        return Err(unauthorized());
    }
    let owner_keys = service.catalog.owner_keys(snapshot.server.user_id).await.map_err(|error| {
        tracing::error!(%error, "cannot read the keys of an owner");
        RpcError::http(StatusCode::SERVICE_UNAVAILABLE, "Keys cannot be checked at the moment; try again")
    })?;
    let now = service.clock.now();
    if let Some(hash) = key_hashes.iter().find(|hash| owner_keys.accepts(hash, now)) {
        return Ok(McpCaller::Key(*hash));
    }
    let is_disabled = key_hashes.iter().any(|hash| owner_keys.is_of_disabled_user(hash));
    Err(if is_disabled { user_disabled() } else { unauthorized() })
}

fn is_open(snapshot: &ServerSnapshot) -> bool {
    snapshot.server.spec.auth_type == EndpointAuth::None
}

fn user_disabled() -> RpcError {
    let message = "Unauthorized: the user of this key is disabled; use a key of this server, or ask an administrator";
    RpcError::http(StatusCode::UNAUTHORIZED, message)
}

fn unauthorized() -> RpcError {
    let message = "Unauthorized: send a key of this server as 'Authorization: Bearer <key>' or 'X-API-Key: <key>'";
    RpcError::http(StatusCode::UNAUTHORIZED, message)
}
