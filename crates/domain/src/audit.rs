//! The audit trail: who changed what. An audit row is written in the transaction of the change, so that no change goes
//! unrecorded.

use crate::closed_set::closed_set;
use crate::ids::{ApiKeyId, ServerId, UserId};
use crate::time::Timestamp;

/// The author of a change, the time, and the changed fields.
#[derive(Clone, Debug)]
pub struct Actor {
    /// The user; `None` for the command line and the service.
    pub user_id: Option<UserId>,
    /// The user's name.
    pub user_name: Option<String>,
    /// The API key of the request.
    pub key_id: Option<ApiKeyId>,
    /// The key's name.
    pub key_name: Option<String>,
    /// The time of the change, which also becomes `updated_at`.
    pub at: Timestamp,
    /// Names of the fields in the request, separated by commas. Values are not recorded, except who got access to a
    /// server (`user_id=7,role=editor`), the linked or removed account of a person (`identity_id=3`) and the numbers of
    /// an import (`created=3,updated=0,skipped=1,failed=0`).
    pub fields: String,
}

impl Actor {
    /// The service, or its command line.
    pub fn service(at: Timestamp) -> Self {
        Self { user_id: None, user_name: None, key_id: None, key_name: None, at, fields: String::new() }
    }

    /// The same author, with other `fields`.
    #[must_use]
    pub fn with_fields(&self, fields: String) -> Self {
        Self { fields, ..self.clone() }
    }
}

/// One recorded change. Names are those at the time of the change.
#[derive(Clone, Debug)]
pub struct AuditEntry {
    /// Id; a later change has a higher one.
    pub id: i64,
    /// The time of the change.
    pub at: Timestamp,
    /// The user; `None` for the command line and the service.
    pub user_id: Option<UserId>,
    /// The user's name.
    pub user_name: Option<String>,
    /// The API key of the request.
    pub key_id: Option<ApiKeyId>,
    /// The key's name.
    pub key_name: Option<String>,
    /// The name of the [`Action`]. Text, because nodes of a newer release can record actions and kinds that this one does
    /// not know.
    pub action: String,
    /// The name of the object's [`ObjectKind`].
    pub object_kind: String,
    /// The object's id.
    pub object_id: i64,
    /// The object's name; `None` if it was deleted before names were recorded.
    pub object_name: Option<String>,
    /// The server that the change concerns, which may be deleted.
    pub server_id: Option<ServerId>,
    /// Names of the fields in the request, separated by commas.
    pub fields: String,
}

closed_set! {
    /// The kind of change.
    pub enum Action {
        /// The object was created.
        Create = "create",
        /// Fields were changed.
        Update = "update",
        /// The object was deleted.
        Delete = "delete",
        /// The object's status was toggled.
        Toggle = "toggle",
        /// The object was created as a copy of another object.
        Duplicate = "duplicate",
        /// The order of a server's tools changed.
        Reorder = "reorder",
        /// Tools were imported into a server.
        Import = "import",
        /// A person allowed a client access to a server.
        Consent = "consent",
        /// A person refused a client access to a server.
        Deny = "deny",
        /// A code or a refresh token was used again, which ended its grant.
        Reuse = "reuse",
        /// A person signed in with a browser.
        SignIn = "sign_in",
        /// A sign-in as a user failed.
        SignInFailed = "sign_in_failed",
    }
}

closed_set! {
    /// The kind of an object, in audit rows and in "not found" errors.
    pub enum ObjectKind {
        /// A server.
        Server = "server",
        /// A tool.
        Tool = "tool",
        /// A prompt.
        Prompt = "prompt",
        /// A resource.
        Resource = "resource",
        /// A credential of a server, which its tools can share.
        ServerCredential = "credential",
        /// A description of an API from which tools were imported.
        ApiDocument = "document",
        /// A user.
        User = "user",
        /// A key for the management API.
        ApiKey = "api_key",
        /// A key for a server's endpoint.
        EndpointKey = "endpoint_key",
        /// The membership of a user in a server; its id is the id of the user.
        Member = "member",
        /// A program that asks for access to servers.
        OAuthClient = "oauth_client",
        /// The access that a person gave a client.
        Grant = "grant",
        /// A person's sign-in with a browser; its id is the id of the user.
        Session = "session",
        /// An account at an OpenID provider with which a person signs in; its id is the id of the user.
        Identity = "identity",
        /// A call in the log. Only errors have this kind: a call never changes, so it has no audit row.
        Call = "call",
    }
}
