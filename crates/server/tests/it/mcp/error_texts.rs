//! The texts that a model gets when a call fails, over MCP. Each says what is wrong, which values are accepted and what
//! to do, in few tokens, without internals. `make model` uses the same cases.

use serde_json::{Value, json};
use toolgate_testkit::failure_cases::{
    self, FailureCase, FailureReply, argument_cases, failure_cases, unknown_tool_cases,
};
use toolgate_testkit::{McpClient, ServiceFixture};

use super::management::{self, bare_client};
use crate::toolgate;

async fn start(settings: Value) -> ServiceFixture {
    failure_cases::start(toolgate(), settings).await
}

/// Message and advice of a failed call.
fn texts(result: &Value) -> [String; 2] {
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result["content"].as_array().map(Vec::len), Some(2), "{result}");
    [0, 1].map(|index| result["content"][index]["text"].as_str().unwrap().to_owned())
}

/// The rules that the texts of these cases break.
async fn broken_rules(mcp: &McpClient, cases: &[FailureCase]) -> Vec<String> {
    let mut broken = Vec::new();
    for case in cases {
        let reply = FailureReply::request(mcp, case).await;
        for (rule, problem) in case.score(&reply).broken_rules {
            broken.push(format!("{} ({rule}: {problem})\n  {}\n  {}", case.name, reply.message, reply.advice));
        }
    }
    broken
}

fn assert_no_broken_rules(broken: &[String]) {
    assert!(broken.is_empty(), "{} rules are broken:\n{}", broken.len(), broken.join("\n"));
}

#[tokio::test]
async fn every_failure_says_what_is_wrong_and_what_to_do() {
    let fixture = start(json!({})).await;
    let legacy = bare_client(&fixture).legacy("2025-06-18").await;
    let mut broken = broken_rules(&legacy, &failure_cases()).await;
    broken.extend(broken_rules(&legacy, &unknown_tool_cases()).await);
    assert_no_broken_rules(&broken);
    let modern = bare_client(&fixture).modern();
    for case in &argument_cases() {
        let result = modern.call(case.tool, case.arguments.clone()).await;
        let old = legacy.call(case.tool, case.arguments.clone()).await;
        assert_eq!(result["content"], old["content"], "{}", case.name);
    }
}

#[tokio::test]
async fn a_bare_client_gets_the_upstream_body_in_errors_the_same_advice_and_no_notes() {
    let fixture = start(json!({})).await;
    let mcp = bare_client(&fixture);
    assert_no_broken_rules(&broken_rules(&mcp, &argument_cases()).await);
    let [message, advice] = texts(&mcp.call("read_ticket", json!({"ticket_id": "409"})).await);
    assert_eq!(message, r#"Upstream returned HTTP 409 Conflict: {"detail":"already closed"}"#);
    assert!(advice.contains("Read it again, then decide."), "{advice}");
    let [message, _] = texts(&mcp.call("read_ticket", json!({"ticket_id": "500"})).await);
    assert_eq!(message, "Upstream returned HTTP 500 Internal Server Error: Oops", "a stack trace is left out");
    for (id, text) in [("empty", ""), ("cut", r#"{"tickets":[{"id":"T-1"#)] {
        let result = mcp.call("read_ticket", json!({"ticket_id": id})).await;
        assert_eq!(result, json!({"content": [{"type": "text", "text": text}]}));
    }
    let result = mcp.call("slow_post", json!({"ticket_id": "x"})).await;
    assert_eq!(result["isError"], true, "{result}");
    let result = mcp.call("list_tickets", json!({"state": "new", "perpage": 5})).await;
    assert_eq!(result, json!({"content": [{"type": "text", "text": "ok"}]}));
}

#[tokio::test]
async fn a_note_names_arguments_that_the_tool_does_not_have() {
    let fixture = start(json!({})).await;
    let legacy = bare_client(&fixture).legacy("2025-06-18").await;
    let note = r#""perpage" is not an argument and was not sent: did you mean "per_page"?"#;
    let result = legacy.call("list_tickets", json!({"state": "new", "perpage": 5})).await;
    assert_eq!(result["content"], json!([{"type": "text", "text": "ok"}, {"type": "text", "text": note}]));
    assert_eq!(fixture.upstream.last().query(), Some("state=new"));
    let [_, advice] = texts(&legacy.call("read_ticket", json!({"ticket_id": "409", "colour": 1})).await);
    assert!(advice.ends_with(r#""colour" is not an argument and was not sent."#), "{advice}");
    let done = legacy.call("read_ticket", json!({"ticket_id": "empty"})).await;
    assert_eq!(done["content"], json!([{"type": "text", "text": "Done (HTTP 204, no content)."}]));
    assert_eq!(done.get("isError"), None);
}

#[tokio::test]
async fn an_unknown_tool_is_refused_with_the_closest_name() {
    let fixture = start(json!({})).await;
    let legacy = bare_client(&fixture).legacy("2025-06-18").await;
    let error = |message: &str| (200, json!({"code": -32602, "message": message}));
    for (name, message) in [
        ("read_tickets", r#"Unknown tool: read_tickets; did you mean "read_ticket"?"#),
        ("delete_everything", "Unknown tool: delete_everything; use a tool of the list"),
    ] {
        assert_eq!(legacy.error("tools/call", json!({"name": name})).await, error(message));
        let bare = bare_client(&fixture).error("tools/call", json!({"name": name})).await;
        assert_eq!(bare, error(&format!("Unknown tool: {name}")));
    }
}

#[tokio::test]
async fn lenient_servers_correct_arguments_that_almost_match_the_schema() {
    // Settings accept a boolean as text.
    let fixture = start(json!({"coerce_arguments": "true"})).await;
    let mcp = bare_client(&fixture);
    for (arguments, query) in [
        (json!({"state": "NEW", "per_page": "10"}), "state=new&per_page=10"),
        (json!({"state": "new", "agent_id": null}), "state=new"),
        (json!({"state": "new", "per_page": null}), "state=new"),
    ] {
        assert_eq!(mcp.text("list_tickets", arguments.clone()).await, "ok", "{arguments}");
        assert_eq!(fixture.upstream.last().query(), Some(query), "{arguments}");
    }
    let lines = json!({"state": "new", "lines": r#"[{"project":"a","minutes":"5"}]"#});
    assert_eq!(mcp.text("list_tickets", lines).await, "ok");
    let sent = fixture.upstream.last().query_pairs();
    assert!(sent.contains(&("lines".into(), r#"{"project":"a","minutes":5}"#.into())), "{sent:?}");
    // An argument that cannot be corrected fails with the same text as on a strict server.
    let cases: Vec<FailureCase> = argument_cases().into_iter().filter(|case| case.name == "wrong type").collect();
    assert_no_broken_rules(&broken_rules(&mcp, &cases).await);
    // On a lenient server, bare clients get notes as well.
    let result = mcp.call("list_tickets", json!({"state": "new", "perpage": 5})).await;
    assert!(result["content"][1]["text"].as_str().unwrap().contains("was not sent"), "{result}");
    let strict = start(json!({})).await;
    let refused = bare_client(&strict).call("list_tickets", json!({"state": "new", "per_page": "10"})).await;
    assert_eq!(refused["isError"], true, "the default is strict");
}

#[tokio::test]
async fn a_test_run_shows_the_text_for_the_model_and_the_one_for_the_owner() {
    let fixture = start(json!({"coerce_arguments": true})).await;
    let tools = fixture.app.client().get(&fixture.path("/tools")).send().await.expect(200).json();
    let tool = |name: &str| tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap()["id"].clone();
    let test = async |name: &str, arguments: Value| {
        management::change(&fixture, &format!("/tools/{}/test", tool(name)), json!({"arguments": arguments})).await
    };
    let result = test("refused", json!({})).await;
    assert_eq!(result["for_owner"]["message"], "The upstream refused the connection.");
    assert!(result["for_owner"]["advice"].as_str().unwrap().contains("endpoint_url"), "{result}");
    assert_eq!(result["for_model"]["message"], "The API cannot be reached: it refuses the connection.");
    assert!(result["for_model"]["advice"].as_str().unwrap().contains("Tell the user"), "{result}");
    assert_eq!(result["advice"], result["for_owner"]["advice"]);
    let lenient = test("list_tickets", json!({"state": "Closed"})).await;
    assert_eq!((&lenient["success"], lenient.get("for_model")), (&json!(true), None), "{lenient}");
}
