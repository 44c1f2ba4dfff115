//! The annotations of an inferred tool.

use serde::Serialize;

/// MCP hints about the effects of a tool, derived from its method.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InferredAnnotations {
    read_only_hint: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    destructive_hint: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    idempotent_hint: bool,
}

impl InferredAnnotations {
    /// The hints for a method. `is_query` is true for a GraphQL query, which only reads.
    pub(super) fn new(method: &str, is_query: bool) -> Self {
        Self {
            read_only_hint: is_query || matches!(method, "GET" | "HEAD" | "OPTIONS" | "QUERY"),
            destructive_hint: method == "DELETE",
            idempotent_hint: matches!(method, "PUT" | "DELETE"),
        }
    }
}
