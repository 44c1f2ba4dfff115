//! Who changed what. An audit row is written in the transaction of the change itself: no audit, no change.

use crate::closed_set::closed_set;
use crate::ids::{ApiKeyId, UserId};
use crate::time::Timestamp;

/// Who acts, when, and on which fields.
#[derive(Clone, Debug)]
pub struct Actor {
    /// The user; `None` for the command line and the service itself.
    pub user_id: Option<UserId>,
    /// The key that was presented.
    pub key_id: Option<ApiKeyId>,
    /// The moment of the change, which also becomes `updated_at`.
    pub at: Timestamp,
    /// Names of the fields the request mentions, separated by commas: what changed, never to what.
    pub fields: String,
}

impl Actor {
    /// The service itself, or its command line.
    pub fn service(at: Timestamp) -> Self {
        Self { user_id: None, key_id: None, at, fields: String::new() }
    }
}

closed_set! {
    /// What was done to an object.
    pub enum Action {
        /// It was made.
        Create = "create",
        /// Fields were changed.
        Update = "update",
        /// It is gone.
        Delete = "delete",
        /// Its status was toggled.
        Toggle = "toggle",
        /// It was made as a copy of another.
        Duplicate = "duplicate",
        /// The order of a server's tools was changed.
        Reorder = "reorder",
    }
}

closed_set! {
    /// The kind of object an audit row is about.
    pub enum ObjectKind {
        /// A server.
        Server = "server",
        /// A tool.
        Tool = "tool",
        /// A prompt.
        Prompt = "prompt",
        /// A resource.
        Resource = "resource",
        /// A user.
        User = "user",
        /// A management key.
        ApiKey = "api_key",
        /// A key for a server's endpoint.
        EndpointKey = "endpoint_key",
        /// A call in the log; nobody changes one.
        Call = "call",
    }
}
