//! Tool lists that are adapted to the schemas and names that a client accepts.

use serde_json::{Value, json};
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::management::{self, bare_client, change_server, tool_names};

/// A client of each profile.
const CLIENTS: [&str; 7] = [
    "my-agent",
    "claude-code",
    "cursor-vscode",
    "Visual Studio Code",
    "codex-mcp-client",
    "gemini-cli-mcp-client",
    "Windsurf",
];

/// Input schemas that model APIs refuse.
fn hostile_schemas() -> Vec<Value> {
    let contact = |kind: &str, field: &str| json!({"properties": {"type": {"const": kind}, field: {"type": "string"}}, "required": ["type", field]});
    let wide: Vec<Value> = (0..100).map(|n| json!({"properties": {format!("p{n}"): {"maxLength": n}}})).collect();
    vec![
        json!({"type": "object", "oneOf": [contact("mail", "address"), contact("phone", "number")]}),
        json!({"type": "object", "anyOf": wide}),
        json!({"type": "object", "allOf": [{"$ref": "#/definitions/a"}], "definitions": {"a": {"properties": {"b": {"$ref": "#/definitions/a"}}}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/properties/b"}, "b": {"type": "string", "format": "email"}}, "additionalProperties": false}),
        json!({"type": "object", "$ref": "#/$defs/root", "$defs": {"root": {"properties": {"n": {"type": "integer", "exclusiveMinimum": 0, "multipleOf": 2}}}}}),
        json!({"type": "object", "properties": {"list": {"type": "array"}, "level": {"enum": [1, 2, "x"]}, "any": true}}),
    ]
}

async fn start(settings: Value) -> (Upstream, ServiceFixture) {
    let upstream = Upstream::with_handler(|request| MockResponse::text(request.target.clone()));
    let fixture = management::start_server(json!({"settings": settings})).await;
    for (number, schema) in hostile_schemas().into_iter().enumerate() {
        let mut fields = management::tool(&upstream, &format!("tool_{number}"));
        fields["input_schema"] = schema;
        fixture.create("/tools", fields).await;
    }
    (upstream, fixture)
}

async fn schemas(mcp: &McpClient) -> Vec<Value> {
    let list = mcp.result("tools/list", json!({})).await;
    list["tools"].as_array().unwrap().iter().map(|tool| tool["inputSchema"].clone()).collect()
}

/// Calls `visit` with every object of a value.
fn for_each_object(value: &Value, visit: &mut impl FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(members);
            members.values().for_each(|member| for_each_object(member, visit));
        }
        Value::Array(items) => items.iter().for_each(|item| for_each_object(item, visit)),
        _ => {}
    }
}

#[tokio::test]
async fn no_client_gets_schema_keywords_that_it_refuses() {
    let (_upstream, fixture) = start(json!({})).await;
    for name in CLIENTS {
        let client = bare_client(&fixture).named(name);
        for mcp in [client.clone().legacy(NEWEST_LEGACY).await, client.modern()] {
            for schema in schemas(&mcp).await {
                assert_eq!(schema["type"], "object", "{name}: {schema}");
                for keyword in ["oneOf", "anyOf", "allOf", "$ref"] {
                    assert_eq!(schema.get(keyword), None, "{name}: {schema}");
                }
                for_each_object(&schema, &mut |members| {
                    let is_definition =
                        |reference: &Value| reference.as_str().is_some_and(|text| text.starts_with("#/$defs/"));
                    assert!(members.get("$ref").is_none_or(is_definition), "{name}: {schema}");
                    if name.starts_with("gemini") {
                        for keyword in [
                            "$ref",
                            "$schema",
                            "$defs",
                            "additionalProperties",
                            "exclusiveMinimum",
                            "multipleOf",
                            "const",
                            "oneOf",
                            "allOf",
                        ] {
                            assert_eq!(members.get(keyword), None, "{name}: {schema}");
                        }
                        let texts = members.get("enum").and_then(Value::as_array).into_iter().flatten();
                        assert!(texts.into_iter().all(Value::is_string), "{name}: {schema}");
                        let is_array = members.get("type").is_some_and(|kind| kind == "array");
                        assert!(!is_array || members.contains_key("items"), "{name}: {schema}");
                    }
                });
            }
        }
    }
}

#[tokio::test]
async fn variants_are_folded_and_arguments_validated_with_the_stored_schema() {
    let (_upstream, fixture) = start(json!({})).await;
    let mcp = bare_client(&fixture).named("claude-ai").legacy(NEWEST_LEGACY).await;
    let expected = json!({
        "type": "object",
        "description": "Exactly one of these combinations: type=\"mail\", address | type=\"phone\", number.",
        "properties": {
            "type": {"type": "string", "enum": ["mail", "phone"]}, "address": {"type": "string"}, "number": {"type": "string"},
        },
        "required": ["type"],
    });
    assert_eq!(schemas(&mcp).await[0], expected);
    assert_eq!(mcp.text("tool_0", json!({"type": "mail", "address": "a"})).await, "/tool_0?type=mail&address=a");
    // The folded schema accepts this; the stored one does not.
    assert_eq!(mcp.call("tool_0", json!({"type": "mail", "number": "1"})).await["isError"], true);
}

#[tokio::test]
async fn clients_without_a_name_get_the_stored_schemas() {
    let (_upstream, fixture) = start(json!({})).await;
    assert_eq!(schemas(&bare_client(&fixture)).await, hostile_schemas());
    let without_session = bare_client(&fixture).named("claude-code").header("mcp-protocol-version", NEWEST_LEGACY);
    assert_eq!(schemas(&without_session).await, hostile_schemas());
}

#[tokio::test]
async fn settings_switch_the_adaptation_off_or_to_another_profile() {
    let (_upstream, fixture) = start(json!({})).await;
    let mcp = bare_client(&fixture).named("my-agent").legacy(NEWEST_LEGACY).await;
    assert!(schemas(&mcp).await[3].get("additionalProperties").is_some());
    change_server(&fixture, json!({"settings": {"client_profiles": {"my-agent": "gemini"}}})).await;
    assert_eq!(schemas(&mcp).await[3].get("additionalProperties"), None);
    change_server(&fixture, json!({"settings": {"adapt_schemas": false}})).await;
    assert_eq!(schemas(&mcp).await, hostile_schemas());
    let path = fixture.path("");
    for bad in [
        json!({"discovery": "none"}),
        json!({"list_budget": 0}),
        json!({"client_profiles": {"cursor": "x"}}),
        json!({"adapt_schemas": "maybe"}),
    ] {
        fixture.app.client().patch(&path).json(json!({"settings": bad})).send().await.expect(400);
    }
}

#[tokio::test]
async fn names_that_a_client_refuses_are_replaced_and_can_be_called() {
    let upstream = Upstream::with_handler(|request| MockResponse::text(request.target.clone()));
    let fixture = management::start_server(json!({})).await;
    let long = "a".repeat(100);
    for name in ["v1.list", "v1_list", "2fa", &long] {
        fixture.create("/tools", management::tool(&upstream, name)).await;
    }
    let stored = ["v1.list", "v1_list", "2fa", &long];
    assert_eq!(tool_names(&bare_client(&fixture).named("my-agent").legacy(NEWEST_LEGACY).await).await, stored);
    let gemini = bare_client(&fixture).named("gemini-cli").legacy(NEWEST_LEGACY).await;
    let names = tool_names(&gemini).await;
    assert_eq!(names, ["v1_list_2", "v1_list", "_2fa", &"a".repeat(64)]);
    for (name, original) in names.iter().zip(stored) {
        assert_eq!(gemini.text(name, json!({})).await, format!("/{original}"));
        assert_eq!(gemini.text(original, json!({})).await, format!("/{original}"));
    }
}
