//! The example for nginx: REST, MCP, event streams and the console behind TLS and below a path prefix.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use toolgate_testkit::{MockResponse, Upstream};

use super::proxied_service::ProxiedService;
use super::repository_file;

const HOST: &str = "tools.example.com";
const API: &str = "/wp-json/toolgate/v1";
const EVENT_TIMEOUT: Duration = Duration::from_secs(10);

/// Status and body of a request with curl.
async fn request(service: &ProxiedService, url: &str, args: &[&str]) -> (u16, String) {
    let output = service.curl().args(["--write-out", "\n%{http_code}"]).args(args).arg(url).output().await.unwrap();
    assert!(output.status.success(), "{url}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let (body, status) = text.rsplit_once('\n').unwrap();
    (status.parse().unwrap(), body.to_owned())
}

fn authorization(service: &ProxiedService) -> String {
    format!("authorization: Bearer {}", service.app().key())
}

/// Creates an object with the management API, through the proxy.
async fn create(service: &ProxiedService, path: &str, fields: Value) -> Value {
    let url = service.public_url(&format!("{API}{path}"));
    let (authorization, fields) = (authorization(service), fields.to_string());
    let (status, body) = request(service, &url, &["--header", &authorization, "--json", &fields]).await;
    assert_eq!(status, 201, "{body}");
    serde_json::from_str(&body).unwrap()
}

/// Creates a server with the tool `t`, and returns the endpoint of the server.
async fn create_server_with_tool(service: &ProxiedService, upstream: &Upstream) -> String {
    let server = create(service, "/servers", json!({"name": "Shop"})).await;
    let tool = json!({"name": "t", "endpoint_url": upstream.url("/")});
    create(service, &format!("/servers/{}/tools", server["id"]), tool).await;
    server["endpoint_url"].as_str().unwrap().to_owned()
}

async fn call_tool(service: &ProxiedService, endpoint: &str, args: &[&str]) -> (u16, String) {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t"}}).to_string();
    request(service, endpoint, &[args, &["--json", message.as_str()][..]].concat()).await
}

#[tokio::test]
async fn rest_and_mcp_work_behind_nginx_below_a_path_prefix() {
    let Some(service) = ProxiedService::start(HOST) else { return };
    let upstream = Upstream::with_handler(|_| MockResponse::text("done"));
    let endpoint = create_server_with_tool(&service, &upstream).await;
    assert!(endpoint.starts_with(&service.public_url("/mcp/")), "{endpoint}");
    let (status, body) = call_tool(&service, &endpoint, &[]).await;
    let reply: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status, &reply["result"]["content"][0]["text"]), (200, &json!("done")), "{body}");

    let (status, body) = call_tool(&service, &endpoint, &["--header", "host: other.example"]).await;
    assert_eq!(status, 403, "nginx passes the host name on, and the service refuses another one: {body}");
}

#[tokio::test]
async fn nginx_reports_the_address_of_the_client() {
    let Some(service) = ProxiedService::start(HOST) else { return };
    let upstream = Upstream::with_handler(|_| MockResponse::text("done"));
    let endpoint = create_server_with_tool(&service, &upstream).await;
    // The address of the client differs from that of nginx, and the client cannot choose another one.
    let args = ["--interface", "127.0.0.2", "--header", "x-forwarded-for: 203.0.113.9"];
    assert_eq!(call_tool(&service, &endpoint, &args).await.0, 200);
    let authorization = authorization(&service);
    let calls = request(&service, &service.public_url(&format!("{API}/calls")), &["--header", &authorization]).await.1;
    let calls: Value = serde_json::from_str(&calls).unwrap();
    assert_eq!(calls[0]["client_address"], "127.0.0.2");
}

#[tokio::test]
async fn nginx_redirects_to_tls_and_to_the_prefix() {
    let Some(service) = ProxiedService::start(HOST) else { return };
    let location = ["--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}"];
    for (url, expected) in [
        (service.http_url("/gate/servers?a=b"), "301 https://127.0.0.1/gate/servers?a=b".to_owned()),
        (service.public_url(""), format!("301 {}", service.public_url("/"))),
    ] {
        let output = service.curl().args(location).arg(url).output().await.unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
}

#[tokio::test]
async fn nginx_passes_large_messages_to_the_service_which_refuses_them_itself() {
    let Some(service) = ProxiedService::start(HOST) else { return };
    let server = create(&service, "/servers", json!({"name": "Shop"})).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.json");
    std::fs::write(&file, json!({"text": "x".repeat(5 * 1024 * 1024)}).to_string()).unwrap();
    let body = format!("@{}", file.display());
    let (status, body) = request(&service, server["endpoint_url"].as_str().unwrap(), &["--json", &body]).await;
    assert!(status == 413 && body.contains("larger than 4 MiB"), "{status}: {body}");
}

#[tokio::test]
async fn events_are_not_buffered_by_nginx() {
    let Some(service) = ProxiedService::start(HOST) else { return };
    let upstream = Upstream::with_handler(|_| MockResponse::text("done"));
    let endpoint = create_server_with_tool(&service, &upstream).await;
    let mut stream = service
        .curl()
        .args(["--header", &authorization(&service)])
        .arg(service.public_url(&format!("{API}/calls/stream")))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(stream.stdout.take().unwrap()).lines();
    let mut expect_line = async |expected: &str| {
        let next = async { while lines.next_line().await.unwrap().unwrap() != expected {} };
        let arrived = tokio::time::timeout(EVENT_TIMEOUT, next).await;
        assert!(arrived.is_ok(), "{expected:?} did not arrive while the stream was open");
    };
    expect_line(": connected").await;
    call_tool(&service, &endpoint, &[]).await;
    expect_line("event: call").await;
}

#[tokio::test]
async fn the_page_of_the_console_refers_to_files_below_the_prefix() {
    // Debug builds read the console from disk.
    if !repository_file("console/dist/index.html").exists() {
        return;
    }
    let Some(service) = ProxiedService::start(HOST) else { return };
    let (status, page) = request(&service, &service.public_url("/servers/7"), &["--header", "accept: text/html"]).await;
    assert_eq!(status, 200, "{page}");
    let files: Vec<_> = ["src=\"", "href=\""]
        .iter()
        .flat_map(|attribute| page.split(attribute).skip(1))
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert!(files.len() > 3, "{page}");
    for file in files {
        let path = file.strip_prefix("/gate").unwrap_or_else(|| panic!("{file} is not below the prefix"));
        assert_eq!(request(&service, &service.public_url(path), &["--output", "/dev/null"]).await.0, 200, "{file}");
    }
}
