//! Tools.

use serde::Serialize;
use toolgate_domain::headers::PlainHeaders;
use toolgate_domain::json::JsonObject;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::Tool;
use utoipa::ToSchema;

/// A tool. Credentials are never shown: the field is always null.
#[derive(Serialize, ToSchema)]
pub(crate) struct ToolOut<'a> {
    id: i64,
    server_id: i64,
    name: &'a str,
    description: &'a str,
    endpoint_url: &'a str,
    http_method: &'a str,
    #[schema(value_type = Object)]
    input_schema: &'a JsonObject,
    auth_type: &'static str,
    #[schema(value_type = Option<Object>)]
    auth_credentials: Option<()>,
    #[schema(value_type = Object)]
    parameter_mapping: &'a JsonObject,
    #[schema(value_type = Object)]
    headers: &'a PlainHeaders,
    body_type: &'a str,
    cache_ttl: u64,
    timeout: u64,
    retry_count: i64,
    response_type: &'a str,
    #[schema(value_type = Option<Object>)]
    output_schema: Option<&'a JsonObject>,
    #[schema(value_type = Option<Object>)]
    required_client_capabilities: Option<&'a JsonObject>,
    #[schema(value_type = Option<Object>)]
    annotations: Option<&'a JsonObject>,
    sort_order: i64,
    status: &'static str,
    #[schema(value_type = String)]
    created_at: Timestamp,
    #[schema(value_type = String)]
    updated_at: Timestamp,
}

/// The fields in the reply of the duplicate route.
pub(crate) const COPIED_FIELDS: &[&str] = &[
    "id",
    "server_id",
    "name",
    "description",
    "endpoint_url",
    "http_method",
    "auth_type",
    "auth_credentials",
    "cache_ttl",
    "timeout",
    "sort_order",
    "status",
    "created_at",
    "updated_at",
];

impl<'a> From<&'a Tool> for ToolOut<'a> {
    fn from(tool: &'a Tool) -> Self {
        let spec = &tool.spec;
        Self {
            id: tool.id.0,
            server_id: tool.server_id.0,
            name: &spec.name,
            description: &spec.description,
            endpoint_url: spec.endpoint_url.as_str(),
            http_method: spec.http_method.as_str(),
            input_schema: &spec.input_schema,
            auth_type: spec.auth_type.as_str(),
            auth_credentials: None,
            parameter_mapping: spec.parameter_mapping.as_json(),
            headers: &spec.headers,
            body_type: spec.body_type.as_str(),
            cache_ttl: spec.cache_ttl.as_secs(),
            timeout: spec.timeout.as_secs(),
            retry_count: spec.retry_count,
            response_type: spec.response_type.as_str(),
            output_schema: spec.output_schema.as_ref(),
            required_client_capabilities: spec.required_client_capabilities.as_ref(),
            annotations: spec.annotations.as_ref(),
            sort_order: tool.sort_order,
            status: spec.status.as_str(),
            created_at: tool.created_at,
            updated_at: tool.updated_at,
        }
    }
}
