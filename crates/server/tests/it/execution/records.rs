//! Every call leaves one record, with what became of it; what is no call leaves none.

use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use toolgate_testkit::{Answer, Gate, Mcp, Upstream};

use super::setup::{Stage, created, recording_service, schema};

/// What the last client of a look at the records is called.
const MARKER: &str = "marker-of-the-end";

/// All records so far but those of markers. A call of a known client is made last: what was recorded before it is then
/// in the log.
pub(super) async fn records(stage: &Stage) -> Vec<Value> {
    static MARKERS: AtomicUsize = AtomicUsize::new(0);
    let marker = format!("{MARKER}-{}.", MARKERS.fetch_add(1, Ordering::Relaxed));
    Mcp::at(stage.url()).header("x-mcp-client", &marker).call("marker", json!({})).await;
    stage.app.wait_for_log(&marker, Duration::from_secs(20));
    let log = stage.app.logs();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is_marker = |line: &Value| line["client_name"].as_str().is_some_and(|name| name.starts_with(MARKER));
    lines.filter(|line| line["target"] == "toolgate::call" && !is_marker(line)).collect()
}

/// The records, once there are so many: those of calls that nobody waits for come when they come.
pub(super) async fn so_many_records(stage: &Stage, count: usize) -> Vec<Value> {
    for _ in 0..500 {
        let seen = records(stage).await;
        if seen.len() >= count {
            return seen;
        }
    }
    panic!("there are fewer than {count} records:\n{}", stage.app.logs());
}

/// A stage whose calls are recorded, with the tool that [`records`] calls.
pub(super) async fn stage(upstream: Upstream, fields: Value) -> Stage {
    let stage = Stage::of(recording_service(), upstream, fields).await;
    stage.tool(json!({"name": "marker"})).await;
    stage
}

/// Somebody who answers a handshake with a text.
fn without_tls() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    address
}

#[tokio::test]
async fn each_outcome_leaves_one_record_with_its_reason() {
    let gate = Gate::new();
    let held = gate.clone();
    let upstream = Upstream::answering(move |request| match request.path() {
        "/missing" => Answer::status(404),
        "/broken" => Answer::status(500),
        "/busy" => Answer::status(429),
        "/slow" => Answer::text("late").held_by(&held),
        "/large" => Answer::text("x".repeat(8 * 1024 * 1024 + 1)),
        "/cut" => Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"),
        "/loop" => Answer::status(302).header("location", "/loop"),
        "/metadata" => Answer::status(302).header("location", "http://169.254.169.254/latest/meta-data/"),
        _ => Answer::json(json!({"ok": true})),
    });
    let stage = stage(upstream, json!({})).await;
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
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
        ("tls", json!({"endpoint_url": format!("https://{}/", without_tls())}), json!("tls"), json!(null)),
        ("keyless", json!({"auth_type": "bearer"}), json!("bad_credential"), json!(null)),
        ("shape", json!({"output_schema": {"required": ["absent"]}}), json!("bad_response"), json!(200)),
        ("strict", json!({"input_schema": {"required": ["absent"]}}), json!("bad_arguments"), json!(null)),
    ];
    let mut expected = Vec::new();
    for (name, mut fields, failure, status) in cases {
        fields["name"] = name.into();
        let id = stage.tool(fields).await;
        let result = stage.caller().header("x-mcp-client", name).call(name, json!({})).await;
        assert_eq!(result.get("isError").is_some(), !failure.is_null(), "{name}: {result}");
        expected.push(json!([name, id, failure, status]));
    }
    let seen = records(&stage).await;
    let shown: Vec<Value> = seen
        .iter()
        .map(|record| {
            json!([record["client_name"], record["tool_id"], record.get("failure"), record.get("upstream_status")])
        })
        .collect();
    assert_eq!(shown, expected);
}

#[tokio::test]
async fn a_record_says_what_the_call_took() {
    let stage = stage(Upstream::answering(|_| Answer::text("12345678")), json!({})).await;
    let id = stage.tool(json!({"cache_ttl": 60, "input_schema": schema(json!({"a": {}}))})).await;
    for _ in 0..2 {
        let request = stage.caller().request("tools/call", json!({"name": "tool", "arguments": {"a": "xyz"}}));
        request.header("x-request-id", "from-the-caller").send().await.expect(200);
    }
    let seen = records(&stage).await;
    assert_eq!(seen.len(), 2, "{seen:#?}");
    for (record, is_kept) in seen.iter().zip([false, true]) {
        assert_eq!(record["cache_hit"], is_kept, "{record}");
        assert_eq!((&record["server_id"], &record["tool_id"]), (&stage.server["id"], &json!(id)), "{record}");
        assert_eq!((&record["request_bytes"], &record["response_bytes"]), (&json!(11), &json!(8)), "{record}");
        assert_eq!(record["request_id"], "from-the-caller", "{record}");
        let (whole, part) = (record["duration_us"].as_u64().unwrap(), record["upstream_us"].as_u64().unwrap());
        assert!(whole >= part && whole > 0, "{record}");
    }
}

#[tokio::test]
async fn what_is_no_call_leaves_no_record() {
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let fields = json!({"auth_type": "api-key", "rate_limit_per_min": 2});
    let stage = Stage::of(recording_service(), upstream, fields).await;
    let id = stage.tool(json!({})).await;
    stage.tool(json!({"name": "paused", "status": "paused"})).await;
    let key = created(&stage.api, &stage.path("/keys"), json!({"name": "k"})).await["key"].as_str().unwrap().to_owned();
    let call = json!({"name": "tool"});
    stage.caller().send("tools/call", call.clone()).await.expect(401);
    stage.caller().bearer("wrong").send("tools/call", call.clone()).await.expect(401);
    assert_eq!(stage.test(id, json!({})).await["success"], true);
    let caller = stage.caller().bearer(&key);
    caller.result("tools/list", json!({})).await;
    for name in ["absent", "paused"] {
        let (status, error) = caller.error("tools/call", json!({"name": name})).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32602)));
        assert_eq!(error["message"], format!("Unknown tool: {name}"));
    }
    caller.send("tools/call", call).await.expect(429);
    // The next minute's calls would be recorded; another limit lets one through now.
    stage.api.patch(&stage.path("")).json(json!({"rate_limit_per_min": 0})).send().await.expect(200);
    caller.header("x-mcp-client", "the-only-one").text("tool", json!({})).await;
    stage.app.wait_for_log("the-only-one", Duration::from_secs(20));
    let log = stage.app.logs();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("toolgate::call")).collect();
    assert_eq!(lines.len(), 1, "{lines:#?}");
}

#[tokio::test]
async fn a_record_names_the_kind_of_client() {
    let stage = stage(Upstream::answering(|_| Answer::text("ok")), json!({})).await;
    stage.tool(json!({})).await;
    let bare = stage.caller();
    let header = bare.clone().header("x-mcp-client", "Claude Code").header("user-agent", "python-httpx2/2.16.0");
    let agent = bare.clone().header("user-agent", "Cursor/1.2 (linux)");
    let legacy = bare.clone().header("user-agent", "node").legacy("2025-06-18").await;
    let modern = bare.clone().header("user-agent", "node").modern();
    for caller in [&bare, &header, &agent, &legacy, &modern] {
        caller.text("tool", json!({})).await;
    }
    let shown: Vec<Value> = records(&stage)
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
async fn each_call_of_a_batch_is_recorded_for_itself() {
    let stage = stage(Upstream::answering(|_| Answer::text("ok")), json!({})).await;
    stage.tool(json!({})).await;
    let message =
        |id: i64, name: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name}});
    let batch = json!([message(1, "tool"), message(2, "absent"), message(3, "tool"), message(4, "tool")]);
    stage.caller().post(batch).send().await.expect(200);
    assert_eq!(records(&stage).await.len(), 3);
}
