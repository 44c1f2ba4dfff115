//! Test objects, created over the API, and assertions on replies.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::postgres::TestDatabase;
use toolgate_testkit::{Client, McpClient, RunningService, TestResponse};

/// An id that no object has.
pub(super) const ABSENT_ID: i64 = 987_654_321;

/// A URL whose port is closed.
const CLOSED_PORT_URL: &str = "http://127.0.0.1:9/x";

/// Creates a server and returns its id.
pub(super) async fn create_server(client: &Client, name: &str) -> i64 {
    id(&client.create_server(json!({"name": name})).await)
}

/// Creates a tool and returns its id. Tests of every route also run the tool, so its URL has a closed local port.
pub(super) async fn create_tool(client: &Client, server: i64, name: &str) -> i64 {
    create_tool_with_url(client, server, name, CLOSED_PORT_URL).await
}

async fn create_tool_with_url(client: &Client, server: i64, name: &str, url: &str) -> i64 {
    id(&client.create_tool(server, json!({"name": name, "endpoint_url": url})).await)
}

/// Creates a key for a user and returns it as the reply shows it, secret included.
pub(super) async fn create_key(admin: &Client, user: i64, scopes: &[&str]) -> Value {
    admin.create_key(json!({"user_id": user, "scopes": scopes})).await
}

/// A client with a key of these scopes for a new user of this role.
pub(super) async fn client_with_role(admin: &Client, name: &str, role: &str, scopes: &[&str]) -> Client {
    let user = admin.create_user(name, role).await;
    admin.key_client(json!({"user_id": user, "scopes": scopes})).await
}

/// Every row of the `PostgreSQL` database; empty for `SQLite`, whose file is in the data folder.
pub(super) fn database_dump(app: &RunningService) -> String {
    app.temporary_database().map(TestDatabase::dump).unwrap_or_default()
}

/// The ids of one object of each kind that belongs to a user.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnedObjects {
    pub(super) server: i64,
    pub(super) tool: i64,
    pub(super) prompt: i64,
    pub(super) resource: i64,
    pub(super) key: i64,
    pub(super) credential: i64,
    pub(super) document: i64,
    /// A call in the log; [`ABSENT_ID`] if there is none.
    pub(super) call: i64,
}

impl OwnedObjects {
    /// Ids that no object has.
    pub(super) const NONE: Self = Self {
        server: ABSENT_ID,
        tool: ABSENT_ID,
        prompt: ABSENT_ID,
        resource: ABSENT_ID,
        key: ABSENT_ID,
        credential: ABSENT_ID,
        document: ABSENT_ID,
        call: ABSENT_ID,
    };

    pub(super) async fn create(client: &Client, name: &str) -> Self {
        Self::create_with_tool_url(client, name, CLOSED_PORT_URL).await
    }

    pub(super) async fn create_with_tool_url(client: &Client, name: &str, url: &str) -> Self {
        let server = create_server(client, name).await;
        let child_path = |kind: &str| format!("/servers/{server}/{kind}");
        let prompt = json!({"name": "p", "template_content": "x"});
        let resource = json!({"name": "r", "uri": "docs://r"});
        let credential = json!({"name": "c", "auth_type": "bearer"});
        Self {
            server,
            tool: create_tool_with_url(client, server, "t", url).await,
            prompt: client.create_returning_id(&child_path("prompts"), prompt).await,
            resource: client.create_returning_id(&child_path("resources"), resource).await,
            key: client.create_returning_id(&child_path("keys"), json!({"name": "k"})).await,
            credential: client.create_returning_id(&child_path("credentials"), credential).await,
            document: import_document(client, server).await,
            call: ABSENT_ID,
        }
    }

    /// Calls the tool and adds the id of the call.
    pub(super) async fn with_call(mut self, client: &Client) -> Self {
        let server = client.read(&format!("/servers/{}", self.server)).await;
        McpClient::new(server["endpoint_url"].as_str().unwrap()).call("t", json!({})).await;
        self.call = id(&client.read("/calls").await[0]);
        self
    }
}

/// Imports a document and deletes its only tool. Returns the id of the document.
async fn import_document(client: &Client, server: i64) -> i64 {
    let operation = json!({"operationId": "listPets", "responses": {}});
    let content =
        json!({"openapi": "3.1.0", "info": {"title": "P", "version": "1"}, "paths": {"/pets": {"get": operation}}});
    let sent =
        json!({"content": content, "base_url": "https://api.example.com", "commit": true, "selected_temp_ids": ["*"]});
    let path = format!("/servers/{server}/tools/import-openapi");
    let reply = client.post(&path).json(sent).send().await.expect(200).json();
    client.delete(&format!("/tools/{}", reply["created"][0]["tool_id"])).send().await.expect(200);
    reply["document_id"].as_i64().unwrap()
}

/// Checks that a reply refuses this parameter and explains why.
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

/// Checks that a reply refuses this parameter with this detail code.
#[track_caller]
pub(super) fn assert_refused_as(reply: &TestResponse, param: &str, kind: &str) {
    assert_refused(reply, param);
    assert_eq!(reply.json()["data"]["details"][param]["code"], kind, "{reply:?}");
}

/// Checks that a reply reports these parameters as missing.
#[track_caller]
pub(super) fn assert_missing(reply: &TestResponse, params: &[&str]) {
    let body = reply.json();
    assert_eq!(reply.status, 400, "{reply:?}");
    assert_eq!(body["code"], "rest_missing_callback_param", "{reply:?}");
    assert_eq!(body["message"], format!("Missing parameter(s): {}", params.join(", ")), "{reply:?}");
    assert_eq!(body["data"]["params"], json!(params), "{reply:?}");
}

/// Checks that a reply is an error with this status and code.
#[track_caller]
pub(super) fn assert_error(reply: &TestResponse, status: u16, code: &str) {
    let body = reply.json();
    assert_eq!((reply.status, body["code"].as_str()), (status, Some(code)), "{reply:?}");
    assert_eq!(body["data"]["status"], status, "{reply:?}");
    assert!(body["message"].as_str().is_some_and(|text| !text.is_empty()), "{reply:?}");
}

/// Checks that a value is a timestamp in the documented format: `YYYY-MM-DDTHH:MM:SS`.
#[track_caller]
pub(super) fn assert_timestamp(value: &Value) {
    let shape: String =
        value.as_str().unwrap_or_default().chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(shape, "0000-00-00T00:00:00", "{value}");
}

/// The object without these fields, to compare the rest as a whole.
pub(super) fn without_fields(object: &Value, keys: &[&str]) -> Value {
    let mut object = object.clone();
    for key in keys {
        object.as_object_mut().and_then(|members| members.remove(*key));
    }
    object
}

/// Repeats an update until the clock has reached the next second, and checks that `updated_at` advances while
/// `created_at` stays the same.
pub(super) async fn assert_updates_advance_updated_at(client: &Client, path: &str, update: &Value) {
    let before = client.read(path).await;
    let start = std::time::Instant::now();
    while start.elapsed() < std::time::Duration::from_secs(30) {
        let after = client.post(path).json(update.clone()).send().await.expect(200).json();
        assert_eq!(after["created_at"], before["created_at"]);
        if after["updated_at"].as_str() > before["updated_at"].as_str() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("updated_at is still {} after updates of {path}", before["updated_at"]);
}

/// Checks that a deletion returns the deleted object and that the object is absent afterwards.
pub(super) async fn assert_deletes(client: &Client, path: &str, force: Option<&str>, code: &str) {
    let previous = client.read(path).await;
    let request = client.delete(path);
    let request = match force {
        Some(force) => request.query("force", force),
        None => request,
    };
    let reply = request.send().await.expect(200).json();
    assert_eq!(reply, json!({"deleted": true, "previous": previous}));
    assert_error(&client.get(path).send().await, 404, code);
    assert_error(&client.delete(path).send().await, 404, code);
}
