//! OAuth clients: the programs that ask for access to MCP endpoints.

use crate::api_key::KeyHash;
use crate::closed_set::closed_set;
use crate::ids::OAuthClientId;
use crate::time::Timestamp;

closed_set! {
    /// How a client became known.
    pub enum ClientKind {
        /// It registered itself; nothing of what it says is verified.
        Registered = "registered",
        /// Its id is the URL of a metadata document; the host of that URL is verified.
        MetadataDocument = "metadata_document",
        /// An administrator registered it.
        Preregistered = "preregistered",
    }
}

closed_set! {
    /// Whether a client may ask for access.
    pub enum ClientStatus {
        /// It may.
        Allowed = "allowed",
        /// It may not, and its grants have ended.
        Blocked = "blocked",
    }
}

closed_set! {
    /// How a client authenticates at the token endpoint.
    pub enum ClientAuthMethod {
        /// It has no secret.
        None = "none",
        /// The secret is in the form.
        SecretPost = "client_secret_post",
        /// The secret is in the header `Authorization`.
        SecretBasic = "client_secret_basic",
    }
}

/// A client.
#[derive(Clone, Debug)]
pub struct OAuthClient {
    /// Id used in REST paths.
    pub id: OAuthClientId,
    /// The `client_id` of the protocol: `tgx_…`, or the URL of a metadata document.
    pub client_id: String,
    /// How it became known.
    pub kind: ClientKind,
    /// Whether it may ask for access.
    pub status: ClientStatus,
    /// The name that it claims.
    pub name: String,
    /// Where responses may be sent, as registered.
    pub redirect_uris: Vec<String>,
    /// How it authenticates.
    pub auth_method: ClientAuthMethod,
    /// Hash of its secret, if it has one.
    pub secret_hash: Option<KeyHash>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When a person last allowed it access; `None` if nobody has.
    pub last_consent_at: Option<Timestamp>,
}

/// A client to store.
#[derive(Clone, Debug)]
pub struct NewOAuthClient {
    /// The `client_id` of the protocol.
    pub client_id: String,
    /// How it became known.
    pub kind: ClientKind,
    /// The name that it claims.
    pub name: String,
    /// Where responses may be sent.
    pub redirect_uris: Vec<String>,
    /// How it authenticates.
    pub auth_method: ClientAuthMethod,
    /// Hash of its secret, if it has one.
    pub secret_hash: Option<KeyHash>,
}
