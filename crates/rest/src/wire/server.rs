//! Servers.

use serde::Serialize;
use toolgate_domain::json::JsonObject;
use toolgate_domain::server::{Server, TRANSPORT_TYPE};
use toolgate_domain::time::Timestamp;
use utoipa::ToSchema;

/// A server.
#[derive(Serialize, ToSchema)]
pub(crate) struct ServerOut<'a> {
    id: i64,
    user_id: i64,
    name: &'a str,
    slug: &'a str,
    server_id: &'a str,
    status: &'static str,
    transport_type: &'static str,
    auth_type: &'static str,
    rate_limit_per_min: i64,
    #[schema(value_type = Option<Object>)]
    settings: Option<&'a JsonObject>,
    endpoint_url: String,
    tool_count: i64,
    #[schema(value_type = String)]
    created_at: Timestamp,
    #[schema(value_type = String)]
    updated_at: Timestamp,
}

/// The fields in the reply of the toggle route: all except the owner and the settings.
pub(crate) const TOGGLED_FIELDS: &[&str] = &[
    "id",
    "name",
    "slug",
    "server_id",
    "status",
    "transport_type",
    "auth_type",
    "rate_limit_per_min",
    "endpoint_url",
    "tool_count",
    "created_at",
    "updated_at",
];

impl<'a> ServerOut<'a> {
    pub(crate) fn new(server: &'a Server, base_url: &str) -> Self {
        Self {
            id: server.id.0,
            user_id: server.user_id.0,
            name: &server.spec.name,
            slug: server.slug.as_str(),
            server_id: server.public_id.as_str(),
            status: server.spec.status.as_str(),
            transport_type: TRANSPORT_TYPE,
            auth_type: server.spec.auth_type.as_str(),
            rate_limit_per_min: server.spec.rate_limit_per_min,
            settings: server.spec.settings.as_ref(),
            endpoint_url: format!("{base_url}{}", server.endpoint_path()),
            tool_count: server.tool_count,
            created_at: server.created_at,
            updated_at: server.updated_at,
        }
    }
}
