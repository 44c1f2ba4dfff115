//! Every call is recorded once with its outcome; other requests are not recorded.

use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, MockResponse, ResponseGate, ServiceFixture, Upstream, free_address};

use super::setup::{recording_service, schema};

/// The client name of marker calls.
const MARKER: &str = "marker-of-the-end";

/// Makes a marker call and waits for its record, so that all earlier records are in the log. Returns all records so far
/// except those of marker calls.
pub(super) async fn records(fixture: &ServiceFixture) -> Vec<Value> {
    static MARKER_COUNT: AtomicUsize = AtomicUsize::new(0);
    // Because of the dot at the end, the text of marker 1 is not part of the text of marker 10.
    let marker = format!("{MARKER}-{}.", MARKER_COUNT.fetch_add(1, Ordering::Relaxed));
    McpClient::new(fixture.url()).header("x-mcp-client", &marker).call("marker", json!({})).await;
    fixture.app.wait_for_log(&marker, Duration::from_secs(20));
    let log = fixture.app.logs();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is_marker = |line: &Value| line["client_name"].as_str().is_some_and(|name| name.starts_with(MARKER));
    lines.filter(|line| line["target"] == "toolgate::call" && !is_marker(line)).collect()
}

/// Waits for at least `count` records: calls of disconnected callers are recorded later.
pub(super) async fn wait_for_records(fixture: &ServiceFixture, count: usize) -> Vec<Value> {
    for _ in 0..500 {
        let recorded = records(fixture).await;
        if recorded.len() >= count {
            return recorded;
        }
    }
    panic!("there are fewer than {count} records:\n{}", fixture.app.logs());
}

/// A fixture whose calls are recorded, with the tool that [`records`] calls.
pub(super) async fn fixture(upstream: Upstream, fields: Value) -> ServiceFixture {
    let fixture = ServiceFixture::start(recording_service(), upstream, fields).await;
    fixture.create_tool(json!({"name": "marker"})).await;
    fixture
}

/// The address of a listener that replies to a TLS handshake with plain text.
fn listener_without_tls() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    address
}

#[tokio::test]
async fn each_outcome_is_recorded_once_with_its_reason() {
    let gate = ResponseGate::new();
    let held = gate.clone();
    let upstream = Upstream::with_handler(move |request| match request.path() {
        "/missing" => MockResponse::status(404),
        "/broken" => MockResponse::status(500),
        "/busy" => MockResponse::status(429),
        "/slow" => MockResponse::text("late").held_by(&held),
        "/large" => MockResponse::text("x".repeat(8 * 1024 * 1024 + 1)),
        "/cut" => MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"),
        "/loop" => MockResponse::status(302).header("location", "/loop"),
        "/metadata" => MockResponse::status(302).header("location", "http://169.254.169.254/latest/meta-data/"),
        _ => MockResponse::json(json!({"ok": true})),
    });
    let fixture = fixture(upstream, json!({})).await;
    let unused = free_address();
    let refused = format!("http://{unused}/");
    let cases: [(&str, Value, Value, Value); 14] = [
        ("fine", json!({"cache_ttl": 60}), json!(null), json!(200)),
        ("missing", json!({"endpoint_url": "/missing"}), json!("upstream_4xx"), json!(404)),
        ("broken", json!({"endpoint_url": "/broken"}), json!("upstream_5xx"), json!(500)),
        ("busy", json!({"endpoint_url": "/busy"}), json!("rate_limited_upstream"), json!(429)),
        ("slow", json!({"endpoint_url": "/slow", "timeout": 1}), json!("timeout"), json!(null)),
        ("large", json!({"endpoint_url": "/large"}), json!("too_large"), json!(null)),
        ("cut", json!({"endpoint_url": "/cut"}), json!("bad_response"), json!(null)),
        ("loops", json!({"endpoint_url": "/loop"}), json!("bad_response"), json!(null)),
        ("metadata", json!({"endpoint_url": "/metadata"}), json!("blocked_destination"), json!(null)),
        ("refused", json!({"endpoint_url": refused}), json!("connection_refused"), json!(null)),
        ("tls", json!({"endpoint_url": format!("https://{}/", listener_without_tls())}), json!("tls"), json!(null)),
        ("keyless", json!({"auth_type": "bearer"}), json!("bad_credential"), json!(null)),
        ("shape", json!({"output_schema": {"required": ["absent"]}}), json!("bad_response"), json!(200)),
        ("strict", json!({"input_schema": {"required": ["absent"]}}), json!("bad_arguments"), json!(null)),
    ];
    let mut expected = Vec::new();
    for (name, mut fields, failure, status) in cases {
        fields["name"] = name.into();
        let id = fixture.create_tool(fields).await;
        let result = fixture.caller().header("x-mcp-client", name).call(name, json!({})).await;
        assert_eq!(result.get("isError").is_some(), !failure.is_null(), "{name}: {result}");
        expected.push(json!([name, id, failure, status]));
    }
    let recorded = records(&fixture).await;
    let shown: Vec<Value> = recorded
        .iter()
        .map(|record| {
            json!([record["client_name"], record["tool_id"], record.get("failure"), record.get("upstream_status")])
        })
        .collect();
    assert_eq!(shown, expected);
}

#[tokio::test]
async fn a_record_contains_sizes_and_durations() {
    let fixture = fixture(Upstream::with_handler(|_| MockResponse::text("12345678")), json!({})).await;
    let id = fixture.create_tool(json!({"cache_ttl": 60, "input_schema": schema(json!({"a": {}}))})).await;
    for _ in 0..3 {
        let request = fixture.caller().request("tools/call", json!({"name": "tool", "arguments": {"a": "xyz"}}));
        request.header("x-request-id", "from-the-caller").send().await.expect(200);
    }
    let recorded = records(&fixture).await;
    assert_eq!(recorded.len(), 3, "{recorded:#?}");
    // The third call gets the stored result of the second one.
    for (record, is_hit) in recorded.iter().zip([false, true, true]) {
        assert_eq!((&record["cache_hit"], &record["failure"]), (&json!(is_hit), &json!(null)), "{record}");
        assert_eq!(record["upstream_status"], 200, "{record}");
        assert_eq!((&record["server_id"], &record["tool_id"]), (&fixture.server["id"], &json!(id)), "{record}");
        assert_eq!((&record["request_bytes"], &record["response_bytes"]), (&json!(11), &json!(8)), "{record}");
        assert_eq!(record["request_id"], "from-the-caller", "{record}");
        let (total_us, upstream_us) =
            (record["duration_us"].as_u64().unwrap(), record["upstream_us"].as_u64().unwrap());
        assert!(total_us >= upstream_us && total_us > 0, "{record}");
    }
}

#[tokio::test]
async fn requests_that_are_not_calls_are_not_recorded() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fields = json!({"auth_type": "api-key", "rate_limit_per_min": 2});
    let fixture = ServiceFixture::start(recording_service(), upstream, fields).await;
    let id = fixture.create_tool(json!({})).await;
    fixture.create_tool(json!({"name": "paused", "status": "paused"})).await;
    let key =
        fixture.api.create(&fixture.path("/keys"), json!({"name": "k"})).await["key"].as_str().unwrap().to_owned();
    let call = json!({"name": "tool"});
    fixture.caller().send("tools/call", call.clone()).await.expect(401);
    fixture.caller().bearer("wrong").send("tools/call", call.clone()).await.expect(401);
    assert_eq!(fixture.test_result(id, json!({})).await["success"], true);
    let caller = fixture.caller().bearer(&key);
    caller.result("tools/list", json!({})).await;
    for name in ["absent", "paused"] {
        let (status, error) = caller.error("tools/call", json!({"name": name})).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32602)));
        assert_eq!(error["message"], format!("Unknown tool: {name}"));
    }
    caller.send("tools/call", call).await.expect(429);
    // Without the limit, one more call is admitted and recorded.
    fixture.api.patch(&fixture.path("")).json(json!({"rate_limit_per_min": 0})).send().await.expect(200);
    caller.header("x-mcp-client", "the-only-one").text("tool", json!({})).await;
    fixture.app.wait_for_log("the-only-one", Duration::from_secs(20));
    let log = fixture.app.logs();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("toolgate::call")).collect();
    assert_eq!(lines.len(), 1, "{lines:#?}");
}

#[tokio::test]
async fn a_record_contains_the_client_type() {
    let fixture = fixture(Upstream::with_handler(|_| MockResponse::text("ok")), json!({})).await;
    fixture.create_tool(json!({})).await;
    let bare = fixture.caller();
    let header = bare.clone().header("x-mcp-client", "Claude Code").header("user-agent", "python-httpx2/2.16.0");
    let agent = bare.clone().header("user-agent", "Cursor/1.2 (linux)");
    let legacy = bare.clone().header("user-agent", "node").legacy("2025-06-18").await;
    let modern = bare.clone().header("user-agent", "node").modern();
    for caller in [&bare, &header, &agent, &legacy, &modern] {
        caller.text("tool", json!({})).await;
    }
    let shown: Vec<Value> = records(&fixture)
        .await
        .iter()
        .map(|record| json!([record["client_type"], record.get("client_name"), record.get("protocol_version")]))
        .collect();
    assert_eq!(
        shown,
        [
            json!(["unknown", null, null]),
            json!(["claude-code", "Claude Code", null]),
            json!(["cursor", "Cursor", null]),
            json!(["toolgate-test", "toolgate-test", "2025-06-18"]),
            json!(["toolgate-test", "toolgate-test", "2026-07-28"]),
        ]
    );
}

#[tokio::test]
async fn each_call_of_a_batch_is_recorded_separately() {
    let fixture = fixture(Upstream::with_handler(|_| MockResponse::text("ok")), json!({})).await;
    fixture.create_tool(json!({})).await;
    let message =
        |id: i64, name: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name}});
    let batch = json!([message(1, "tool"), message(2, "absent"), message(3, "tool"), message(4, "tool")]);
    fixture.caller().post(batch).send().await.expect(200);
    assert_eq!(records(&fixture).await.len(), 3);
}
