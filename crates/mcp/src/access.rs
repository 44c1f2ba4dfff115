//! Access to a server. With `api-key`, a caller needs a key of that server, or a management key of its owner with the
//! scope `mcp`. Keys are looked up by hash, which prevents timing attacks, and are never sent upstream.

use http::HeaderMap;
use http::{HeaderValue, StatusCode};
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::call::CallCredential;
use toolgate_domain::ids::{EndpointKeyId, UserId};
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::server::EndpointAuth;
use toolgate_domain::time::Timestamp;

use crate::catalog::endpoint_keys::EndpointKeyState;
use crate::catalog::snapshot::ServerSnapshot;
use crate::jsonrpc::error::RpcError;
use crate::service::McpService;

/// The challenge for a missing or wrong key. It has no `resource_metadata`, which would make clients start OAuth.
pub(crate) const CHALLENGE: HeaderValue = HeaderValue::from_static("Bearer realm=\"toolgate\"");

const UNAUTHORIZED: &str =
    "Unauthorized: send a key of this server as 'Authorization: Bearer <key>' or 'X-API-Key: <key>'";

const USER_DISABLED: &str =
    "Unauthorized: the user of this key is disabled; use a key of this server, or ask an administrator";

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

/// Why a caller has no access.
pub(crate) enum AccessError {
    /// The caller has no valid key.
    Refused(RefusalReason),
    /// The caller's key expired at this time.
    Expired(Timestamp),
    /// The keys cannot be read.
    Unavailable,
}

impl AccessError {
    /// The reason of a refusal, if it is one.
    pub(crate) fn refusal(&self) -> Option<RefusalReason> {
        match self {
            Self::Refused(reason) => Some(*reason),
            Self::Expired(_) => Some(RefusalReason::ExpiredKey),
            Self::Unavailable => None,
        }
    }
}

impl From<AccessError> for RpcError {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::Refused(RefusalReason::DisabledUser) => Self::http(StatusCode::UNAUTHORIZED, USER_DISABLED),
            AccessError::Refused(_) => Self::http(StatusCode::UNAUTHORIZED, UNAUTHORIZED),
            AccessError::Expired(at) => {
                let remedy = "ask the owner of the server for another one";
                let message = format!("{UNAUTHORIZED}. This key expired at {at} (UTC); {remedy}");
                Self::http(StatusCode::UNAUTHORIZED, message)
            }
            AccessError::Unavailable => {
                Self::http(StatusCode::SERVICE_UNAVAILABLE, "Keys cannot be checked at the moment; try again")
            }
        }
    }
}

/// The caller, if one of its keys has access to the server.
pub(crate) async fn admit(
    service: &McpService,
    snapshot: &ServerSnapshot,
    key_hashes: &[KeyHash],
) -> Result<McpCaller, AccessError> {
    if is_open(snapshot) {
        return Ok(McpCaller::Anonymous);
    }
    if key_hashes.is_empty() {
        return Err(AccessError::Refused(RefusalReason::MissingKey));
    }
    let now = service.clock.now();
    let mut expired_at = None;
    for hash in key_hashes {
        let Some(key) = snapshot.keys.get(hash) else { continue };
        expired_at = key.expired_at(now);
        if expired_at.is_none() {
            return Ok(McpCaller::EndpointKey(key.id, *hash));
        }
    }
    let owner = snapshot.server.user_id;
    let owner_keys = service.catalog.owner_keys(owner).await.map_err(|error| {
        tracing::error!(%error, "cannot read the keys of an owner");
        AccessError::Unavailable
    })?;
    if let Some(hash) = key_hashes.iter().find(|hash| owner_keys.accepts(hash, now)) {
        return Ok(McpCaller::User(owner, *hash));
    }
    if key_hashes.iter().any(|hash| owner_keys.is_of_disabled_user(hash)) {
        return Err(AccessError::Refused(RefusalReason::DisabledUser));
    }
    Err(expired_at.map_or(AccessError::Refused(RefusalReason::UnknownKey), AccessError::Expired))
}

/// The endpoint key of a caller; `None` for a caller without a key or with a management key.
pub(crate) fn endpoint_key<'a>(snapshot: &'a ServerSnapshot, caller: &McpCaller) -> Option<&'a EndpointKeyState> {
    match caller {
        McpCaller::EndpointKey(_, hash) => snapshot.keys.get(hash),
        McpCaller::Anonymous | McpCaller::User(..) => None,
    }
}

fn is_open(snapshot: &ServerSnapshot) -> bool {
    snapshot.server.spec.auth_type == EndpointAuth::None
}
