use super::*;
use crate::api::problem::ProblemCode::{Malformed, MethodUnsupported};

fn left_out(entries: &[Value]) -> Value {
    serde_json::to_value(&read(entries).totals.left_out).unwrap()
}

fn resource(kind: &str) -> Value {
    let mut entry = entry("GET", "https://a.example/x");
    entry["_resourceType"] = kind.into();
    entry
}

fn response(media_type: &str) -> Value {
    let mut entry = entry("GET", "https://a.example/x");
    entry["response"]["content"]["mimeType"] = media_type.into();
    entry
}

#[test]
fn only_calls_of_an_api_are_imported() {
    for (entry, reason) in [
        (resource("document"), "document"),
        (resource("script"), "script"),
        (resource("stylesheet"), "stylesheet"),
        (resource("image"), "image"),
        (resource("font"), "font"),
        (resource("media"), "media"),
        (resource("preflight"), "preflight"),
        (resource("websocket"), "websocket"),
        (resource("ping"), "beacon"),
        (with_headers(entry("GET", "https://a.example/"), &[("Sec-Fetch-Dest", "iframe")]), "document"),
        (response("text/html; charset=utf-8"), "document"),
        (response("application/javascript"), "script"),
        (response("text/css"), "stylesheet"),
        (response("image/svg+xml"), "image"),
        (response("font/woff2"), "font"),
        (response("application/font-woff"), "font"),
        (response("video/mp4"), "media"),
        (response("application/octet-stream"), "other_response"),
        (response("application/pdf"), "other_response"),
        (entry("OPTIONS", "https://a.example/x"), "preflight"),
        (entry("GET", "wss://a.example/x"), "websocket"),
        (entry("GET", "data:text/plain,x"), "not_http"),
        (entry("GET", "chrome-extension://abc/x"), "not_http"),
        (with_body(entry("POST", "https://a.example/x"), "text/plain", "a b"), "other_body"),
        (with_body(entry("POST", "https://a.example/x"), "application/octet-stream", "\u{1}"), "other_body"),
        (
            with_body(
                entry("POST", "https://a.example/x"),
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\nx\r\n--b--",
            ),
            "other_body",
        ),
    ] {
        assert_eq!(left_out(std::slice::from_ref(&entry)), json!({ reason: 1 }), "{entry}");
    }
}

#[test]
fn requests_of_scripts_with_json_text_or_no_response_are_imported() {
    let mut html = response("text/html");
    html["_resourceType"] = "xhr".into();
    for entry in [
        html,
        resource("fetch"),
        resource("xhr"),
        resource("other"),
        response("application/problem+json"),
        response("text/plain"),
        response("application/xml"),
        response(""),
        response("x-unknown"),
        with_body(entry("POST", "https://a.example/x"), "text/plain", "{\"a\": 1}"),
        with_body(entry("POST", "https://a.example/x"), "application/x-www-form-urlencoded", "a=1"),
        json!({"request": {"method": "get", "url": "https://a.example/x"}}),
    ] {
        let import = read(std::slice::from_ref(&entry));
        assert_eq!(import.candidates.len(), 1, "{entry}");
    }
}

#[test]
fn only_the_three_busiest_hosts_are_imported() {
    let hosts = ["d", "a", "a", "b", "b", "b", "c", "c", "tracker", "c", "a"];
    let entries: Vec<Value> = hosts.iter().map(|host| entry("GET", &format!("https://{host}.example/x"))).collect();
    let import = read(&entries);
    let servers: Vec<&str> = import.servers.iter().map(|server| server.url.as_str()).collect();
    assert_eq!(servers, ["https://a.example", "https://b.example", "https://c.example"]);
    assert_eq!(serde_json::to_value(&import.totals.left_out).unwrap(), json!({"other_host": 2}));
    let tags: Vec<String> = import.candidates.iter().map(|tool| tool.tags.join(",")).collect();
    assert_eq!(tags, ["a.example", "b.example", "c.example"]);
}

#[test]
fn the_number_of_entries_and_examples_is_limited() {
    let entries: Vec<Value> = (0..5100).map(|n| entry("GET", &format!("https://a.example/users/{n}"))).collect();
    let import = read(&entries);
    assert_eq!((import.candidates.len(), import.totals.operations), (1, 5100));
    let left_out = serde_json::to_value(&import.totals.left_out).unwrap();
    assert_eq!(left_out, json!({"entry_limit": 100, "example_limit": 4000}));
}

#[test]
fn broken_entries_are_problems_without_values() {
    let import = read(&[
        json!({}),
        json!({"request": {"url": "https://a.example/s3cret"}}),
        json!({"request": {"method": "GET"}}),
        entry("S3CRET", "https://a.example/s3cret"),
        entry("GET", "https://"),
        json!(7),
    ]);
    let codes: Vec<_> = import.problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, [Malformed, Malformed, Malformed, MethodUnsupported, Malformed, Malformed]);
    assert_eq!(import.problems[3].pointer.to_string(), "#/log/entries/3");
    assert!(!serde_json::to_string(&import).unwrap().to_lowercase().contains("s3cret"));
}
