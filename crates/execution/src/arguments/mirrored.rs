//! `x-mcp-header`: arguments that a client also sends as a header `Mcp-Param-…`, so that whoever stands between can
//! route by them. Clients drop a tool whose annotations break the rules of MCP, so a schema is held to them when it is
//! written.

use std::collections::HashMap;

use jsonschema::Draft;
use serde_json::{Map, Value};

use super::outline::{self, Outline};

/// The keyword.
const ANNOTATION: &str = "x-mcp-header";

/// An argument that is mirrored in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirroredHeader {
    /// The names of the properties that lead to it, from the root.
    pub path: Vec<String>,
    /// What follows `Mcp-Param-` in the header's name, as it was written.
    pub name: String,
    /// Whether it is declared an integer: those are compared as numbers, anything else as text.
    pub is_integer: bool,
}

/// The annotations of a schema in the order of the schema, or what is wrong with them.
pub fn mirrored_headers(schema: &Value) -> Result<Vec<MirroredHeader>, String> {
    let draft = outline::draft_of(schema, "").map_err(|error| error.to_string())?.unwrap_or(Draft::Draft202012);
    let outline = Outline::draw(schema, draft).map_err(|error| error.to_string())?;
    let mut found: Vec<MirroredHeader> = Vec::new();
    let mut taken: HashMap<String, String> = HashMap::new();
    for node in &outline.nodes {
        let Some(keywords) = schema.pointer(&node.place).and_then(Value::as_object) else { continue };
        let Some(annotation) = keywords.get(ANNOTATION) else { continue };
        let header = read(keywords, annotation, &node.place)?;
        let place = header.path.join(".");
        if let Some(other) = taken.insert(header.name.to_ascii_lowercase(), place.clone()) {
            return Err(format!(
                "{ANNOTATION} {:?} stands at both '{other}' and '{place}'; each needs a name of its own",
                header.name
            ));
        }
        found.push(header);
    }
    Ok(found)
}

fn read(keywords: &Map<String, Value>, annotation: &Value, place: &str) -> Result<MirroredHeader, String> {
    let path = property_path(place).filter(|path| !path.is_empty()).ok_or_else(|| {
        format!(
            "{ANNOTATION} may stand only on a property that is reached through `properties` alone, not at '{place}'"
        )
    })?;
    let argument = path.join(".");
    let name = annotation
        .as_str()
        .filter(|name| toolgate_domain::headers::is_token(name))
        .ok_or_else(|| format!("{ANNOTATION} of '{argument}' must be a text that can be part of a header's name"))?
        .to_owned();
    match keywords.get("type").and_then(Value::as_str) {
        Some(kind @ ("string" | "integer" | "boolean")) => {
            Ok(MirroredHeader { path, name, is_integer: kind == "integer" })
        }
        _ => Err(format!("{ANNOTATION} of '{argument}' needs \"type\" to be string, integer or boolean")),
    }
}

/// The properties along a JSON pointer; `None` where it passes through anything else.
fn property_path(place: &str) -> Option<Vec<String>> {
    let mut steps = place.split('/').skip(1);
    let mut path = Vec::new();
    while let Some(keyword) = steps.next() {
        let name = steps.next().filter(|_| keyword == "properties")?;
        path.push(name.replace("~1", "/").replace("~0", "~"));
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn paths(schema: &Value) -> Vec<(String, String)> {
        mirrored_headers(schema).unwrap().into_iter().map(|header| (header.path.join("|"), header.name)).collect()
    }

    fn pair(path: &str, name: &str) -> (String, String) {
        (path.to_owned(), name.to_owned())
    }

    #[test]
    fn annotations_are_found_along_properties_in_their_order() {
        let schema = json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "properties": {"type": "object", "properties": {
                "a/b~": {"type": "integer", "x-mcp-header": "N"},
                "on": {"type": "boolean", "x-mcp-header": "x_On"}
            }},
            "plain": {"type": "string"}
        }});
        let expected = [pair("region", "Region"), pair("properties|a/b~", "N"), pair("properties|on", "x_On")];
        assert_eq!(paths(&schema), expected);
        let integers: Vec<_> = mirrored_headers(&schema).unwrap().iter().map(|header| header.is_integer).collect();
        assert_eq!(integers, [false, true, false]);
        assert_eq!(paths(&json!({"type": "object"})), []);
    }

    #[test]
    fn what_only_looks_like_an_annotation_is_none() {
        assert_eq!(paths(&json!({"properties": {"x-mcp-header": {"type": "string"}}})), []);
        assert_eq!(paths(&json!({"properties": {"a": {"default": {"x-mcp-header": 5}, "enum": [1]}}})), []);
    }

    #[test]
    fn annotations_against_the_rules_are_refused_with_a_reason() {
        let of = |property: Value| json!({"properties": {"a": property}});
        let good = json!({"type": "string", "x-mcp-header": "A"});
        let cases = [
            (json!({"x-mcp-header": "A"}), "not at ''"),
            (of(json!({"type": "array", "items": good})), "not at '/properties/a/items'"),
            (of(json!({"anyOf": [good]})), "not at '/properties/a/anyOf/0'"),
            (json!({"$defs": {"d": good}}), "not at '/$defs/d'"),
            (json!({"additionalProperties": good}), "not at '/additionalProperties'"),
            (of(json!({"type": "string", "x-mcp-header": ""})), "part of a header's name"),
            (of(json!({"type": "string", "x-mcp-header": "a b"})), "part of a header's name"),
            (of(json!({"type": "string", "x-mcp-header": "a:"})), "part of a header's name"),
            (of(json!({"type": "string", "x-mcp-header": 5})), "part of a header's name"),
            (of(json!({"type": "string", "x-mcp-header": null})), "part of a header's name"),
            (of(json!({"type": "number", "x-mcp-header": "A"})), "string, integer or boolean"),
            (of(json!({"type": "object", "x-mcp-header": "A"})), "string, integer or boolean"),
            (of(json!({"type": ["string", "null"], "x-mcp-header": "A"})), "string, integer or boolean"),
            (of(json!({"x-mcp-header": "A"})), "string, integer or boolean"),
            (json!({"properties": {"a": good, "b": {"type": "string", "x-mcp-header": "a"}}}), "at both 'a' and 'b'"),
        ];
        for (schema, reason) in cases {
            let said = mirrored_headers(&schema).unwrap_err();
            assert!(said.contains(reason), "{schema}: {said}");
        }
    }
}
