//! A call through two services: the tool of the first one calls the management API of the second one.

use serde_json::{Value, json};
use toolgate_testkit::{ApiFixture, ServiceFixture, Upstream};

use super::receiver::{OtlpReceiver, find_span};
use super::{SAMPLED_CALLER, traced_service};
use crate::toolgate;

const ARGUMENT: &str = "text-of-an-argument";
const HEADER_SECRET: &str = "secret-for-the-collector";
const SERVERS_ROUTE: &str = "GET /wp-json/toolgate/v1/servers";
const MCP_ROUTE: &str = "POST /mcp/{slug}/{server_id}";

/// Two services that export to one receiver: the first one traces everything, the second one only continues traces.
struct TracedPair {
    receiver: OtlpReceiver,
    first: ServiceFixture,
    second: ApiFixture,
}

impl TracedPair {
    async fn start() -> Option<Self> {
        let receiver = OtlpReceiver::start()?;
        let second = toolgate().env("TOOLGATE_OTLP_ENDPOINT", receiver.url()).env("TOOLGATE_TRACE_SAMPLE", "0");
        let second = ApiFixture::start(second.env("TOOLGATE_NODE", "second"));
        let first = traced_service(&receiver.url()).env("TOOLGATE_NODE", "first");
        let first = first.env("TOOLGATE_OTLP_HEADERS", format!("x-key={HEADER_SECRET}"));
        let first = first.env("TOOLGATE_LOG", "debug");
        let settings = json!({"settings": {"trace_upstream": true}});
        let first = ServiceFixture::start(first, Upstream::builder().start(), settings).await;
        first
            .create_tool(json!({
                "name": "list_servers",
                "endpoint_url": format!("{}/servers", second.app.api_base()),
                "http_method": "GET",
                "input_schema": {"type": "object", "properties": {"search": {"type": "string"}}},
                "auth_type": "bearer",
                "auth_credentials": {"token": second.app.key()},
            }))
            .await;
        Some(Self { receiver, first, second })
    }

    async fn call(&self, traceparent: Option<&str>) -> Vec<Value> {
        let mut caller = self.first.caller();
        if let Some(traceparent) = traceparent {
            caller = caller.header("traceparent", traceparent).header("tracestate", "vendor=1");
        }
        caller.text("list_servers", json!({"search": ARGUMENT})).await;
        self.receiver.wait_for_spans(|spans| {
            let has = |node: &str, name: &str| spans.iter().any(|span| span["node"] == node && span["name"] == name);
            has("first", MCP_ROUTE) && has("second", SERVERS_ROUTE)
        })
    }
}

fn is_child(child: &Value, parent: &Value) -> bool {
    child["parent_id"] == parent["span_id"]
        && child["trace_id"] == parent["trace_id"]
        && child["start"].as_u64() >= parent["start"].as_u64()
        && child["end"].as_u64() <= parent["end"].as_u64()
}

#[tokio::test]
async fn a_call_through_two_services_is_one_trace() {
    let Some(pair) = TracedPair::start().await else { return };
    let spans = pair.call(None).await;
    let (request, message) =
        (find_span(&spans, "first", MCP_ROUTE), find_span(&spans, "first", "tools/call list_servers"));
    let (upstream, second_request) = (find_span(&spans, "first", "GET"), find_span(&spans, "second", SERVERS_ROUTE));
    assert_eq!(request["parent_id"], "");
    for (child, parent) in [(message, request), (upstream, message), (second_request, upstream)] {
        assert!(is_child(child, parent), "{child:#} is not a child of {parent:#}");
    }
    for step in ["rate limit", "validate arguments", "convert response"] {
        assert!(is_child(find_span(&spans, "first", step), message), "{step}");
    }
    let is_statement = |span: &&Value| span["node"] == "second" && span["attributes"]["db.system.name"] == "sqlite";
    let statements: Vec<&Value> = spans.iter().filter(is_statement).collect();
    assert!(!statements.is_empty() && statements.iter().all(|span| is_child(span, second_request)), "{statements:#?}");
    assert!(statements.iter().any(|span| {
        let text = span["attributes"]["db.query.text"].as_str().unwrap_or_default();
        span["name"] == "SELECT" && text.starts_with("SELECT") && text.contains("$1")
    }));
    let kinds = [(request, 2), (message, 2), (upstream, 3), (second_request, 2)];
    assert!(kinds.into_iter().all(|(span, kind)| span["kind"] == kind), "{spans:#?}");
    assert!(spans.iter().all(|span| span["has_failed"] == false), "{spans:#?}");
}

#[tokio::test]
async fn spans_have_the_attributes_of_the_conventions() {
    let Some(pair) = TracedPair::start().await else { return };
    let spans = pair.call(Some(SAMPLED_CALLER)).await;
    let (host, port) = pair.second.app.address().rsplit_once(':').unwrap();
    let attributes = |node, name| &find_span(&spans, node, name)["attributes"];
    let request = attributes("first", MCP_ROUTE);
    assert_eq!(request["http.request.method"], "POST");
    assert_eq!(request["http.route"], "/mcp/{slug}/{server_id}");
    assert_eq!(request["http.response.status_code"], 200);
    assert!(request["toolgate.request_id"].is_string());
    let message = attributes("first", "tools/call list_servers");
    assert_eq!(message["mcp.method.name"], "tools/call");
    assert_eq!(message["gen_ai.tool.name"], "list_servers");
    assert_eq!(message["gen_ai.operation.name"], "execute_tool");
    assert!(message["jsonrpc.request.id"].is_string(), "{message}");
    assert_eq!((&message["network.transport"], &message["network.protocol.name"]), (&json!("tcp"), &json!("http")));
    assert_eq!(message["toolgate.server_id"], pair.first.server_id());
    let upstream = attributes("first", "GET");
    assert_eq!(upstream["server.address"], host);
    assert_eq!(upstream["server.port"], port.parse::<u16>().unwrap());
    assert_eq!(upstream["http.response.status_code"], 200);
    assert_eq!(attributes("second", SERVERS_ROUTE)["http.route"], "/wp-json/toolgate/v1/servers");
    let resource = &find_span(&spans, "first", MCP_ROUTE)["resource"];
    assert_eq!(resource["service.name"], "toolgate");
    assert_eq!(resource["service.version"], env!("CARGO_PKG_VERSION"));
    // The caller's trace and its state reach the second service.
    let caller_span = SAMPLED_CALLER.split('-').nth(2).unwrap();
    assert_eq!(find_span(&spans, "first", MCP_ROUTE)["parent_id"], caller_span);
    let second_request = find_span(&spans, "second", SERVERS_ROUTE);
    assert_eq!(second_request["trace_id"], SAMPLED_CALLER.split('-').nth(1).unwrap());
    assert_eq!(second_request["state"], "vendor=1");
}

#[tokio::test]
async fn exported_bytes_and_logs_have_no_secrets_and_no_arguments() {
    let Some(mut pair) = TracedPair::start().await else { return };
    pair.call(None).await;
    assert!(pair.first.app.terminate().success());
    let messages = pair.receiver.messages();
    let from_first = |message: &&Value| message["headers"].get("x-key").is_some();
    assert!(messages.iter().filter(from_first).all(|message| message["headers"]["x-key"] == HEADER_SECRET));
    assert!(messages.iter().any(|message| from_first(&message)));
    let (first_key, second_key) = (pair.first.app.key(), pair.second.app.key());
    for secret in [HEADER_SECRET, ARGUMENT, &first_key, &second_key, "search="] {
        for message in &messages {
            let text = message["body"].as_str().unwrap();
            assert!(!text.contains(secret), "{secret} is exported: {text}");
        }
    }
    assert!(!pair.first.app.logs().contains(HEADER_SECRET), "the header of the collector is logged");
}
