//! Secrets never leave the service, for every outcome of a call and every log level.

use serde_json::{Value, json};
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{MockResponse, ServiceFixture, TestResponse, Upstream, free_address};

use super::setup::{schema, start};
use crate::toolgate;

const SECRET: &str = "s3cret/va~ue+0123456789";
const HEADER_SECRET: &str = "header-secret-0123456789";
const CALLER_SECRET: &str = "caller-secret-0123456789";

/// The most verbose logging.
const TRACE_ALL: &str = "trace,hyper=trace,hyper_util=trace,h2=trace,rustls=trace,sqlx=trace,tower=trace";

fn upstream() -> Upstream {
    Upstream::with_handler(|request| match request.path() {
        "/missing" => MockResponse::status(404).body("nothing here"),
        "/cut" => MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"),
        "/echo" => MockResponse::json(echo_as_json(request))
            .header("x-repeated", request.header("authorization").unwrap_or("")),
        "/echo-refused" => MockResponse::json(echo_as_json(request)).with_status(403),
        "/echo-text" => MockResponse::text(format!("{request:?}")),
        "/token" => MockResponse::json(json!({"access_token": "issued-token-0123456789"})),
        _ => MockResponse::json(json!({"fine": true})),
    })
}

/// The received request as JSON, which some APIs return.
fn echo_as_json(request: &ReceivedRequest) -> Value {
    json!({
        "url": request.query(), "authorization": request.header("authorization"), "custom": request.header("x-custom"),
        "headers": {"X-Extra-Token": request.header("x-extra-token")}, "raw": format!("{request:?}"),
    })
}

fn credential_types(fixture: &ServiceFixture) -> Vec<(&'static str, Value)> {
    let token_url = fixture.upstream.url("/token");
    vec![
        ("bearer", json!({"token": SECRET})),
        ("basic", json!({"username": "u", "password": SECRET})),
        ("api-key", json!({"key_name": "X-Custom", "key_value": SECRET})),
        ("api-key", json!({"key_name": "k", "key_value": SECRET, "key_location": "query"})),
        ("oauth2", json!({"token_url": token_url, "client_id": "c", "client_secret": SECRET})),
    ]
}

#[track_caller]
fn assert_secret_free(reply: &TestResponse) {
    for secret in [SECRET, HEADER_SECRET, CALLER_SECRET, "issued-token-0123456789"] {
        assert_eq!(find_secret(&reply.body, secret), None, "{reply:?}");
        let headers = format!("{:?}", reply.headers);
        assert_eq!(find_secret(headers.as_bytes(), secret), None, "{headers}");
    }
}

#[tokio::test]
async fn no_reply_and_no_log_line_contains_a_secret() {
    let builder = toolgate().env("TOOLGATE_LOG", TRACE_ALL);
    let fixture = ServiceFixture::start(builder, upstream(), json!({})).await;
    let unused = free_address();
    let refused = format!("http://{unused}/");
    let caller = fixture.caller().bearer(CALLER_SECRET).header("cookie", CALLER_SECRET);
    for (index, (auth_type, credentials)) in credential_types(&fixture).into_iter().enumerate() {
        for (case, url) in [
            ("fine", "/fine"),
            ("echo", "/echo"),
            ("echo_refused", "/echo-refused"),
            ("echo_text", "/echo-text"),
            ("missing", "/missing"),
            ("cut", "/cut"),
            ("refused", refused.as_str()),
        ] {
            let name = format!("{case}_{index}");
            let fields = json!({"name": name, "endpoint_url": url, "auth_type": auth_type,
                "auth_credentials": credentials, "headers": {"X-Extra-Token": HEADER_SECRET},
                "input_schema": schema(json!({"n": {"type": "integer"}}))});
            let id = fixture.create_tool(fields).await;
            for caller in [caller.clone(), caller.clone().modern()] {
                for arguments in [json!({}), json!({"n": "not a number"})] {
                    let params = json!({"name": name, "arguments": arguments});
                    assert_secret_free(&caller.send("tools/call", params).await.expect(200));
                }
            }
            let tested = fixture.test_reply(id, json!({"debug": true})).await.expect(200);
            assert_secret_free(&tested);
            let tested = tested.json();
            assert_eq!(tested["request"]["headers"]["x-extra-token"], "********", "{tested}");
            assert_secret_free(&fixture.test_reply(id, json!({"arguments": {"n": "not a number"}})).await.expect(400));
        }
    }
    // The secrets were in use: each request contained one, in some form.
    let requests = fixture.upstream.requests();
    // Each of the five credential types is used by two calls and one test run.
    assert!(requests.iter().filter(|request| request.path() == "/fine").count() >= 15);
    for request in requests.iter().filter(|request| !["/token"].contains(&request.path())) {
        assert_eq!(request.header("x-extra-token"), Some(HEADER_SECRET));
        let text = format!("{request:?}");
        assert!(text.contains("issued-token") || find_secret(text.as_bytes(), SECRET).is_some(), "{text}");
        assert_eq!(find_secret(text.as_bytes(), CALLER_SECRET), None);
    }
    let logs = fixture.app.logs();
    assert!(logs.contains("toolgate::call"), "the log contains calls");
    for secret in [SECRET, HEADER_SECRET, CALLER_SECRET, "issued-token-0123456789"] {
        let lines: Vec<&str> = logs.lines().filter(|line| find_secret(line.as_bytes(), secret).is_some()).collect();
        assert_eq!(lines, [""; 0]);
        assert_eq!(find_secret(fixture.app.stdout().as_bytes(), secret), None);
        assert_eq!(find_secret_in_files(fixture.app.data_dir(), secret), []);
    }
}

#[tokio::test]
async fn a_test_run_with_debug_shows_the_request_with_its_secrets_masked() {
    let fixture = start(upstream()).await;
    // The header of each credential type; empty for the key in the query.
    let credential_headers = ["authorization", "authorization", "x-custom", "", "authorization"];
    for ((auth_type, credentials), header) in credential_types(&fixture).into_iter().zip(credential_headers) {
        let name = format!("t{}", fixture.upstream.request_count());
        let fields = json!({"name": name, "endpoint_url": "/fine?a=1", "auth_type": auth_type,
            "auth_credentials": credentials});
        let id = fixture.create_tool(fields).await;
        let tested = fixture.test_reply(id, json!({"debug": true})).await.expect(200).json();
        let request = &tested["request"];
        assert_eq!(request["method"], "GET");
        if header.is_empty() {
            assert_eq!(request["url"], fixture.upstream.url("/fine?a=1&k=********"), "{tested}");
        } else {
            assert!(request["headers"][header].as_str().is_some_and(|value| value.ends_with("********")), "{tested}");
            assert_eq!(request["url"], fixture.upstream.url("/fine?a=1"));
        }
        assert_eq!(tested["raw"]["status"], 200);
        assert_eq!(tested["raw"]["body"], r#"{"fine":true}"#);
        assert_eq!(tested["raw"]["headers"]["content-type"], "application/json");
    }
}

#[tokio::test]
async fn a_redirect_to_another_origin_sends_no_credential() {
    let other = Upstream::with_handler(|_| MockResponse::text("other"));
    let other_url = other.url("/there");
    let upstream = Upstream::with_handler(move |request| match request.path() {
        "/same" => MockResponse::status(302).header("location", "/arrived"),
        "/arrived" => MockResponse::text("arrived"),
        _ => MockResponse::status(if request.method == "POST" { 307 } else { 302 }).header("location", &other_url),
    });
    let fixture = start(upstream).await;
    let fields = |name: &str, path: &str, method: &str| {
        json!({"name": name, "endpoint_url": path, "http_method": method, "headers": {"X-Static": "1", "Cookie": "c=1"},
            "auth_type": "api-key", "auth_credentials": {"key_value": SECRET},
            "input_schema": schema(json!({"h": {}})), "parameter_mapping": {"h": {"location": "header", "name": "X-H"}}})
    };
    for (name, path, method) in [("same", "/same", "GET"), ("away", "/away", "GET"), ("post", "/away", "POST")] {
        fixture.create_tool(fields(name, path, method)).await;
    }
    let caller = fixture.caller();
    assert_eq!(caller.text("same", json!({"h": "v"})).await, "arrived");
    let received = fixture.upstream.last();
    assert_eq!(
        (received.header("x-api-key"), received.header("x-h"), received.path()),
        (Some(SECRET), Some("v"), "/arrived")
    );
    assert_eq!(caller.text("away", json!({"h": "v"})).await, "other");
    let received = other.last();
    for name in ["x-api-key", "x-static", "cookie", "x-h", "authorization", "referer"] {
        assert_eq!(received.header(name), None, "{received:?}");
    }
    let result = caller.call("post", json!({"h": "v"})).await;
    assert!(super::setup::failure_message(&result).contains("redirects the call"), "{result}");
    assert_eq!(other.request_count(), 1);
}

#[tokio::test]
async fn a_response_that_repeats_secrets_is_masked_and_otherwise_unchanged() {
    let fixture = start(Upstream::with_handler(|request| {
        let status = if request.path() == "/refused" { 422 } else { 200 };
        let authorization = request.header("authorization").unwrap_or_default();
        let echo = json!({"authorization": authorization, "body": request.text(), "count": 7});
        MockResponse::json(echo).with_status(status)
    }))
    .await;
    let password = json!({"type": "string", "format": "password"});
    let fields = |name: &str, path: &str| {
        json!({
            "name": name, "endpoint_url": path, "http_method": "POST", "auth_type": "bearer",
            "auth_credentials": {"token": SECRET}, "input_schema": schema(json!({"password": password, "user": {}})),
        })
    };
    fixture.create_tool(fields("ok", "/ok")).await;
    let refused = fixture.create_tool(fields("refused", "/refused")).await;
    let arguments = json!({"user": "kim", "password": "hunter22-hunter22"});
    let expected =
        r#"{"authorization":"Bearer ********","body":"{\"user\":\"kim\",\"password\":\"********\"}","count":7}"#;
    assert_eq!(fixture.caller().text("ok", arguments.clone()).await, expected);
    let result = fixture.caller().call("refused", arguments.clone()).await;
    assert!(result["content"][0]["text"].as_str().unwrap().ends_with(expected), "{result}");
    let tested = fixture.test_reply(refused, json!({"arguments": arguments, "debug": true})).await.expect(200);
    assert_eq!(find_secret(&tested.body, "hunter22-hunter22"), None, "{tested:?}");
    assert_eq!(tested.json()["raw"]["body"], expected);
    assert_eq!(tested.json()["request"]["body"], r#"{"user":"kim","password":"********"}"#);
    assert!(fixture.upstream.last().text().contains("hunter22-hunter22"));
}

#[tokio::test]
async fn a_resource_that_repeats_its_credential_is_masked() {
    let fixture = start(Upstream::with_handler(|request| {
        MockResponse::text(request.header("authorization").unwrap_or("none").to_owned())
    }))
    .await;
    let source =
        json!({"url": fixture.upstream.url("/me"), "auth_type": "bearer", "auth_credentials": {"token": SECRET}});
    fixture
        .create(
            "/resources",
            json!({"uri": "me://x", "name": "me", "data_source_type": "url", "data_source_config": source}),
        )
        .await;
    let read = fixture.caller().send("resources/read", json!({"uri": "me://x"})).await.expect(200).json();
    assert_eq!(read["result"]["contents"][0]["text"], "Bearer ********", "{read}");
    assert!(fixture.upstream.last().header("authorization").unwrap().contains(SECRET));
}
