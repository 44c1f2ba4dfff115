//! `GET /tools/{id}/shaping/proposal`: fields that can be left out of a tool's responses, found in its captured calls.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, McpClient, MockResponse, Upstream};

on_both_databases!(
    a_proposal_comes_from_captured_responses_and_changes_nothing,
    without_captures_the_proposal_says_how_to_get_them,
    truncated_responses_are_read_up_to_their_last_complete_element,
    a_proposal_keeps_the_default_of_the_server,
);

/// A server with one tool, whose response is different each time.
struct IssueTool {
    server: i64,
    tool: i64,
    caller: McpClient,
    _upstream: Upstream,
}

impl IssueTool {
    async fn create(service: &ApiFixture, settings: &Value, fields: &Value) -> Self {
        let calls = AtomicUsize::new(0);
        let upstream = Upstream::with_handler(move |request| {
            let host = request.header("host").unwrap_or_default().to_owned();
            MockResponse::json(issues(calls.fetch_add(1, Ordering::Relaxed), &host))
        });
        let server = json!({"name": "Tracker", "rate_limit_per_min": 0, "settings": settings});
        let server = service.api.create_server(server).await;
        let mut tool = json!({"name": "list", "endpoint_url": upstream.url("/issues")});
        tool.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let tool = id(&service.api.create_tool(id(&server), tool).await);
        let caller = McpClient::new(server["endpoint_url"].as_str().unwrap());
        Self { server: id(&server), tool, caller, _upstream: upstream }
    }

    async fn call(&self, times: usize) {
        for _ in 0..times {
            self.caller.call("list", json!({})).await;
        }
    }

    async fn proposal(&self, service: &ApiFixture) -> Value {
        service.api.read(&format!("/tools/{}/shaping/proposal", self.tool)).await
    }
}

fn issues(page: usize, host: &str) -> Value {
    let issue = |index: usize| {
        let number = page * 10 + index;
        json!({"number": number, "node_id": format!("MDU6SXNzdWU{number}"), "title": format!("Issue {number} of the tracker"),
            "link": format!("http://{host}/issues/{number}"), "milestone": null, "kind": "bug"})
    };
    json!({"total": 100 + page, "items": (0..4).map(issue).collect::<Vec<_>>()})
}

/// The paths that are left out, with their reasons.
fn omitted(proposal: &Value) -> Vec<(&str, &str)> {
    let paths = proposal["paths"].as_array().unwrap().iter();
    paths.filter_map(|path| Some((path["path"].as_str()?, path["reason"].as_str()?))).collect()
}

async fn a_proposal_comes_from_captured_responses_and_changes_nothing(service: &ApiFixture) {
    let own = json!({"shaping": {"omit": ["total"], "wrap": true}});
    let issues = IssueTool::create(service, &json!({"capture": "all"}), &own).await;
    issues.call(4).await;
    let before = service.api.read(&format!("/tools/{}", issues.tool)).await;
    let proposal = issues.proposal(service).await;
    assert_eq!((&proposal["responses"], &proposal["truncated"]), (&json!(4), &json!(0)), "{proposal}");
    let expected = [
        ("items[].node_id", "duplicate_id"),
        ("items[].link", "url"),
        ("items[].milestone", "empty"),
        ("items[].kind", "constant"),
    ];
    assert_eq!(omitted(&proposal), expected, "{proposal}");
    let kind = proposal["paths"].as_array().unwrap().iter().find(|path| path["path"] == "items[].kind").unwrap();
    assert_eq!((&kind["constant"], &kind["distinct"]), (&json!("\"bug\""), &json!(1)));
    assert!(kind["tokens_saved"].as_f64().unwrap() > 0.0);
    let omit = proposal["shaping"]["omit"].as_array().unwrap();
    assert_eq!((&omit[0], &proposal["shaping"]["wrap"]), (&json!("total"), &json!(true)));
    assert!(omit.contains(&json!("link")) && omit.contains(&json!("items[].kind")), "{proposal}");
    assert!(proposal["tokens"]["after"].as_u64() < proposal["tokens"]["before"].as_u64(), "{proposal}");
    assert_eq!(service.api.read(&format!("/tools/{}", issues.tool)).await, before, "nothing is applied");
    let change = json!({"shaping": proposal["shaping"]});
    service.api.patch(&format!("/tools/{}?strict=1", issues.tool)).json(change).send().await.expect(200);
    let text = issues.caller.text("list", json!({})).await;
    assert!(text.contains("title") && !text.contains("kind") && !text.contains("http://"), "{text}");
}

async fn without_captures_the_proposal_says_how_to_get_them(service: &ApiFixture) {
    let issues = IssueTool::create(service, &json!({}), &json!({})).await;
    issues.call(2).await;
    let proposal = issues.proposal(service).await;
    assert_eq!((&proposal["responses"], &proposal["shaping"]), (&json!(0), &Value::Null));
    assert_eq!((&proposal["paths"], &proposal["tokens"]), (&json!([]), &json!({"before": 0, "after": 0})));
    assert!(proposal["message"].as_str().unwrap().contains("settings.capture"), "{proposal}");
}

async fn truncated_responses_are_read_up_to_their_last_complete_element(service: &ApiFixture) {
    let issues = IssueTool::create(service, &json!({"capture": "all", "capture_max_bytes": 400}), &json!({})).await;
    issues.call(3).await;
    let proposal = issues.proposal(service).await;
    assert_eq!((&proposal["responses"], &proposal["truncated"]), (&json!(3), &json!(3)), "{proposal}");
    assert!(omitted(&proposal).contains(&("items[].link", "url")), "{proposal}");
    assert!(proposal["message"].as_str().unwrap().contains("capture_max_bytes"), "{proposal}");
}

async fn a_proposal_keeps_the_default_of_the_server(service: &ApiFixture) {
    let settings = json!({"capture": "all", "shaping": {"drop_empty": true}});
    let issues = IssueTool::create(service, &settings, &json!({})).await;
    issues.call(3).await;
    let proposal = issues.proposal(service).await;
    assert_eq!(proposal["shaping"]["drop_empty"], true, "{proposal}");
    assert!(!omitted(&proposal).iter().any(|(path, _)| path.ends_with("milestone")), "drop_empty already omits it");
    let other = json!({"settings": {"capture": "off"}});
    service.api.patch(&format!("/servers/{}", issues.server)).json(other).send().await.expect(200);
    assert_eq!(issues.proposal(service).await["responses"], 3, "stored captures are still read");
}
