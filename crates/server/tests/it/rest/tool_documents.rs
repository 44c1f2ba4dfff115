//! The JSON documents of a tool: its schemas and its mapping.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_invalid, assert_invalid_fields};

on_both_databases!(
    an_input_schema_is_completed_and_otherwise_unchanged,
    an_input_schema_must_be_a_schema_of_an_object,
    a_schema_must_not_reference_other_documents,
    a_schema_must_not_cause_unbounded_work,
    documents_have_a_maximum_size,
    a_mapping_is_returned_as_sent,
    a_mapping_has_a_location_for_each_argument,
    output_schemas_are_validated,
    annotations_have_the_types_that_clients_expect,
);

/// Creates a tool with this field.
async fn create_tool(
    service: &ApiFixture,
    server_id: i64,
    field: &str,
    value: Value,
) -> toolgate_testkit::TestResponse {
    let count = service.api.read(&format!("/servers/{server_id}")).await["tool_count"].clone();
    let mut body = json!({"name": format!("t{count}"), "endpoint_url": "https://a.example/x"});
    body[field] = value;
    service.api.post(&format!("/servers/{server_id}/tools")).json(body).send().await
}

async fn an_input_schema_is_completed_and_otherwise_unchanged(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let empty_schema = json!({"type": "object", "properties": {}, "required": []});
    let full_schema = json!({"type": "object", "title": "T", "properties": {
        "z": {"type": "string", "format": "date", "description": "Ω", "default": "2026-01-01"},
        "a": {"type": "integer", "minimum": 0, "enum": [1, 2]},
        "n": {"type": "array", "items": {"$ref": "#/$defs/item"}}},
        "required": ["z"], "additionalProperties": false, "$defs": {"item": {"type": "string"}}, "x-own": [null]});
    let draft7 = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
        "definitions": {"a": {}}, "properties": {"a": {"$ref": "#/definitions/a"}}});
    for (sent, stored) in [
        (Value::Null, empty_schema.clone()),
        (json!({}), empty_schema.clone()),
        (json!([]), empty_schema),
        (json!({"properties": {"a": {}}}), json!({"type": "object", "properties": {"a": {}}})),
        (json!({"type": "object"}), json!({"type": "object"})),
        (full_schema.clone(), full_schema),
        (draft7.clone(), draft7),
    ] {
        let tool = create_tool(service, server_id, "input_schema", sent).await.expect(201).json();
        assert_eq!(tool["input_schema"].to_string(), stored.to_string());
        assert_eq!(service.api.read(&format!("/tools/{}", id(&tool))).await["input_schema"], stored);
    }
}

async fn an_input_schema_must_be_a_schema_of_an_object(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for bad in [json!("object"), json!(true), json!(5), json!(["type"])] {
        assert_invalid(
            &create_tool(service, server_id, "input_schema", bad).await,
            "input_schema",
            "rest_invalid_type",
        );
    }
    for bad in [
        json!({"type": "array"}),
        json!({"type": "string"}),
        json!({"type": ["object", "null"]}),
        json!({"type": "nonsense"}),
        json!({"type": "object", "properties": []}),
        json!({"type": "object", "properties": {"a": "string"}}),
        json!({"type": "object", "properties": {"a": {"type": "text"}}}),
        json!({"type": "object", "required": "a"}),
        json!({"type": "object", "required": [1]}),
        json!({"type": "object", "properties": {"a": {"pattern": "("}}}),
        json!({"type": "object", "properties": {"a": {"minimum": "0"}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/missing"}}}),
    ] {
        assert_invalid_fields(&create_tool(service, server_id, "input_schema", bad).await, &["input_schema"]);
    }
}

async fn a_schema_must_not_reference_other_documents(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for target in [
        "https://example.com/schema.json",
        "http://127.0.0.1:1/x",
        "file:///etc/passwd",
        "other.json",
        "//example.com/x#/a",
    ] {
        let inner = |keyword: &str| json!({"type": "object", "properties": {"a": {keyword: target}}});
        let root = |keyword: &str| json!({"type": "object", keyword: target});
        for schema in [inner("$ref"), inner("$schema"), root("$ref"), root("$schema"), root("$dynamicRef")] {
            for field in ["input_schema", "output_schema"] {
                assert_invalid_fields(&create_tool(service, server_id, field, schema.clone()).await, &[field]);
            }
        }
    }
}

async fn a_schema_must_not_cause_unbounded_work(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    // Look-around and back-references need a backtracking engine with exponential run time.
    for pattern in [r"(a+)\1", "(?=a)b", "(?!a)b", "(?<=a)b", r"(?P<n>a)(?P=n)"] {
        let schema = json!({"type": "object", "properties": {"a": {"pattern": pattern}}});
        for field in ["input_schema", "output_schema"] {
            assert_invalid_fields(&create_tool(service, server_id, field, schema.clone()).await, &[field]);
        }
    }
    let circular = json!({"type": "object", "allOf": [{"$ref": "#"}]});
    assert_invalid_fields(&create_tool(service, server_id, "input_schema", circular).await, &["input_schema"]);
}

async fn documents_have_a_maximum_size(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let schema = |length: usize| json!({"type": "object", "description": "x".repeat(length)});
    let frame_len = schema(0).to_string().len();
    create_tool(service, server_id, "input_schema", schema(256 * 1024 - frame_len)).await.expect(201);
    let reply = create_tool(service, server_id, "input_schema", schema(256 * 1024 - frame_len + 1)).await;
    assert_invalid(&reply, "input_schema", "rest_too_long");
    let mapping = json!({"a": {"location": "query", "name": "x".repeat(256 * 1024)}});
    let reply = create_tool(service, server_id, "parameter_mapping", mapping).await;
    assert_invalid(&reply, "parameter_mapping", "rest_too_long");
}

async fn a_mapping_is_returned_as_sent(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for mapping in [
        json!({}),
        json!({"a": {"location": "path"}, "b": {"location": "query"}, "c": {"location": "body"}, "d": {"location": "header"}}),
        json!({"d": {"location": "headers", "name": "X-D"}, "a": {"location": "query", "name": "filter[name]"}}),
        json!({"ünïcode arg": {"location": "body", "name": null}}),
    ] {
        let tool = create_tool(service, server_id, "parameter_mapping", mapping.clone()).await.expect(201).json();
        assert_eq!(tool["parameter_mapping"].to_string(), mapping.to_string());
    }
}

async fn a_mapping_has_a_location_for_each_argument(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for bad in [json!("query"), json!(5), json!(["query"])] {
        let reply = create_tool(service, server_id, "parameter_mapping", bad).await;
        assert_invalid(&reply, "parameter_mapping", "rest_invalid_type");
    }
    for bad in [
        json!({"a": "query"}),
        json!({"a": null}),
        json!({"a": ["query"]}),
        json!({"a": {}}),
        json!({"a": {"location": "trailer"}}),
        json!({"a": {"location": "Query"}}),
        json!({"a": {"location": ""}}),
        json!({"a": {"location": null}}),
        json!({"a": {"location": 1}}),
        json!({"a": {"location": "query", "name": ""}}),
        json!({"a": {"location": "query", "name": 5}}),
        json!({"a": {"location": "header", "name": "X A"}}),
        json!({"a": {"location": "header", "name": "X\r\nY"}}),
        json!({"a": {"location": "header", "name": "Host"}}),
        json!({"connection": {"location": "headers"}}),
        json!({"a": {"location": "header", "name": "Transfer-Encoding"}}),
    ] {
        let reply = create_tool(service, server_id, "parameter_mapping", bad).await;
        assert_invalid_fields(&reply, &["parameter_mapping"]);
    }
}

async fn output_schemas_are_validated(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let schema = json!({"type": "object", "properties": {"t": {"type": "number"}}});
    let tool = create_tool(service, server_id, "output_schema", schema.clone()).await.expect(201).json();
    assert_eq!(tool["output_schema"], schema);
    assert_invalid(
        &create_tool(service, server_id, "output_schema", json!("x")).await,
        "output_schema",
        "rest_invalid_type",
    );
    let broken = create_tool(service, server_id, "output_schema", json!({"type": "nonsense"})).await;
    assert_invalid_fields(&broken, &["output_schema"]);
    for field in ["annotations", "required_client_capabilities"] {
        assert_invalid(&create_tool(service, server_id, field, json!([1])).await, field, "rest_invalid_type");
    }
}

async fn annotations_have_the_types_that_clients_expect(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let sent = json!({"readOnlyHint": "false", "title": "T", "x": [1]});
    let tool = create_tool(service, server_id, "annotations", sent).await.expect(201).json();
    assert_eq!(tool["annotations"], json!({"readOnlyHint": false, "title": "T", "x": [1]}));
    let refused = create_tool(service, server_id, "annotations", json!({"readOnlyHint": "yes", "title": 5})).await;
    assert_invalid_fields(&refused, &["annotations"]);
    let reasons = "annotations[readOnlyHint] is not of type boolean. annotations[title] is not of type string.";
    assert_eq!(refused.json()["data"]["params"]["annotations"], reasons);
}
