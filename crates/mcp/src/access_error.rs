//! Why a caller has no access to a server, and the response to it.

use http::StatusCode;
use toolgate_auth::jwt::JwtError;
use toolgate_domain::oauth::scopes::McpScope;
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::time::Timestamp;

use crate::access_tokens::TokenError;
use crate::challenge::OAuthChallenge;
use crate::external_tokens::ExternalTokenError;
use crate::jsonrpc::error::RpcError;

const UNAUTHORIZED: &str =
    "Unauthorized: send a key of this server as 'Authorization: Bearer <key>' or 'X-API-Key: <key>'";

const USER_DISABLED: &str =
    "Unauthorized: the user of this key is disabled; use a key of this server, or ask an administrator";

const SIGN_IN_REQUIRED: &str = "Unauthorized: sign in. Clients that support OAuth do so by themselves; programs send an \
                                access token as 'Authorization: Bearer <token>'";

const NOT_ALLOWED: &str = "Forbidden: the access token is valid, but its claims do not fit the rules of this server. \
                           Signing in again with the same account does not help; ask the owner of the server";

/// How long a client waits before it sends a token again that could not be checked, in seconds.
const TOKEN_RETRY_SECS: u64 = 5;

/// Why a caller has no access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessError {
    /// The caller has no valid key or token.
    Refused(RefusalReason),
    /// The caller's key expired at this time.
    Expired(Timestamp),
    /// The caller's token of another issuer is not valid.
    RefusedToken(JwtError),
    /// The token is valid, but violates a rule of the server.
    NotAllowed,
    /// The token is valid, but lacks a scope that every request needs.
    MissingScope(McpScope),
    /// The keys cannot be read.
    KeysUnavailable,
    /// Tokens cannot be checked.
    TokensUnavailable,
}

impl AccessError {
    /// The reason of the refusal; `None` if access could not be checked.
    pub(crate) fn refusal(self) -> Option<RefusalReason> {
        match self {
            Self::Refused(reason) => Some(reason),
            Self::Expired(_) | Self::RefusedToken(JwtError::Expired) => Some(RefusalReason::ExpiredKey),
            Self::RefusedToken(_) => Some(RefusalReason::UnknownKey),
            Self::NotAllowed => Some(RefusalReason::NotAllowed),
            Self::MissingScope(_) => Some(RefusalReason::InsufficientScope),
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
            Self::NotAllowed => return RpcError::http(StatusCode::FORBIDDEN, NOT_ALLOWED),
            Self::MissingScope(scope) => return missing_scope(scope, challenge),
            Self::RefusedToken(error) => {
                let message = format!("Unauthorized: the access token is refused, because {error}; sign in again");
                RpcError::http(StatusCode::UNAUTHORIZED, message)
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

/// The refusal of a request for which the caller's token lacks a scope.
pub(crate) fn missing_scope(scope: McpScope, challenge: Option<&OAuthChallenge>) -> RpcError {
    let name = challenge.map_or(scope.as_str(), |challenge| challenge.scope_name(scope));
    let message = format!("Forbidden: the access token lacks the scope {name}; sign in again to get it");
    let error = RpcError::http(StatusCode::FORBIDDEN, message);
    match challenge {
        Some(challenge) => error.with_challenge(challenge.insufficient_scope(scope)),
        None => error,
    }
}

impl From<ExternalTokenError> for AccessError {
    fn from(error: ExternalTokenError) -> Self {
        match error {
            ExternalTokenError::Invalid(error) => Self::RefusedToken(error),
            ExternalTokenError::NotAllowed => Self::NotAllowed,
            ExternalTokenError::MissingScope(scope) => Self::MissingScope(scope),
            ExternalTokenError::Unavailable => Self::TokensUnavailable,
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
