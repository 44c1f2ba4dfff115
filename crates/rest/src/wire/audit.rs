//! Entries of the audit log. They name the changed fields, never their values, except who got which access to a server.

use toolgate_domain::audit::AuditEntry;
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// A change. Names are those at the time of the change.
    pub(crate) struct AuditEntryOut<'a>(entry: &'a AuditEntry) {
        id: i64 = entry.id,
        time: Timestamp = entry.at,
        /// Null for the command line and the service.
        user_id: Option<i64> = entry.user_id.map(|id| id.0),
        user_name: Option<&'a str> = entry.user_name.as_deref(),
        /// The API key of the request, or the one that its browser session was opened with. Null for the command line
        /// and the service, for a session without a key, and for a program that revokes its own access.
        key_id: Option<i64> = entry.key_id.map(|id| id.0),
        key_name: Option<&'a str> = entry.key_name.as_deref(),
        action: &'a str = &entry.action,
        object_kind: &'a str = &entry.object_kind,
        object_id: i64 = entry.object_id,
        /// Null if the object was deleted before names were recorded.
        object_name: Option<&'a str> = entry.object_name.as_deref(),
        /// The server that the object is or belongs to; it may be deleted. Null for users and API keys.
        server_id: Option<i64> = entry.server_id.map(|id| id.0),
        /// Names of the fields that the request set. A field that gives a user access to a server includes its value,
        /// as in user_id=7.
        fields: Vec<&'a str> = entry.fields.split(',').filter(|name| !name.is_empty()).collect(),
    }
}
