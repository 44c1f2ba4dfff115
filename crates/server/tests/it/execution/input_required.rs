//! Tools that request input (`input_required`): the state of the upstream is bound to one caller and one tool.

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::mcp_results::MCP_RESULT_TYPE;
use super::records;
use super::setup::{failure_message, recording_service};

const STATE: &str = "state of the upstream";

/// Requests a name, and greets the caller that returns a name and the state.
fn upstream() -> Upstream {
    Upstream::with_handler(|request| {
        let call: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let name = call["inputResponses"]["who"]["content"]["name"].as_str();
        let result = match (call["requestState"].as_str(), name) {
            (Some(STATE), Some(name)) => json!({"content": [{"type": "text", "text": format!("Hello, {name}")}]}),
            _ => {
                json!({"resultType": "input_required", "requestState": STATE, "inputRequests": {"who": input_request()}})
            }
        };
        MockResponse::bytes(MCP_RESULT_TYPE, result.to_string())
    })
}

fn input_request() -> Value {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    json!({"method": "elicitation/create", "params": {"message": "Who are you?", "requestedSchema": schema}})
}

async fn fixture(fields: Value) -> ServiceFixture {
    let fixture = ServiceFixture::start(recording_service(), upstream(), fields).await;
    for name in ["tool", "other", "marker"] {
        fixture.create_tool(json!({"name": name, "http_method": "POST", "response_type": "mcp"})).await;
    }
    fixture
}

fn with_elicitation(caller: McpClient) -> McpClient {
    caller.modern_with_capabilities(json!({"elicitation": {}}))
}

/// The second round of a call, with this state.
fn second_round(tool: &str, state: &str) -> Value {
    let responses = json!({"who": {"action": "accept", "content": {"name": "Ada"}}});
    json!({"name": tool, "arguments": {"greeting": "Hi"}, "inputResponses": responses, "requestState": state})
}

/// Makes the first round of a call and returns its signed state.
async fn first_round_state(caller: &McpClient) -> String {
    caller.call("tool", json!({})).await["requestState"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_input_request_reaches_the_client_and_its_response_the_upstream() {
    let fixture = fixture(json!({})).await;
    let caller = with_elicitation(fixture.caller());
    let reply = caller.send("tools/call", json!({"name": "tool"})).await.expect(200);
    let result = &reply.json()["result"];
    assert_eq!(result["resultType"], "input_required");
    assert_eq!(result["inputRequests"], json!({"who": input_request()}));
    let signed_state = result["requestState"].as_str().unwrap();
    assert_ne!(signed_state, STATE, "the client gets a signed state");
    let done = caller.result("tools/call", second_round("tool", signed_state)).await;
    assert_eq!(done["content"][0]["text"], "Hello, Ada", "{done}");
    assert_eq!(done["resultType"], "complete");
    let received = fixture.upstream.last().json();
    assert_eq!((&received["requestState"], &received["arguments"]), (&json!(STATE), &json!({"greeting": "Hi"})));
    assert_eq!(received["inputResponses"]["who"]["action"], "accept");
}

#[tokio::test]
async fn a_modified_state_or_that_of_another_tool_is_refused() {
    let fixture = fixture(json!({})).await;
    let caller = with_elicitation(fixture.caller());
    let signed_state = first_round_state(&caller).await;
    let hits = fixture.upstream.request_count();
    let (head, tail) = signed_state.split_at(signed_state.len() / 2);
    let flipped = if tail.starts_with('A') { "B" } else { "A" };
    let changed = format!("{head}{flipped}{}", tail.get(1..).unwrap());
    let truncated = signed_state.get(..signed_state.len() - 1).unwrap().to_owned();
    let mut cases = vec![("tool", changed), ("tool", truncated), ("tool", format!("{signed_state}A"))];
    cases.extend([("tool", STATE.to_owned()), ("tool", String::new()), ("other", signed_state.clone())]);
    for (tool, bad) in cases {
        let (status, error) = caller.error("tools/call", second_round(tool, &bad)).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{tool} {bad}: {error}");
        assert!(error["message"].as_str().unwrap().contains("requestState"), "{error}");
    }
    assert_eq!(fixture.upstream.request_count(), hits);
    assert_eq!(
        caller.result("tools/call", second_round("tool", &signed_state)).await["content"][0]["text"],
        "Hello, Ada"
    );
}

#[tokio::test]
async fn a_state_of_another_caller_or_server_is_refused() {
    let fixture = fixture(json!({"auth_type": "api-key"})).await;
    let mut keys = Vec::new();
    for name in ["one", "two"] {
        let key = fixture.api.create(&fixture.path("/keys"), json!({"name": name})).await;
        keys.push(key["key"].as_str().unwrap().to_owned());
    }
    let [one, two] = [0, 1].map(|index| with_elicitation(fixture.caller().bearer(&keys[index])));
    let signed_state = first_round_state(&one).await;
    let (_, error) = two.error("tools/call", second_round("tool", &signed_state)).await;
    assert_eq!(error["code"], -32602, "{error}");
    let server = fixture.api.create("/servers", json!({"name": "Other"})).await;
    let fields = json!({"name": "tool", "endpoint_url": fixture.upstream.url("/"), "http_method": "POST",
        "response_type": "mcp"});
    fixture.api.create(&format!("/servers/{}/tools", server["id"]), fields).await;
    let other_server = with_elicitation(McpClient::new(server["endpoint_url"].as_str().unwrap()).bearer(&keys[0]));
    let (_, error) = other_server.error("tools/call", second_round("tool", &signed_state)).await;
    assert_eq!(error["code"], -32602, "{error}");
    assert_eq!(fixture.upstream.request_count(), 1);
    assert_eq!(one.result("tools/call", second_round("tool", &signed_state)).await["content"][0]["text"], "Hello, Ada");
}

#[tokio::test]
async fn a_client_without_the_capability_gets_an_error() {
    let fixture = fixture(json!({})).await;
    let (status, error) = fixture.caller().modern().error("tools/call", json!({"name": "tool"})).await;
    assert_eq!((status, &error["code"]), (400, &json!(-32021)), "{error}");
    assert_eq!(error["data"], json!({"requiredCapabilities": {"elicitation": {}}}));
}

#[tokio::test]
async fn callers_that_cannot_provide_input_get_a_failure() {
    let fixture = fixture(json!({})).await;
    let legacy = fixture.caller().legacy("2025-11-25").await.call("tool", json!({})).await;
    for result in [legacy, fixture.caller().call("tool", json!({})).await] {
        assert!(failure_message(&result).contains("needs input from the user"), "{result}");
    }
}

#[tokio::test]
async fn an_input_request_that_cannot_be_delivered_is_recorded_as_a_failure() {
    let fixture = fixture(json!({})).await;
    with_elicitation(fixture.caller()).call("tool", json!({})).await;
    fixture.caller().legacy("2025-11-25").await.call("tool", json!({})).await;
    fixture.caller().call("tool", json!({})).await;
    fixture.caller().modern().send("tools/call", json!({"name": "tool"})).await.expect(400);
    let recorded = records::records(&fixture).await;
    let failures: Vec<Option<&str>> = recorded.iter().map(|record| record["failure"].as_str()).collect();
    assert_eq!(failures, [None, Some("bad_response"), Some("bad_response"), Some("bad_arguments")], "{recorded:#?}");
}
