//! Tests every row of the table of changes in `docs/import-openapi.md`, and properties that hold for all documents.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::api::known_operations::KnownOperations;
use crate::api::options::ImportOptions;
use crate::api::read;

/// A document with these operations, each under its key such as `GET /pets`.
fn document(operations: &[(&str, Value)]) -> Value {
    let mut paths = json!({});
    for (operation, value) in operations {
        let (method, path) = operation.split_once(' ').unwrap();
        paths[path][method.to_lowercase()] = value.clone();
    }
    json!({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://a.test/v1"}],
        "paths": paths})
}

fn import(document: &Value) -> ApiImport {
    import_with(document, json!({}))
}

fn import_with(document: &Value, overlay: Value) -> ApiImport {
    let Value::Object(overlay) = overlay else { panic!("an object") };
    read(document.to_string().as_bytes(), &ImportOptions { overlay, ..ImportOptions::default() }).unwrap()
}

/// The drift of all tools of `old`, as they were imported.
fn drift(old: &Value, new: &Value) -> Vec<ToolDrift> {
    let (old, mut new) = (import(old), import(new));
    let states: Vec<ToolState> = old.candidates.iter().map(ToolState::from_candidate).collect();
    let operations: Vec<String> = old.candidates.iter().map(|candidate| candidate.operation.clone()).collect();
    let base = BaseVersion::new(old, &mut new);
    let tools = states.iter().zip(&operations);
    tools
        .map(|(state, operation)| {
            compare(ComparedTool { operation, state, is_removed: false, base: Some(&base), newest: None }, &new)
        })
        .collect()
}

/// The drift of one operation with these parameters.
fn parameter_drift(old: &Value, new: &Value) -> ToolDrift {
    let operation = |parameters: &Value| document(&[("GET /pets", json!({"parameters": parameters}))]);
    drift(&operation(old), &operation(new)).remove(0)
}

fn breaking(drift: ToolDrift) -> Vec<(String, Value, Value)> {
    let ToolDrift::Breaking(_, changes) = drift else { panic!("not breaking: {drift:?}") };
    changes.into_iter().map(|change| (change.pointer, change.was, change.now)).collect()
}

fn query(name: &str, schema: &Value) -> Value {
    json!({"in": "query", "name": name, "schema": schema})
}

fn change(pointer: &str, was: Value, now: Value) -> (String, Value, Value) {
    (pointer.to_owned(), was, now)
}

#[test]
fn operations_are_added_removed_and_unchanged() {
    let old = document(&[("GET /a", json!({})), ("GET /b", json!({}))]);
    let new = document(&[("GET /b", json!({})), ("GET /c", json!({}))]);
    assert_eq!(drift(&old, &new), [ToolDrift::Removed, ToolDrift::Unchanged]);
    let mut imported = import(&new);
    assert_eq!(BaseVersion::new(import(&old), &mut imported).added(&imported), [1]);
}

#[test]
fn texts_optional_arguments_and_enum_values_are_changes() {
    let string = json!({"type": "string"});
    for (old, new) in [
        (json!([]), json!([query("a", &string)])),
        (json!([query("a", &json!({"enum": ["x", "z"]}))]), json!([query("a", &json!({"enum": ["x", "y", "z"]}))])),
        (json!([query("a", &string)]), json!([query("a", &json!({"type": "string", "description": "A"}))])),
        (json!([query("a", &json!({"type": "integer"}))]), json!([query("a", &json!({"type": "number"}))])),
    ] {
        let drift = parameter_drift(&old, &new);
        assert!(matches!(&drift, ToolDrift::Changed(state) if state.fields.contains(&"input_schema")), "{drift:?}");
    }
    let described = |text: &str| document(&[("GET /a", json!({"description": text}))]);
    let drift = drift(&described("a"), &described("b"));
    assert_eq!(drift, [ToolDrift::Changed(NewState { candidate: 0, fields: vec!["description"] })]);
}

#[test]
fn removed_renamed_required_and_narrowed_arguments_are_breaking() {
    let a = |schema: Value| json!([query("a", &schema)]);
    let pointer = "/input_schema/properties/a";
    assert_eq!(
        breaking(parameter_drift(&a(json!({"type": "string"})), &json!([]))),
        [change(pointer, json!({"type": "string"}), Value::Null)]
    );
    assert_eq!(
        breaking(parameter_drift(&a(json!({"type": "string"})), &a(json!({"type": "integer"})))),
        [change(&format!("{pointer}/type"), json!("string"), json!("integer"))]
    );
    assert_eq!(
        breaking(parameter_drift(&a(json!({"enum": ["x", "y"]})), &a(json!({"enum": ["x", "z"]})))),
        [change(&format!("{pointer}/enum"), json!(["x", "y"]), json!(["x", "z"]))]
    );
    let required = json!([{"in": "query", "name": "a", "required": true, "schema": {"type": "string"}}]);
    assert_eq!(
        breaking(parameter_drift(&a(json!({"type": "string"})), &required)),
        [change("/input_schema/required", json!([]), json!(["a"]))]
    );
    let header = json!([{"in": "header", "name": "a", "schema": {"type": "string"}}]);
    assert_eq!(
        breaking(parameter_drift(&a(json!({"type": "string"})), &header)),
        [change("/parameter_mapping/a/location", json!("query"), json!("header"))]
    );
    let renamed = json!([{"in": "query", "name": "a", "x-toolgate-name": "b", "schema": {"type": "string"}}]);
    assert_eq!(
        breaking(parameter_drift(&a(json!({"type": "string"})), &renamed)),
        [change(pointer, json!("a"), json!("b"))]
    );
}

#[test]
fn another_server_or_authentication_is_breaking() {
    let old = document(&[("GET /a", json!({}))]);
    let mut moved = old.clone();
    moved["servers"][0]["url"] = json!("https://b.test/v1");
    assert_eq!(
        breaking(drift(&old, &moved).remove(0)),
        [change("/endpoint_url", json!("https://a.test/v1/a"), json!("https://b.test/v1/a"))]
    );
    let mut secured = old.clone();
    secured["components"] = json!({"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}});
    secured["security"] = json!([{"token": []}]);
    assert_eq!(
        breaking(drift(&old, &secured).remove(0)),
        [change("/auth_type", json!("none"), json!("bearer")), change("/credential", Value::Null, json!("token"))]
    );
}

#[test]
fn a_moved_operation_is_found_by_its_id_or_its_input() {
    let old = document(&[("GET /pets", json!({"operationId": "listPets"}))]);
    let new = document(&[("GET /animals", json!({"operationId": "listPets"}))]);
    let fields = vec!["endpoint_url"];
    assert!(matches!(&drift(&old, &new)[..], [ToolDrift::Changed(state)] if state.fields.contains(&"endpoint_url")));
    let method = document(&[("POST /pets", json!({"operationId": "listPets"}))]);
    assert!(breaking(drift(&old, &method).remove(0)).iter().any(|(pointer, ..)| pointer == "/http_method"));

    let operation = json!({"description": "d", "parameters": [query("a", &json!({"type": "string"}))]});
    let old = document(&[("GET /pets", operation.clone())]);
    let new = document(&[("GET /v2/pets", operation.clone())]);
    assert_eq!(drift(&old, &new), [ToolDrift::Changed(NewState { candidate: 0, fields })]);
    let mut imported = import(&new);
    let base = BaseVersion::new(import(&old), &mut imported);
    assert_eq!((imported.candidates[0].name.as_str(), base.added(&imported)), ("get_pets", vec![]));
    let other = document(&[("GET /v2/orders", operation)]);
    assert_eq!(drift(&old, &other), [ToolDrift::Removed]);
}

#[test]
fn an_edit_by_hand_stays_until_the_document_changes_the_same_field() {
    let described = |text: &str, host: &str| {
        let mut document = document(&[("GET /a", json!({"description": text}))]);
        document["servers"][0]["url"] = json!(format!("https://{host}/v1"));
        document
    };
    let old = described("a", "a.test");
    let mut edited = serde_json::to_value(&import(&old).candidates[0]).unwrap();
    edited["endpoint_url"] = json!("https://proxy.test/a");
    let state = ToolState::from_tool("GET /a", edited.as_object().unwrap().clone());
    let drift = |new: &Value| {
        let mut new = import(new);
        let base = BaseVersion::new(import(&old), &mut new);
        compare(
            ComparedTool { operation: "GET /a", state: &state, is_removed: false, base: Some(&base), newest: None },
            &new,
        )
    };
    assert_eq!(drift(&old), ToolDrift::Unchanged);
    let changed = ToolDrift::Changed(NewState { candidate: 0, fields: vec!["description"] });
    assert_eq!(drift(&described("b", "a.test")), changed);
    assert_eq!(
        breaking(drift(&described("a", "b.test"))),
        [change("/endpoint_url", json!("https://proxy.test/a"), json!("https://b.test/v1/a"))]
    );
}

#[test]
fn replacing_an_edited_text_is_a_breaking_change() {
    let described = |text: &str| document(&[("GET /a", json!({"description": text}))]);
    let (old, mut new) = (import(&described("old")), import(&described("new")));
    let mut edited = serde_json::to_value(&old.candidates[0]).unwrap();
    edited["description"] = json!("mine");
    let state = ToolState::from_tool("GET /a", edited.as_object().unwrap().clone());
    let base = BaseVersion::new(old, &mut new);
    let tool = ComparedTool { operation: "GET /a", state: &state, is_removed: false, base: Some(&base), newest: None };
    assert_eq!(breaking(compare(tool, &new)), [change("/description", json!("mine"), json!("new"))]);
}

#[test]
fn without_a_stored_base_the_tool_itself_is_compared() {
    let (old, mut new) = (document(&[("GET /a", json!({}))]), document(&[("GET /a", json!({"description": "b"}))]));
    let state = ToolState::from_candidate(&import(&old).candidates[0]);
    let tool = ComparedTool { operation: "GET /a", state: &state, is_removed: false, base: None, newest: None };
    assert!(matches!(compare(tool, &import(&new)), ToolDrift::Changed(_)));
    assert_eq!(compare(tool, &import(&old)), ToolDrift::Unchanged);
    // An operation that was removed is in the document again.
    let returned = ComparedTool { is_removed: true, ..tool };
    assert_eq!(compare(returned, &import(&old)), ToolDrift::Changed(NewState { candidate: 0, fields: vec![] }));
    // An operation that cannot be read is not a removed one.
    new["paths"]["/a"]["get"] = json!({"parameters": [{"$ref": "#/missing"}]});
    assert_eq!(compare(tool, &import(&new)), ToolDrift::NotReadable { was_readable: false });
}

#[test]
fn overlay_entries_without_an_operation_or_argument_are_reported_as_orphans() {
    let document = document(&[("GET /a", json!({"parameters": [query("b", &json!({"type": "string"}))]}))]);
    let import = import_with(
        &document,
        json!({
            "get /a": {"arguments": {"query:b": {"rename": "c"}, "query:gone": {"hidden": true}}},
            "GET /gone": {"hidden": true},
            "*": {"arguments": {"query:anywhere": {"hidden": true}}},
        }),
    );
    assert_eq!(import.overlay_orphans, ["GET /gone", "GET /a query:gone"]);
}

#[test]
fn known_operations_retain_their_names_and_are_listed_despite_the_filter() {
    let document = document(&[("GET /a", json!({"operationId": "b"})), ("GET /c", json!({"operationId": "kept"}))]);
    let known = KnownOperations::new([("GET /a".to_owned(), "kept".to_owned())]);
    let mut options =
        ImportOptions { known: known.always_including(["GET /a".to_owned()]), ..ImportOptions::default() };
    options.filter.methods = vec!["POST".to_owned()];
    let names = |options: &ImportOptions| -> Vec<String> {
        let import = read(document.to_string().as_bytes(), options).unwrap();
        import.candidates.into_iter().map(|candidate| candidate.name).collect()
    };
    assert_eq!(names(&options), ["kept"]);
    options.filter.methods.clear();
    assert_eq!(names(&options), ["kept", "kept_c"]);
}

#[test]
fn an_extension_of_the_document_does_not_rename_a_known_tool() {
    let document = document(&[
        ("GET /a", json!({"x-toolgate-name": "other"})),
        ("GET /b", json!({"operationId": "moved", "x-mcp": {"name": "other"}})),
        ("GET /c", json!({"x-speakeasy-mcp": {"name": "extension"}})),
        ("GET /d", json!({"x-toolgate-name": "extension_d"})),
    ]);
    let old = self::document(&[("GET /old", json!({"operationId": "moved"}))]);
    let old = read(old.to_string().as_bytes(), &ImportOptions::default()).unwrap();
    let names = ["GET /a a", "GET /old b", "GET /c c"].map(|line| line.rsplit_once(' ').unwrap());
    let mut known = KnownOperations::new(names.map(|(operation, name)| (operation.to_owned(), name.to_owned())));
    known.add_ids(&old.candidates);
    let overlay = json!({"GET /c": {"name": "given"}}).as_object().unwrap().clone();
    let options = ImportOptions { known, overlay, ..ImportOptions::default() };
    let import = read(document.to_string().as_bytes(), &options).unwrap();
    let names: Vec<&str> = import.candidates.iter().map(|candidate| candidate.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "given", "extension_d"]);
}

fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "integer", "minimum": 1})),
        Just(json!({"enum": ["a", "b"]})),
        Just(json!({"type": ["string", "null"], "maxLength": 9})),
        Just(json!({"$ref": "#/components/schemas/Node"})),
        Just(json!({})),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            proptest::collection::vec(inner.clone(), 1..3).prop_map(|branches| json!({"anyOf": branches})),
            proptest::collection::btree_map("[a-c]", inner, 0..3)
                .prop_map(|properties| json!({"type": "object", "properties": properties})),
        ]
    })
}

fn any_document() -> impl Strategy<Value = Value> {
    let parameters = proptest::collection::btree_map("[a-e]", (any_schema(), any::<bool>()), 0..4);
    let operations = proptest::collection::btree_map("/[p-s]", parameters, 1..4);
    operations.prop_map(|operations| {
        let operations: Vec<(String, Value)> = operations
            .into_iter()
            .map(|(path, parameters)| {
                let parameters: Vec<Value> = parameters
                    .into_iter()
                    .map(|(name, (schema, required))| {
                        json!({"in": "query", "name": name, "required": required, "schema": schema})
                    })
                    .collect();
                (format!("GET {path}"), json!({"parameters": parameters}))
            })
            .collect();
        let listed: Vec<(&str, Value)> = operations.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        let mut document = document(&listed);
        let node = json!({"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}});
        document["components"] = json!({"schemas": {"Node": node}});
        document
    })
}

/// Applies a change to the parameters of every operation.
fn with_parameters(document: &Value, change: impl Fn(&mut Vec<Value>)) -> Value {
    let mut document = document.clone();
    for path_item in document["paths"].as_object_mut().unwrap().values_mut() {
        change(path_item["get"]["parameters"].as_array_mut().unwrap());
    }
    document
}

proptest! {
    #[test]
    fn a_document_has_no_drift_against_itself(document in any_document()) {
        for drift in drift(&document, &document) {
            prop_assert_eq!(drift, ToolDrift::Unchanged);
        }
    }

    #[test]
    fn an_optional_argument_is_never_breaking(document in any_document(), schema in any_schema()) {
        let new = with_parameters(&document, |parameters| parameters.push(query("new", &schema)));
        for drift in drift(&document, &new) {
            prop_assert!(matches!(drift, ToolDrift::Changed(_)), "{:?}", drift);
        }
    }

    #[test]
    fn a_required_argument_and_a_removed_one_are_always_breaking(document in any_document()) {
        let new = with_parameters(&document, |parameters| {
            parameters.push(json!({"in": "query", "name": "new", "required": true, "schema": {"type": "string"}}));
        });
        for (drift, reverse) in drift(&document, &new).into_iter().zip(drift(&new, &document)) {
            prop_assert!(matches!(drift, ToolDrift::Breaking(..)), "{:?}", drift);
            prop_assert!(matches!(reverse, ToolDrift::Breaking(..)), "{:?}", reverse);
        }
    }

    #[test]
    fn an_optional_argument_that_was_required_is_never_breaking(document in any_document()) {
        let new = with_parameters(&document, |parameters| {
            for parameter in parameters {
                parameter["required"] = json!(false);
            }
        });
        for drift in drift(&document, &new) {
            prop_assert!(!matches!(drift, ToolDrift::Breaking(..)), "{:?}", drift);
        }
    }
}
