//! Who may use a server: with `api-key`, whoever presents a key of that server or its owner's management key with
//! the scope `mcp`. Keys are looked up by hash, so there is nothing to time; none is ever passed upstream.

use domain::api_key::KeyHash;
use domain::server::EndpointAuth;
use domain::time::Timestamp;
use http::HeaderMap;
use http::{HeaderValue, StatusCode};

use crate::catalog::{OwnerKeys, Published};
use crate::jsonrpc::RpcError;

/// What a client is told that presents no key, or a wrong one. No `resource_metadata`: clients would look for OAuth.
pub(crate) const CHALLENGE: HeaderValue = HeaderValue::from_static("Bearer realm=\"toolgate\"");

/// Who is calling, as far as a server cares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    /// Somebody who knows the address.
    Anonymous,
    /// The holder of a key.
    Key(KeyHash),
}

impl Caller {
    /// What tells callers apart, for binding a request state.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Anonymous => &[],
            Self::Key(hash) => &hash.0,
        }
    }
}

/// Hashes of the keys that a request presents.
pub(crate) fn presented(headers: &HeaderMap) -> Vec<KeyHash> {
    auth::presented_keys(headers).map(|key| auth::digest(key).hash).collect()
}

/// The caller, where it may use the server.
pub(crate) fn admit(
    published: &Published,
    owner: &OwnerKeys,
    presented: &[KeyHash],
    now: Timestamp,
) -> Result<Caller, RpcError> {
    if published.server.spec.auth_type == EndpointAuth::None {
        return Ok(Caller::Anonymous);
    }
    let is_known = |hash: &&KeyHash| published.keys.contains(*hash) || owner.holds(hash, now);
    presented.iter().find(is_known).map(|hash| Caller::Key(*hash)).ok_or_else(unauthorized)
}

fn unauthorized() -> RpcError {
    let remedy = "Unauthorized: send a key of this server as 'Authorization: Bearer <key>' or 'X-API-Key: <key>'";
    RpcError::http(StatusCode::UNAUTHORIZED, remedy)
}
