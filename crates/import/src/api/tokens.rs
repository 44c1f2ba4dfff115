//! The size of a tool in tokens of a model, estimated.

use serde_json::value::to_raw_value;

/// Bytes of JSON for one token, on average.
const TOKEN_BYTES: usize = 4;

/// The estimated tokens of a tool in `tools/list`: of its name, its description and a schema of this size.
pub(crate) fn estimate(name: &str, description: &str, schema_bytes: usize) -> usize {
    const FRAME_BYTES: usize = r#"{"name":,"description":,"inputSchema":}"#.len();
    let text_bytes = |text: &str| to_raw_value(text).map_or(text.len(), |raw| raw.get().len());
    (FRAME_BYTES + text_bytes(name) + text_bytes(description) + schema_bytes).div_ceil(TOKEN_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_a_quarter_of_the_minified_json() {
        let schema = r#"{"type":"object","properties":{},"required":[]}"#;
        let json = format!(r#"{{"name":"get_pet","description":"A \"pet\".","inputSchema":{schema}}}"#);
        assert_eq!(estimate("get_pet", "A \"pet\".", schema.len()), json.len().div_ceil(4));
    }
}
