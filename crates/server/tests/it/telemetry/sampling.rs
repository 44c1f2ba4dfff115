//! Which requests are traced, and which upstreams get the trace.

use serde_json::{Value, json};
use toolgate_testkit::ServiceFixture;

use super::receiver::OtlpReceiver;
use super::{SAMPLED_CALLER, start_with_tool, traced_service};
use crate::toolgate;

const UNSAMPLED_CALLER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

/// Calls the tool as a caller with this header.
async fn call_as(fixture: &ServiceFixture, traceparent: &str) {
    let caller = fixture.caller().header("traceparent", traceparent).header("tracestate", "vendor=1");
    assert_eq!(caller.text("tool", json!({})).await, "fine");
}

/// Stops the service, which exports everything, and returns the trace ids of the spans of all calls.
fn traced_calls(mut fixture: ServiceFixture, receiver: &OtlpReceiver) -> Vec<String> {
    assert!(fixture.app.terminate().success());
    let messages = receiver.messages();
    let spans = messages.iter().filter_map(|message| message["spans"].as_array()).flatten();
    let calls = spans.filter(|span| span["name"] == "tools/call tool");
    calls.map(|span| span["trace_id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn sampled_callers_are_traced_up_to_a_rate_and_others_by_the_configured_share() {
    for (share, rate, expected) in [("0", "3", 3), ("0", "0", 0), ("1", "0", 6)] {
        let Some(receiver) = OtlpReceiver::start() else { return };
        let service = traced_service(&receiver.url()).env("TOOLGATE_TRACE_SAMPLE", share);
        let fixture = start_with_tool(service.env("TOOLGATE_TRACE_PARENT_RATE", rate), json!({})).await;
        call_as(&fixture, UNSAMPLED_CALLER).await;
        for _ in 0..5 {
            call_as(&fixture, SAMPLED_CALLER).await;
        }
        fixture.caller().text("tool", json!({})).await;
        let traces = traced_calls(fixture, &receiver);
        // On a slow machine the calls take more than a second, and the rate is the limit of each second.
        let is_expected = if rate == "3" { (3..=5).contains(&traces.len()) } else { traces.len() == expected };
        assert!(is_expected, "share {share}, rate {rate}: {traces:?}");
        let of_caller = traces.iter().filter(|trace| SAMPLED_CALLER.contains(trace.as_str())).count();
        assert_eq!(of_caller, if share == "1" { 5 } else { traces.len() });
    }
}

#[tokio::test]
async fn a_traced_call_has_its_steps_even_if_its_result_is_cached() {
    let Some(receiver) = OtlpReceiver::start() else { return };
    let fixture = start_with_tool(traced_service(&receiver.url()).env("TOOLGATE_TRACE_SAMPLE", "0"), json!({})).await;
    fixture.create_tool(json!({"name": "cached", "cache_ttl": 300})).await;
    for traceparent in [UNSAMPLED_CALLER, UNSAMPLED_CALLER, SAMPLED_CALLER] {
        let caller = fixture.caller().header("traceparent", traceparent);
        assert_eq!(caller.text("cached", json!({})).await, "fine");
    }
    assert_eq!(fixture.upstream.request_count(), 1);
    let is_request = |span: &Value| span["name"] == "POST /mcp/{slug}/{server_id}";
    let spans = receiver.wait_for_spans(|spans| spans.iter().any(is_request));
    for step in ["rate limit", "validate arguments", "convert response"] {
        assert!(spans.iter().any(|span| span["name"] == step), "{step} is missing in {spans:#?}");
    }
    assert_eq!(spans.iter().filter(|span| is_request(span)).count(), 1);
}

#[tokio::test]
async fn the_span_of_a_prompt_has_its_name_if_it_exists() {
    let Some(receiver) = OtlpReceiver::start() else { return };
    let fixture = start_with_tool(traced_service(&receiver.url()), json!({})).await;
    fixture.create("/prompts", json!({"name": "greet", "template_content": "Hi"})).await;
    fixture.caller().error("prompts/get", json!({"name": "unknown"})).await;
    fixture.caller().result("prompts/get", json!({"name": "greet"})).await;
    let is_prompt = |span: &&Value| span["attributes"]["mcp.method.name"] == "prompts/get";
    let spans = receiver.wait_for_spans(|spans| spans.iter().filter(is_prompt).count() == 2);
    let names = spans.iter().filter(is_prompt).map(|span| (&span["name"], &span["attributes"]["gen_ai.prompt.name"]));
    let names: Vec<_> = names.collect();
    assert_eq!(names, [(&json!("prompts/get"), &Value::Null), (&json!("prompts/get greet"), &json!("greet"))]);
    let codes = spans.iter().filter_map(|span| span["attributes"]["rpc.response.status_code"].as_str());
    assert_eq!(codes.collect::<Vec<_>>(), ["-32602"]);
}

#[tokio::test]
async fn upstreams_get_the_trace_only_if_the_server_allows_it() {
    let Some(receiver) = OtlpReceiver::start() else { return };
    for (settings, is_sent) in
        [(json!({}), false), (json!({"trace_upstream": false}), false), (json!({"trace_upstream": true}), true)]
    {
        let fixture = start_with_tool(traced_service(&receiver.url()), settings).await;
        call_as(&fixture, SAMPLED_CALLER).await;
        let request = fixture.upstream.last();
        let Some(traceparent) = request.header("traceparent") else {
            assert!(!is_sent);
            assert_eq!(request.header("tracestate"), None);
            continue;
        };
        assert!(is_sent && traceparent != SAMPLED_CALLER, "{traceparent}");
        let spans = receiver.wait_for_spans(|spans| spans.iter().any(|span| is_sender(span, traceparent)));
        assert!(spans.iter().any(|span| is_sender(span, traceparent)));
        assert_eq!(request.header("tracestate"), Some("vendor=1"));
    }
}

/// Whether `traceparent` names this span, which is a request to an upstream.
fn is_sender(span: &Value, traceparent: &str) -> bool {
    let (trace, id) = (span["trace_id"].as_str().unwrap(), span["span_id"].as_str().unwrap());
    span["kind"] == 3 && traceparent == format!("00-{trace}-{id}-01")
}

#[tokio::test]
async fn an_invalid_value_of_trace_upstream_is_refused() {
    let Some(receiver) = OtlpReceiver::start() else { return };
    let fixture = start_with_tool(traced_service(&receiver.url()), json!({})).await;
    let body = json!({"settings": {"trace_upstream": "always"}});
    let refused = fixture.api.patch(&fixture.path("")).json(body).send().await.expect(400);
    assert!(refused.text().contains("settings[trace_upstream]"), "{refused:?}");
}

#[tokio::test]
async fn without_a_collector_nothing_is_traced_and_nothing_passed_on() {
    let fixture = start_with_tool(toolgate(), json!({"trace_upstream": true})).await;
    call_as(&fixture, SAMPLED_CALLER).await;
    assert_eq!(fixture.upstream.last().header("traceparent"), None);
    assert_eq!(fixture.upstream.last().header("tracestate"), None);
    for outcome in ["exported", "dropped", "failed"] {
        assert_eq!(super::item_count(&fixture.app, "traces", outcome).await, 0);
        assert_eq!(super::item_count(&fixture.app, "logs", outcome).await, 0);
    }
    let tasks = std::fs::read_dir(format!("/proc/{}/task", fixture.app.pid())).unwrap();
    let names = tasks.map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).unwrap_or_default());
    assert!(names.into_iter().all(|name| name.trim() != "otlp"), "there is a thread for the export");
}
