//! Reads the servers whose endpoints accept OAuth tokens, for metadata documents and consent pages.

use async_trait::async_trait;
use toolgate_domain::ids::PublicId;
use toolgate_domain::oauth::settings::{OAuthIssuer, OAuthSettings};
use toolgate_domain::server::{Server, ServerStatus};
use toolgate_domain::user::User;

use crate::error::Result;

/// A server with `auth_type` `oauth` that is not a draft.
#[derive(Clone, Debug)]
pub struct OAuthServer {
    /// The server.
    pub server: Server,
    /// Name of its owner.
    pub owner_name: String,
    /// Its settings for OAuth.
    pub settings: OAuthSettings,
}

impl OAuthServer {
    /// Whether its tokens come from this service.
    pub fn has_built_in_issuer(&self) -> bool {
        self.settings.issuer == OAuthIssuer::BuiltIn
    }

    /// Whether people can allow programs access to it: it is active, and its tokens come from this service.
    pub fn accepts_consent(&self) -> bool {
        self.has_built_in_issuer() && self.server.spec.status == ServerStatus::Active
    }

    /// Whether a user may use it; `is_member` says whether it is shared with the user.
    pub fn allows(&self, user: &User, is_member: bool) -> bool {
        let is_owner = user.id == self.server.user_id;
        !user.is_disabled && self.settings.admits(user.role, is_owner, is_member)
    }
}

/// Reads servers that accept OAuth tokens, without their tools and secrets.
#[async_trait]
pub trait OAuthServerReader {
    /// The server with this public id.
    async fn oauth_server(&self, public_id: &PublicId) -> Result<Option<OAuthServer>>;

    /// The first `limit` servers, by name.
    async fn list_oauth_servers(&self, limit: u32) -> Result<Vec<OAuthServer>>;
}
