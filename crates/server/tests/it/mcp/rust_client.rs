//! rmcp, the Rust SDK, as a client.

use std::fmt::Debug;

use rmcp::model::{
    CallToolRequestParams, GetPromptRequestParams, JsonObject, ProtocolVersion, ReadResourceRequestParams,
};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig as TransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt};
use serde::Serialize;
use serde_json::{Value, json};
use toolgate_testkit::mcp::{MODERN, NEWEST_LEGACY};

use super::weather::WeatherServer;

type RmcpClient = RunningService<RoleClient, ()>;

#[tokio::test]
async fn rmcp_uses_the_server_after_a_handshake() {
    use_server(ClientLifecycleMode::Initialize, NEWEST_LEGACY).await;
}

#[tokio::test]
async fn rmcp_uses_the_server_without_a_handshake() {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    use_server(ClientLifecycleMode::Discover { preferred_versions }, MODERN).await;
}

#[tokio::test]
async fn rmcp_negotiates_the_modern_revision() {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    use_server(ClientLifecycleMode::Auto { preferred_versions, legacy_version: None }, MODERN).await;
}

async fn use_server(lifecycle: ClientLifecycleMode, protocol: &str) {
    let weather = WeatherServer::start().await;
    let config = TransportConfig::with_uri(weather.fixture.url()).auth_header(weather.key.as_str());
    let transport = StreamableHttpClientTransport::from_config(config);
    let client = ().serve_with_lifecycle(transport, lifecycle).await;
    let client = client.unwrap_or_else(|error| panic!("{error:?}\n{}", weather.fixture.app.logs()));

    let info = json(client.peer_info());
    assert_eq!(info["serverInfo"]["name"], "weather", "{info}");
    assert_eq!(info["serverInfo"]["title"], "Weather", "{info}");
    let mut report = lists(&client).await;
    report.extend(contents(&client).await);
    report.insert("protocol".to_owned(), info["protocolVersion"].clone());
    client.cancel().await.unwrap();
    assert_eq!(Value::Object(report), WeatherServer::expected_report(protocol));
    weather.assert_called_once();
}

async fn lists(client: &RmcpClient) -> JsonObject {
    let column = |list: Value, field: &str| -> Value {
        list.as_array().unwrap().iter().map(|item| item[field].clone()).collect()
    };
    object(json!({
        "tools": column(json(client.list_all_tools().await.unwrap()), "name"),
        "prompts": column(json(client.list_all_prompts().await.unwrap()), "name"),
        "resources": column(json(client.list_all_resources().await.unwrap()), "uri"),
        "templates": column(json(client.list_all_resource_templates().await.unwrap()), "uriTemplate"),
    }))
}

async fn contents(client: &RmcpClient) -> JsonObject {
    let call = CallToolRequestParams::new("get_weather");
    let called = json(client.call_tool(call.clone().with_arguments(object(json!({"city": "Zürich"})))).await.unwrap());
    let refused = json(client.call_tool(call.with_arguments(JsonObject::new())).await.unwrap());
    let prompt = GetPromptRequestParams::new("describe_city").with_arguments(object(json!({"city": "Lima"})));
    let prompt = json(client.get_prompt(prompt).await.unwrap());
    let read = async |uri: &str| json(client.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap());
    object(json!({
        "called": called["content"][0]["text"],
        "refused": refused["isError"],
        "prompt": prompt["messages"][0]["content"]["text"],
        "resource": read("docs://umbrella").await["contents"][0]["text"],
        "from_template": read("docs://city/Oslo").await["contents"][0]["text"],
    }))
}

fn json(value: impl Serialize + Debug) -> Value {
    serde_json::to_value(value).unwrap()
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        other => panic!("the value is not an object: {other}"),
    }
}
