//! Results that are shortened for models, and reading the rest of them.

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::records;
use super::setup::{failure_message, message_and_advice, start};
use crate::toolgate;

/// A list of `count` issues, numbered from 0, each with members that a model does not need.
fn issues(count: usize) -> Value {
    let issue = |number: usize| {
        json!({"number": number, "title": format!("Issue {number} of the tracker"), "state": "open",
            "url": format!("https://api.example.com/issues/{number}"), "assignee": null, "labels": []})
    };
    json!({"total": count, "items": (0..count).map(issue).collect::<Vec<_>>()})
}

async fn start_with_issues(count: usize) -> ServiceFixture {
    start(Upstream::with_handler(move |_| MockResponse::json(issues(count)))).await
}

/// The texts of the content blocks.
fn texts(result: &Value) -> Vec<&str> {
    result["content"].as_array().unwrap().iter().filter_map(|block| block["text"].as_str()).collect()
}

/// The reference that a note names.
fn reference(note: &str) -> &str {
    let (_, after) = note.split_once("{\"ref\":\"").unwrap_or_else(|| panic!("no reference in: {note}"));
    after.split_once('"').unwrap().0
}

/// The numbers of the issues in a text, in order.
fn numbers(text: &str) -> Vec<u64> {
    let after_key = text.split("\"number\":").skip(1);
    after_key.map(|rest| rest.split([',', '}']).next().unwrap().parse().unwrap()).collect()
}

async fn tool_names(caller: &McpClient) -> Vec<String> {
    let list = caller.result("tools/list", json!({})).await;
    list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_tool_without_shaping_returns_the_body_as_it_is() {
    let body = r#"{ "a" : null,  "b": [ ] }"#;
    let fixture = start(Upstream::with_handler(move |_| MockResponse::bytes("application/json", body))).await;
    fixture.create_tool(json!({"name": "plain"})).await;
    fixture.create_tool(json!({"name": "off", "shaping": {}})).await;
    fixture.create_tool(json!({"name": "compact", "shaping": {"drop_empty": true}})).await;
    let caller = fixture.caller();
    assert_eq!(caller.text("plain", json!({})).await, body);
    assert_eq!(caller.text("off", json!({})).await, body);
    assert_eq!(caller.text("compact", json!({})).await, "{}");
    assert_eq!(tool_names(&caller).await, ["plain", "off", "compact"], "no tool has a budget");
}

#[tokio::test]
async fn a_long_result_has_a_note_and_read_more_returns_the_rest_once() {
    let fixture = start_with_issues(200).await;
    fixture
        .create_tool(json!({"name": "list", "shaping": {"max_tokens": 1000, "omit": ["*url"], "drop_empty": true}}))
        .await;
    let caller = fixture.caller();
    assert_eq!(tool_names(&caller).await, ["list", "read_more"]);
    let result = caller.call("list", json!({})).await;
    let [text, note] = texts(&result)[..] else { panic!("{result}") };
    let shown: Value = serde_json::from_str(text).unwrap();
    assert_eq!(shown["total"], 200, "scalars of the root stay");
    assert!(!text.contains("url") && !text.contains("null"), "{text}");
    assert!(note.starts_with("Left out: ") && note.contains("of 200 items"), "{note}");
    let reference = reference(note).to_owned();
    let mut read = numbers(text);
    for _ in 0..100 {
        let part = caller.call("read_more", json!({"ref": reference})).await;
        if part["isError"] == true {
            break;
        }
        read.extend(numbers(texts(&part)[0]));
    }
    assert_eq!(read, (0..200).collect::<Vec<u64>>());
    let after_the_end = caller.call("read_more", json!({"ref": reference})).await;
    assert_eq!(failure_message(&after_the_end), "The whole response was already read.");
    assert_eq!(fixture.upstream.request_count(), 1);
}

#[tokio::test]
async fn a_part_can_be_read_by_its_path() {
    let fixture = start_with_issues(200).await;
    fixture.create_tool(json!({"name": "list", "shaping": {"max_tokens": 500}})).await;
    let caller = fixture.caller();
    let result = caller.call("list", json!({})).await;
    let reference = reference(texts(&result)[1]).to_owned();
    let arguments = json!({"ref": reference, "path": "items", "from": 150, "max_tokens": 300});
    let part = caller.call("read_more", arguments).await;
    assert_eq!(numbers(texts(&part)[0])[..3], [150, 151, 152]);
    let missing = caller.call("read_more", json!({"ref": reference, "path": "hits"})).await;
    assert_eq!(missing["isError"], true, "{missing}");
}

#[tokio::test]
async fn a_stored_response_is_read_as_a_resource_by_clients_with_links() {
    let fixture = start_with_issues(200).await;
    fixture.create_tool(json!({"name": "list", "shaping": {"max_tokens": 500}})).await;
    for caller in [fixture.caller().legacy("2025-06-18").await, fixture.caller().modern()] {
        let result = caller.call("list", json!({})).await;
        let link = result["content"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(link["type"], "resource_link", "{result}");
        let uri = link["uri"].as_str().unwrap();
        assert!(uri.starts_with("toolgate://answers/r_"), "{uri}");
        let read = caller.result("resources/read", json!({"uri": uri})).await;
        let content: Value = serde_json::from_str(read["contents"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(content, issues(200));
        let listed = caller.result("resources/list", json!({})).await;
        assert_eq!(listed["resources"], json!([]), "stored responses are not listed");
    }
    let older = fixture.caller().legacy("2025-03-26").await.call("list", json!({})).await;
    assert_eq!(texts(&older).len(), older["content"].as_array().unwrap().len(), "no link: {older}");
}

#[tokio::test]
async fn a_reference_is_bound_to_the_caller_and_the_server() {
    let upstream = Upstream::with_handler(|_| MockResponse::json(issues(200)));
    let fixture = ServiceFixture::start(toolgate(), upstream, json!({"auth_type": "api-key"})).await;
    fixture.create_tool(json!({"name": "list", "shaping": {"max_tokens": 500}})).await;
    let (first, second) = (fixture.create_key().await, fixture.create_key().await);
    let owner = fixture.caller().bearer(&first);
    let result = owner.call("list", json!({})).await;
    let reference = reference(texts(&result)[1]).to_owned();
    let foreign = fixture.caller().bearer(&second).call("read_more", json!({"ref": reference})).await;
    assert_eq!(failure_message(&foreign), "There is no stored response with this ref.");
    let uri = format!("toolgate://answers/{reference}");
    let modern = fixture.caller().bearer(&second).modern();
    assert_eq!(modern.error("resources/read", json!({"uri": uri})).await.1["code"], -32602);
    assert!(owner.call("read_more", json!({"ref": reference})).await.get("isError").is_none());
    for reference in ["r_AAAAAAAAAAAAAAAA", "", "../x"] {
        let unknown = owner.call("read_more", json!({"ref": reference})).await;
        assert_eq!(failure_message(&unknown), "There is no stored response with this ref.");
    }
}

#[tokio::test]
async fn a_reference_to_a_deleted_response_names_the_tool_to_call_again() {
    let fixture = start_with_issues(200).await;
    let tool = fixture.create_tool(json!({"name": "list", "shaping": {"max_tokens": 500}})).await;
    fixture.create_tool(json!({"name": "other", "shaping": {"max_tokens": 500}})).await;
    let caller = fixture.caller();
    let result = caller.call("list", json!({})).await;
    let reference = reference(texts(&result)[1]).to_owned();
    fixture.update_tool(tool, json!({"status": "paused"})).await;
    let gone = caller.call("read_more", json!({"ref": reference})).await;
    assert_eq!(message_and_advice(&gone), ("This response is no longer stored (15 min).", "Call list again."));
    for arguments in [json!({}), json!({"ref": 5}), json!({"ref": reference, "from": -1})] {
        assert_eq!(caller.call("read_more", arguments.clone()).await["isError"], true, "{arguments}");
    }
}

#[tokio::test]
async fn files_in_a_response_are_replaced_by_links_to_them() {
    // "%PDF-1.7 ", then other bytes.
    let base64 = format!("JVBERi0xLjcg{}", "aB3+xY7/kQ9zWm2P".repeat(500));
    let body = json!({"name": "invoice", "content": base64});
    let fixture = start(Upstream::with_handler(move |_| MockResponse::json(body.clone()))).await;
    fixture.create_tool(json!({"name": "read", "shaping": {"blobs": "link"}})).await;
    let caller = fixture.caller().modern();
    let result = caller.call("read", json!({})).await;
    assert!(texts(&result)[0].starts_with(r#"{"name":"invoice","content":"[application/pdf, "#), "{result}");
    let link = result["content"].as_array().unwrap().last().unwrap();
    assert_eq!((&link["type"], &link["mimeType"]), (&json!("resource_link"), &json!("application/pdf")), "{result}");
    let read = caller.result("resources/read", json!({"uri": link["uri"]})).await;
    assert_eq!(read["contents"][0]["mimeType"], "application/pdf");
    assert_eq!(read["contents"][0]["blob"], base64);
}

#[tokio::test]
async fn with_overflow_minutes_0_the_rest_of_a_shortened_result_cannot_be_read() {
    let upstream = Upstream::with_handler(|_| MockResponse::json(issues(200)));
    let fixture = ServiceFixture::start(toolgate(), upstream, json!({})).await;
    fixture.create_tool(json!({"name": "list", "shaping": {"max_tokens": 500, "overflow_minutes": 0}})).await;
    let result = fixture.caller().call("list", json!({})).await;
    let note = texts(&result)[1];
    assert!(note.starts_with("Left out: ") && !note.contains("read_more"), "{note}");
}

#[tokio::test]
async fn the_server_has_a_default_that_a_tool_can_switch_off() {
    let upstream = Upstream::with_handler(|_| MockResponse::json(issues(200)));
    let settings = json!({"settings": {"shaping": {"max_tokens": 500}}});
    let fixture = ServiceFixture::start(toolgate(), upstream, settings).await;
    fixture.create_tool(json!({"name": "default"})).await;
    fixture.create_tool(json!({"name": "off", "shaping": {}})).await;
    fixture.create_tool(json!({"name": "read_more"})).await;
    let caller = fixture.caller();
    assert_eq!(tool_names(&caller).await, ["default", "off", "read_more", "read_more_2"]);
    let shortened = caller.call("default", json!({})).await;
    assert!(texts(&shortened)[1].contains("read_more_2 {\"ref\""), "{shortened}");
    assert_eq!(texts(&caller.call("off", json!({})).await).len(), 1);
}

#[tokio::test]
async fn structured_content_matches_the_published_schema() {
    let fixture = start_with_issues(3).await;
    let item = json!({"type": "object", "required": ["number", "url"], "additionalProperties": false,
        "properties": {"number": {"type": "integer"}, "title": {"type": "string"}, "state": {"type": "string"},
            "url": {"type": "string"}, "assignee": {"type": "null"}, "labels": {"type": "array"}}});
    let schema = json!({"type": "object", "required": ["total", "items"], "additionalProperties": false,
        "properties": {"total": {"type": "integer"}, "items": {"type": "array", "items": item}}});
    fixture.create_tool(json!({"name": "list", "output_schema": schema, "shaping": {"omit": ["url"]}})).await;
    let caller = fixture.caller().modern();
    let list = caller.result("tools/list", json!({})).await;
    let published = &list["tools"][0]["outputSchema"];
    assert_eq!(published["properties"]["items"]["items"]["required"], json!(["number"]), "{published}");
    let result = caller.call("list", json!({})).await;
    let structured = &result["structuredContent"];
    assert!(jsonschema::is_valid(published, structured), "{structured} does not match {published}");
    assert_eq!(structured["items"][1]["number"], 1);
    assert!(structured["items"][1].get("url").is_none(), "{structured}");
}

#[tokio::test]
async fn tokens_are_recorded_and_shown_by_test_runs() {
    let upstream = Upstream::with_handler(|_| MockResponse::json(issues(200)));
    let fixture = records::fixture(upstream, json!({})).await;
    let tool = fixture.create_tool(json!({"name": "list", "shaping": {"max_tokens": 500}})).await;
    fixture.create_tool(json!({"name": "plain"})).await;
    let caller = fixture.caller();
    let result = caller.call("list", json!({})).await;
    let reference = reference(texts(&result)[1]).to_owned();
    caller.call("read_more", json!({"ref": reference})).await;
    caller.call("plain", json!({})).await;
    let recorded = records::records(&fixture).await;
    let [first, more, plain] = &recorded[..] else { panic!("{recorded:?}") };
    for record in [first, more] {
        assert_eq!(record["tool_id"], tool, "{record}");
        let (out, saved) = (record["tokens_out"].as_u64().unwrap(), record["tokens_saved"].as_u64().unwrap());
        assert!((100..=500).contains(&out) && saved > 5_000, "{record}");
    }
    assert_eq!((&first["cache_hit"], &more["cache_hit"]), (&json!(false), &json!(true)));
    assert!(plain.get("tokens_out").is_none(), "{plain}");
    let test = fixture.test_reply(tool, json!({"arguments": {}, "debug": true})).await.expect(200).json();
    assert!(test["tokens"]["before"].as_u64().unwrap() > 5_000, "{test}");
    assert!(test["tokens"]["after"].as_u64().unwrap() <= 500, "{test}");
    assert_eq!(test["tokens"]["overflow_minutes"], 15, "a part of the response is left out");
    assert_eq!(serde_json::from_str::<Value>(test["raw"]["body"].as_str().unwrap()).unwrap(), issues(200));
}

#[tokio::test]
async fn invalid_rules_are_refused_with_their_key() {
    let fixture = start_with_issues(1).await;
    let cases = [
        (json!({"max_token": 500}), "shaping[max_token]", "did you mean max_tokens?"),
        (json!({"max_tokens": 100}), "shaping[max_tokens]", "200"),
        (json!({"html": "md"}), "shaping[html]", "markdown"),
    ];
    for (shaping, key, hint) in cases {
        let fields = json!({"name": "t", "endpoint_url": "https://api.example.com/", "shaping": shaping});
        let reply = fixture.app.client().post(&fixture.path("/tools")).json(fields).send().await.expect(400).json();
        let message = reply["data"]["params"]["shaping"].as_str().unwrap_or_else(|| panic!("{reply}"));
        assert!(message.contains(key) && message.contains(hint), "{message}");
        let settings = json!({"settings": {"shaping": shaping}});
        let reply = fixture.app.client().patch(&fixture.path("")).json(settings).send().await.expect(400).json();
        let message = reply["data"]["params"]["settings"].as_str().unwrap_or_else(|| panic!("{reply}"));
        assert!(message.contains(hint), "{message}");
    }
}
