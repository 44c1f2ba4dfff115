//! `x-mcp-header`: arguments that a client also sends as a header `Mcp-Param-…`, so that proxies can route by them.
//! Clients drop a tool whose annotations break the rules of MCP, so a schema is checked when it is saved.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::schema_graph::SchemaGraph;

/// The schema keyword that marks a mirrored argument.
const ANNOTATION: &str = "x-mcp-header";

/// An argument that is mirrored in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirroredHeader {
    /// The property names from the root to the argument.
    pub path: Vec<String>,
    /// The part of the header name after `Mcp-Param-`, in its original case.
    pub name: String,
    /// Whether the argument is declared as an integer: integers are compared as numbers, other values as text.
    pub is_integer: bool,
}

/// The annotations of a schema in document order, or the first error in them.
pub fn mirrored_headers(schema: &Value) -> Result<Vec<MirroredHeader>, String> {
    let graph = SchemaGraph::build(schema).map_err(|error| error.to_string())?;
    let mut headers: Vec<MirroredHeader> = Vec::new();
    let mut argument_by_name: HashMap<String, String> = HashMap::new();
    for node in &graph.nodes {
        let Some(keywords) = schema.pointer(&node.pointer).and_then(Value::as_object) else { continue };
        let Some(annotation) = keywords.get(ANNOTATION) else { continue };
        let header = parse_annotation(keywords, annotation, &node.pointer)?;
        let argument = header.path.join(".");
        if let Some(other) = argument_by_name.insert(header.name.to_ascii_lowercase(), argument.clone()) {
            return Err(format!(
                "{ANNOTATION} {:?} is used at both '{other}' and '{argument}'; use a different name for each",
                header.name
            ));
        }
        headers.push(header);
    }
    Ok(headers)
}

fn parse_annotation(
    keywords: &Map<String, Value>,
    annotation: &Value,
    pointer: &str,
) -> Result<MirroredHeader, String> {
    let path = property_path(pointer).filter(|path| !path.is_empty()).ok_or_else(|| {
        format!(
            "{ANNOTATION} is allowed only on a property that is reached through `properties` alone, not at '{pointer}'"
        )
    })?;
    let argument = path.join(".");
    let name = annotation
        .as_str()
        .filter(|name| toolgate_domain::headers::is_token(name))
        .ok_or_else(|| format!("{ANNOTATION} of '{argument}' must be a string that can be part of a header's name"))?
        .to_owned();
    match keywords.get("type").and_then(Value::as_str) {
        Some(kind @ ("string" | "integer" | "boolean")) => {
            Ok(MirroredHeader { path, name, is_integer: kind == "integer" })
        }
        _ => Err(format!("{ANNOTATION} of '{argument}' needs \"type\" to be string, integer or boolean")),
    }
}

/// The property names along a JSON pointer; `None` if the pointer passes through a keyword other than `properties`.
fn property_path(pointer: &str) -> Option<Vec<String>> {
    let mut segments = pointer.split('/').skip(1);
    let mut path = Vec::new();
    while let Some(keyword) = segments.next() {
        let name = segments.next().filter(|_| keyword == "properties")?;
        path.push(name.replace("~1", "/").replace("~0", "~"));
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn paths_and_names(schema: &Value) -> Vec<(String, String)> {
        mirrored_headers(schema).unwrap().into_iter().map(|header| (header.path.join("|"), header.name)).collect()
    }

    fn pair(path: &str, name: &str) -> (String, String) {
        (path.to_owned(), name.to_owned())
    }

    #[test]
    fn annotations_are_found_below_properties_in_document_order() {
        let schema = json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "properties": {"type": "object", "properties": {
                "a/b~": {"type": "integer", "x-mcp-header": "N"},
                "on": {"type": "boolean", "x-mcp-header": "x_On"}
            }},
            "plain": {"type": "string"}
        }});
        let expected = [pair("region", "Region"), pair("properties|a/b~", "N"), pair("properties|on", "x_On")];
        assert_eq!(paths_and_names(&schema), expected);
        let integers: Vec<_> = mirrored_headers(&schema).unwrap().iter().map(|header| header.is_integer).collect();
        assert_eq!(integers, [false, true, false]);
        assert_eq!(paths_and_names(&json!({"type": "object"})), []);
    }

    #[test]
    fn a_property_or_value_that_looks_like_an_annotation_is_ignored() {
        assert_eq!(paths_and_names(&json!({"properties": {"x-mcp-header": {"type": "string"}}})), []);
        assert_eq!(paths_and_names(&json!({"properties": {"a": {"default": {"x-mcp-header": 5}, "enum": [1]}}})), []);
    }

    #[test]
    fn invalid_annotations_are_refused_with_a_reason() {
        let with_property = |property: Value| json!({"properties": {"a": property}});
        let annotated = json!({"type": "string", "x-mcp-header": "A"});
        let cases = [
            (json!({"x-mcp-header": "A"}), "not at ''"),
            (with_property(json!({"type": "array", "items": annotated})), "not at '/properties/a/items'"),
            (with_property(json!({"anyOf": [annotated]})), "not at '/properties/a/anyOf/0'"),
            (json!({"$defs": {"d": annotated}}), "not at '/$defs/d'"),
            (json!({"additionalProperties": annotated}), "not at '/additionalProperties'"),
            (with_property(json!({"type": "string", "x-mcp-header": ""})), "part of a header's name"),
            (with_property(json!({"type": "string", "x-mcp-header": "a b"})), "part of a header's name"),
            (with_property(json!({"type": "string", "x-mcp-header": "a:"})), "part of a header's name"),
            (with_property(json!({"type": "string", "x-mcp-header": 5})), "part of a header's name"),
            (with_property(json!({"type": "string", "x-mcp-header": null})), "part of a header's name"),
            (with_property(json!({"type": "number", "x-mcp-header": "A"})), "string, integer or boolean"),
            (with_property(json!({"type": "object", "x-mcp-header": "A"})), "string, integer or boolean"),
            (with_property(json!({"type": ["string", "null"], "x-mcp-header": "A"})), "string, integer or boolean"),
            (with_property(json!({"x-mcp-header": "A"})), "string, integer or boolean"),
            (
                json!({"properties": {"a": annotated, "b": {"type": "string", "x-mcp-header": "a"}}}),
                "at both 'a' and 'b'",
            ),
        ];
        for (schema, reason) in cases {
            let error = mirrored_headers(&schema).unwrap_err();
            assert!(error.contains(reason), "{schema}: {error}");
        }
    }
}
