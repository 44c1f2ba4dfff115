//! Credentials of servers.

use toolgate_domain::json::JsonObject;
use toolgate_domain::server_credential::ServerCredential;
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// A credential of a server. Its secret values are never shown.
    pub(crate) struct ServerCredentialOut<'a>(credential: &'a ServerCredential) {
        id: i64 = credential.id.0,
        server_id: i64 = credential.server_id.0,
        name: &'a str = &credential.spec.name,
        auth_type: &'static str = credential.spec.auth_type.as_str(),
        auth_credentials: Option<&'a JsonObject> = None,
        /// Whether secret values are stored. Calls of its tools fail without them.
        has_credentials: bool = credential.has_credentials,
        /// Number of tools that use it.
        tools_count: i64 = credential.tools_count,
        created_at: Timestamp = credential.created_at,
        updated_at: Timestamp = credential.updated_at,
    }
}
