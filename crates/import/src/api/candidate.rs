//! A tool that an operation of a document would become.

use indexmap::IndexMap;
use serde::Serialize;
use toolgate_domain::json::JsonObject;
use toolgate_domain::tool::BodyType;
use toolgate_domain::upstream_auth::AuthType;

use crate::api::problem::{ApiWarning, Pointer};

/// A tool of a document. Its JSON form is also the body that creates the tool.
#[derive(Debug, Serialize)]
pub struct Candidate {
    /// The same for the same operation in every version of the document.
    pub temp_id: String,
    /// `METHOD /path`.
    pub operation: String,
    pub operation_id: Option<String>,
    pub pointer: Pointer,
    pub name: String,
    pub slug: String,
    pub title: Option<String>,
    pub description: String,
    pub endpoint_url: String,
    pub http_method: String,
    pub input_schema: JsonObject,
    pub parameter_mapping: JsonObject,
    pub body_type: BodyType,
    pub body_required: bool,
    pub headers: IndexMap<String, String>,
    pub auth_type: AuthType,
    /// Name of the credential of the server that the tool uses: the name of its security scheme.
    pub credential: Option<String>,
    pub output_schema: Option<JsonObject>,
    pub annotations: JsonObject,
    pub tags: Vec<String>,
    pub estimated_tokens: usize,
    /// Tokens with the schema in full detail.
    pub schema_full_tokens: usize,
    /// The id of the tool of the server that has this name.
    pub conflict: Option<i64>,
    pub warnings: Vec<ApiWarning>,
}
