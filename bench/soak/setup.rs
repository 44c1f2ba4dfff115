//! The service, with tools that succeed and tools that fail in different ways, and their upstream.

use serde_json::{Value, json};
use toolgate_testkit::hostile::{broken, slow};
use toolgate_testkit::process::service_binary;
use toolgate_testkit::{Client, MockResponse, RunningService, Upstream, free_address};

/// Tools that fail immediately.
pub(crate) const FAILING_TOOLS: [&str; 5] = ["missing", "broken", "cut", "reset", "refused"];
/// Timeout of the tool `hangs`.
pub(crate) const HANG_TIMEOUT_SECS: u64 = 1;

/// A service under load.
pub(crate) struct SoakSetup {
    pub(crate) app: RunningService,
    /// The server that receives most of the calls.
    pub(crate) busy: SoakServer,
    /// The server whose tools are created, changed and deleted during the load.
    pub(crate) scratch: SoakServer,
    pub(crate) upstream: Upstream,
}

/// A server of the service under load.
pub(crate) struct SoakServer {
    pub(crate) id: i64,
    pub(crate) url: String,
}

impl SoakSetup {
    pub(crate) async fn start() -> Self {
        let upstream = start_upstream();
        let app = RunningService::builder(service_binary()).env("TOOLGATE_LOG", "error").start();
        let api = app.client();
        let (busy, scratch) = (create_server(&api, "Busy").await, create_server(&api, "Scratch").await);
        let setup = Self { app, busy, scratch, upstream };
        setup.create_tools(&api).await;
        setup
    }

    async fn create_tools(&self, api: &Client) {
        let schema = json!({"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}});
        self.create_tool(api, "weather", json!({"input_schema": schema})).await;
        self.create_tool(api, "cached", json!({"input_schema": schema, "cache_ttl": 60})).await;
        self.create_tool(api, "hangs", json!({"timeout": HANG_TIMEOUT_SECS})).await;
        let unused_address = free_address();
        for name in FAILING_TOOLS {
            let fields = if name == "refused" {
                json!({"endpoint_url": format!("http://{unused_address}/")})
            } else {
                json!({})
            };
            self.create_tool(api, name, fields).await;
        }
    }

    /// Creates a tool of `busy`. Without an `endpoint_url` in `fields`, it calls `/{name}` of the upstream.
    async fn create_tool(&self, api: &Client, name: &str, mut fields: Value) {
        let members = fields.as_object_mut().expect("fields are an object");
        members.entry("endpoint_url").or_insert_with(|| self.upstream.url(&format!("/{name}")).into());
        members.insert("name".to_owned(), name.into());
        api.post(&format!("/servers/{}/tools", self.busy.id)).json(fields).send().await.expect(201);
    }
}

async fn create_server(api: &Client, name: &str) -> SoakServer {
    let fields = json!({"name": name, "rate_limit_per_min": 0, "settings": {"capture": "failures"}});
    let server = api.post("/servers").json(fields).send().await.expect(201).json();
    let url = server["endpoint_url"].as_str().expect("the server has an endpoint URL").to_owned();
    SoakServer { id: server["id"].as_i64().expect("the server has an id"), url }
}

fn start_upstream() -> Upstream {
    Upstream::builder()
        .route("/hangs", slow::no_response())
        .route("/missing", MockResponse::status(404).body("nothing here"))
        .route("/broken", MockResponse::status(500).body("it broke"))
        .route("/cut", broken::length_too_long())
        .route("/reset", broken::reset())
        .fallback(|request| MockResponse::json(json!({"asked": request.target, "padding": "x".repeat(600)})))
        .start()
}
