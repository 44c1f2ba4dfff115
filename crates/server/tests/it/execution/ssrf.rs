//! Forbidden destinations at call time. An object may be saved under a rule that allows its destination and used under
//! one that does not, so these objects are created with loopback allowed and used with it forbidden. Only loopback
//! addresses are dialled.

use std::net::{IpAddr, TcpListener, ToSocketAddrs};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream, free_port};

use super::setup::{assert_failed, failure_message, message_and_advice};
use crate::toolgate;

const ALLOW_VARIABLE: &str = "TOOLGATE_UPSTREAM_ALLOW";

/// A listener that must not receive a connection.
struct SsrfCanary(TcpListener);

impl SsrfCanary {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.2:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Self(listener)
    }

    fn url(&self) -> String {
        format!("http://{}/", self.0.local_addr().unwrap())
    }

    #[track_caller]
    fn assert_untouched(&self) {
        assert!(self.0.accept().is_err(), "the forbidden address received a connection");
    }
}

/// Restarts the service on the same data with another rule.
fn restart(
    fixture: ServiceFixture,
    builder: ServiceBuilder,
    rule: &str,
) -> (toolgate_testkit::RunningService, Upstream, i64) {
    let ServiceFixture { app, upstream, server, .. } = fixture;
    drop(app);
    (builder.env(ALLOW_VARIABLE, rule).start(), upstream, server["id"].as_i64().unwrap())
}

async fn caller(app: &toolgate_testkit::RunningService, server: i64) -> McpClient {
    let server = app.client().get(&format!("/servers/{server}")).send().await.expect(200).json();
    McpClient::new(server["endpoint_url"].as_str().unwrap())
}

/// Names in the hosts file that resolve to loopback, except `localhost`.
fn loopback_names() -> Vec<String> {
    let hosts = std::fs::read_to_string("/etc/hosts").unwrap_or_default();
    let lines = hosts.lines().filter_map(|line| line.split('#').next()?.split_once(char::is_whitespace));
    let loopback = lines.filter(|(address, _)| address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback()));
    loopback
        .flat_map(|(_, names)| names.split_whitespace().map(str::to_owned))
        .filter(|name| name != "localhost" && resolves_to_loopback(name))
        .collect()
}

/// Whether all addresses of a name are loopback: DNS may have addresses that are not in the hosts file.
fn resolves_to_loopback(name: &str) -> bool {
    (name, 0).to_socket_addrs().is_ok_and(|mut addresses| addresses.all(|address| address.ip().is_loopback()))
}

/// The result and the duration of the fastest of several refused calls, because the machine may be busy with other
/// tests.
async fn fastest_refusal(caller: &McpClient, name: &str) -> (Value, Duration) {
    let mut fastest = (Value::Null, Duration::MAX);
    for _ in 0..5 {
        let began = Instant::now();
        let result = caller.call(name, json!({})).await;
        if began.elapsed() < fastest.1 {
            fastest = (result, began.elapsed());
        }
    }
    fastest
}

#[tokio::test]
async fn without_a_rule_no_name_and_no_address_reaches_loopback() {
    let (canary, builder) = (SsrfCanary::new(), toolgate());
    let fixture =
        ServiceFixture::start(builder.clone(), Upstream::with_handler(|_| MockResponse::text("reached")), json!({}))
            .await;
    let (open, closed) = (fixture.upstream.address().port(), free_port());
    let mut hosts = vec!["localhost".to_owned(), "sub.localhost".to_owned(), "127.0.0.1".to_owned()];
    hosts.extend(loopback_names());
    let mut tools = Vec::new();
    for (index, host) in hosts.iter().enumerate() {
        for (state, port) in [("open", open), ("closed", closed)] {
            let name = format!("{state}_{index}");
            let id = fixture.create_tool(json!({"name": name, "endpoint_url": format!("http://{host}:{port}/")})).await;
            tools.push((name, id));
        }
    }
    tools.push((
        "canary".to_owned(),
        fixture.create_tool(json!({"name": "canary", "endpoint_url": canary.url()})).await,
    ));
    assert_eq!(
        fixture.caller().text("open_0", json!({})).await,
        "reached",
        "a service that only this machine can reach allows loopback upstreams by default"
    );
    let (app, upstream, server) = restart(fixture, builder, "");
    let (caller, api) = (caller(&app, server).await, app.client());
    let mut texts = Vec::new();
    for (name, id) in &tools {
        let (result, took) = fastest_refusal(&caller, name).await;
        assert!(took < Duration::from_secs(1), "{name} took {took:?}");
        let (message, advice) = message_and_advice(&result);
        texts.push((message.to_owned(), advice.to_owned()));
        let tested = api.post(&format!("/tools/{id}/test")).send().await.expect(200).json();
        assert_eq!((&tested["success"], &tested["status_code"]), (&json!(false), &json!(0)), "{tested}");
        assert_eq!(tested["for_model"], json!({"message": message, "advice": advice}), "{tested}");
        assert_eq!(tested["content"][0]["text"], tested["for_owner"]["message"], "{tested}");
        assert_eq!(tested["reason"], "blocked_destination", "{tested}");
    }
    assert!(texts[0].0.starts_with("destination not allowed") && texts[0].1.contains(ALLOW_VARIABLE), "{:?}", texts[0]);
    texts.dedup();
    assert_eq!(texts.len(), 1, "open and closed ports look the same: {texts:#?}");
    assert_eq!(upstream.request_count(), 1);
    canary.assert_untouched();
}

#[tokio::test]
async fn resources_and_token_endpoints_are_guarded_too() {
    let (canary, builder) = (SsrfCanary::new(), toolgate());
    let fixture =
        ServiceFixture::start(builder.clone(), Upstream::with_handler(|_| MockResponse::text("reached")), json!({}))
            .await;
    let credentials = json!({"token_url": canary.url(), "client_id": "c", "client_secret": "s"});
    let id = fixture.create_tool(json!({"auth_type": "oauth2", "auth_credentials": credentials})).await;
    let resource = |uri: &str, kind: &str, config: Value| json!({"name": "r", "uri": uri, "data_source_type": kind, "data_source_config": config});
    let path = fixture.path("/resources");
    fixture.api.create(&path, resource("r://url", "url", json!({"url": canary.url()}))).await;
    fixture.api.create(&path, resource("r://wp", "wp_query", json!({"site_url": canary.url()}))).await;
    fixture.api.create(&path, resource("r://dynamic", "dynamic", json!({"tool": "tool"}))).await;
    let (app, upstream, server) = restart(fixture, builder, "127.0.0.1");
    let caller = caller(&app, server).await;
    let result = caller.call("tool", json!({})).await;
    assert!(failure_message(&result).starts_with("destination not allowed"), "{result}");
    let tested = app.client().post(&format!("/tools/{id}/test")).send().await.expect(200).json();
    assert_eq!(tested["status_code"], 0, "{tested}");
    for uri in ["r://url", "r://wp", "r://dynamic"] {
        let (status, error) = caller.error("resources/read", json!({"uri": uri})).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32603)), "{uri}: {error}");
        assert!(error["message"].as_str().unwrap().contains("destination not allowed"), "{uri}: {error}");
    }
    assert_eq!(upstream.request_count(), 0);
    canary.assert_untouched();
}

#[tokio::test]
async fn redirects_to_forbidden_destinations_are_not_followed() {
    let canary = SsrfCanary::new();
    let forbidden_url = canary.url();
    let upstream = Upstream::with_handler(move |request| {
        let location = match request.path() {
            "/metadata" => "http://169.254.169.254/latest/meta-data/",
            "/file" => "file:///etc/passwd",
            "/userinfo" => "http://user:pass@127.0.0.1/",
            "/unspecified" => "http://0.0.0.0/",
            _ => forbidden_url.as_str(),
        };
        MockResponse::status(302).header("location", location)
    });
    let fixture = ServiceFixture::start(toolgate().env(ALLOW_VARIABLE, "127.0.0.1"), upstream, json!({})).await;
    for name in ["canary", "metadata", "file", "userinfo", "unspecified"] {
        let id = fixture.create_tool(json!({"name": name, "endpoint_url": format!("/{name}")})).await;
        let result = fixture.caller().call(name, json!({})).await;
        let text = failure_message(&result);
        assert!(text.contains("not allowed") || text.contains("not followed"), "{name}: {text}");
        assert_eq!(fixture.test_result(id, json!({})).await["status_code"], 0, "{name}");
    }
    let credentials = json!({"token_url": fixture.upstream.url("/token"), "client_id": "c", "client_secret": "s"});
    fixture.create_tool(json!({"name": "oauth2", "auth_type": "oauth2", "auth_credentials": credentials})).await;
    assert_failed(&fixture.caller().call("oauth2", json!({})).await);
    let config = json!({"url": fixture.upstream.url("/resource")});
    let fields = json!({"name": "r", "uri": "r://r", "data_source_type": "url", "data_source_config": config});
    fixture.api.create(&fixture.path("/resources"), fields).await;
    let (_, error) = fixture.caller().error("resources/read", json!({"uri": "r://r"})).await;
    assert!(error["message"].as_str().unwrap().contains("destination not allowed"), "{error}");
    assert_eq!(fixture.upstream.request_count_for("/token") + fixture.upstream.request_count_for("/resource"), 2);
    canary.assert_untouched();
}

#[tokio::test]
async fn proxy_settings_of_the_environment_are_ignored() {
    let canary = SsrfCanary::new();
    let mut builder = toolgate();
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
        builder = builder.env(name, canary.url());
    }
    let fixture =
        ServiceFixture::start(builder, Upstream::with_handler(|_| MockResponse::text("direct")), json!({})).await;
    fixture.create_tool(json!({})).await;
    assert_eq!(fixture.caller().text("tool", json!({})).await, "direct");
    canary.assert_untouched();
}
