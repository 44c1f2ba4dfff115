//! Keys. The secret is only in the reply that creates the key.

use toolgate_domain::api_key::{ApiKey, EndpointKey};
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// A key for the management API.
    pub(crate) struct ApiKeyOut<'a>(key: &'a ApiKey) {
        id: i64 = key.id.0,
        name: &'a str = &key.name,
        user_id: i64 = key.user_id.0,
        scopes: Vec<&'static str> = key.scopes.names(),
        hint: &'a str = &key.hint,
        created_at: Timestamp = key.created_at,
        expires_at: Option<Timestamp> = key.expires_at,
    }
}

reply_object! {
    /// A key for the management API.
    pub(crate) struct CreatedApiKeyOut<'a>(key: &'a ApiKey, secret: &'a str) {
        ..stored: ApiKeyOut<'a> = ApiKeyOut::new(key),
        /// The key itself. It is shown only in this reply.
        key: &'a str = secret,
    }
}

reply_object! {
    /// A key for one server's MCP endpoint.
    pub(crate) struct EndpointKeyOut<'a>(key: &'a EndpointKey) {
        id: i64 = key.id.0,
        server_id: i64 = key.server_id.0,
        name: &'a str = &key.name,
        hint: &'a str = &key.hint,
        created_at: Timestamp = key.created_at,
        /// Null if the key does not expire.
        expires_at: Option<Timestamp> = key.expires_at,
        /// When a client last used the key, accurate to some seconds; null if it was not used yet.
        last_used_at: Option<Timestamp> = key.last_used_at,
        /// Requests per minute with this key; null if only the server's limit holds.
        rate_limit_per_min: Option<i64> = key.rate_limit_per_min,
    }
}

reply_object! {
    /// A key for one server's MCP endpoint.
    pub(crate) struct CreatedEndpointKeyOut<'a>(key: &'a EndpointKey, secret: &'a str) {
        ..stored: EndpointKeyOut<'a> = EndpointKeyOut::new(key),
        /// The key itself. It is shown only in this reply.
        key: &'a str = secret,
    }
}
