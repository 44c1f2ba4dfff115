//! The server that every third-party client uses, and the report expected from each client.

use serde_json::{Value, json};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use crate::toolgate;

/// A server with an upstream and a key.
pub(super) struct WeatherServer {
    pub(super) fixture: ServiceFixture,
    pub(super) upstream: Upstream,
    pub(super) key: String,
}

impl WeatherServer {
    pub(super) async fn start() -> Self {
        Self::start_in(toolgate()).await
    }

    /// Starts the server in a service that is configured by `builder`.
    pub(super) async fn start_in(builder: ServiceBuilder) -> Self {
        let upstream = Upstream::with_handler(|request| match request.query_pairs().first() {
            Some((name, city)) if name == "city" => MockResponse::text(format!("Sunny in {city}")),
            _ => MockResponse::status(400),
        });
        let fields = json!({"name": "Weather", "auth_type": "api-key"});
        let fixture = ServiceFixture::start(builder, Upstream::builder().start(), fields).await;
        // Clients of the modern revision repeat this argument in a header.
        let city = json!({"type": "string", "description": "Where", "x-mcp-header": "City"});
        let schema = json!({"type": "object", "properties": {"city": city}, "required": ["city"]});
        fixture
            .create(
                "/tools",
                json!({"name": "get_weather", "description": "Weather of a city",
                "endpoint_url": upstream.url("/weather"), "input_schema": schema}),
            )
            .await;
        fixture
            .create(
                "/tools",
                json!({"name": "say_hello", "description": "A greeting", "endpoint_url": upstream.url("/hello")}),
            )
            .await;
        fixture
            .create(
                "/prompts",
                json!({"name": "describe_city", "description": "A city in words",
                "arguments": [{"name": "city", "required": true}], "template_content": "Describe {{city}}."}),
            )
            .await;
        fixture
            .create(
                "/resources",
                json!({"uri": "docs://umbrella", "name": "Umbrella",
                "data_source_config": {"content": "Take one."}}),
            )
            .await;
        fixture
            .create(
                "/resources",
                json!({"uri": "docs://city", "name": "City", "template_uri": "docs://city/{city}",
                "data_source_config": {"content": "About {{city}}."}}),
            )
            .await;
        let key = fixture.create_key().await;
        Self { fixture, upstream, key }
    }

    /// The report expected from a client, without the name of the server.
    pub(super) fn expected_report(protocol: &str) -> Value {
        json!({
            "protocol": protocol,
            "tools": ["get_weather", "say_hello"],
            "called": "Sunny in Zürich",
            "refused": true,
            "prompts": ["describe_city"],
            "prompt": "Describe Lima.",
            "resources": ["docs://umbrella", "docs://city"],
            "templates": ["docs://city/{city}"],
            "resource": "Take one.",
            "from_template": "About Oslo.",
        })
    }

    /// Asserts one upstream request: the call without its argument must be refused before a request is sent.
    #[track_caller]
    pub(super) fn assert_called_once(&self) {
        let targets: Vec<String> = self.upstream.requests().into_iter().map(|request| request.target).collect();
        assert_eq!(targets, ["/weather?city=Z%C3%BCrich"]);
    }
}
