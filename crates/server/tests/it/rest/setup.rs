//! A service to test, and the assertions that many tests share.

use serde_json::{Value, json};
use toolgate_testkit::app::AppBuilder;
use toolgate_testkit::http::Request;
use toolgate_testkit::postgres::Database;
use toolgate_testkit::{App, Client, Postgres, Reply};

/// A service that is not started yet, on one of the databases.
pub(super) struct Setup {
    builder: AppBuilder,
    database: Option<Database>,
}

impl Setup {
    pub(super) fn sqlite() -> Self {
        Self { builder: App::builder(env!("CARGO_BIN_EXE_toolgate")), database: None }
    }

    /// `None` where there is no `PostgreSQL`.
    pub(super) fn postgres() -> Option<Self> {
        let database = Postgres::fresh_database()?;
        Some(Self { builder: Self::sqlite().builder.postgres(database.url()), database: Some(database) })
    }

    pub(super) fn env(mut self, name: &str, value: &str) -> Self {
        self.builder = self.builder.env(name, value);
        self
    }

    pub(super) fn start(self) -> Service {
        let app = self.builder.start();
        Service { api: app.client(), app, _database: self.database }
    }
}

/// A running service and its administrator's client. The process ends before its database goes.
pub(super) struct Service {
    pub(super) api: Client,
    pub(super) app: App,
    _database: Option<Database>,
}

impl Service {
    /// Creates a server; `fields` needs no name.
    pub(super) async fn server(&self, fields: Value) -> Value {
        created(self.api.post("/servers").json(with_defaults(fields, &json!({"name": "Weather"})))).await
    }

    /// Creates a server with all defaults and returns its id.
    pub(super) async fn server_id(&self) -> i64 {
        id(&self.server(json!({})).await)
    }

    /// Creates a tool; `fields` needs no name and no address.
    pub(super) async fn tool(&self, server_id: i64, fields: Value) -> Value {
        let defaults = json!({"name": "get_weather", "endpoint_url": "https://api.example.com/weather"});
        created(self.api.post(&format!("/servers/{server_id}/tools")).json(with_defaults(fields, &defaults))).await
    }

    /// Creates tools of these names and returns their ids.
    pub(super) async fn tools(&self, server_id: i64, names: &[&str]) -> Vec<i64> {
        let mut ids = Vec::new();
        for name in names {
            ids.push(id(&self.tool(server_id, json!({"name": name})).await));
        }
        ids
    }

    /// The body of a successful GET.
    #[track_caller]
    pub(super) fn read(&self, path: &str) -> impl Future<Output = Value> {
        let request = self.api.get(path);
        async move { request.send().await.expect(200).json() }
    }

    /// A key of a new user of this role, as a client.
    pub(super) async fn user_client(&self, role: &str) -> Client {
        let user = created(self.api.post("/users").json(json!({"name": role, "role": role}))).await;
        self.key_client(json!({"user_id": user["id"]})).await
    }

    /// A client with a fresh key.
    pub(super) async fn key_client(&self, fields: Value) -> Client {
        let key = created(self.api.post("/api-keys").json(with_defaults(fields, &json!({"name": "test"})))).await;
        self.app.client_with(key["key"].as_str())
    }

    /// A client that presents no key.
    pub(super) fn nobody(&self) -> Client {
        self.app.client_with(None)
    }
}

async fn created(request: Request) -> Value {
    request.send().await.expect(201).json()
}

fn with_defaults(mut fields: Value, defaults: &Value) -> Value {
    for (name, value) in defaults.as_object().unwrap() {
        fields.as_object_mut().unwrap().entry(name).or_insert_with(|| value.clone());
    }
    fields
}

pub(super) fn id(object: &Value) -> i64 {
    object["id"].as_i64().unwrap()
}

/// The keys of an object, in the order in which they came.
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

/// An error reply of the form every error has.
#[track_caller]
pub(super) fn assert_error(reply: &Reply, status: u16, code: &str) {
    assert_eq!(reply.status, status, "{reply:?}");
    let body = reply.json();
    assert_eq!(keys(&body), ["code", "message", "data"], "{reply:?}");
    assert_eq!(body["code"], code, "{reply:?}");
    assert_eq!(body["data"]["status"], status, "{reply:?}");
    assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{reply:?}");
}

/// A 400 that blames exactly `field`, with this inner code.
#[track_caller]
pub(super) fn assert_invalid(reply: &Reply, field: &str, inner_code: &str) {
    assert_invalid_fields(reply, &[field]);
    assert_eq!(reply.json()["data"]["details"][field]["code"], inner_code, "{reply:?}");
}

/// A 400 that blames exactly these fields.
#[track_caller]
pub(super) fn assert_invalid_fields(reply: &Reply, fields: &[&str]) {
    assert_error(reply, 400, "rest_invalid_param");
    let body = reply.json();
    let (params, details) = (&body["data"]["params"], &body["data"]["details"]);
    let mut blamed = keys(params);
    assert_eq!(body["message"], format!("Invalid parameter(s): {}", blamed.join(", ")), "{reply:?}");
    assert_eq!(keys(details), blamed, "{reply:?}");
    for detail in details.as_object().unwrap().values() {
        assert_eq!(keys(detail), ["code", "message", "data"], "{reply:?}");
    }
    let mut expected = fields.to_vec();
    blamed.sort_unstable();
    expected.sort_unstable();
    assert_eq!(blamed, expected, "{reply:?}");
}

/// A 400 that misses exactly these parameters.
#[track_caller]
pub(super) fn assert_missing(reply: &Reply, names: &[&str]) {
    assert_error(reply, 400, "rest_missing_callback_param");
    let body = reply.json();
    assert_eq!(body["message"], format!("Missing parameter(s): {}", names.join(", ")), "{reply:?}");
    assert_eq!(body["data"]["params"], json!(names), "{reply:?}");
}

/// `YYYY-MM-DDTHH:MM:SS`.
#[track_caller]
pub(super) fn assert_timestamp(value: &Value) {
    let text = value.as_str().unwrap();
    let form: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(form, "0000-00-00T00:00:00", "{text}");
}
