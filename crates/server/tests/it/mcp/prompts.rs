//! Prompts: listing, and rendering a template with a client's arguments.

use serde_json::{Value, json};
use toolgate_testkit::McpClient;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use super::management::{self, bare_client};

/// The text of a prompt with these arguments.
async fn text(mcp: &McpClient, name: &str, arguments: Value) -> String {
    let result = mcp.result("prompts/get", json!({"name": name, "arguments": arguments})).await;
    let messages = result["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 1, "{result}");
    assert_eq!((&messages[0]["role"], &messages[0]["content"]["type"]), (&json!("user"), &json!("text")));
    messages[0]["content"]["text"].as_str().unwrap().to_owned()
}

async fn error_message(mcp: &McpClient, params: Value) -> String {
    let (status, error) = mcp.error("prompts/get", params).await;
    assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{error}");
    error["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn prompts_are_listed_with_their_arguments() {
    let fixture = management::start_server(json!({})).await;
    let arguments = json!([{"name": "who", "description": "Whom", "required": true}, {"name": "how", "values": ["x"]}]);
    let fields = json!({"name": "greet", "description": "A greeting", "arguments": arguments,
        "template_content": "Hello {{who}}"});
    fixture.create("/prompts", fields).await;
    fixture.create("/prompts", json!({"name": "bare", "template_content": "x"})).await;
    let expected = json!({"prompts": [
        {"name": "greet", "description": "A greeting", "arguments": [
            {"name": "who", "description": "Whom", "required": true}, {"name": "how", "required": false}]},
        {"name": "bare", "description": "", "arguments": []}]});
    for mcp in [bare_client(&fixture), bare_client(&fixture).legacy(NEWEST_LEGACY).await] {
        assert_eq!(mcp.result("prompts/list", json!({})).await, expected);
    }
}

#[tokio::test]
async fn a_template_becomes_one_message_of_the_user() {
    let fixture = management::start_server(json!({})).await;
    let fields = json!({"name": "greet", "description": "A greeting", "arguments": [{"name": "who", "required": true}],
        "template_content": "Dear {{who}},\n\"hello\""});
    fixture.create("/prompts", fields).await;
    let result =
        bare_client(&fixture).result("prompts/get", json!({"name": "greet", "arguments": {"who": "Ada"}})).await;
    let content = json!({"type": "text", "text": "Dear Ada,\n\"hello\""});
    assert_eq!(result, json!({"description": "A greeting", "messages": [{"role": "user", "content": content}]}));
}

#[tokio::test]
async fn placeholders_are_filled_from_the_arguments() {
    let fixture = management::start_server(json!({})).await;
    let arguments = json!([{"name": "a", "required": true}, {"name": "b"}]);
    for (name, template) in [
        ("plain", "{{a}}-{{b}}-{{a}}"),
        ("spaced", "{{ a }}|{{  b}}|{{a  }}"),
        ("undeclared", "{{a}} {{c}} {{ c }}"),
        ("braces", "{a} {{}} {{ }} {{{a}}} }} {{"),
    ] {
        fixture.create("/prompts", json!({"name": name, "arguments": arguments, "template_content": template})).await;
    }
    let mcp = bare_client(&fixture);
    for (name, arguments, expected) in [
        ("plain", json!({"a": "1", "b": "2"}), "1-2-1"),
        ("plain", json!({"a": "1"}), "1--1"),
        ("plain", json!({"a": ""}), "--"),
        ("spaced", json!({"a": "1", "b": "2"}), "1|2|1"),
        ("undeclared", json!({"a": "1"}), "1 {{c}} {{ c }}"),
        ("undeclared", json!({"a": "1", "c": "3"}), "1 3 3"),
        ("plain", json!({"a": "1", "unknown": "x"}), "1--1"),
        ("braces", json!({"a": "1"}), "{a} {{}} {{ }} {1} }} {{"),
    ] {
        assert_eq!(text(&mcp, name, arguments.clone()).await, expected, "{name} {arguments}");
    }
}

#[tokio::test]
async fn inserted_values_are_not_expanded_again() {
    let fixture = management::start_server(json!({})).await;
    let arguments = json!([{"name": "a"}, {"name": "b"}]);
    fixture.create("/prompts", json!({"name": "p", "arguments": arguments, "template_content": "{{a}}{{b}}"})).await;
    let mcp = bare_client(&fixture);
    assert_eq!(text(&mcp, "p", json!({"a": "{{b}}", "b": "{{a}}"})).await, "{{b}}{{a}}");
    assert_eq!(text(&mcp, "p", json!({"a": "{{", "b": "a}}"})).await, "{{a}}");
    assert_eq!(text(&mcp, "p", json!({"a": "\"\\\u{1F600}\n"})).await, "\"\\\u{1F600}\n");
}

#[tokio::test]
async fn missing_arguments_and_unknown_prompts_are_named() {
    let fixture = management::start_server(json!({})).await;
    let arguments = json!([{"name": "a", "required": true}, {"name": "b"}, {"name": "c", "required": true}]);
    fixture.create("/prompts", json!({"name": "p", "arguments": arguments, "template_content": "{{a}}"})).await;
    let mcp = bare_client(&fixture);
    assert_eq!(error_message(&mcp, json!({"name": "p"})).await, "Missing required arguments: a, c");
    assert_eq!(
        error_message(&mcp, json!({"name": "p", "arguments": {"a": "1"}})).await,
        "Missing required argument: c"
    );
    assert_eq!(error_message(&mcp, json!({"name": "unknown"})).await, "Unknown prompt: unknown");
    for bad in [json!({"a": 1, "c": "x"}), json!([]), json!("x")] {
        error_message(&mcp, json!({"name": "p", "arguments": bad})).await;
    }
}

#[tokio::test]
async fn placeholders_in_structured_messages_are_filled() {
    let fixture = management::start_server(json!({})).await;
    let messages = json!([
        {"role": "user", "content": {"type": "resource", "resource": {"uri": "{{uri}}", "text": "{{uri}}!"}}},
        {"role": "assistant", "content": {"type": "text", "text": "I read {{ uri }}"}}]);
    let arguments = json!([{"name": "uri", "required": true}]);
    fixture.create("/prompts", json!({"name": "p", "arguments": arguments, "messages": messages})).await;
    let mcp = bare_client(&fixture).modern();
    let result = mcp.result("prompts/get", json!({"name": "p", "arguments": {"uri": "x://\"y"}})).await;
    assert_eq!(result["messages"][0]["content"]["resource"], json!({"uri": "x://\"y", "text": "x://\"y!"}));
    assert_eq!(result["messages"][1]["content"]["text"], "I read x://\"y");
}

#[tokio::test]
async fn a_changed_prompt_is_used_immediately() {
    let fixture = management::start_server(json!({})).await;
    let prompt = fixture.create("/prompts", json!({"name": "p", "template_content": "before"})).await;
    let (mcp, path) = (bare_client(&fixture), fixture.path(&format!("/prompts/{}", prompt["id"])));
    for round in 0..20 {
        management::change(&fixture, &path, json!({"template_content": format!("round {round}")})).await;
        assert_eq!(text(&mcp, "p", json!({})).await, format!("round {round}"));
    }
}
