//! Objects to test with, made over the API as a client would.

use serde_json::{Value, json};
use toolgate_testkit::{Client, McpClient, RunningService, TestResponse};

/// An id that no object has.
pub(super) const ABSENT: i64 = 987_654_321;

/// A URL whose port is closed.
const CLOSED_PORT: &str = "http://127.0.0.1:9/x";

/// The id of an object as a reply shows it.
#[track_caller]
pub(super) fn id(object: &Value) -> i64 {
    object["id"].as_i64().unwrap_or_else(|| panic!("no id: {object}"))
}

/// Creates an object and returns it as the reply shows it.
pub(super) async fn created(client: &Client, path: &str, body: Value) -> Value {
    client.post(path).json(body).send().await.expect(201).json()
}

pub(super) async fn get(client: &Client, path: &str) -> Value {
    client.get(path).send().await.expect(200).json()
}

/// Creates a server and returns its id.
pub(super) async fn server(client: &Client, name: &str) -> i64 {
    id(&created(client, "/servers", json!({"name": name})).await)
}

/// Creates a tool and returns its id. Tests of every route test-run it too, so it leads to a port of this machine
/// that is closed.
pub(super) async fn tool(client: &Client, server: i64, name: &str) -> i64 {
    tool_at(client, server, name, CLOSED_PORT).await
}

async fn tool_at(client: &Client, server: i64, name: &str, url: &str) -> i64 {
    let body = json!({"name": name, "endpoint_url": url});
    id(&created(client, &format!("/servers/{server}/tools"), body).await)
}

/// Creates a user of this role and returns the id.
pub(super) async fn user(app: &RunningService, name: &str, role: &str) -> i64 {
    id(&created(&app.client(), "/users", json!({"name": name, "role": role})).await)
}

/// Creates a key for a user and returns it as the reply shows it, secret included.
pub(super) async fn key(app: &RunningService, user: i64, scopes: &[&str]) -> Value {
    created(&app.client(), "/api-keys", json!({"name": "k", "user_id": user, "scopes": scopes})).await
}

/// A client of a new user of this role, with a key of these scopes.
pub(super) async fn client_of(app: &RunningService, name: &str, role: &str, scopes: &[&str]) -> Client {
    let key = key(app, user(app, name, role).await, scopes).await;
    app.client_with_key(key["key"].as_str())
}

/// One of each kind of object that belongs to a user.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnedObjects {
    pub(super) server: i64,
    pub(super) tool: i64,
    pub(super) prompt: i64,
    pub(super) resource: i64,
    pub(super) key: i64,
    /// A call in the log; [`ABSENT`] where nothing was called.
    pub(super) call: i64,
}

impl OwnedObjects {
    /// Ids that nothing has.
    pub(super) const NONE: Self =
        Self { server: ABSENT, tool: ABSENT, prompt: ABSENT, resource: ABSENT, key: ABSENT, call: ABSENT };

    pub(super) async fn create(client: &Client, name: &str) -> Self {
        Self::with_a_tool_at(client, name, CLOSED_PORT).await
    }

    pub(super) async fn with_a_tool_at(client: &Client, name: &str, url: &str) -> Self {
        let server = server(client, name).await;
        let below = |kind: &str| format!("/servers/{server}/{kind}");
        let prompt = json!({"name": "p", "template_content": "x"});
        let resource = json!({"name": "r", "uri": "docs://r"});
        Self {
            server,
            tool: tool_at(client, server, "t", url).await,
            prompt: id(&created(client, &below("prompts"), prompt).await),
            resource: id(&created(client, &below("resources"), resource).await),
            key: id(&created(client, &below("keys"), json!({"name": "k"})).await),
            call: ABSENT,
        }
    }

    /// The same after a call of the tool.
    pub(super) async fn with_a_call(mut self, client: &Client) -> Self {
        let server = get(client, &format!("/servers/{}", self.server)).await;
        McpClient::new(server["endpoint_url"].as_str().unwrap()).call("t", json!({})).await;
        self.call = id(&get(client, "/calls").await[0]);
        self
    }
}

/// Whether a reply is a refusal of this parameter, with the sentence about it.
#[track_caller]
pub(super) fn assert_refused(reply: &TestResponse, param: &str) {
    let body = reply.json();
    assert_eq!(reply.status, 400, "{reply:?}");
    assert_eq!(body["code"], "rest_invalid_param", "{reply:?}");
    assert_eq!(body["data"]["status"], 400, "{reply:?}");
    assert_eq!(body["message"], format!("Invalid parameter(s): {param}"), "{reply:?}");
    let sentence = body["data"]["params"][param].as_str();
    assert!(sentence.is_some_and(|text| text.contains(param)), "{reply:?}");
    assert!(body["data"]["details"][param]["code"].is_string(), "{reply:?}");
}

/// Whether a reply is a refusal of this parameter of this inner kind.
#[track_caller]
pub(super) fn assert_refused_as(reply: &TestResponse, param: &str, kind: &str) {
    assert_refused(reply, param);
    assert_eq!(reply.json()["data"]["details"][param]["code"], kind, "{reply:?}");
}

/// Whether a reply says that parameters are missing.
#[track_caller]
pub(super) fn assert_missing(reply: &TestResponse, params: &[&str]) {
    let body = reply.json();
    assert_eq!(reply.status, 400, "{reply:?}");
    assert_eq!(body["code"], "rest_missing_callback_param", "{reply:?}");
    assert_eq!(body["message"], format!("Missing parameter(s): {}", params.join(", ")), "{reply:?}");
    assert_eq!(body["data"]["params"], json!(params), "{reply:?}");
}

/// Whether a reply is an error of this status and code.
#[track_caller]
pub(super) fn assert_error(reply: &TestResponse, status: u16, code: &str) {
    let body = reply.json();
    assert_eq!((reply.status, body["code"].as_str()), (status, Some(code)), "{reply:?}");
    assert_eq!(body["data"]["status"], status, "{reply:?}");
    assert!(body["message"].as_str().is_some_and(|text| !text.is_empty()), "{reply:?}");
}

/// Whether a text is a timestamp as the seed writes it: `YYYY-MM-DDTHH:MM:SS`.
#[track_caller]
pub(super) fn assert_timestamp(value: &Value) {
    let shape: String =
        value.as_str().unwrap_or_default().chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(shape, "0000-00-00T00:00:00", "{value}");
}

/// The object without what differs from run to run, for whole comparisons.
pub(super) fn without(object: &Value, keys: &[&str]) -> Value {
    let mut object = object.clone();
    for key in keys {
        object.as_object_mut().and_then(|members| members.remove(*key));
    }
    object
}

/// Sends the same update until the second has changed since the object was made: `updated_at` has to follow,
/// `created_at` has to stay.
pub(super) async fn assert_updates_are_stamped(client: &Client, path: &str, update: &Value) {
    let before = get(client, path).await;
    let began = std::time::Instant::now();
    while began.elapsed() < std::time::Duration::from_secs(10) {
        let after = client.post(path).json(update.clone()).send().await.expect(200).json();
        assert_eq!(after["created_at"], before["created_at"]);
        if after["updated_at"].as_str() > before["updated_at"].as_str() {
            return;
        }
    }
    panic!("updated_at is still {} after updates of {path}", before["updated_at"]);
}

/// Whether a deletion shows what was deleted, and the object is gone afterwards.
pub(super) async fn assert_deletes(client: &Client, path: &str, force: Option<&str>, code: &str) {
    let before = get(client, path).await;
    let request = client.delete(path);
    let request = match force {
        Some(force) => request.query("force", force),
        None => request,
    };
    let reply = request.send().await.expect(200).json();
    assert_eq!(reply, json!({"deleted": true, "previous": before}));
    assert_error(&client.get(path).send().await, 404, code);
    assert_error(&client.delete(path).send().await, 404, code);
}

/// A running service with one server, to work on its children of one kind.
pub(super) struct ObjectScene {
    pub(super) app: RunningService,
    /// With the administrator's key.
    pub(super) client: Client,
    pub(super) server: i64,
    /// `/servers/{server}/{kind}`.
    pub(super) path: String,
}

impl ObjectScene {
    pub(super) async fn with_server(app: RunningService, kind: &str) -> Self {
        let client = app.client();
        let server = server(&client, "Scene").await;
        Self { app, client, server, path: format!("/servers/{server}/{kind}") }
    }
}
