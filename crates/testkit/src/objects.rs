//! Creates objects over the management API, with defaults for the fields that a test does not need.

use serde_json::{Value, json};

use crate::http::Client;

impl Client {
    /// Creates a server; its default name is `Weather`.
    pub async fn create_server(&self, fields: Value) -> Value {
        self.create("/servers", with_defaults(fields, &json!({"name": "Weather"}))).await
    }

    /// Creates a server with all defaults and returns its id.
    pub async fn create_default_server(&self) -> i64 {
        id(&self.create_server(json!({})).await)
    }

    /// Creates a tool; the default name is `get_weather`, and the default URL is outside this machine.
    pub async fn create_tool(&self, server_id: i64, fields: Value) -> Value {
        let defaults = json!({"name": "get_weather", "endpoint_url": "https://api.example.com/weather"});
        self.create(&format!("/servers/{server_id}/tools"), with_defaults(fields, &defaults)).await
    }

    /// Creates tools of these names and returns their ids.
    pub async fn create_tools(&self, server_id: i64, names: &[impl AsRef<str>]) -> Vec<i64> {
        let mut ids = Vec::new();
        for name in names {
            ids.push(id(&self.create_tool(server_id, json!({"name": name.as_ref()})).await));
        }
        ids
    }

    /// Creates an object at `path` and returns its id.
    pub async fn create_returning_id(&self, path: &str, fields: Value) -> i64 {
        id(&self.create(path, fields).await)
    }

    /// Creates a user and returns its id.
    pub async fn create_user(&self, name: &str, role: &str) -> i64 {
        self.create_returning_id("/users", json!({"name": name, "role": role})).await
    }

    /// Creates an API key, by default for the user of this client, and returns it as the reply shows it, secret
    /// included.
    pub async fn create_key(&self, fields: Value) -> Value {
        self.create("/api-keys", with_defaults(fields, &json!({"name": "test"}))).await
    }

    /// A client with a new API key.
    pub async fn key_client(&self, fields: Value) -> Self {
        self.with_key(self.create_key(fields).await["key"].as_str())
    }

    /// A client with the key of a new user.
    pub async fn user_client(&self, name: &str, role: &str) -> Self {
        let user = self.create_user(name, role).await;
        self.key_client(json!({"user_id": user})).await
    }
}

/// The fields, with those of `defaults` that are missing.
pub fn with_defaults(mut fields: Value, defaults: &Value) -> Value {
    let members = fields.as_object_mut().expect("fields are an object");
    for (name, value) in defaults.as_object().expect("defaults are an object") {
        members.entry(name).or_insert_with(|| value.clone());
    }
    fields
}

/// The id of an object, as the management API shows it.
#[track_caller]
pub fn id(object: &Value) -> i64 {
    object["id"].as_i64().unwrap_or_else(|| panic!("the object has no id: {object}"))
}
