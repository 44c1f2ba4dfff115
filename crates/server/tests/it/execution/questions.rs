//! Tools that ask back (`input_required`): the state that an upstream wants back belongs to one caller and one tool.

use serde_json::{Value, json};
use toolgate_testkit::{Answer, Mcp, Upstream};

use super::mcp_results::RESULT;
use super::records;
use super::setup::{Stage, created, failure, recording_service};

const STATE: &str = "the upstream's own state";

/// Asks for a name, and greets whoever comes back with one and with the state.
fn upstream() -> Upstream {
    Upstream::answering(|request| {
        let call: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let name = call["inputResponses"]["who"]["content"]["name"].as_str();
        let result = match (call["requestState"].as_str(), name) {
            (Some(STATE), Some(name)) => json!({"content": [{"type": "text", "text": format!("Hello, {name}")}]}),
            _ => json!({"resultType": "input_required", "requestState": STATE, "inputRequests": {"who": question()}}),
        };
        Answer::bytes(RESULT, result.to_string())
    })
}

fn question() -> Value {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    json!({"method": "elicitation/create", "params": {"message": "Who are you?", "requestedSchema": schema}})
}

async fn stage(fields: Value) -> Stage {
    let stage = Stage::of(recording_service(), upstream(), fields).await;
    for name in ["tool", "other", "marker"] {
        stage.tool(json!({"name": name, "http_method": "POST", "response_type": "mcp"})).await;
    }
    stage
}

fn able(caller: Mcp) -> Mcp {
    caller.modern_with(json!({"elicitation": {}}))
}

/// The second round of a call, with this state.
fn answer(tool: &str, state: &str) -> Value {
    let responses = json!({"who": {"action": "accept", "content": {"name": "Ada"}}});
    json!({"name": tool, "arguments": {"greeting": "Hi"}, "inputResponses": responses, "requestState": state})
}

async fn asked(caller: &Mcp) -> String {
    caller.call("tool", json!({})).await["requestState"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_question_reaches_the_client_and_its_answer_the_upstream() {
    let stage = stage(json!({})).await;
    let caller = able(stage.caller());
    let reply = caller.send("tools/call", json!({"name": "tool"})).await.expect(200);
    let result = &reply.json()["result"];
    assert_eq!(result["resultType"], "input_required");
    assert_eq!(result["inputRequests"], json!({"who": question()}));
    let sealed = result["requestState"].as_str().unwrap();
    assert_ne!(sealed, STATE, "it is signed");
    let done = caller.result("tools/call", answer("tool", sealed)).await;
    assert_eq!(done["content"][0]["text"], "Hello, Ada", "{done}");
    assert_eq!(done["resultType"], "complete");
    let seen = stage.upstream.last().json();
    assert_eq!((&seen["requestState"], &seen["arguments"]), (&json!(STATE), &json!({"greeting": "Hi"})));
    assert_eq!(seen["inputResponses"]["who"]["action"], "accept");
}

#[tokio::test]
async fn a_state_that_was_changed_or_is_another_tools_is_refused() {
    let stage = stage(json!({})).await;
    let caller = able(stage.caller());
    let sealed = asked(&caller).await;
    let hits = stage.upstream.hits();
    let (head, tail) = sealed.split_at(sealed.len() / 2);
    let flipped = if tail.starts_with('A') { "B" } else { "A" };
    let changed = format!("{head}{flipped}{}", tail.get(1..).unwrap());
    let cut = sealed.get(..sealed.len() - 1).unwrap().to_owned();
    let mut cases = vec![("tool", changed), ("tool", cut), ("tool", format!("{sealed}A"))];
    cases.extend([("tool", STATE.to_owned()), ("tool", String::new()), ("other", sealed.clone())]);
    for (tool, bad) in cases {
        let (status, error) = caller.error("tools/call", answer(tool, &bad)).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{tool} {bad}: {error}");
        assert!(error["message"].as_str().unwrap().contains("requestState"), "{error}");
    }
    assert_eq!(stage.upstream.hits(), hits);
    assert_eq!(caller.result("tools/call", answer("tool", &sealed)).await["content"][0]["text"], "Hello, Ada");
}

#[tokio::test]
async fn a_state_is_no_use_to_another_caller_or_at_another_server() {
    let stage = stage(json!({"auth_type": "api-key"})).await;
    let mut keys = Vec::new();
    for name in ["one", "two"] {
        let key = created(&stage.api, &stage.path("/keys"), json!({"name": name})).await;
        keys.push(key["key"].as_str().unwrap().to_owned());
    }
    let [one, two] = [0, 1].map(|index| able(stage.caller().bearer(&keys[index])));
    let sealed = asked(&one).await;
    let (_, error) = two.error("tools/call", answer("tool", &sealed)).await;
    assert_eq!(error["code"], -32602, "{error}");
    let server = created(&stage.api, "/servers", json!({"name": "Elsewhere"})).await;
    let fields = json!({"name": "tool", "endpoint_url": stage.upstream.url("/"), "http_method": "POST",
        "response_type": "mcp"});
    created(&stage.api, &format!("/servers/{}/tools", server["id"]), fields).await;
    let elsewhere = able(Mcp::at(server["endpoint_url"].as_str().unwrap()).bearer(&keys[0]));
    let (_, error) = elsewhere.error("tools/call", answer("tool", &sealed)).await;
    assert_eq!(error["code"], -32602, "{error}");
    assert_eq!(stage.upstream.hits(), 1);
    assert_eq!(one.result("tools/call", answer("tool", &sealed)).await["content"][0]["text"], "Hello, Ada");
}

#[tokio::test]
async fn a_client_is_not_asked_for_what_it_cannot_do() {
    let stage = stage(json!({})).await;
    let (status, error) = stage.caller().modern().error("tools/call", json!({"name": "tool"})).await;
    assert_eq!((status, &error["code"]), (400, &json!(-32021)), "{error}");
    assert_eq!(error["data"], json!({"requiredCapabilities": {"elicitation": {}}}));
}

#[tokio::test]
async fn callers_who_cannot_be_asked_are_told_so() {
    let stage = stage(json!({})).await;
    let legacy = stage.caller().legacy("2025-11-25").await.call("tool", json!({})).await;
    for result in [legacy, stage.caller().call("tool", json!({})).await] {
        assert!(failure(&result).contains("needs input from the user"), "{result}");
    }
}

#[tokio::test]
async fn a_question_that_nobody_could_be_asked_is_recorded_as_a_failure() {
    let stage = stage(json!({})).await;
    able(stage.caller()).call("tool", json!({})).await;
    stage.caller().legacy("2025-11-25").await.call("tool", json!({})).await;
    stage.caller().call("tool", json!({})).await;
    stage.caller().modern().send("tools/call", json!({"name": "tool"})).await.expect(400);
    let seen = records::records(&stage).await;
    let failures: Vec<Option<&str>> = seen.iter().map(|record| record["failure"].as_str()).collect();
    assert_eq!(failures, [None, Some("bad_response"), Some("bad_response"), Some("bad_arguments")], "{seen:#?}");
}
