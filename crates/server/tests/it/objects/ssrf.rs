//! Forbidden addresses are refused when a URL is saved, in every notation (guarantees 1, 2 and 5 in SECURITY.md).
//! Saving a URL opens no connection.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::time::Duration;

use serde_json::{Value, json};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{ApiFixture, Client, RunningService, TestResponse};

use super::fixtures::{OwnedObjects, assert_refused};

/// A URL that may be saved under every configuration. These tests never call it.
const PUBLIC_URL: &str = "https://api.example.com/x";

on_both_databases![
    no_notation_of_an_internal_address_is_accepted_if_none_is_allowed,
    every_field_that_takes_a_url_is_guarded,
    metadata_addresses_are_refused_even_if_private_addresses_are_allowed,
    internal_addresses_are_refused_by_default_if_a_base_url_is_set,
    public_addresses_are_saved_without_connecting_to_them,
    urls_that_are_not_plain_http_are_refused,
];

/// Hosts that resolve to this machine, its network or its metadata service.
const INTERNAL_HOSTS: [&str; 62] = [
    // loopback, in all notations that lenient parsers accept
    "127.0.0.1",
    "127.0.0.2",
    "127.255.255.254",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0X7F.0.0.1",
    "0177.0.0.1",
    "0177.1",
    "017700000001",
    "127.0.0.1.",
    "127.0.0.01",
    "127.0.0.0x1",
    "%31%32%37.0.0.1",
    "127%2E0.0.1",
    "\u{ff11}\u{ff12}\u{ff17}.0.0.1",
    "127\u{3002}0\u{3002}0\u{3002}1",
    "\u{2460}\u{2461}\u{2466}.0.0.1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[2002:7f00:1::]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    // unspecified
    "0.0.0.0",
    "0",
    "0x0",
    "[::]",
    // link-local and metadata
    "169.254.169.254",
    "169.254.0.1",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.254.43518",
    "[fe80::1]",
    "[fd00:ec2::254]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[2002:a9fe:a9fe::]",
    "[64:ff9b::a9fe:a9fe]",
    // private
    "10.0.0.1",
    "10.1",
    "167772161",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "192.168.257",
    "0xc0a80101",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[::ffff:10.0.0.1]",
    // shared, documentation, benchmarking, multicast, reserved, broadcast
    "100.64.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "[ff02::1]",
];

/// A listener that must not receive any connection.
struct SilentListener(TcpListener);

impl SilentListener {
    fn bind(address: &str) -> Self {
        let listener = TcpListener::bind((address, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        Self(listener)
    }

    fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    #[track_caller]
    fn assert_silent(&self) {
        let accepted = self.0.accept();
        assert!(accepted.as_ref().is_err_and(|error| error.kind() == ErrorKind::WouldBlock), "{accepted:?}");
    }
}

async fn create_tool(client: &Client, objects: &OwnedObjects, url: &str) -> TestResponse {
    let body = json!({"name": "inner", "endpoint_url": url});
    client.post(&format!("/servers/{}/tools", objects.server)).json(body).send().await
}

async fn no_notation_of_an_internal_address_is_accepted_if_none_is_allowed(builder: &ServiceBuilder) {
    let app = builder.clone().env("TOOLGATE_UPSTREAM_ALLOW", "").start();
    let client = app.client();
    let objects = OwnedObjects::create_with_tool_url(&client, "Guarded", PUBLIC_URL).await;
    let canaries = [SilentListener::bind("127.0.0.1"), SilentListener::bind("127.0.0.2")];
    let tool_before = client.read(&format!("/tools/{}", objects.tool)).await;
    for host in INTERNAL_HOSTS {
        for canary in &canaries {
            let url = format!("http://{host}:{}/x", canary.port());
            assert_refused(&create_tool(&client, &objects, &url).await, "endpoint_url");
        }
        for url in [format!("https://{host}/"), format!("HTTP://{host}"), format!("http://{host}/{{id}}?q={{q}}")] {
            let update =
                client.put(&format!("/tools/{}", objects.tool)).json(json!({"endpoint_url": url})).send().await;
            assert_refused(&update, "endpoint_url");
        }
    }
    assert_eq!(client.read(&format!("/tools/{}", objects.tool)).await, tool_before);
    canaries.iter().for_each(SilentListener::assert_silent);
}

/// One request for each field that takes a URL: path below the server, body, refused parameter.
fn url_fields(url: &str) -> [(&'static str, Value, &'static str); 6] {
    let oauth2 = json!({"token_url": url, "client_id": "c", "client_secret": "s"});
    let auth = |key: &str, value: &str| json!({key: value, "auth_type": "oauth2", "auth_credentials": oauth2});
    let resource = |source: &str, config: Value| json!({"uri": "a:b", "name": "x", "data_source_type": source, "data_source_config": config});
    let test = json!({"settings": {"test_credentials": {"auth_type": "oauth2", "auth_credentials": oauth2}}});
    let mut tool = auth("endpoint_url", "https://api.example.com/");
    tool["name"] = json!("by_oauth2");
    let config = "data_source_config";
    [
        ("/resources", resource("url", json!({"url": url})), config),
        ("/resources", resource("wp_query", json!({"site_url": url})), config),
        ("/resources", resource("url", json!({"url": format!("{url}{{?q}}")})), config),
        ("/resources", resource("url", auth("url", "https://api.example.com/")), config),
        ("/tools", tool, "auth_credentials"),
        ("", test, "settings"),
    ]
}

async fn every_field_that_takes_a_url_is_guarded(builder: &ServiceBuilder) {
    let app = builder.clone().env("TOOLGATE_UPSTREAM_ALLOW", "").start();
    let client = app.client();
    let objects = OwnedObjects::create_with_tool_url(&client, "Guarded", PUBLIC_URL).await;
    let canary = SilentListener::bind("127.0.0.1");
    for host in ["127.0.0.1", "0x7f.1", "169.254.169.254", "[::1]", "[::ffff:10.0.0.1]", "192.168.1.1", "2130706433"] {
        let url = format!("http://{host}:{}/t", canary.port());
        for (path, body, param) in url_fields(&url) {
            let reply = client.post(&format!("/servers/{}{path}", objects.server)).json(body).send().await;
            assert_refused(&reply, param);
        }
        // Updates are guarded in the same way, for every source type.
        let path = format!("/servers/{}/resources/{}", objects.server, objects.resource);
        for config in [json!({"url": url}), json!({"site_url": url})] {
            for source in [json!({}), json!({"data_source_type": "url"}), json!({"data_source_type": "wp_query"})] {
                let mut body = source;
                body["data_source_config"] = config.clone();
                assert_refused(&client.patch(&path).json(body).send().await, "data_source_config");
            }
        }
    }
    for (number, (path, mut body, _)) in url_fields("https://login.example.com/t").into_iter().enumerate() {
        if body.get("uri").is_some() {
            body["uri"] = json!(format!("a:{number}"));
        }
        let reply = client.post(&format!("/servers/{}{path}", objects.server)).json(body).send().await;
        assert!(matches!(reply.status, 200 | 201), "a public address is accepted: {reply:?}");
    }
    canary.assert_silent();
}

async fn metadata_addresses_are_refused_even_if_private_addresses_are_allowed(service: &ApiFixture) {
    // The service listens on loopback without a base URL, so loopback and private addresses are allowed.
    let client = &service.api;
    let objects = OwnedObjects::create_with_tool_url(client, "Laptop", PUBLIC_URL).await;
    let canary = SilentListener::bind("127.0.0.1");
    let path = format!("/tools/{}", objects.tool);
    for host in [format!("127.0.0.1:{}", canary.port()), "10.0.0.1".to_owned(), "[::1]:9".to_owned()] {
        let url = format!("http://{host}/x");
        let reply = client.post(&path).json(json!({"endpoint_url": url})).send().await.expect(200);
        assert_eq!(reply.json()["endpoint_url"], url);
    }
    for host in ["169.254.169.254", "2852039166", "[fe80::1]", "[::ffff:169.254.169.254]", "0.0.0.0", "224.0.0.1"] {
        let reply = client.post(&path).json(json!({"endpoint_url": format!("http://{host}/latest/")})).send().await;
        assert_refused(&reply, "endpoint_url");
    }
    canary.assert_silent();
    let shown = client.read("/settings").await;
    assert_eq!(shown["upstream_allow"], "loopback,private");
}

async fn internal_addresses_are_refused_by_default_if_a_base_url_is_set(builder: &ServiceBuilder) {
    // A base URL implies a proxy or tunnel, so other machines may reach the service.
    let app = builder.clone().env("TOOLGATE_BASE_URL", "https://tools.example.com").start();
    let client = Client::new(&format!("http://{}/wp-json/toolgate/v1", listen_address(&app)), Some(&app.key()));
    assert_eq!(client.read("/settings").await["upstream_allow"], "");
    let objects = OwnedObjects::create_with_tool_url(&client, "Exposed", PUBLIC_URL).await;
    let reply = create_tool(&client, &objects, "http://127.0.0.1:9/").await;
    assert_refused(&reply, "endpoint_url");
    assert!(reply.text().contains("TOOLGATE_UPSTREAM_ALLOW"), "the reply names the setting: {reply:?}");
}

/// The address on which a service with another base URL listens.
fn listen_address(app: &RunningService) -> String {
    app.wait_for_log("listening", Duration::from_secs(30));
    let logs = app.logs();
    let (_, address) = logs.split_once("address=").unwrap();
    address.split_whitespace().next().unwrap().to_owned()
}

async fn public_addresses_are_saved_without_connecting_to_them(builder: &ServiceBuilder) {
    let app = builder.clone().env("TOOLGATE_UPSTREAM_ALLOW", "").start();
    let client = app.client();
    let objects = OwnedObjects::create_with_tool_url(&client, "Public", PUBLIC_URL).await;
    let canary = SilentListener::bind("127.0.0.1");
    // Host names are resolved and checked when a tool is called: saving one sends no DNS query.
    let start = std::time::Instant::now();
    let local = format!("http://localtest.example:{}/x", canary.port());
    let urls =
        ["https://8.8.8.8/", "https://[2606:4700::1111]/", "https://api.example.com/", "http://b\u{fc}cher.example/"];
    for (number, url) in urls.into_iter().chain([local.as_str()]).enumerate() {
        let body = json!({"name": format!("t{number}"), "endpoint_url": url});
        let tool = client.create(&format!("/servers/{}/tools", objects.server), body).await;
        assert_eq!(tool["endpoint_url"], url);
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(15), "{:?}", start.elapsed());
    canary.assert_silent();
}

async fn urls_that_are_not_plain_http_are_refused(service: &ApiFixture) {
    let client = &service.api;
    let objects = OwnedObjects::create_with_tool_url(client, "Strict", PUBLIC_URL).await;
    for url in [
        "",
        " ",
        "/x",
        "//example.com/x",
        "example.com",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "javascript:alert(1)",
        "data:text/plain,x",
        "http:example.com",
        "http:/example.com",
        "http:///x",
        "http://",
        "http://?x",
        "http://#x",
        "https://user@example.com/",
        "https://user:pass@example.com/",
        "https://:@example.com/",
        "http://example.com@127.0.0.1/",
        "http://127.0.0.1\\@example.com/",
        "http://example.com\\x",
        "{scheme}://example.com/",
        "https://{host}/",
        "https://api.{region}.example.com/",
        "https://example.com:{port}/",
        "https://{user}@example.com/",
        "https://example.com:99999/",
        "https://example.com:x/",
        "https://exa mple.com/",
        "https://example.com/a b",
        "https://example.com/\nx",
        "https://example.com/\u{0}",
        "https://example.com/{}",
        "https://example.com/{a b}",
        "https://example.com/{a",
        "https://example.com/a}",
        "https://[::1",
        "https://exam\u{ad}ple%00.com/",
    ] {
        assert_refused(&create_tool(client, &objects, url).await, "endpoint_url");
    }
    assert_eq!(client.read(&format!("/servers/{}/tools", objects.server)).await.as_array().unwrap().len(), 1);
}
