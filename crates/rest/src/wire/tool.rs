//! Tools in replies.

use toolgate_domain::headers::PlainHeaders;
use toolgate_domain::json::JsonObject;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::{Tool, ToolOrigin};

use crate::reply_object::reply_object;

reply_object! {
    /// A tool. Credentials are never shown: the field is always null.
    pub(crate) struct ToolOut<'a>(tool: &'a Tool) {
        id: i64 = tool.id.0,
        server_id: i64 = tool.server_id.0,
        name: &'a str = &tool.spec.name,
        description: &'a str = &tool.spec.description,
        endpoint_url: &'a str = tool.spec.endpoint_url.as_str(),
        http_method: &'static str = tool.spec.http_method.as_str(),
        input_schema: &'a JsonObject = &tool.spec.input_schema,
        auth_type: &'static str = tool.spec.auth_type.as_str(),
        auth_credentials: Option<&'a JsonObject> = None,
        /// Name of the credential of the server that the tool uses; null if it has its own.
        credential: Option<&'a str> = tool.credential.as_deref(),
        parameter_mapping: &'a JsonObject = tool.spec.parameter_mapping.as_json(),
        headers: &'a PlainHeaders = &tool.spec.headers,
        body_type: &'static str = tool.spec.body_type.as_str(),
        body_required: bool = tool.spec.body_required,
        cache_ttl: u64 = tool.spec.cache_ttl.as_secs(),
        timeout: u64 = tool.spec.timeout.as_secs(),
        retry_count: i64 = tool.spec.retry_count,
        response_type: &'static str = tool.spec.response_type.as_str(),
        output_schema: Option<&'a JsonObject> = tool.spec.output_schema.as_ref(),
        required_client_capabilities: Option<&'a JsonObject> = tool.spec.required_client_capabilities.as_ref(),
        annotations: Option<&'a JsonObject> = tool.spec.annotations.as_ref(),
        /// Null uses the default of the server; an empty object leaves responses as they are.
        shaping: Option<&'a JsonObject> = tool.spec.shaping.as_ref(),
        /// Whether the tool is in the list of a server whose clients search for tools.
        pinned: bool = tool.spec.pinned,
        tags: &'a [String] = tool.spec.tags.as_slice(),
        /// Null for a tool that was made by hand.
        origin: Option<ToolOriginOut<'a>> = tool.origin.as_ref().map(ToolOriginOut::new),
        sort_order: i64 = tool.sort_order,
        status: &'static str = tool.spec.status.as_str(),
        created_at: Timestamp = tool.created_at,
        updated_at: Timestamp = tool.updated_at,
    }
}

reply_object! {
    /// The operation that a tool was imported from; read-only.
    pub(crate) struct ToolOriginOut<'a>(origin: &'a ToolOrigin) {
        document_id: i64 = origin.document_id.0,
        /// Method and path.
        operation: &'a str = &origin.operation,
        /// Digest of the operation as it was imported.
        hash: &'a str = &origin.hash,
        /// Whether the newest version of the document does not have the operation.
        removed: bool = origin.is_removed,
        /// Whether the tool is older than its document: a breaking change was not accepted, or the operation cannot be
        /// read.
        outdated: bool = origin.base_revision.is_some(),
    }
}

/// The fields that are not part of an exported tool.
pub(crate) const OMITTED_BY_EXPORT: &[&str] =
    &["id", "server_id", "auth_credentials", "credential", "origin", "sort_order", "created_at", "updated_at"];

/// The fields that are not in the reply of the duplicate route.
pub(crate) const OMITTED_BY_DUPLICATE: &[&str] = &[
    "input_schema",
    "credential",
    "parameter_mapping",
    "headers",
    "body_type",
    "body_required",
    "retry_count",
    "response_type",
    "output_schema",
    "required_client_capabilities",
    "annotations",
    "shaping",
    "pinned",
    "tags",
    "origin",
];
