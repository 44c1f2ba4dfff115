use serde_json::json;

use super::*;

fn document(root: Value) -> Document {
    Document { root, kind: DocumentKind::OpenApi31, warnings: Vec::new() }
}

/// The pointer that a reference at `#/from` leads to.
fn target(root: &Value, reference: &str) -> Result<String, ProblemCode> {
    let mut root = root.clone();
    root["from"] = json!({"$ref": reference});
    let document = document(root);
    let resolver = ReferenceResolver::new(&document);
    let from = resolver.root().member("from").unwrap();
    resolver.resolve(from).map(|located| located.pointer.to_string()).map_err(|error| error.code)
}

#[test]
fn pointers_are_unescaped_and_percent_decoded() {
    let root = json!({"a/b": {"c~d": [{"x y": {}}]}, "100%": {}, "é": {"": {}}});
    for (reference, expected) in [
        ("#", "#"),
        ("#/a~1b", "#/a~1b"),
        ("#/a~1b/c~0d/0", "#/a~1b/c~0d/0"),
        ("#/a~1b/c~0d/0/x%20y", "#/a~1b/c~0d/0/x y"),
        ("#/a%2Fb", "#/a~1b"),
        ("#/100%", "#/100%"),
        ("#/100%25", "#/100%"),
        ("#/%C3%A9/", "#/é/"),
    ] {
        assert_eq!(target(&root, reference).as_deref(), Ok(expected), "{reference}");
    }
}

#[test]
fn missing_cyclic_and_external_targets_are_errors() {
    let root = json!({"a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}, "list": [1]});
    for (reference, code) in [
        ("#/missing", ProblemCode::RefUnresolved),
        ("#/list/7", ProblemCode::RefUnresolved),
        ("#/list/x", ProblemCode::RefUnresolved),
        ("#anchor", ProblemCode::RefUnresolved),
        ("#/a", ProblemCode::RefCycle),
        ("#/from", ProblemCode::RefCycle),
        ("other.yaml", ProblemCode::RefExternal),
        ("other.yaml#/a", ProblemCode::RefExternal),
        ("https://example.com/a.json#/a", ProblemCode::RefExternal),
    ] {
        assert_eq!(target(&root, reference), Err(code), "{reference}");
    }
}

#[test]
fn chains_are_followed_up_to_a_limit() {
    let chain = |length: usize| {
        let mut root = json!({"t0": {}});
        for index in 1..=length {
            root[format!("t{index}")] = json!({"$ref": format!("#/t{}", index - 1)});
        }
        target(&root, &format!("#/t{length}"))
    };
    assert_eq!(chain(30).as_deref(), Ok("#/t0"));
    assert_eq!(chain(40), Err(ProblemCode::RefCycle));
}

#[test]
fn anchors_and_ids_of_the_document_are_resolved() {
    let root = json!({"$self": "https://example.com/api", "s": {
        "pet": {"$id": "https://example.com/schemas/pet", "$anchor": "pet", "$defs": {"name": {"$anchor": "name"}}},
        "cat": {"$id": "https://example.com/schemas/cat", "$dynamicAnchor": "node", "items": {"$ref": "pet#name"}},
    }});
    for (reference, expected) in [
        ("#pet", "#/s/pet"),
        ("#node", "#/s/cat"),
        ("https://example.com/schemas/pet", "#/s/pet"),
        ("https://example.com/schemas/pet#/$defs/name", "#/s/pet/$defs/name"),
        ("https://example.com/schemas/pet#name", "#/s/pet/$defs/name"),
        ("#/s/cat/items", "#/s/pet/$defs/name"),
        ("https://example.com/api#/s/pet", "#/s/pet"),
    ] {
        assert_eq!(target(&root, reference).as_deref(), Ok(expected), "{reference}");
    }
    let root = json!({"s": {"$id": "u", "$defs": {"x": {}}, "y": {"$ref": "#/$defs/x"}}});
    assert_eq!(target(&root, "#/s/y").as_deref(), Ok("#/s/$defs/x"));
}
