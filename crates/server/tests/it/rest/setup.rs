//! The service under test, and shared assertions.

use serde_json::{Value, json};
use toolgate_testkit::database_fixture::DatabaseFixture;
use toolgate_testkit::postgres::TestDatabase;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::service_fixture::with_defaults;
use toolgate_testkit::{Client, RunningService, TestResponse};

/// Configuration of a service on one of the databases.
pub(super) struct Setup {
    builder: ServiceBuilder,
    /// Is dropped after the test.
    _database: Option<TestDatabase>,
}

impl Setup {
    pub(super) fn sqlite() -> Self {
        Self { builder: RunningService::builder(env!("CARGO_BIN_EXE_toolgate")), _database: None }
    }

    pub(super) fn env(&self, name: &str, value: &str) -> Self {
        Self { builder: self.builder.clone().env(name, value), _database: None }
    }

    pub(super) fn start(&self) -> RestService {
        let app = self.builder.clone().start();
        RestService { api: app.client(), app }
    }
}

impl DatabaseFixture for Setup {
    async fn open(postgres: Option<TestDatabase>) -> Self {
        let Self { builder, .. } = Self::sqlite();
        let builder = postgres.iter().fold(builder, |builder, database| builder.postgres(database.url()));
        Self { builder, _database: postgres }
    }
}

/// A running service and a client with its administrator's key.
pub(super) struct RestService {
    pub(super) api: Client,
    pub(super) app: RunningService,
}

impl RestService {
    /// Creates a server; `fields` may omit the name.
    pub(super) async fn create_server(&self, fields: Value) -> Value {
        self.api.create("/servers", with_defaults(fields, &json!({"name": "Weather"}))).await
    }

    /// Creates a server with all defaults and returns its id.
    pub(super) async fn create_default_server(&self) -> i64 {
        id(&self.create_server(json!({})).await)
    }

    /// Creates a tool; `fields` may omit name and URL.
    pub(super) async fn create_tool(&self, server_id: i64, fields: Value) -> Value {
        let defaults = json!({"name": "get_weather", "endpoint_url": "https://api.example.com/weather"});
        self.api.create(&format!("/servers/{server_id}/tools"), with_defaults(fields, &defaults)).await
    }

    /// Creates tools of these names and returns their ids.
    pub(super) async fn create_tools(&self, server_id: i64, names: &[&str]) -> Vec<i64> {
        let mut ids = Vec::new();
        for name in names {
            ids.push(id(&self.create_tool(server_id, json!({"name": name})).await));
        }
        ids
    }

    /// The body of a successful GET.
    #[track_caller]
    pub(super) fn read(&self, path: &str) -> impl Future<Output = Value> {
        let request = self.api.get(path);
        async move { request.send().await.expect(200).json() }
    }

    /// A client with a key of a new user with this role.
    pub(super) async fn user_client(&self, role: &str) -> Client {
        let user = self.api.create("/users", json!({"name": role, "role": role})).await;
        self.key_client(json!({"user_id": user["id"]})).await
    }

    /// A client with a new key.
    pub(super) async fn key_client(&self, fields: Value) -> Client {
        let key = self.api.create("/api-keys", with_defaults(fields, &json!({"name": "test"}))).await;
        self.app.client_with_key(key["key"].as_str())
    }

    /// A client without a key.
    pub(super) fn anonymous(&self) -> Client {
        self.app.client_with_key(None)
    }
}

pub(super) fn id(object: &Value) -> i64 {
    object["id"].as_i64().unwrap()
}

/// The keys of an object, in order.
pub(super) fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// One field of each object in a list.
pub(super) fn column<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap()).collect()
}

/// The ids of the objects in a list.
pub(super) fn ids_of(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().map(id).collect()
}

/// Asserts an error reply with this status and code, in the format of all errors.
#[track_caller]
pub(super) fn assert_error(reply: &TestResponse, status: u16, code: &str) {
    assert_eq!(reply.status, status, "{reply:?}");
    let body = reply.json();
    assert_eq!(keys(&body), ["code", "message", "data"], "{reply:?}");
    assert_eq!(body["code"], code, "{reply:?}");
    assert_eq!(body["data"]["status"], status, "{reply:?}");
    assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{reply:?}");
}

/// Asserts a 400 for exactly `field`, with this inner code.
#[track_caller]
pub(super) fn assert_invalid(reply: &TestResponse, field: &str, inner_code: &str) {
    assert_invalid_fields(reply, &[field]);
    assert_eq!(reply.json()["data"]["details"][field]["code"], inner_code, "{reply:?}");
}

/// Asserts a 400 for exactly these fields.
#[track_caller]
pub(super) fn assert_invalid_fields(reply: &TestResponse, fields: &[&str]) {
    assert_error(reply, 400, "rest_invalid_param");
    let body = reply.json();
    let (params, details) = (&body["data"]["params"], &body["data"]["details"]);
    let mut reported = keys(params);
    assert_eq!(body["message"], format!("Invalid parameter(s): {}", reported.join(", ")), "{reply:?}");
    assert_eq!(keys(details), reported, "{reply:?}");
    for detail in details.as_object().unwrap().values() {
        assert_eq!(keys(detail), ["code", "message", "data"], "{reply:?}");
    }
    let mut expected = fields.to_vec();
    reported.sort_unstable();
    expected.sort_unstable();
    assert_eq!(reported, expected, "{reply:?}");
}

/// Asserts a 400 that reports exactly these parameters as missing.
#[track_caller]
pub(super) fn assert_missing(reply: &TestResponse, names: &[&str]) {
    assert_error(reply, 400, "rest_missing_callback_param");
    let body = reply.json();
    assert_eq!(body["message"], format!("Missing parameter(s): {}", names.join(", ")), "{reply:?}");
    assert_eq!(body["data"]["params"], json!(names), "{reply:?}");
}

/// Asserts that a value is a timestamp in the format `YYYY-MM-DDTHH:MM:SS`.
#[track_caller]
pub(super) fn assert_timestamp(value: &Value) {
    let text = value.as_str().unwrap();
    let form: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(form, "0000-00-00T00:00:00", "{text}");
}
