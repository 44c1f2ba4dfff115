//! Access to a server. With `api-key`, a caller needs a key of that server, or a management key of its owner with the
//! scope `mcp`; with `oauth`, an access token of its issuer, or a key if the server accepts keys. Keys are looked up by
//! hash, which prevents timing attacks. Hashes and signatures of recently accepted credentials are cached; whether a
//! credential is valid is checked for each request. Neither keys nor tokens are sent upstream.

use std::sync::Arc;

use http::HeaderMap;
use toolgate_auth::PresentedToken;
use toolgate_auth::jwt::JwtError;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::call::{CallCredential, CallerIdentity};
use toolgate_domain::ids::{EndpointKeyId, UserId};
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::time::Timestamp;

use crate::access_error::AccessError;
use crate::access_tokens::{TokenCaller, TokenError};
use crate::catalog::endpoint_access::{AcceptedTokens, EndpointAccess};
use crate::catalog::endpoint_keys::EndpointKeyState;
use crate::catalog::snapshot::ServerSnapshot;
use crate::external_tokens::ExternalCaller;
use crate::service::McpService;

/// The caller of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum McpCaller {
    /// A caller without a credential.
    Anonymous,
    /// The holder of a key of the server's endpoint.
    EndpointKey(EndpointKeyId, KeyHash),
    /// A user with a management key.
    User(UserId, KeyHash),
    /// The holder of an access token of the built-in issuer.
    Token(TokenCaller),
    /// The holder of an access token of another issuer.
    External(Arc<ExternalCaller>),
}

impl McpCaller {
    /// Identifies the caller, to bind data to it. It stays the same when a token is renewed.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.identity().to_string().into_bytes()
    }

    /// The identity of the caller.
    pub(crate) fn identity(&self) -> CallerIdentity {
        match self {
            Self::Anonymous => CallerIdentity::Anonymous,
            Self::EndpointKey(id, _) => CallerIdentity::Key(*id),
            Self::User(id, _) => CallerIdentity::User(*id),
            Self::Token(token) => CallerIdentity::User(token.user_id),
            Self::External(external) => external.identity.clone(),
        }
    }

    /// The person who is signed in; `None` for a caller without a token.
    pub(crate) fn person(&self) -> Option<CallerIdentity> {
        matches!(self, Self::Token(_) | Self::External(_)).then(|| self.identity())
    }

    /// The hash of the caller's key.
    fn key_hash(&self) -> Option<&KeyHash> {
        match self {
            Self::Anonymous | Self::Token(_) | Self::External(_) => None,
            Self::EndpointKey(_, hash) | Self::User(_, hash) => Some(hash),
        }
    }

    /// The scopes of the caller's token; `None` for a caller without a token, who may use everything.
    pub(crate) fn scopes(&self) -> Option<McpScopes> {
        match self {
            Self::Anonymous | Self::EndpointKey(..) | Self::User(..) => None,
            Self::Token(token) => Some(token.scopes),
            Self::External(external) => Some(external.scopes),
        }
    }

    /// When the caller's token expires; `None` for a caller without a token.
    pub(crate) fn token_expires_at(&self) -> Option<Timestamp> {
        match self {
            Self::Anonymous | Self::EndpointKey(..) | Self::User(..) => None,
            Self::Token(token) => Some(token.expires_at),
            Self::External(external) => Some(external.expires_at),
        }
    }

    /// The credential that is recorded with a call.
    pub(crate) fn credential(&self) -> CallCredential {
        match self {
            Self::Anonymous => CallCredential::None,
            Self::EndpointKey(id, _) => CallCredential::EndpointKey(*id),
            Self::User(id, _) => CallCredential::User(*id),
            Self::Token(token) => CallCredential::User(token.user_id),
            Self::External(external) => CallCredential::Subject(external.subject_id),
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
    if let Some(tokens) = snapshot.access.tokens() {
        let presented = match tokens {
            AcceptedTokens::BuiltIn => toolgate_auth::presented_token(headers),
            AcceptedTokens::External(_) => toolgate_auth::presented_signed_token(headers),
        };
        match presented {
            PresentedToken::None => {}
            PresentedToken::Malformed => return Err(TokenError::Invalid.into()),
            PresentedToken::Token(text) => return admit_token(service, snapshot, tokens, text).await,
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
    let now = service.clock.now();
    match (caller, snapshot.access.tokens()) {
        (McpCaller::Token(token), Some(AcceptedTokens::BuiltIn)) => {
            Ok(service.access_tokens.check_caller(token, now)?)
        }
        // After any change of the settings, the token has to be sent again.
        (McpCaller::External(external), Some(AcceptedTokens::External(access)))
            if external.settings_hash == access.settings_hash =>
        {
            if now < external.expires_at {
                Ok(())
            } else {
                Err(AccessError::RefusedToken(JwtError::Expired))
            }
        }
        (McpCaller::Token(_) | McpCaller::External(_), _) => Err(TokenError::Invalid.into()),
        (McpCaller::Anonymous | McpCaller::EndpointKey(..) | McpCaller::User(..), _) => {
            let key_hash = caller.key_hash().map_or(&[][..], std::slice::from_ref);
            admit_key(service, snapshot, key_hash).await.map(drop)
        }
    }
}

async fn admit_token(
    service: &McpService,
    snapshot: &ServerSnapshot,
    tokens: &AcceptedTokens,
    text: &str,
) -> Result<McpCaller, AccessError> {
    let (server, now) = (&snapshot.server, service.clock.now());
    match tokens {
        AcceptedTokens::BuiltIn => {
            let caller = service.access_tokens.check(text, &server.public_id, now)?;
            Ok(McpCaller::Token(caller))
        }
        AcceptedTokens::External(access) => {
            // Boxed, because it is large and most requests do not need it.
            let checked = Box::pin(service.external_tokens.check(text, server, access, now)).await;
            let caller = checked.inspect_err(|error| {
                tracing::debug!(server_id = server.id.0, ?error, "refused a token of another issuer");
            })?;
            Ok(McpCaller::External(caller))
        }
    }
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

/// Records the use of the caller's key or grant.
pub(crate) fn record_use(service: &McpService, snapshot: &ServerSnapshot, caller: &McpCaller) {
    if let Some(key) = endpoint_key(snapshot, caller) {
        key.last_use.record(service.clock.now());
    }
    if let McpCaller::Token(token) = caller {
        service.access_tokens.record_use(token.grant_id, service.clock.now());
    }
}

/// The endpoint key of a caller; `None` for a caller without a key or with a management key.
pub(crate) fn endpoint_key<'a>(snapshot: &'a ServerSnapshot, caller: &McpCaller) -> Option<&'a EndpointKeyState> {
    match caller {
        McpCaller::EndpointKey(_, hash) => snapshot.keys.get(hash),
        McpCaller::Anonymous | McpCaller::User(..) | McpCaller::Token(_) | McpCaller::External(_) => None,
    }
}
