//! Documents with members of the wrong type, and documents that are made to be expensive.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::{document, import, import_with, problems};
use crate::api::options::ImportOptions;
use crate::api::read;
use crate::api::report::ApiImport;

/// Imports a document without the usual time limit, so that the test passes on slow machines.
fn import_without_time_limit(document: &Value) -> ApiImport {
    import_with(document, &ImportOptions { time_limit: Duration::from_mins(10), ..ImportOptions::default() }).unwrap()
}

fn body(schema: &Value) -> Value {
    json!({"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}}})
}

/// Paths with an operation each.
fn paths(count: usize, item: impl Fn(usize) -> Value) -> Value {
    (0..count).map(|index| (format!("/p{index}"), item(index))).collect::<Map<String, Value>>().into()
}

#[test]
fn a_document_with_members_of_the_wrong_type_loses_no_operation() {
    let wrong_values = [
        json!(1),
        json!("x"),
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!([[]]),
        json!({"a": 1}),
        json!(1e308),
        json!({"$ref": 5}),
        json!({"$ref": "#"}),
        json!({"$ref": "#/paths"}),
    ];
    let operation = |wrong: &Value| {
        json!({
            "get": {"parameters": wrong, "security": wrong, "servers": wrong, "responses": wrong, "tags": wrong},
            "put": {"parameters": [wrong, {"name": wrong, "in": "query"}, {"name": "q", "in": wrong}]},
            "post": {"requestBody": wrong, "operationId": wrong, "summary": wrong, "description": wrong, "deprecated": wrong},
            "patch": {"requestBody": {"content": wrong}, "security": [wrong], "responses": {"200": wrong}},
            "delete": {"requestBody": {"content": {"application/json": wrong, "multipart/form-data": {"encoding": wrong}}}},
            "head": {"parameters": [{"name": "q", "in": "query", "schema": wrong, "style": wrong, "explode": wrong}]},
            "options": {"requestBody": {"content": {"application/json": {"schema": {
                "type": wrong, "properties": wrong, "required": wrong, "enum": wrong, "allOf": wrong, "oneOf": wrong, "items": wrong,
                "minimum": wrong, "pattern": wrong, "additionalProperties": wrong, "discriminator": wrong, "nullable": wrong,
            }}}}},
            "query": wrong,
        })
    };
    for version in ["2.0", "3.0.3", "3.1.0", "3.2.0"] {
        for wrong in &wrong_values {
            let mut document =
                document(&json!({"/x": operation(wrong), "/y": {"get": {}, "parameters": wrong}, "/z": wrong}));
            let key = if version == "2.0" { "swagger" } else { "openapi" };
            document[key] = version.into();
            document["security"] = wrong.clone();
            document["components"] = json!({"securitySchemes": {"a": wrong}, "schemas": wrong});
            let import = import_without_time_limit(&document);
            let is_read = |operation: &str| {
                import.candidates.iter().any(|one| one.operation == operation)
                    || import.problems.iter().any(|one| one.operation.as_deref() == Some(operation))
            };
            let methods = ["GET", "PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY"];
            let lost: Vec<_> = methods.into_iter().filter(|method| !is_read(&format!("{method} /x"))).collect();
            assert!(lost.is_empty() && is_read("GET /y"), "{version} {wrong}: {lost:?}");
        }
    }
}

#[test]
fn broken_path_items_are_listed_up_to_a_limit() {
    let import = import_without_time_limit(&document(&paths(20_005, |_| json!(1))));
    assert_eq!((import.problems.len(), import.totals.problems), (20_000, 20_005));
}

#[test]
fn operations_with_schemas_that_refer_to_each_other_become_tools() {
    const COUNT: usize = 400;
    let schema = |index: usize| {
        let properties = (0..8).map(|property| {
            let target = (index * 7 + property * 13 + 1) % COUNT;
            (format!("p{property}"), json!({"$ref": format!("#/components/schemas/S{target}")}))
        });
        json!({"type": "object", "properties": properties.collect::<Map<String, Value>>()})
    };
    let mut document = document(&paths(20, |index| body(&json!({"$ref": format!("#/components/schemas/S{index}")}))));
    let schemas: Map<String, Value> = (0..COUNT).map(|index| (format!("S{index}"), schema(index))).collect();
    document["components"] = json!({ "schemas": schemas });
    let import = import_without_time_limit(&document);
    assert_eq!((import.candidates.len(), import.problems.len()), (20, 0));
    assert!(import.candidates.iter().all(|one| one.input_schema.as_str().len() <= 256 * 1024));
}

#[test]
fn unions_of_unions_do_not_multiply_in_parts_and_parameters() {
    let refer = |level: usize| json!({"$ref": format!("#/components/schemas/S{level}")});
    let mut schemas: Map<String, Value> =
        (0..20).map(|level| (format!("S{level}"), json!({"oneOf": vec![refer(level + 1); 10]}))).collect();
    schemas.insert("S20".to_owned(), json!({"type": "object"}));
    let form = json!({"schema": {"type": "object", "properties": {"a": refer(0)}}});
    let mut document = document(&json!({"/x": {"post": {
        "parameters": [{"name": "q", "in": "query", "schema": refer(0)}],
        "requestBody": {"content": {"multipart/form-data": form}},
    }}}));
    document["components"] = json!({ "schemas": schemas });
    assert_eq!(import_without_time_limit(&document).candidates.len(), 1);
}

#[test]
fn large_values_are_cut_and_long_texts_shortened() {
    let values: Vec<usize> = (0..100_000).collect();
    let text = "a [b](c) <d> | e ".repeat(100_000);
    let paths = json!({
        "/enum": {"get": {"parameters": [{"name": "q", "in": "query", "schema": {"enum": values}}]}},
        "/text": {"get": {"description": text, "summary": text, "operationId": text, "tags": [text]}},
        "/open": {"get": {"description": "[".repeat(500_000)}},
        "/less": {"get": {"description": "<".repeat(500_000)}},
    });
    let started = Instant::now();
    let import = import_without_time_limit(&document(&paths));
    assert_eq!(import.candidates.len() + import.problems.len(), 4);
    assert!(import.candidates.iter().all(|one| one.description.len() < 5_000 && one.name.len() <= 64));
    assert!(started.elapsed() < Duration::from_mins(1), "{:?}", started.elapsed());
}

#[test]
fn many_equal_names_and_many_parameters_take_linear_time() {
    let parameters: Vec<Value> = (0..20_000).map(|n| json!({"name": format!("p{n}"), "in": "query"})).collect();
    let mut paths = paths(2_000, |_| json!({"get": {"operationId": "same"}}));
    for index in 0..2_000 {
        paths[format!("/a/{{p{index}}}/x")] = json!({"get": {"operationId": "list"}});
    }
    paths["/many"] = json!({"get": {"parameters": parameters}});
    let started = Instant::now();
    let import = import_without_time_limit(&document(&paths));
    assert_eq!(
        (import.totals.candidates, problems(&import)),
        (4_000, vec![(json!("schema_too_large"), Some("GET /many"))])
    );
    assert!(import.candidates.iter().any(|one| one.name == "list_x_2"));
    assert!(started.elapsed() < Duration::from_mins(2), "{:?}", started.elapsed());
}

#[test]
fn references_to_other_documents_are_problems_and_are_not_fetched() {
    let outside = "http://127.0.0.1:1/secret.json";
    let import = import(&document(&json!({
        "/a": {"$ref": outside},
        "/b": body(&json!({"$ref": format!("{outside}#/x")})),
        "/c": {"get": {"parameters": [{"$ref": "file:///etc/passwd"}]}},
        "/d": {"post": {"requestBody": {"$ref": "other.yaml#/b"}}},
    })));
    let external = |operation| (json!("ref_external"), Some(operation));
    assert_eq!(problems(&import), [external("/a"), external("POST /b"), external("GET /c"), external("POST /d")]);
}

#[test]
fn bombs_in_yaml_are_refused() {
    let mut text = "openapi: 3.1.0\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(",");
        writeln!(text, "a{level}: &a{level} [{aliases}]").unwrap();
    }
    text.push_str("paths: {}\n");
    let deep = format!("openapi: 3.1.0\npaths: {}{}", "{a: ".repeat(100_000), "}".repeat(100_000));
    for bomb in [text, deep] {
        assert!(read(bomb.as_bytes(), &ImportOptions::default()).is_err());
    }
}
