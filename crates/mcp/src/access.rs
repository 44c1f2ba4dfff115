//! Access to a server. With `api-key`, a caller needs a key of that server, or a management key of its owner with the
//! scope `mcp`; with `oauth`, an access token, or a key if the server accepts keys. Keys are looked up by hash, which
//! prevents timing attacks. Hashes and signatures of credentials that were accepted lately are cached; whether a credential
//! is valid is checked for each request. Neither keys nor tokens are sent upstream.

use http::HeaderMap;
use http::StatusCode;
use toolgate_auth::PresentedToken;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::call::{CallCredential, CallerIdentity};
use toolgate_domain::ids::{EndpointKeyId, UserId};
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::time::Timestamp;

use crate::access_tokens::{TokenCaller, TokenError};
use crate::catalog::endpoint_access::EndpointAccess;
use crate::catalog::endpoint_keys::EndpointKeyState;
use crate::catalog::snapshot::ServerSnapshot;
use crate::challenge::OAuthChallenge;
use crate::jsonrpc::error::RpcError;
use crate::service::McpService;

const UNAUTHORIZED: &str =
    "Unauthorized: send a key of this server as 'Authorization: Bearer <key>' or 'X-API-Key: <key>'";

const USER_DISABLED: &str =
    "Unauthorized: the user of this key is disabled; use a key of this server, or ask an administrator";

const SIGN_IN_REQUIRED: &str = "Unauthorized: sign in. Clients that support OAuth do so by themselves; programs send an \
                                access token as 'Authorization: Bearer <token>'";

/// How long a client waits before it sends a token again that could not be checked, in seconds.
const TOKEN_RETRY_SECS: u64 = 5;

/// The caller of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum McpCaller {
    /// A caller without a credential.
    Anonymous,
    /// The holder of a key of the server's endpoint.
    EndpointKey(EndpointKeyId, KeyHash),
    /// A user with a management key.
    User(UserId, KeyHash),
    /// The holder of an access token.
    Token(TokenCaller),
}

impl McpCaller {
    /// Identifies the caller, to bind data to it. It stays the same when a token is renewed.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.identity().to_string().into_bytes()
    }

    /// Who calls.
    pub(crate) fn identity(&self) -> CallerIdentity {
        match self {
            Self::Anonymous => CallerIdentity::Anonymous,
            Self::EndpointKey(id, _) => CallerIdentity::Key(*id),
            Self::User(id, _) => CallerIdentity::User(*id),
            Self::Token(token) => token.identity.clone(),
        }
    }

    /// The hash of the caller's key.
    fn key_hash(&self) -> Option<&KeyHash> {
        match self {
            Self::Anonymous | Self::Token(_) => None,
            Self::EndpointKey(_, hash) | Self::User(_, hash) => Some(hash),
        }
    }

    /// The token of the caller.
    pub(crate) fn token(&self) -> Option<&TokenCaller> {
        if let Self::Token(token) = self { Some(token) } else { None }
    }

    /// The credential that is recorded with a call.
    pub(crate) fn credential(&self) -> CallCredential {
        match self.identity() {
            CallerIdentity::User(id) => CallCredential::User(id),
            CallerIdentity::Key(id) => CallCredential::EndpointKey(id),
            // Calls of subjects are recorded without their caller until the log can store them.
            CallerIdentity::Anonymous | CallerIdentity::Subject { .. } => CallCredential::None,
        }
    }
}

/// Why a caller has no access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessError {
    /// The caller has no valid key or token.
    Refused(RefusalReason),
    /// The caller's key expired at this time.
    Expired(Timestamp),
    /// The keys cannot be read.
    KeysUnavailable,
    /// Tokens cannot be checked.
    TokensUnavailable,
}

impl AccessError {
    /// The reason of a refusal, if it is one.
    pub(crate) fn refusal(self) -> Option<RefusalReason> {
        match self {
            Self::Refused(reason) => Some(reason),
            Self::Expired(_) => Some(RefusalReason::ExpiredKey),
            Self::KeysUnavailable | Self::TokensUnavailable => None,
        }
    }

    /// The error for the client. `challenge` is given for a server that requires sign-in.
    pub(crate) fn into_rpc_error(self, challenge: Option<&OAuthChallenge>) -> RpcError {
        let error = match self {
            Self::KeysUnavailable => {
                let message = "Keys cannot be checked at the moment; try again";
                return RpcError::http(StatusCode::SERVICE_UNAVAILABLE, message);
            }
            Self::TokensUnavailable => {
                return RpcError::unavailable(
                    "Access tokens cannot be checked at the moment; try again",
                    TOKEN_RETRY_SECS,
                );
            }
            Self::Refused(RefusalReason::DisabledUser) => RpcError::http(StatusCode::UNAUTHORIZED, USER_DISABLED),
            Self::Refused(_) | Self::Expired(_) if challenge.is_some() => {
                RpcError::http(StatusCode::UNAUTHORIZED, SIGN_IN_REQUIRED)
            }
            Self::Refused(_) => RpcError::http(StatusCode::UNAUTHORIZED, UNAUTHORIZED),
            Self::Expired(at) => {
                let remedy = "ask the owner of the server for another one";
                let message = format!("{UNAUTHORIZED}. This key expired at {at} (UTC); {remedy}");
                RpcError::http(StatusCode::UNAUTHORIZED, message)
            }
        };
        match challenge {
            Some(challenge) if self == Self::Refused(RefusalReason::MissingKey) => {
                error.with_challenge(challenge.missing_token())
            }
            Some(challenge) => error.with_challenge(challenge.invalid_token()),
            None => error,
        }
    }
}

impl From<TokenError> for AccessError {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Invalid => Self::Refused(RefusalReason::UnknownKey),
            TokenError::Expired => Self::Refused(RefusalReason::ExpiredKey),
            TokenError::Unavailable => Self::TokensUnavailable,
        }
    }
}

/// The caller, if its token or one of its keys has access to the server.
pub(crate) async fn admit(
    service: &McpService,
    snapshot: &ServerSnapshot,
    headers: &HeaderMap,
) -> Result<McpCaller, AccessError> {
    if snapshot.access == EndpointAccess::Open {
        return Ok(McpCaller::Anonymous);
    }
    if snapshot.access.is_oauth() {
        match toolgate_auth::presented_token(headers) {
            PresentedToken::None => {}
            PresentedToken::Malformed => return Err(TokenError::Invalid.into()),
            PresentedToken::Token(text) => return admit_token(service, snapshot, text).map_err(AccessError::from),
        }
    }
    let presented = service.accepted_keys.hash_all(headers);
    let caller = admit_key(service, snapshot, &presented.hashes).await?;
    service.accepted_keys.remember(headers, &presented, caller.key_hash());
    Ok(caller)
}

/// Checks whether a caller that had access still has it.
pub(crate) async fn admit_again(
    service: &McpService,
    snapshot: &ServerSnapshot,
    caller: &McpCaller,
) -> Result<(), AccessError> {
    if snapshot.access == EndpointAccess::Open {
        return Ok(());
    }
    match caller.token() {
        Some(token) if snapshot.access.accepts_own_tokens() => {
            Ok(service.access_tokens.check_caller(token, service.clock.now())?)
        }
        Some(_) => Err(TokenError::Invalid.into()),
        None => {
            let key_hash = caller.key_hash().map_or(&[][..], std::slice::from_ref);
            admit_key(service, snapshot, key_hash).await.map(drop)
        }
    }
}

fn admit_token(service: &McpService, snapshot: &ServerSnapshot, text: &str) -> Result<McpCaller, TokenError> {
    if !snapshot.access.accepts_own_tokens() {
        return Err(TokenError::Invalid);
    }
    service.access_tokens.check(text, &snapshot.server.public_id, service.clock.now()).map(McpCaller::Token)
}

async fn admit_key(
    service: &McpService,
    snapshot: &ServerSnapshot,
    key_hashes: &[KeyHash],
) -> Result<McpCaller, AccessError> {
    if key_hashes.is_empty() {
        return Err(AccessError::Refused(RefusalReason::MissingKey));
    }
    if !snapshot.access.accepts_keys() {
        return Err(AccessError::Refused(RefusalReason::UnknownKey));
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
        AccessError::KeysUnavailable
    })?;
    if let Some(hash) = key_hashes.iter().find(|hash| owner_keys.accepts(hash, now)) {
        return Ok(McpCaller::User(owner, *hash));
    }
    if key_hashes.iter().any(|hash| owner_keys.is_of_disabled_user(hash)) {
        return Err(AccessError::Refused(RefusalReason::DisabledUser));
    }
    Err(expired_at.map_or(AccessError::Refused(RefusalReason::UnknownKey), AccessError::Expired))
}

/// Notes the use of the caller's key or grant.
pub(crate) fn record_use(service: &McpService, snapshot: &ServerSnapshot, caller: &McpCaller) {
    if let Some(key) = endpoint_key(snapshot, caller) {
        key.last_use.record(service.clock.now());
    }
    if let Some(grant) = caller.token().and_then(|token| token.grant_id) {
        service.access_tokens.record_use(grant, service.clock.now());
    }
}

/// The endpoint key of a caller; `None` for a caller without a key or with a management key.
pub(crate) fn endpoint_key<'a>(snapshot: &'a ServerSnapshot, caller: &McpCaller) -> Option<&'a EndpointKeyState> {
    match caller {
        McpCaller::EndpointKey(_, hash) => snapshot.keys.get(hash),
        McpCaller::Anonymous | McpCaller::User(..) | McpCaller::Token(_) => None,
    }
}
