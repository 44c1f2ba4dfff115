//! Destinations that tools may not reach, at the moment they are called. What the rule allows when an object is written
//! may be forbidden when it is used: so the objects here are made under a rule that allows loopback, and used under
//! one that does not. Nothing but loopback is ever dialled.

use std::net::{IpAddr, TcpListener, ToSocketAddrs};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_testkit::app::AppBuilder;
use toolgate_testkit::{Answer, Mcp, Upstream};

use super::setup::{Stage, created, explained, failure, service};

const ALLOW: &str = "TOOLGATE_UPSTREAM_ALLOW";

/// Listens where nobody should come.
struct Canary(TcpListener);

impl Canary {
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
        assert!(self.0.accept().is_err(), "somebody was here");
    }
}

/// A port of 127.0.0.1 where nobody listens.
fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Ends the service and starts it on the same data with another rule.
fn restart(stage: Stage, builder: AppBuilder, rule: &str) -> (toolgate_testkit::App, Upstream, i64) {
    let Stage { app, upstream, server, .. } = stage;
    drop(app);
    (builder.env(ALLOW, rule).start(), upstream, server["id"].as_i64().unwrap())
}

async fn caller(app: &toolgate_testkit::App, server: i64) -> Mcp {
    let server = app.client().get(&format!("/servers/{server}")).send().await.expect(200).json();
    Mcp::at(server["endpoint_url"].as_str().unwrap())
}

/// Names of the hosts file that lead to loopback, beside the one that needs no file.
fn loopback_names() -> Vec<String> {
    let hosts = std::fs::read_to_string("/etc/hosts").unwrap_or_default();
    let lines = hosts.lines().filter_map(|line| line.split('#').next()?.split_once(char::is_whitespace));
    let loopback = lines.filter(|(address, _)| address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback()));
    loopback
        .flat_map(|(_, names)| names.split_whitespace().map(str::to_owned))
        .filter(|name| name != "localhost" && leads_to_loopback(name))
        .collect()
}

/// Whether that is all there is to a name: another source may know more of it.
fn leads_to_loopback(name: &str) -> bool {
    (name, 0).to_socket_addrs().is_ok_and(|mut found| found.all(|address| address.ip().is_loopback()))
}

/// A refused call, and how long it took: the shortest of a few, for the machine may be busy with other tests.
async fn refused_promptly(caller: &Mcp, name: &str) -> (Value, Duration) {
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
async fn without_a_rule_no_name_and_no_address_leads_to_loopback() {
    let (canary, builder) = (Canary::new(), service());
    let stage = Stage::of(builder.clone(), Upstream::answering(|_| Answer::text("reached")), json!({})).await;
    let (open, closed) = (stage.upstream.address().port(), closed_port());
    let mut hosts = vec!["localhost".to_owned(), "sub.localhost".to_owned(), "127.0.0.1".to_owned()];
    hosts.extend(loopback_names());
    let mut tools = Vec::new();
    for (index, host) in hosts.iter().enumerate() {
        for (state, port) in [("open", open), ("closed", closed)] {
            let name = format!("{state}_{index}");
            let id = stage.tool(json!({"name": name, "endpoint_url": format!("http://{host}:{port}/")})).await;
            tools.push((name, id));
        }
    }
    tools.push(("canary".to_owned(), stage.tool(json!({"name": "canary", "endpoint_url": canary.url()})).await));
    assert_eq!(stage.caller().text("open_0", json!({})).await, "reached", "the rule of a laptop allows it");
    let (app, upstream, server) = restart(stage, builder, "");
    let (caller, api) = (caller(&app, server).await, app.client());
    let mut texts = Vec::new();
    for (name, id) in &tools {
        let (result, took) = refused_promptly(&caller, name).await;
        assert!(took < Duration::from_millis(100), "{name} took {took:?}");
        let (message, advice) = explained(&result);
        texts.push((message.to_owned(), advice.to_owned()));
        let tested = api.post(&format!("/tools/{id}/test")).send().await.expect(200).json();
        assert_eq!((&tested["success"], &tested["status_code"]), (&json!(false), &json!(0)), "{tested}");
        assert_eq!((&tested["content"][0]["text"], &tested["advice"]), (&json!(message), &json!(advice)), "{tested}");
        assert_eq!(tested["reason"], "blocked_destination", "{tested}");
    }
    assert!(texts[0].0.starts_with("destination not allowed") && texts[0].1.contains(ALLOW), "{:?}", texts[0]);
    texts.dedup();
    assert_eq!(texts.len(), 1, "open and closed ports look the same: {texts:#?}");
    assert_eq!(upstream.hits(), 1);
    canary.assert_untouched();
}

#[tokio::test]
async fn resources_and_token_endpoints_are_guarded_alike() {
    let (canary, builder) = (Canary::new(), service());
    let stage = Stage::of(builder.clone(), Upstream::answering(|_| Answer::text("reached")), json!({})).await;
    let credentials = json!({"token_url": canary.url(), "client_id": "c", "client_secret": "s"});
    let id = stage.tool(json!({"auth_type": "oauth2", "auth_credentials": credentials})).await;
    let resource = |uri: &str, kind: &str, config: Value| json!({"name": "r", "uri": uri, "data_source_type": kind, "data_source_config": config});
    let path = stage.path("/resources");
    created(&stage.api, &path, resource("r://url", "url", json!({"url": canary.url()}))).await;
    created(&stage.api, &path, resource("r://wp", "wp_query", json!({"site_url": canary.url()}))).await;
    created(&stage.api, &path, resource("r://dynamic", "dynamic", json!({"tool": "tool"}))).await;
    let (app, upstream, server) = restart(stage, builder, "127.0.0.1");
    let caller = caller(&app, server).await;
    let result = caller.call("tool", json!({})).await;
    assert!(failure(&result).starts_with("destination not allowed"), "{result}");
    let tested = app.client().post(&format!("/tools/{id}/test")).send().await.expect(200).json();
    assert_eq!(tested["status_code"], 0, "{tested}");
    for uri in ["r://url", "r://wp", "r://dynamic"] {
        let (status, error) = caller.error("resources/read", json!({"uri": uri})).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32603)), "{uri}: {error}");
        assert!(error["message"].as_str().unwrap().contains("destination not allowed"), "{uri}: {error}");
    }
    assert_eq!(upstream.hits(), 0);
    canary.assert_untouched();
}

#[tokio::test]
async fn a_redirect_leads_nowhere_that_the_rule_forbids() {
    let canary = Canary::new();
    let away = canary.url();
    let upstream = Upstream::answering(move |request| {
        let location = match request.path() {
            "/metadata" => "http://169.254.169.254/latest/meta-data/",
            "/file" => "file:///etc/passwd",
            "/userinfo" => "http://user:pass@127.0.0.1/",
            "/unspecified" => "http://0.0.0.0/",
            _ => away.as_str(),
        };
        Answer::status(302).header("location", location)
    });
    let stage = Stage::of(service().env(ALLOW, "127.0.0.1"), upstream, json!({})).await;
    for name in ["canary", "metadata", "file", "userinfo", "unspecified"] {
        let id = stage.tool(json!({"name": name, "endpoint_url": format!("/{name}")})).await;
        let result = stage.caller().call(name, json!({})).await;
        let text = failure(&result);
        assert!(text.contains("not allowed") || text.contains("not followed"), "{name}: {text}");
        assert_eq!(stage.test(id, json!({})).await["status_code"], 0, "{name}");
    }
    let credentials = json!({"token_url": stage.upstream.url("/token"), "client_id": "c", "client_secret": "s"});
    stage.tool(json!({"name": "oauth2", "auth_type": "oauth2", "auth_credentials": credentials})).await;
    failure(&stage.caller().call("oauth2", json!({})).await);
    let config = json!({"url": stage.upstream.url("/resource")});
    let fields = json!({"name": "r", "uri": "r://r", "data_source_type": "url", "data_source_config": config});
    created(&stage.api, &stage.path("/resources"), fields).await;
    let (_, error) = stage.caller().error("resources/read", json!({"uri": "r://r"})).await;
    assert!(error["message"].as_str().unwrap().contains("destination not allowed"), "{error}");
    assert_eq!(stage.upstream.hits_of("/token") + stage.upstream.hits_of("/resource"), 2);
    canary.assert_untouched();
}

#[tokio::test]
async fn no_proxy_of_the_environment_is_used() {
    let canary = Canary::new();
    let mut builder = service();
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
        builder = builder.env(name, canary.url());
    }
    let stage = Stage::of(builder, Upstream::answering(|_| Answer::text("direct")), json!({})).await;
    stage.tool(json!({})).await;
    assert_eq!(stage.caller().text("tool", json!({})).await, "direct");
    canary.assert_untouched();
}
