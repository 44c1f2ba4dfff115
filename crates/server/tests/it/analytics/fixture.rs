//! A running service with servers and an upstream, for the tests of analytics.

use serde_json::{Value, json};
use toolgate_testkit::database_fixture::DatabaseFixture;
use toolgate_testkit::postgres::TestDatabase;
use toolgate_testkit::{Client, McpClient, MockResponse, Postgres, RunningService, TestResponse, Upstream};

use super::log_filler::fill_log;

/// A running service. Fields are dropped in order: the service stops before its database is removed.
pub(super) struct AnalyticsFixture {
    pub(super) app: RunningService,
    pub(super) api: Client,
    upstream: Upstream,
    database: Option<TestDatabase>,
}

/// A server with its endpoint URL.
pub(super) struct ServerFixture {
    pub(super) id: i64,
    pub(super) url: String,
}

impl DatabaseFixture for AnalyticsFixture {
    async fn open(database: Option<TestDatabase>) -> Self {
        Self::start(database)
    }
}

impl AnalyticsFixture {
    /// A service on SQLite.
    pub(super) fn sqlite() -> Self {
        Self::start(None)
    }

    /// `None` if `PostgreSQL` is not available.
    pub(super) fn postgres() -> Option<Self> {
        Some(Self::start(Some(Postgres::fresh_database()?)))
    }

    fn start(database: Option<TestDatabase>) -> Self {
        let builder = RunningService::builder(env!("CARGO_BIN_EXE_toolgate"));
        let app = database.iter().fold(builder, |builder, database| builder.postgres(database.url())).start();
        Self { database, ..Self::with_service(app) }
    }

    /// A service that is already running.
    pub(super) fn with_service(app: RunningService) -> Self {
        let upstream = Upstream::builder()
            .route("/good", MockResponse::text("hello"))
            .route("/bad", MockResponse::status(500))
            .route("/missing", MockResponse::status(404))
            .start();
        Self { api: app.client(), app, upstream, database: None }
    }

    /// Creates a server without authentication or rate limit.
    pub(super) async fn create_server(&self, owner: &Client, name: &str) -> ServerFixture {
        let fields = json!({"name": name, "rate_limit_per_min": 0});
        let server = owner.create("/servers", fields).await;
        ServerFixture { id: id(&server), url: server["endpoint_url"].as_str().unwrap().to_owned() }
    }

    /// Creates a tool with this name: calls of `good` succeed, those of `bad` and `missing` fail.
    pub(super) async fn create_tool(&self, owner: &Client, server: &ServerFixture, name: &str) -> i64 {
        let fields = json!({"name": name, "endpoint_url": self.upstream.url(&format!("/{name}"))});
        id(&owner.create(&format!("/servers/{}/tools", server.id), fields).await)
    }

    /// Creates a server with the tools `good` and `bad`; returns it and their ids.
    pub(super) async fn create_server_with_tools(&self, owner: &Client, name: &str) -> (ServerFixture, i64, i64) {
        let server = self.create_server(owner, name).await;
        let (good, bad) =
            (self.create_tool(owner, &server, "good").await, self.create_tool(owner, &server, "bad").await);
        (server, good, bad)
    }

    /// Inserts `count` calls into the log of the PostgreSQL database.
    pub(super) async fn fill_log(&self, count: u64) {
        fill_log(self.database.as_ref().unwrap().url(), self.app.data_dir(), count).await;
    }

    /// Creates a user with the role `owner`; returns a client with its key.
    pub(super) async fn create_owner(&self, name: &str) -> Client {
        let user = self.api.create("/users", json!({"name": name, "role": "owner"})).await;
        let key = self.api.create("/api-keys", json!({"name": name, "user_id": user["id"]})).await;
        self.app.client_with_key(key["key"].as_str())
    }
}

impl ServerFixture {
    /// An MCP client with this name.
    pub(super) fn caller(&self, client: &str) -> McpClient {
        McpClient::new(&self.url).header("x-mcp-client", client)
    }

    /// Calls a tool `times` times.
    pub(super) async fn call(&self, client: &str, tool: &str, times: usize) {
        let mcp = self.caller(client);
        for _ in 0..times {
            mcp.call(tool, json!({})).await;
        }
    }
}

pub(super) fn id(object: &Value) -> i64 {
    object["id"].as_i64().unwrap()
}

/// The items of a list.
#[track_caller]
pub(super) fn items(list: &Value) -> &[Value] {
    list.as_array().unwrap()
}

/// The sum of a field over all items.
pub(super) fn sum(list: &Value, field: &str) -> i64 {
    items(list).iter().map(|item| item[field].as_i64().unwrap()).sum()
}

/// Asserts a 503 with this code and a `Retry-After`.
pub(super) async fn assert_at_capacity(api: &Client, code: &str, path: &str) {
    let refused = api.get(path).send().await.expect(503);
    assert_eq!(refused.json()["code"], code);
    assert!(refused.header("retry-after").is_some(), "{refused:?}");
}

/// Asserts a 400 with a message for this field.
#[track_caller]
pub(super) fn assert_invalid(reply: &TestResponse, field: &str) {
    assert_eq!((reply.status, &reply.json()["code"]), (400, &json!("rest_invalid_param")), "{reply:?}");
    let message = reply.json()["data"]["params"][field].as_str().map(str::to_owned);
    assert!(message.is_some_and(|message| message.contains(field)), "{field}: {reply:?}");
}
