//! A key that is revoked while the body of a request arrives: the request is refused, although the key was valid when
//! its head arrived.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, RunningService};

use super::fixtures::create_key;

on_both_databases![
    a_key_revoked_during_the_body_is_refused,
    a_user_disabled_during_the_body_is_refused,
    an_endpoint_key_revoked_during_the_body_is_refused,
];

/// A request whose head the service has accepted, and whose body is still to be sent.
struct HeldRequest {
    stream: BufReader<TcpStream>,
    body: String,
}

impl HeldRequest {
    /// Sends the head of a POST and waits until the service asks for the body.
    async fn post(app: &RunningService, url: &str, key: &Value, body: &Value) -> Self {
        let (path, body) = (url.strip_prefix(&app.origin()).unwrap(), body.to_string());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\
             Connection: close\r\n\r\n",
            app.address(),
            key["key"].as_str().unwrap(),
            body.len()
        );
        let mut stream = BufReader::new(TcpStream::connect(app.address()).await.unwrap());
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut line = String::new();
        stream.read_line(&mut line).await.unwrap();
        assert_eq!(line, "HTTP/1.1 100 Continue\r\n");
        stream.read_line(&mut line).await.unwrap();
        Self { stream, body }
    }

    /// Sends the body and returns the response.
    async fn finish(mut self) -> String {
        self.stream.write_all(self.body.as_bytes()).await.unwrap();
        let mut response = String::new();
        self.stream.read_to_string(&mut response).await.unwrap();
        response
    }
}

fn assert_unauthorized(response: &str) {
    assert!(response.starts_with("HTTP/1.1 401 "), "{response}");
}

async fn a_key_revoked_during_the_body_is_refused(service: &ApiFixture) {
    let key = create_key(&service.api, 1, &["admin"]).await;
    let url = format!("{}/api-keys", service.app.api_base());
    let held = HeldRequest::post(&service.app, &url, &key, &json!({"name": "late", "scopes": ["admin"]})).await;
    service.api.delete(&format!("/api-keys/{}", id(&key))).send().await.expect(200);
    assert_unauthorized(&held.finish().await);
    assert!(!service.api.read("/api-keys").await.to_string().contains("late"));
}

async fn a_user_disabled_during_the_body_is_refused(service: &ApiFixture) {
    let user = service.api.create_user("eve", "admin").await;
    let key = create_key(&service.api, user, &["admin"]).await;
    let url = format!("{}/users/{user}", service.app.api_base());
    let held = HeldRequest::post(&service.app, &url, &key, &json!({"disabled": false})).await;
    service.api.patch(&format!("/users/{user}")).json(json!({"disabled": true})).send().await.expect(200);
    let response = held.finish().await;
    assert_unauthorized(&response);
    assert!(response.contains("rest_user_disabled"), "{response}");
    assert_eq!(service.api.read(&format!("/users/{user}")).await["disabled"], true);
}

async fn an_endpoint_key_revoked_during_the_body_is_refused(service: &ApiFixture) {
    let server = service.api.create_server(json!({"name": "S", "auth_type": "api-key"})).await;
    let keys = format!("/servers/{}/keys", id(&server));
    let key = service.api.create(&keys, json!({"name": "k"})).await;
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let url = server["endpoint_url"].as_str().unwrap();
    let held = HeldRequest::post(&service.app, url, &key, &message).await;
    service.api.delete(&format!("{keys}/{}", id(&key))).send().await.expect(200);
    assert_unauthorized(&held.finish().await);
}
