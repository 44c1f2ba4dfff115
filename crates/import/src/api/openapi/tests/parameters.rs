//! Parameters: inheritance, names, constants, placeholders and headers.

use serde_json::json;

use super::{codes, document, get, import, mapping, only_candidate, problems, properties, required, swagger};

#[test]
fn an_operation_replaces_inherited_parameters() {
    let candidate = only_candidate(&document(&json!({"/x": {
        "parameters": [
            {"name": "a", "in": "query", "schema": {"type": "string"}},
            {"name": "X-B", "in": "header", "schema": {"type": "string"}},
            {"name": "c", "in": "query", "schema": {"type": "string"}},
        ],
        "get": {"parameters": [
            {"name": "a", "in": "query", "required": true, "schema": {"type": "integer"}},
            {"name": "x-b", "in": "header", "schema": {"type": "boolean"}},
            {"name": "a", "in": "header", "schema": {"type": "number"}},
        ]},
    }})));
    assert_eq!(
        mapping(&candidate),
        json!({
            "a": {"location": "query"},
            "c": {"location": "query"},
            "x-b": {"location": "header"},
            "a_header": {"location": "header", "name": "a"},
        })
    );
    assert_eq!(properties(&candidate)["a"]["type"], "integer");
    assert_eq!(required(&candidate), json!(["a"]));
}

#[test]
fn parameters_are_resolved_and_broken_ones_are_problems() {
    let mut document = document(&json!({
        "/a": {"get": {"parameters": [{"$ref": "#/components/parameters/P"}]}},
        "/b": {"get": {"parameters": [{"$ref": "#/components/parameters/Q"}]}},
        "/c": {"get": {"parameters": [{"name": "p", "in": "nowhere", "schema": {}}]}},
        "/d": {"get": {"parameters": [{"name": "p", "schema": {}}]}},
        "/e": {"get": {"parameters": [{"name": "a b", "in": "cookie", "schema": {"type": "string"}}]}},
    }));
    document["components"] = json!({"parameters": {"P": {"name": "p", "in": "query", "schema": {"type": "string"}}}});
    let import = import(&document);
    assert_eq!(import.candidates.len(), 1);
    assert_eq!(mapping(&import.candidates[0]), json!({"p": {"location": "query"}}));
    assert_eq!(
        problems(&import),
        [
            (json!("ref_unresolved"), Some("GET /b")),
            (json!("malformed"), Some("GET /c")),
            (json!("malformed"), Some("GET /d")),
            (json!("tool_invalid"), Some("GET /e")),
        ]
    );
    assert_eq!(import.problems[1].pointer.to_string(), "#/paths/~1c/get/parameters/0");
    assert!(import.problems[3].message.contains("is not a valid cookie name"), "{}", import.problems[3].message);
}

#[test]
fn placeholders_and_path_parameters_are_matched() {
    let string = json!({"type": "string"});
    let candidate = only_candidate(&document(&json!({"/a/{pet.id}/{b}/{c}?q={d}": {"get": {"parameters": [
        {"name": "pet.id", "in": "path", "required": true, "schema": string},
        {"name": "b", "in": "path", "schema": {"type": "integer"}},
        {"name": "gone", "in": "path", "required": true, "schema": string},
        {"name": "d", "in": "query", "schema": string},
    ]}}})));
    assert_eq!(candidate.endpoint_url, "https://api.example.com/v1/a/{pet_id}/{b}/{c}?q={d}");
    assert_eq!(
        mapping(&candidate),
        json!({
            "pet.id": {"location": "path", "name": "pet_id"},
            "b": {"location": "path"},
            "c": {"location": "path"},
            "d": {"location": "query"},
        })
    );
    assert_eq!(required(&candidate), json!(["pet.id", "b", "c"]));
    assert_eq!(codes(&candidate), ["placeholder_missing", "placeholder_undeclared"]);
}

#[test]
fn a_matrix_parameter_whose_name_cannot_be_a_placeholder_is_a_problem() {
    let import = import(&document(&json!({"/a/{pet.id}": {"get": {"parameters": [
        {"name": "pet.id", "in": "path", "required": true, "style": "matrix", "schema": {"type": "string"}},
    ]}}})));
    assert_eq!(problems(&import), [(json!("parameter_unsupported"), Some("GET /a/{pet.id}"))]);
}

#[test]
fn a_required_parameter_with_one_value_is_a_constant() {
    let candidate = get(&json!([
        {"name": "a", "in": "query", "required": true, "schema": {"const": 1}},
        {"name": "b", "in": "header", "required": true, "schema": {"type": "string", "enum": ["x"]}},
        {"name": "c", "in": "query", "schema": {"type": "string", "enum": ["x"]}},
        {"name": "d", "in": "query", "required": true, "schema": {"type": "string", "enum": ["x", "y"]}},
        // The validation of tools does not allow a readable constant for this header.
        {"name": "X-Api-Key-Id", "in": "header", "required": true, "schema": {"enum": ["x"]}},
    ]));
    assert_eq!(
        mapping(&candidate),
        json!({
            "a": {"location": "query", "value": 1},
            "b": {"location": "header", "value": "x"},
            "c": {"location": "query"},
            "d": {"location": "query"},
            "X-Api-Key-Id": {"location": "header"},
        })
    );
    assert_eq!(required(&candidate), json!(["d", "X-Api-Key-Id"]));
}

#[test]
fn headers_that_arguments_cannot_set_are_left_out() {
    let parameters = |names: &[&str]| -> serde_json::Value {
        names.iter().map(|name| json!({"name": name, "in": "header", "schema": {"type": "string"}})).collect()
    };
    let names = ["Accept", "content-type", "Authorization", "Cookie", "Host", "X-A"];
    let candidate = get(&parameters(&names));
    assert_eq!(mapping(&candidate), json!({"X-A": {"location": "header"}}));
    assert_eq!(codes(&candidate), ["header_reserved"; 3]);
    let parameters: serde_json::Value =
        names.iter().map(|name| json!({"name": name, "in": "header", "type": "string"})).collect();
    let candidate = only_candidate(&swagger(&json!({"/x": {"get": {"parameters": parameters}}})));
    assert_eq!(mapping(&candidate).as_object().unwrap().keys().collect::<Vec<_>>(), ["Accept", "content-type", "X-A"]);
}

#[test]
fn the_query_string_of_3_2_becomes_query_arguments() {
    let parameter =
        |content: &serde_json::Value| json!([{"name": "q", "in": "querystring", "required": true, "content": content}]);
    let form = json!({"application/x-www-form-urlencoded": {
        "schema": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": {"type": "string"}}}, "required": ["a"]},
        "encoding": {"b": {"explode": false}},
    }});
    let candidate = get(&parameter(&form));
    assert_eq!(
        mapping(&candidate),
        json!({"a": {"location": "query"}, "b": {"location": "query", "style": "form", "explode": false}})
    );
    assert_eq!(required(&candidate), json!(["a"]));
    let json_query = json!({"application/json": {"schema": {"type": "object"}}});
    let import = import(&document(&json!({"/x": {"get": {"parameters": parameter(&json_query)}}})));
    assert_eq!(problems(&import), [(json!("parameter_unsupported"), Some("GET /x"))]);
}

#[test]
fn descriptions_and_examples_of_the_parameter_take_precedence_over_those_of_the_schema() {
    let candidate = get(&json!([
        {"name": "a", "in": "query", "description": "See [docs](x).", "example": 5, "schema": {"type": "integer", "default": 20, "description": "no"}},
        {"name": "b", "in": "query", "deprecated": true, "schema": {"type": "string", "description": "Of the schema."}},
        {"name": "c", "in": "query", "schema": {"type": "string"}},
        {"name": "d", "in": "query", "description": "No schema."},
    ]));
    let properties = properties(&candidate);
    assert_eq!(properties["a"]["description"], "See docs. Default: 20.");
    assert_eq!(properties["a"]["examples"], json!([5]));
    assert_eq!(properties["b"]["description"], "Deprecated. Of the schema.");
    assert_eq!(properties["c"], json!({"type": "string"}));
    assert_eq!(properties["d"], json!({"type": ["string", "number", "boolean"], "description": "No schema."}));
}
