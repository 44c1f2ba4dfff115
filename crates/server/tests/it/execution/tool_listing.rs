//! Annotations, output schemas and required client capabilities of tools, for each MCP revision.

use serde_json::{Value, json};
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::start;

async fn fixture() -> ServiceFixture {
    start(Upstream::with_handler(|_| MockResponse::json(json!({"t": 1})))).await
}

#[tokio::test]
async fn annotations_and_output_schema_are_listed_for_revisions_that_support_them() {
    let fixture = fixture().await;
    let annotations = json!({"title": "Weather", "readOnlyHint": true});
    let output_schema = json!({"type": "object", "properties": {"t": {"type": "number"}}});
    let input_schema = json!({"type": "object", "properties": {}});
    fixture
        .create_tool(json!({"description": "d", "annotations": annotations, "output_schema": output_schema,
            "input_schema": input_schema}))
        .await;
    fixture.create_tool(json!({"name": "plain", "description": "p", "input_schema": input_schema})).await;
    let array = json!({"type": "array"});
    fixture
        .create_tool(json!({"name": "array", "description": "a", "output_schema": array, "input_schema": input_schema}))
        .await;
    let bare =
        |name: &str, description: &str| json!({"name": name, "description": description, "inputSchema": input_schema});
    let with_fields = |mut tool: Value, extra: Value| {
        tool.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        tool
    };
    let detailed = with_fields(bare("tool", "d"), json!({"outputSchema": output_schema, "annotations": annotations}));
    let caller = fixture.caller();
    let listed = caller.result("tools/list", json!({})).await;
    assert_eq!(listed, json!({"tools": [bare("tool", "d"), bare("plain", "p"), bare("array", "a")]}));
    // Older clients reject a whole list because of one schema that is not an object.
    let legacy = caller.clone().legacy("2025-11-25").await.result("tools/list", json!({})).await;
    assert_eq!(legacy, json!({"tools": [detailed, bare("plain", "p"), bare("array", "a")]}));
    let modern = caller.modern().result("tools/list", json!({})).await;
    let array = with_fields(bare("array", "a"), json!({"outputSchema": array}));
    assert_eq!(modern["tools"], json!([detailed, bare("plain", "p"), array]));
}

#[tokio::test]
async fn a_modern_client_must_have_the_capabilities_that_a_tool_requires() {
    let fixture = fixture().await;
    fixture.create_tool(json!({"required_client_capabilities": {"sampling": {}, "roots": {}}})).await;
    let call = json!({"name": "tool"});
    for (declared, missing) in [
        (json!({}), json!({"sampling": {}, "roots": {}})),
        (json!({"sampling": {}}), json!({"roots": {}})),
        (json!({"elicitation": {}, "roots": {}}), json!({"sampling": {}})),
    ] {
        let caller = fixture.caller().modern_with_capabilities(declared.clone());
        let (status, error) = caller.error("tools/call", call.clone()).await;
        assert_eq!((status, &error["code"]), (400, &json!(-32021)), "{declared}: {error}");
        assert_eq!(error["data"], json!({"requiredCapabilities": missing}), "{declared}");
    }
    assert_eq!(fixture.upstream.connections().opened, 0);
    let able =
        fixture.caller().modern_with_capabilities(json!({"sampling": {}, "roots": {"listChanged": true}, "other": {}}));
    assert_eq!(able.text("tool", json!({})).await, "{\"t\":1}");
}

#[tokio::test]
async fn a_call_with_progress_is_refused_like_any_other_call() {
    let fixture = fixture().await;
    fixture.create_tool(json!({"name": "able", "required_client_capabilities": {"sampling": {}}})).await;
    let region_schema =
        json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}});
    fixture.create_tool(json!({"name": "mirrored", "input_schema": region_schema})).await;
    let call = |name: &str| json!({"name": name, "arguments": {"region": "eu"}, "_meta": {"progressToken": 1}});
    let caller = fixture.caller().modern();
    for (name, code, status) in [("able", -32021, 400), ("mirrored", -32020, 400), ("absent", -32602, 200)] {
        let reply = caller.send("tools/call", call(name)).await;
        assert_eq!(reply.status, status, "{reply:?}");
        assert_eq!(reply.json()["error"]["code"], code, "{reply:?}");
    }
    assert_eq!(fixture.upstream.connections().opened, 0);
    // An accepted call sends progress notifications before its result.
    let reply =
        caller.request("tools/call", call("mirrored")).header("mcp-param-region", "eu").send().await.expect(200);
    let methods: Vec<Value> = reply.events().iter().map(|event| event.json()["method"].clone()).collect();
    let progress = json!("notifications/progress");
    assert_eq!(methods, [progress.clone(), progress.clone(), progress.clone(), progress, Value::Null], "{reply:?}");
}
