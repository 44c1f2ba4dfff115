//! MCP annotations of a tool, from its method.

use serde_json::{Map, Value};
use toolgate_domain::json::JsonObject;

/// The annotations: a title, and hints derived from the method. `hints` from the document override the derived ones.
pub(crate) fn annotations(method: &str, title: Option<&str>, hints: &Map<String, Value>) -> JsonObject {
    let mut annotations = Map::new();
    if let Some(title) = title {
        annotations.insert("title".to_owned(), title.into());
    }
    let mut set = |hint: &str| annotations.insert(hint.to_owned(), true.into());
    match method {
        "GET" | "HEAD" | "OPTIONS" | "QUERY" => {
            set("readOnlyHint");
        }
        "PUT" => {
            set("idempotentHint");
        }
        "DELETE" => {
            set("destructiveHint");
            set("idempotentHint");
        }
        _ => {}
    }
    set("openWorldHint");
    annotations.extend(hints.clone());
    JsonObject::from_stored(Value::Object(annotations).to_string())
}
