//! Servers in replies.

use toolgate_domain::json::JsonObject;
use toolgate_domain::server::{Server, TRANSPORT_TYPE};
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// A server.
    pub(crate) struct ServerOut<'a>(server: &'a Server, base_url: &str) {
        id: i64 = server.id.0,
        user_id: i64 = server.user_id.0,
        name: &'a str = &server.spec.name,
        slug: &'a str = server.slug.as_str(),
        server_id: &'a str = server.public_id.as_str(),
        status: &'static str = server.spec.status.as_str(),
        transport_type: &'static str = TRANSPORT_TYPE,
        auth_type: &'static str = server.spec.auth_type.as_str(),
        rate_limit_per_min: i64 = server.spec.rate_limit_per_min,
        settings: Option<&'a JsonObject> = server.spec.settings.as_ref(),
        endpoint_url: String = format!("{base_url}{}", server.endpoint_path()),
        tool_count: i64 = server.tool_count,
        created_at: Timestamp = server.created_at,
        updated_at: Timestamp = server.updated_at,
    }
}

/// The fields that are not in the reply of the toggle route.
pub(crate) const OMITTED_BY_TOGGLE: &[&str] = &["user_id", "settings"];
