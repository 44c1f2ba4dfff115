//! Who may use a server: with `api-key`, whoever presents a key of that server or its owner's management key with
//! the scope `mcp`. Keys are looked up by hash, so there is nothing to time; none is ever passed upstream.

use http::HeaderMap;
use http::{HeaderValue, StatusCode};
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::server::EndpointAuth;

use crate::catalog::Published;
use crate::gate::Gate;
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

/// Hashes of the keys that a request presents to this server; none where it asks for none.
pub(crate) fn presented(published: &Published, headers: &HeaderMap) -> Vec<KeyHash> {
    if is_open(published) {
        return Vec::new();
    }
    toolgate_auth::presented_keys(headers).map(toolgate_auth::hash).collect()
}

/// The caller, where it may use the server.
pub(crate) async fn admit(gate: &Gate, published: &Published, presented: &[KeyHash]) -> Result<Caller, RpcError> {
    if is_open(published) {
        return Ok(Caller::Anonymous);
    }
    if let Some(hash) = presented.iter().find(|hash| published.keys.contains(*hash)) {
        return Ok(Caller::Key(*hash));
    }
    if presented.is_empty() {
        return Err(unauthorized());
    }
    let owner = gate.catalog.owner_keys(published.server.user_id).await.map_err(|error| {
        tracing::error!(%error, "an owner's keys could not be read");
        RpcError::http(StatusCode::SERVICE_UNAVAILABLE, "Keys cannot be checked now; try again")
    })?;
    let now = gate.clock.now();
    presented.iter().find(|hash| owner.holds(hash, now)).map(|hash| Caller::Key(*hash)).ok_or_else(unauthorized)
}

fn is_open(published: &Published) -> bool {
    published.server.spec.auth_type == EndpointAuth::None
}

fn unauthorized() -> RpcError {
    let remedy = "Unauthorized: send a key of this server as 'Authorization: Bearer <key>' or 'X-API-Key: <key>'";
    RpcError::http(StatusCode::UNAUTHORIZED, remedy)
}
