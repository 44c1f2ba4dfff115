//! A tool that an operation of a document would become.

use indexmap::IndexMap;
use serde::Serialize;
use toolgate_domain::json::JsonObject;
use toolgate_domain::tool::{BodyType, ToolStatus};
use toolgate_domain::upstream_auth::AuthType;

use crate::api::problem::{ApiWarning, Pointer};

/// A tool of a document. Its JSON form is also the body that creates the tool.
#[derive(Debug, Serialize)]
pub struct Candidate {
    /// The same for the same operation in every version of the document.
    pub temp_id: String,
    /// `METHOD /path`.
    pub operation: String,
    /// The `operationId` of the document.
    pub operation_id: Option<String>,
    /// The position of the operation in the document.
    pub pointer: Pointer,
    /// The name of the tool.
    pub name: String,
    /// The same as the name.
    pub slug: String,
    /// The summary of the operation.
    pub title: Option<String>,
    /// The description for models.
    pub description: String,
    /// The URL with placeholders.
    pub endpoint_url: String,
    /// The method, in upper case.
    pub http_method: String,
    /// The schema of the arguments.
    pub input_schema: JsonObject,
    /// Where each argument and constant goes.
    pub parameter_mapping: JsonObject,
    /// How the body is encoded.
    pub body_type: BodyType,
    /// Whether a body is sent even if a call has no argument for it.
    pub body_required: bool,
    /// Static headers.
    pub headers: IndexMap<String, String>,
    /// The type of authentication.
    pub auth_type: AuthType,
    /// Name of the credential of the server that the tool uses: the name of its security scheme.
    pub credential: Option<String>,
    /// The schema of the result, if the options of the import ask for it.
    pub output_schema: Option<JsonObject>,
    /// The MCP annotations.
    pub annotations: JsonObject,
    /// The tags of the operation.
    pub tags: Vec<String>,
    /// Whether the document advises against using it.
    pub deprecated: bool,
    /// The status that the overlay sets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ToolStatus>,
    /// The timeout in seconds that the overlay sets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<i64>,
    /// Tokens in `tools/list`, estimated.
    pub estimated_tokens: usize,
    /// Tokens with the schema in full detail.
    pub schema_full_tokens: usize,
    /// The id of the existing tool of the server that already has this name.
    pub conflict: Option<i64>,
    /// What differs from the document, and what the owner has to know.
    pub warnings: Vec<ApiWarning>,
    /// Arguments that the overlay names but the operation does not have.
    #[serde(skip)]
    pub(crate) overlay_orphans: Vec<String>,
}
