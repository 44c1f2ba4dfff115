//! Estimates the number of tokens that a tool needs in `tools/list`.

use serde_json::json;
use toolgate_domain::tokens::TokenCount;

/// The estimated tokens of a tool in `tools/list`.
pub(crate) struct ToolTokens {
    /// Tokens with the schema as it is.
    pub(crate) estimated: usize,
    /// Tokens with the schema in full detail.
    pub(crate) full: usize,
}

impl ToolTokens {
    /// Estimates the tokens of a tool. Only the size of the schema in full detail is known, so its additional bytes are
    /// assumed to need as many tokens as those of `schema`.
    pub(crate) fn new(name: &str, description: &str, schema: &str, full_bytes: usize) -> Self {
        let frame = format!(r#"{{"name":{},"description":{},"inputSchema":"#, json!(name), json!(description));
        let schema_tokens = TokenCount::from_text(schema);
        let estimated = (TokenCount::from_text(&frame) + schema_tokens).tokens();
        let additional_bytes = full_bytes.saturating_sub(schema.len());
        let additional = schema_tokens.tokens() * additional_bytes / schema.len().max(1);
        Self { estimated, full: estimated + additional }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"{"type":"object","properties":{},"required":[]}"#;

    #[test]
    fn the_estimate_matches_the_entry_in_the_tool_list() {
        let tokens = ToolTokens::new("get_pet", "A \"pet\".", SCHEMA, SCHEMA.len());
        let entry = format!(r#"{{"name":"get_pet","description":"A \"pet\".","inputSchema":{SCHEMA}}}"#);
        let expected = toolgate_domain::tokens::estimate(&entry);
        assert!(tokens.estimated.abs_diff(expected) <= 2, "{} and {expected}", tokens.estimated);
        assert_eq!(tokens.full, tokens.estimated);
    }

    #[test]
    fn a_schema_with_more_detail_costs_more_in_proportion() {
        let tokens = ToolTokens::new("get_pet", "A pet.", SCHEMA, 3 * SCHEMA.len());
        let schema_tokens = toolgate_domain::tokens::estimate(SCHEMA);
        assert_eq!(tokens.full, tokens.estimated + 2 * schema_tokens);
    }
}
