//! Grants: the access that a person gave a client to one server.

use super::client::ClientKind;
use super::scopes::McpScopes;
use crate::api_key::KeyHash;
use crate::ids::{ApiKeyId, GrantId, OAuthClientId, PublicId, ServerId, UserId};
use crate::time::Timestamp;

/// Grants that a person can have at a time. People do not reach it; it bounds what one person can store.
pub const GRANTS_PER_USER_MAX: i64 = 1000;

/// A grant. Its tokens are valid while it exists.
#[derive(Clone, Debug)]
pub struct Grant {
    /// Id.
    pub id: GrantId,
    /// The server.
    pub server_id: ServerId,
    /// The server, as in its endpoint path.
    pub server_public_id: PublicId,
    /// The server's name.
    pub server_name: String,
    /// The person who gave access.
    pub user_id: UserId,
    /// The person's name.
    pub user_name: String,
    /// The client.
    pub client_id: OAuthClientId,
    /// The client's `client_id` of the protocol.
    pub client_identifier: String,
    /// The name that the client claims.
    pub client_name: String,
    /// How the client became known.
    pub client_kind: ClientKind,
    /// Host of the redirect URI, or its scheme if it is not http(s).
    pub redirect_host: String,
    /// The scopes.
    pub scopes: McpScopes,
    /// When it was given.
    pub created_at: Timestamp,
    /// When a call last used it.
    pub last_used_at: Option<Timestamp>,
    /// When it expires unless it is used before: the expiry of its newest refresh token.
    pub expires_at: Timestamp,
    /// When it ends even if it is used.
    pub ends_at: Timestamp,
}

/// A grant to store, with its authorization code.
#[derive(Clone, Debug)]
pub struct NewGrant {
    /// The server.
    pub server_id: ServerId,
    /// The person who gives access.
    pub user_id: UserId,
    /// The key with which the person signed in; deleting it ends the grant.
    pub key_id: Option<ApiKeyId>,
    /// The client.
    pub client_id: OAuthClientId,
    /// Host of the redirect URI, or its scheme if it is not http(s).
    pub redirect_host: String,
    /// The scopes.
    pub scopes: McpScopes,
    /// The latest time at which one of its tokens can be used.
    pub ends_at: Timestamp,
    /// The authorization code.
    pub code: NewCode,
}

/// An authorization code to store.
#[derive(Clone, Debug)]
pub struct NewCode {
    /// Hash of the code.
    pub hash: KeyHash,
    /// The redirect URI of the request, as sent.
    pub redirect_uri: String,
    /// The `code_challenge` (S256).
    pub challenge: String,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A stored authorization code.
#[derive(Clone, Debug)]
pub struct StoredCode {
    /// Its grant.
    pub grant: Grant,
    /// The redirect URI of the request.
    pub redirect_uri: String,
    /// The `code_challenge` (S256).
    pub challenge: String,
    /// When it expires.
    pub expires_at: Timestamp,
    /// Whether it was used.
    pub is_used: bool,
}

/// A refresh token to store.
#[derive(Clone, Debug)]
pub struct NewRefreshToken {
    /// Hash of the token.
    pub hash: KeyHash,
    /// When it expires, if it is not used before.
    pub expires_at: Timestamp,
}

/// A stored refresh token.
#[derive(Clone, Debug)]
pub struct StoredRefreshToken {
    /// Its grant.
    pub grant: Grant,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was first used.
    pub used_at: Option<Timestamp>,
    /// Whether a refresh token that replaced it has been used.
    pub is_successor_used: bool,
}

/// A grant that has ended, and whose access tokens may not have expired yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndedGrant {
    /// The grant.
    pub id: GrantId,
    /// When it ended.
    pub ended_at: Timestamp,
}
